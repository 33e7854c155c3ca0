import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { findOuter } from "./programs.ts";

/** One living process, as far as its family is concerned. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** when it was started, in a unit of the system's own: only good for comparing */
  readonly started: number;
}

/**
 * The environment variable that every process of a supervised tree inherits, wherever it goes. Marks nest like folders:
 * `loop/agent` belongs to `loop` as well.
 */
export const TREE_VARIABLE = "SMITHERS_TREE";

/** What the runner calls a job, and since when what the job starts is ours. */
export interface JobProcesses {
  /** the value of `RUNNER_TRACKING_ID` */
  readonly id: string;
  /** start time of the first process that may belong, see `startOf` */
  readonly since: number;
}

/** The job that an environment belongs to; undefined: it belongs to none. */
export function jobProcesses(env: NodeJS.ProcessEnv, since: number): JobProcesses | undefined {
  const id = env[JOB_VARIABLE];
  return id === undefined || id === "" ? undefined : { id, since };
}

const JOB_VARIABLE = "RUNNER_TRACKING_ID";

/** When a process began, in a unit that is only good for comparing; 0: it is gone. */
export function startOf(pid: number): number {
  return processTable(pid).get(pid)?.started ?? 0;
}

/**
 * The processes that one mark, or one first process, has led to.
 *
 * A process belongs to the tree when it carries the mark in its environment, or when its parent, its process group or
 * its session is known to belong. In a job it belongs as well, whatever mark it has given itself, when it has neither us
 * nor anything among its ancestors that is older than the tree: what other steps have left running, and what that starts,
 * is theirs. While the tree's first process is watched, what runs beside it is spared: it carries the mark of one that
 * has such an ancestor. Members stay known by number and start time, so that a process that init adopts when its parent
 * dies is still found, and a stranger with a reused number is not.
 *
 * Everything is synchronous on purpose: it has to work in the last moments of this process too.
 */
export class ProcessTree {
  readonly #marks: ReadonlySet<string>;
  readonly #known = new Map<number, number>();
  readonly #since: number;
  readonly #job: JobProcesses | undefined;
  readonly #isWatched: boolean;
  #isUnsure = false;

  /** With `leader`, only processes that are not older than it are searched for the marks. @param job whose tree it is */
  constructor(marks: string | readonly string[], leader?: number, job?: JobProcesses) {
    this.#marks = new Set([marks].flat());
    this.#isWatched = leader !== undefined;
    const entry = leader === undefined ? undefined : processTable(leader).get(leader);
    this.#since = entry?.started ?? 0;
    this.#job = job && { id: job.id, since: Math.max(job.since, this.#since) };
    if (leader !== undefined) this.#known.set(leader, entry?.started ?? -1);
  }

