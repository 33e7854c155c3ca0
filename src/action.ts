import { runStage } from "./job/run-stage.ts";

await runStage(async () => (await import("./job/run-action.ts")).runAction, "smithers/loop");
