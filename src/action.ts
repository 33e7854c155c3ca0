import { FIRST_LINE, runAsProcess } from "./job/run-stage.ts";

await runAsProcess(async () => (await import("./job/run-action.ts")).runAction, FIRST_LINE);
