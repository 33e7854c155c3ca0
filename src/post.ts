import { runAsProcess } from "./job/run-stage.ts";

await runAsProcess(async () => (await import("./job/run-post.ts")).runPost);
