import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { parseEnvironments, readPs } from "../../../src/os/process-tree.ts";
import { waitFor } from "../wait-for.ts";
import type { RunnerFolders } from "./context.ts";

/** A process that is still there. */
export interface LeftOver {
  readonly pid: number;
  readonly command: string;
}

/**
 * What runs in a runner's name: it carries the tracking id in its environment, or it works inside the runner's folders
 * or its workspace.
 */
export function leftOvers(trackingId: string, folders: RunnerFolders): LeftOver[] {
  if (process.platform !== "linux") {
    const found = parseEnvironments(readPs(["-axEww", "-o", "pid=,command="]), `RUNNER_TRACKING_ID=${trackingId}`);
    return found.map((pid) => ({ pid, command: "" }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) => !isZombie(pid) && (isMarked(pid, trackingId) || worksInside(pid, folders)))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ").trim() }));
}

/** Kills them, until none is left. */
export async function killLeftOvers(trackingId: string, folders: RunnerFolders): Promise<void> {
  await waitFor("the runner's processes to go", () => {
    const found = leftOvers(trackingId, folders);
    for (const { pid } of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It went by itself.
      }
    }
    return found.length === 0;
  });
}

function isMarked(pid: string, trackingId: string): boolean {
  return read(pid, "environ").split("\0").includes(`RUNNER_TRACKING_ID=${trackingId}`);
}

function worksInside(pid: string, { root, workspace }: RunnerFolders): boolean {
  try {
    const place = `${readlinkSync(`/proc/${pid}/cwd`)}/`;
    return place.startsWith(`${root}/`) || place.startsWith(`${workspace}/`);
  } catch {
    return false;
  }
}

/** A zombie has ended and waits for its parent to notice. */
function isZombie(pid: string): boolean {
  return / [ZX] /u.test(read(pid, "stat").replace(/^.*\)/u, ""));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
