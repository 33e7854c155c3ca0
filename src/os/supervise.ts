import { type ChildProcess, type IOType, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { PassThrough, Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, jobProcesses, type JobProcesses, ProcessTree, sendSignal, TREE_VARIABLE } from "./process-tree.ts";

/** What to run, and how long. Times are in milliseconds. */
export interface SuperviseOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** whether the arguments are quoted already, which only Windows has; absent: they are not */
  readonly verbatim?: true | undefined;
  /** the child's whole environment, apart from `SMITHERS_TREE` */
  readonly env: Readonly<Record<string, string>>;
  /** names the tree; trees that run at the same time need different marks, for each is swept by its own */
  readonly mark: string;
  /** starts the command in isolation, see `isolation.ts` */
  readonly isolation?: Launcher | undefined;
  /** written to stdin, which is then closed; when it cannot be read, or without it, stdin is empty */
  readonly input?: string | Promise<string> | Readable;
  readonly signal: AbortSignal;
  /** how long the whole may take; no limit without it */
  readonly timeoutMs?: number;
  /** how long it may be silent on stdout and stderr; no limit without it */
  readonly idleMs?: number;
  /** how long it may take to end itself after `interruptSignal`; 5000 */
  readonly graceMs?: number;
  /** asks it to end itself; SIGINT */
  readonly interruptSignal?: NodeJS.Signals;
}

/** What starts one command in isolation. */
export interface Launcher {
  /** bubblewrap and its arguments, and what may come before it in the same process; the command is appended */
  readonly argv: readonly string[];
  /** called once, when nothing of the command is left */
  readonly over: () => void;
}

/** How a supervised process ended. */
export interface Exit {
  /** the first cause wins */
  readonly ended: "exited" | "timed_out" | "idle" | "aborted" | "not_started";
  /** null when a signal killed it or it never started */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** why it could not be started; with the code `NOT_ISOLATED`, bubblewrap has said why on stderr */
  readonly error?: NodeJS.ErrnoException;
}

export interface Supervised {
  /** read both streams: a full pipe stops the child */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process and everything it left behind is gone; never rejects. */
  readonly exit: Promise<Exit>;
  /** Reports a sign of life that the streams do not show: the idle time restarts. */
  touch(): void;
}

const GRACE_MS = 5_000;
/** What SIGKILL has not ended until then is stuck in the kernel and would hold us for ever. */
const STUCK_MS = 10_000;
/** A process that shows no mark for this long is not just becoming another program. */
const UNSURE_MS = 1_000;
/** A stream is closed on a process that escaped us with it, when nothing has come for this long. */
const ORPHANED_STREAM_MS = 1_000;
/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const trees = new Set<SupervisedTree>();

/**
 * Runs a program as the head of a process tree of which nothing survives (threats T19), not even after a normal exit. A
 * tree is recognised by its process group and session, by its descendants when it is asked to end, and by the mark in
 * the environment of everything it starts; in a job also by the runner's, see `ProcessTree`.
 */
export function supervise(options: SuperviseOptions): Supervised {
  return new SupervisedTree(options);
}

/**
 * Kills what runs that were killed themselves have left behind under their marks.
 *
 * @param job whose strays, whatever they carry, are killed with it
 * @returns how many processes there were
 */
export async function sweep(marks: string | readonly string[], job?: JobProcesses): Promise<number> {
  return killAll(new ProcessTree(marks, undefined, job));
}

/** The same without waiting, for a process that is about to end: it may miss what is just being started. */
export function sweepNow(mark: string, job?: JobProcesses): void {
  new ProcessTree(mark, undefined, job).kill();
}

/** Ends every supervised tree of this process at once and without grace, before it returns (second Ctrl+C). */
export function hurry(): void {
  for (const tree of trees) tree.hurry();
}

class SupervisedTree implements Supervised {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exit: Promise<Exit>;
  readonly #options: SuperviseOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stuck = new AbortController();
  #cause: Exit["ended"] | undefined;
  #lastSign = performance.now();
  #tree: ProcessTree | undefined;
  #inside: IsolatedCommand | undefined;

  constructor(options: SuperviseOptions) {
    this.#options = options;
    const exit = options.signal.aborted ? this.#refuse({ ended: "aborted" }) : this.#run();
    this.exit = exit.finally(() => options.isolation?.over());
  }

