/**
 * Watches the process it is a thread of: when one case takes too long, or the memory too much, says which and ends the
 * process. Nothing else could, while a case holds the main thread.
 */
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

/** Of the processor, in milliseconds: a machine that is busy with something else is no fault of a case. */
const LONGEST_BUSY = 1_000;
/** For a case that waits for something that never comes, in milliseconds. */
const LONGEST = 15_000;
const MOST_BYTES = 700 << 20;
const LOOK_MS = 50;

const current = new Int32Array(z.object({ cases: z.instanceof(SharedArrayBuffer) }).parse(workerData).cases);
let number = -1;
let since = 0;
let busy = 0;

function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function end(fault: string): never {
  writeSync(1, `${JSON.stringify({ case: Atomics.load(current, 0), fault })}\n`);
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
}

parentPort?.postMessage("ready");
for (;;) {
  Atomics.wait(current, 1, 0, LOOK_MS);
  const now = Atomics.load(current, 0);
  if (now !== number) [number, since, busy] = [now, performance.now(), used()];
  else if (now >= 0 && used() - busy > LONGEST_BUSY) end(`takes more than ${LONGEST_BUSY} ms of the processor`);
  else if (now >= 0 && performance.now() - since > LONGEST) end(`is not over after ${LONGEST} ms`);
  const { rss } = process.memoryUsage();
  if (rss > MOST_BYTES) end(`the process holds ${rss >> 20} MiB of memory`);
}
