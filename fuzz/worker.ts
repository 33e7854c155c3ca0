/** Tries the cases of one target: `worker.ts NAME SEED FIRST END`. The last line of stdout is JSON: what came out. */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { targetNamed } from "./targets.ts";
import { tryCases } from "./run.ts";

const [, , name = "", seed = "", first = "0", end = "0"] = process.argv;
const cases = new SharedArrayBuffer(8);
const current = new Int32Array(cases);
current[0] = -1;
process.once("uncaughtException", ({ stack }) => {
  writeSync(1, `${JSON.stringify({ case: Atomics.load(current, 0), fault: `nothing caught this: ${stack}` })}\n`);
  process.exit(1);
});
const watchdog = new Worker(new URL("watchdog.ts", import.meta.url), { workerData: { cases } });
// While a case holds this thread, another one cannot begin.
await once(watchdog, "message");
const target = targetNamed(name);
const faults = await tryCases(target, { seed, first: Number(first), end: Number(end) }, (number) => {
  Atomics.store(current, 0, number);
});
Atomics.store(current, 0, -1);
await target.close();
await watchdog.terminate();
console.log(JSON.stringify({ faults, peakBytes: process.resourceUsage().maxRSS * 1024 }));
