import { logOf, runStage, thisProcess } from "./job/run-stage.ts";

const host = thisProcess();
const exitCode = await runStage(host, logOf(host), async () => (await import("./job/run-job.ts")).runPost);
// Open sockets of the services would keep the process alive: when the answer is given, it ends.
process.exit(exitCode);
