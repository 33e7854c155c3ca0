import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { hasCode } from "./file-errors.ts";
import { readPs } from "./process-tree.ts";

/** A process that cannot be confused with any other, before or after it. */
export interface Holder {
  readonly pid: number;
  /** when the process was started, in the system's own unit, with the boot it belongs to */
  readonly started: string;
  /** of the process's numbers: containers count theirs by themselves, and may share the host's name; "0": not known */
  readonly space: string;
  readonly host: string;
  /** distinguishes two locks of one process */
  readonly nonce: string;
}

const NAME = /^(?<pid>\d+)\.(?<started>[\w-]+?)(?:-n(?<space>[1-9]\d*))?\.(?<nonce>[0-9a-f]{8})\.(?<host>[\w.-]+)$/u;

const ENDED = "ended"; // what `startOf` says of a process that has ended and waits for its parent to notice

export async function thisHolder(): Promise<Holder> {
  const nonce = randomBytes(4).toString("hex");
  return { pid: process.pid, started: await startOf(process.pid), space: namespace(), host: thisHost(), nonce };
}

export function nameOfHolder(holder: Holder): string {
  const space = holder.space === "0" ? "" : `-n${holder.space}`;
  return `${holder.pid}.${holder.started}${space}.${holder.nonce}.${holder.host}`;
}

export function parseHolder(name: string): Holder | undefined {
  const { pid, started, space = "0", nonce, host } = NAME.exec(name)?.groups ?? {};
  if (pid === undefined || started === undefined || nonce === undefined || host === undefined) return undefined;
  return { pid: Number(pid), started, space, nonce, host };
}

/**
 * Whether the holder may still be at work. One on another machine, or in another container since the machine's last start,
 * cannot be asked, so it counts as alive.
 */
export async function mayBeAlive(holder: Holder): Promise<boolean> {
  return (await isOutOfReach(holder)) || isProcessAlive(holder);
}

/** Whether nobody here can tell if the holder is alive: it is on another machine, or in another container. */
export async function isOutOfReach({ host, space, started }: Holder): Promise<boolean> {
  if (host !== thisHost()) return true;
  const isElsewhere = space !== "0" && space !== namespace();
  return isElsewhere && bootOf(started) === bootOf(await startOf(process.pid));
}

/**
 * Within which the numbers of processes count. No two that exist have one number, so who is noted with ours is either in
 * it or over. Only Linux has several.
 */
export function namespace(): string {
  try {
    return /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

/** "" where the start of a process does not name it. */
export function bootOf(started: string): string {
  return started.split("-")[1] ?? "";
}

/** The same for a process that this machine, and this container, has or has had. */
export async function isProcessAlive({ pid, started }: Pick<Holder, "pid" | "started">): Promise<boolean> {
  if (!exists(pid)) return false;
  const now = await startOf(pid);
  return now === UNKNOWN || now === started;
}

const UNKNOWN = "unknown"; // a process of another user whose start the system keeps to itself

async function startOf(pid: number): Promise<string> {
  return process.platform === "linux" ? await startOnLinux(pid) : startByPs(pid);
}

/** Clock ticks since the boot, and the boot: after a restart the same number is another process. */
async function startOnLinux(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // the command's name, in parentheses, may hold anything; the fields behind it are numbered from 3
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const state = fields[0] ?? "";
    return "ZXx".includes(state) ? ENDED : `${fields[22 - 3]}-${boot.slice(0, 8)}`;
  } catch {
    return UNKNOWN;
  }
}

function startByPs(pid: number): string {
  const line = readPs(["-o", "stat=,lstart=", "-p", String(pid)]).trim();
  if (line === "") return UNKNOWN;
  if (line.startsWith("Z")) return ENDED;
  return String(Date.parse(line.replace(/^\S+\s+/u, "")) / 1000);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function thisHost(): string {
  const name = hostname().replace(/[^\w.-]/gu, "_");
  return name.slice(0, 100) || "localhost";
}
