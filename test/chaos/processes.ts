import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes whose working folder is in a place, or that got a mark in their environment. */
export function processesOf(place: string, mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOf(pid, place, mark));
}

function isOf(pid: number, place: string, mark: string): boolean {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    const isDead = /^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    return (
      !isDead && (`${folder}/`.startsWith(`${place}/`) || readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark))
    );
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** What a machine does to its processes when the power fails. */
export function killAll(place: string, mark: string): void {
  for (let left = processesOf(place, mark); left.length > 0; left = processesOf(place, mark)) {
    for (const pid of left) kill(pid);
  }
}

/** Kills a process, or a group where the number is negative, if it is still there. */
export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}
