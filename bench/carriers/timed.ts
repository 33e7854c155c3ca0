import { readFileSync } from "node:fs";

/** What something took, in milliseconds. */
export interface Cost {
  readonly wall: number;
  /** of this process and of those that it has started and seen end, user and system; NaN without /proc */
  readonly cpu: number;
}

/** What something takes, and what it gives. */
export async function timed<T>(work: () => Promise<T>): Promise<readonly [Cost, T]> {
  const [began, used] = [performance.now(), usedCpu()];
  const result = await work();
  return [{ wall: performance.now() - began, cpu: usedCpu() - used }, result];
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

function usedCpu(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