  touch(): void {
    this.#lastSign = performance.now();
  }

  hurry(): void {
    this.#cause ??= "aborted";
    this.#kill();
  }

  async #run(): Promise<Exit> {
    let child: ChildProcess;
    try {
      child = this.#spawn();
    } catch (error) {
      const asError = error instanceof Error ? error : new Error(String(error));
      return this.#refuse({ ended: "not_started", error: asError });
    }
    const gone = departure(child, this.#stuck.signal);
    if (child.pid === undefined) return this.#refuse({ ended: "not_started", ...(await gone) });
    const pid = child.pid;
    const tree = new ProcessTree(this.#options.mark, pid, jobProcesses(this.#options.env, 0));
    const abort = () => this.#end("aborted", pid);
    this.#tree = tree;
    trees.add(this);
    this.#options.signal.addEventListener("abort", abort, { once: true });
    this.#watchTime(pid);
    const release = [this.#connect(child.stdout, this.stdout), this.#connect(child.stderr, this.stderr)];
    const inside = this.#options.isolation && new IsolatedCommand(child.stdio[3]);
    this.#inside = inside;

    const end = { ...(await gone), ...(await inside?.end(this.#stuck.signal)) };
    const isRefused = inside !== undefined && end.exitCode === null && end.signal === null;
    this.#cause ??= isRefused ? "not_started" : "exited";
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal.removeEventListener("abort", abort);
    await killAll(tree);
    trees.delete(this);
    this.touch();
    for (const releaseStream of release) void releaseStream();
    return { exitCode: null, signal: null, ...end, ...(isRefused && { error: notIsolated() }), ended: this.#cause };
  }

  async #refuse(exit: Partial<Exit> & Pick<Exit, "ended">): Promise<Exit> {
    this.stdout.end();
    this.stderr.end();
    return { exitCode: null, signal: null, ...exit };
  }

  #spawn(): ChildProcess {
    const { cwd, env, mark, input, isolation, verbatim = false } = this.#options;
    const [command, args] = commandLine(this.#options);
    const child = spawn(command, args, {
      cwd,
      env: { ...env, [TREE_VARIABLE]: mark },
      detached: true,
      windowsVerbatimArguments: verbatim,
      stdio: withoutGiven([input === undefined ? "ignore" : "pipe", "pipe", "pipe", ...(isolation ? ["pipe"] : [])]),
    });
    // A program need not read its input: EPIPE is not an error here.
    child.stdin?.on("error", () => {});
    if (input instanceof Readable) void (child.stdin && input.pipe(child.stdin));
    else
      void Promise.resolve(input).then(
        (text) => child.stdin?.end(text),
        () => child.stdin?.end(),
      );
    return child;
  }

  /** Asks the whole group to end itself; what lives after the grace is killed. */
  #end(cause: Exit["ended"], pid: number): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    // If a parent dies first, init adopts its children: the tree is written down while it is together.
    this.#tree?.alive();
    // Bubblewrap would die of it, and what it has started at once with it: the command's own session is asked.
    sendSignal(-(this.#inside?.leader ?? pid), this.#options.interruptSignal ?? "SIGINT");
    this.#after(this.#options.graceMs ?? GRACE_MS, () => this.#kill());
  }

  #kill(): void {
    this.#tree?.kill();
    this.#after(STUCK_MS, () => this.#stuck.abort());
  }

  #watchTime(pid: number): void {
    const { timeoutMs, idleMs } = this.#options;
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.#end("timed_out", pid));
    if (idleMs !== undefined) this.#after(idleMs, () => this.#checkIdle(idleMs, pid));
  }

  #checkIdle(idleMs: number, pid: number): void {
    const left = this.#lastSign + idleMs - performance.now();
    if (left <= 0) this.#end("idle", pid);
    else this.#after(left, () => this.#checkIdle(idleMs, pid));
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        act();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    this.#timers.add(timer);
  }

  /**
   * Lets `source` flow into `out`, each chunk being a sign of life.
   *
   * @returns to be called when the tree is gone: closes the stream that an escaped process still holds open, so that
   * reading ends
   */
  #connect(source: Readable | null, out: PassThrough): () => Promise<void> {
    if (source === null) return async () => void out.end();
    source.on("error", () => {});
    source.on("data", () => this.touch());
    source.once("close", () => out.end());
    source.pipe(out);
    return async () => {
      while (!source.readableEnded && !source.destroyed) {
        await sleep(ORPHANED_STREAM_MS / 4, undefined, { ref: false });
        const silentMs = performance.now() - this.#lastSign;
        if (silentMs > ORPHANED_STREAM_MS && !out.writableNeedDrain) source.destroy();
      }
    };
  }
}

/** Node.js keeps the descriptors that it was given from its children as far as they are numbered without a gap. */
const CLOSED_ON_EXEC = 0o2000000;
let given: readonly number[] | undefined;
let nothing: number | undefined;

/** Files that whoever started us left open are none of a child's: in their place it finds nothing. */
function withoutGiven(streams: readonly string[]): StdioOptions {
  given ??= givenDescriptors();
  const stdio: (IOType | number)[] = streams.map((stream) => (stream === "pipe" ? "pipe" : "ignore"));
  for (const descriptor of given) {
    if (descriptor < streams.length) continue;
    while (stdio.length < descriptor) stdio.push("ignore");
    stdio[descriptor] = nothing ??= openSync("/dev/null", "r");
  }
  return stdio;
}

/** All but what we open ourselves, which children never get; none where the system does not tell. */
function givenDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter(isPassedOn)
      .toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return descriptor > 2 && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // The one for the listing is closed by now.
    return false;
  }
}

