import { spawnSync } from "node:child_process";

/** One living process, as far as its family is concerned. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** when it was started, in a unit of the system's own: only good for comparing */
  readonly started: number;
}

const LISTED = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/u;

/**
 * Reads the output of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, for systems without `/proc`. Zombies are left out.
 * macOS tells no usable session, so that the group stands in for it.
 */
export function parseProcesses(text: string): readonly ProcessEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", started = ""] = LISTED.exec(line) ?? [];
    if (pid === undefined || state.startsWith("Z")) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        started: Date.parse(started),
      },
    ];
  });
}

/** Numbers of the processes whose line of `ps -axEww -o pid=,command=` holds the environment entry `pair`, or one that goes on with `/`. */
export function parseEnvironments(text: string, pair: string): readonly number[] {
  return text
    .split("\n")
    .filter((line) => `${line} `.includes(` ${pair} `) || line.includes(` ${pair}/`))
    .map((line) => Number.parseInt(line, 10));
}

/** Runs `ps`; "" when it fails. */
export function readPs(args: readonly string[]): string {
  const { stdout } = spawnSync("ps", args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 1 << 28,
  });
  return stdout ?? "";
}