  /** Numbers of the living processes of the tree. This process and its ancestors are never among them. */
  alive(): readonly number[] {
    const table = processTable();
    const spared = ourselves(table);
    for (const [pid, started] of this.#known) {
      const entry = table.get(pid);
      if (entry !== undefined && entry.started !== started) this.#known.delete(pid);
    }
    const { marked, isUnsure } = markedProcesses(table, this.#marks, this.#since);
    this.#isUnsure = isUnsure;
    for (const pid of marked) this.#learn(table.get(pid), spared);
    if (this.#job !== undefined)
      for (const entry of strays(table, this.#job, spared, this.#isWatched)) this.#learn(entry, spared);
    let size = -1;
    while (size !== this.#known.size) {
      size = this.#known.size;
      for (const entry of table.values()) if (this.#isKin(entry)) this.#learn(entry, spared);
    }
    return [...this.#known.keys()].filter((pid) => table.has(pid));
  }

  /** Whether `alive`, at its last call, met a process that shows no mark yet, whatever it carries. */
  get isUnsure(): boolean {
    return this.#isUnsure;
  }

  /**
   * Sends SIGKILL to all that live.
   *
   * @returns the numbers of those that were there and could be signalled; a process of another user cannot
   */
  kill(): readonly number[] {
    return this.alive().filter((pid) => sendSignal(pid, "SIGKILL"));
  }

  #isKin(entry: ProcessEntry): boolean {
    return this.#known.has(entry.parent) || this.#known.has(entry.group) || this.#known.has(entry.session);
  }

  #learn(entry: ProcessEntry | undefined, spared: ReadonlySet<number>): void {
    if (entry !== undefined && !spared.has(entry.pid)) this.#known.set(entry.pid, entry.started);
  }
}

/** Signals one process, or a process group when `pid` is negative. False when it is gone or not ours to signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether a process lives, and is no zombie. */
export function isRunning(pid: number): boolean {
  return processTable(pid).has(pid);
}

/** This process and all its ancestors: never end them, even if somebody gave them our mark. */
function ourselves(table: ReadonlyMap<number, ProcessEntry>): ReadonlySet<number> {
  const own = new Set([1]);
  for (let pid: number | undefined = process.pid; pid !== undefined && !own.has(pid); pid = table.get(pid)?.parent) {
    own.add(pid);
  }
  return own;
}

/** What runs on this machine; zombies have ended and are left out. With `only`, at most that one process. */
function processTable(only?: number): ReadonlyMap<number, ProcessEntry> {
  const which = only === undefined ? ["-ax"] : ["-p", `${only}`];
  const entries =
    process.platform === "linux"
      ? linuxProcesses(only)
      : parseProcesses(readPs(["-o", "pid=,ppid=,pgid=,stat=,lstart=", ...which]));
  return new Map(entries.map((entry) => [entry.pid, entry]));
}

function markedProcesses(
  table: ReadonlyMap<number, ProcessEntry>,
  marks: ReadonlySet<string>,
  since: number,
): { readonly marked: readonly number[]; readonly isUnsure: boolean } {
  if (process.platform !== "linux") {
    const listed = readPs(["-axEww", "-o", "pid=,command="]);
    const marked = [...marks].flatMap((mark) => parseEnvironments(listed, `${TREE_VARIABLE}=${mark}`));
    return { marked, isUnsure: false };
  }
  const looked = [...table.values()]
    .filter(({ started }) => started >= since)
    .map((entry) => ({ pid: entry.pid, environment: environmentNow(entry) }));
  const marked = looked.filter(({ environment }) =>
    carriedIn(environment ?? NOTHING_SHOWN)
      .flatMap(withParents)
      .some((mark) => marks.has(mark)),
  );
  return {
    marked: marked.map(({ pid }) => pid),
    isUnsure: looked.some(({ environment }) => environment === null),
  };
}

/** What has begun in a job since then, without a living ancestor of ours or of another step. */
function strays(
  table: ReadonlyMap<number, ProcessEntry>,
  { id, since }: JobProcesses,
  spared: ReadonlySet<number>,
  isWatched: boolean,
): readonly ProcessEntry[] {
  if (process.platform !== "linux" || since === 0) return [];
  const isLost = ({ parent }: ProcessEntry): boolean => {
    for (let at = parent; ;) {
      if (at === process.pid) return false;
      const entry = table.get(at);
      if (entry === undefined || spared.has(at)) return true;
      if (entry.started < since) return false;
      at = entry.parent;
    }
  };
  const lost: ProcessEntry[] = [];
  const beside = new Set<string>();
  for (const entry of table.values()) {
    if (entry.started < since) continue;
    if (isLost(entry)) lost.push(entry);
    else if (isWatched) for (const mark of carriedIn(environmentOf(entry.pid))) beside.add(mark);
  }
  return lost.filter(({ pid }) => {
    const environment = environmentOf(pid);
    return (
      environment.includes(`\0${JOB_VARIABLE}=${id}\0`) && !carriedIn(environment).some((mark) => beside.has(mark))
    );
  });
}

/** What `/proc` tells of it, with a NUL before each variable. */
function environmentOf(pid: number): string {
  return `${NOTHING_SHOWN}${readOrNothing(`/proc/${pid}/environ`)}`;
}

const NOTHING_SHOWN = "\0";

/**
 * The same, while a process may be just becoming another program: for that moment the system shows it without one.
 *
 * @returns null: it is becoming another program, and nobody can tell what it carries
 */
function environmentNow({ pid, group }: ProcessEntry): string | null {
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
      // Threads of the kernel are in no group, and have none.
      if (environment !== "" || group === 0) return `${NOTHING_SHOWN}${environment}`;
      // Where it lies in memory: fields 50 and 51.
      const [from, to = "0"] = afterName(readFileSync(`/proc/${pid}/stat`, "latin1")).slice(47, 49);
      if (to === "0") return null;
      if (from === to) return NOTHING_SHOWN;
    }
    return null;
  } catch {
    // It is gone, or another user's.
    return NOTHING_SHOWN;
  }
}

/** The marks that an environment carries, as they are. */
function carriedIn(environment: string): readonly string[] {
  return Array.from(environment.matchAll(CARRIED), ([, mark = ""]) => mark);
}

/** A mark, and those that it is below. */
function withParents(mark: string): readonly string[] {
  const parts = mark.split("/", DEEPEST);
  return [mark, ...parts.map((_, last) => parts.slice(0, last + 1).join("/"))];
}

/** How many parts a mark of ours has at most, and more. */
const DEEPEST = 8;

const CARRIED = new RegExp(`\\0${TREE_VARIABLE}=([^\\0]*)(?=\\0)`, "gu");

function linuxProcesses(only: number | undefined): readonly ProcessEntry[] {
  const names = only === undefined ? readdirSync("/proc").filter((name) => /^\d+$/u.test(name)) : [`${only}`];
  return names.flatMap((name) => {
    const stat = readOrNothing(`/proc/${name}/stat`);
    const fields = afterName(stat);
    const [state = "Z", ...numbers] = fields;
    if (stat === "" || state === "Z" || state === "X") return [];
    const [parent = 0, group = 0, session = 0] = numbers.map(Number);
    return [{ pid: Number(name), parent, group, session, started: Number(fields[19]) }];
  });
}

/** The command name, field 2, is in parentheses and may hold anything; field 3 follows the last of them. */
function afterName(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** A process may be gone, or be another user's, by the time it is looked at. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

const LISTED = /^\s*([1-9]\d{0,9})\s+(\d{1,10})\s+(\d{1,10})\s+(\S+)\s+(.+)$/u;

/**
 * Reads the output of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, for systems without `/proc`. Zombies are left out. macOS
 * has no usable session, so the group replaces it.
 */
export function parseProcesses(text: string): readonly ProcessEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", started = ""] = LISTED.exec(line) ?? [];
    if (pid === undefined || state.startsWith("Z")) return [];
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
    return [{ ...ids, started: Date.parse(started) }];
  });
}

const NUMBERED = /^\s*([1-9]\d{0,9})\s/u;

/**
 * Numbers of the processes whose line of `ps -axEww -o pid=,command=` holds the environment entry `pair`, or one that goes
 * on with `/`. Programs choose what is in such a line: one that begins with no process's number tells nothing, for a
 * signal to 0 or to a negative number goes to many.
 */
export function parseEnvironments(text: string, pair: string): readonly number[] {
  return text
    .split("\n")
    .filter((line) => `${line} `.includes(` ${pair} `) || line.includes(` ${pair}/`))
    .flatMap((line) => NUMBERED.exec(line)?.[1] ?? [])
    .map(Number);
}

/** Runs `ps`; "" when it fails. */
export function readPs(args: readonly string[]): string {
  const ps = findOuter("ps", process.env["PATH"]);
  if (ps === undefined) return "";
  const env = { ...process.env, PATH: ps.path, LC_ALL: "C" };
  return spawnSync(ps.file, args, { encoding: "utf8", env, maxBuffer: 1 << 28 }).stdout ?? "";
}