export const NOT_ISOLATED = "NOT_ISOLATED";

function notIsolated(): NodeJS.ErrnoException {
  return Object.assign(new Error("bubblewrap did not start it"), { code: NOT_ISOLATED });
}

/** What is started: the command, or bubblewrap with the command at its end. */
function commandLine({ command, args, isolation }: SuperviseOptions): [command: string, args: readonly string[]] {
  const [launcher, ...rest] = isolation?.argv ?? [];
  if (launcher === undefined) return [command, args];
  return [launcher, [...rest, "--json-status-fd", String(STATUS_FD), "--", command, ...args]];
}

/** Where bubblewrap says what it does; the first after stdin, stdout and stderr. */
const STATUS_FD = 3;

/**
 * A command that bubblewrap has started, by bubblewrap's own account. The command cannot write there: it does not have the
 * descriptor.
 */
class IsolatedCommand {
  #said = "";
  readonly #closed: Promise<unknown>;

  constructor(status: Readable | Writable | null | undefined) {
    if (!(status instanceof Readable)) throw new Error("a process without a status descriptor");
    status.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.#closed = once(status, "close").catch(() => {});
  }

  /** the first process inside, as it is numbered outside; undefined before it runs */
  get leader(): number | undefined {
    return numberIn(/"child-pid": (\d+)/u.exec(this.#said));
  }

  /**
   * How the command ended, which bubblewrap may tell after its own end; without an exit code it never ran.
   *
   * Everything inside ends with its first process: when that is gone, nothing is left.
   */
  async end(stuck: AbortSignal): Promise<Pick<Exit, "exitCode">> {
    const late = new Promise((resolve) => stuck.addEventListener("abort", resolve, { once: true }));
    await Promise.race([this.#closed, late]);
    for (let pauseMs = 1; this.leader !== undefined && !stuck.aborted && isRunning(this.leader); pauseMs *= 2)
      await sleep(Math.min(pauseMs, 50));
    return { exitCode: numberIn(/"exit-code": (\d+)/u.exec(this.#said)) ?? null };
  }
}

function numberIn(found: RegExpExecArray | null): number | undefined {
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** How the process itself ended, or why it never began; nothing when it is `stuck`. */
function departure(child: ChildProcess, stuck: AbortSignal): Promise<Partial<Exit>> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.on("error", (error) => resolve({ error }));
    stuck.addEventListener("abort", () => resolve({}), { once: true });
  });
}

/** Kills until nothing of the tree is left that can be killed, and nothing that may be of it. */
async function killAll(tree: ProcessTree): Promise<number> {
  const killed = new Set<number>();
  const begun = performance.now();
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const hit = tree.kill();
    for (const pid of hit) killed.add(pid);
    const mostMs = hit.length > 0 ? STUCK_MS : tree.isUnsure ? UNSURE_MS : 0;
    if (performance.now() - begun >= mostMs) return killed.size;
    await sleep(pauseMs);
  }
}
