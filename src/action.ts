import { logOf, runStage, thisProcess } from "./job/run-stage.ts";

const host = thisProcess();
const log = logOf(host);
log.line("smithers/loop");
const exitCode = await runStage(host, log, async () => (await import("./job/run-action.ts")).runAction);
// Open sockets of the services would keep the process alive: when the answer is given, it ends.
process.exit(exitCode);
