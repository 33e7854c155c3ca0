import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { LogCapture } from "./log-capture.ts";

const POLL_MS = 20;

/** How the runner ends a step; milliseconds (`ProcessInvoker.cs`). */
export interface Ladder {
  /** from SIGINT to SIGTERM */
  readonly interruptMs: number;
  /** from SIGTERM to SIGKILL */
  readonly terminateMs: number;
  /** how long a stream may stay open after node has gone */
  readonly streamsMs: number;
}

export const RUNNER_LADDER: Ladder = { interruptMs: 7_500, terminateMs: 2_500, streamsMs: 5_000 };

export interface StageOptions {
  /** the script to run */
  readonly script: string;
  readonly cwd: string;
  /** the whole environment */
  readonly env: Readonly<Record<string, string>>;
  readonly ladder: Ladder;
  /** asked again and again with the log so far */
  readonly endWhen: (log: string) => "cancel" | "vanish" | undefined;
  /** a step that takes longer is a failure of the test */
  readonly timeoutMs: number;
  /** whose process it is; this one's, unless said */
  readonly user?: number | undefined;
}

interface SentSignal {
  readonly signal: NodeJS.Signals;
  /** since the stage began */
  readonly atMs: number;
}

export interface StageEnd {
  /** both streams, whole lines, in the order in which they came */
  readonly log: string;
  readonly exitCode: number | null;
  /** what the runner has sent */
  readonly sent: readonly SentSignal[];
  readonly ended: "exited" | "cancelled" | "vanished" | "timed_out";
  readonly durationMs: number;
  /** milliseconds since the epoch, with fractions */
  readonly startedAt: number;
}

/** Runs one script of the action as the runner does: stdin closed, and only this process is ever signalled. */
export async function runStage(options: StageOptions): Promise<StageEnd> {
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  const child = spawn(process.execPath, [options.script], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
  });
  const log = new LogCapture();
  log.read(child.stdout);
  log.read(child.stderr);
  const closed = once(child, "close");
  const gone = new AbortController();
  child.once("exit", () => gone.abort());
  const sent: SentSignal[] = [];
  const send = (signal: NodeJS.Signals): void => {
    sent.push({ signal, atMs: since() });
    child.kill(signal);
  };

  const ended = await watch(options, log, gone.signal, since);
  if (ended === "cancelled") await climb(options.ladder, send, gone.signal);
  else if (ended !== "exited") send("SIGKILL");
  if (!gone.signal.aborted) await once(gone.signal, "abort");
  await Promise.race([closed, sleep(options.ladder.streamsMs, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  log.finish();
  return {
    log: log.text,
    exitCode: child.exitCode,
    sent,
    ended,
    durationMs: since(),
    startedAt: performance.timeOrigin + started,
  };
}

async function watch(
  { endWhen, timeoutMs }: StageOptions,
  log: LogCapture,
  gone: AbortSignal,
  since: () => number,
): Promise<StageEnd["ended"]> {
  const wish: { made: "cancel" | "vanish" | undefined } = { made: undefined };
  const ask = (): void => {
    wish.made ??= endWhen(log.text);
  };
  log.onLine(ask);
  while (!gone.aborted && wish.made === undefined) {
    if (since() > timeoutMs) return "timed_out";
    await pause(POLL_MS, gone);
    if (!gone.aborted) ask();
  }
  if (gone.aborted || wish.made === undefined) return "exited";
  return wish.made === "cancel" ? "cancelled" : "vanished";
}

/** SIGINT, SIGTERM, SIGKILL, each after its time, until the process has gone. */
async function climb(ladder: Ladder, send: (signal: NodeJS.Signals) => void, gone: AbortSignal): Promise<void> {
  send("SIGINT");
  await pause(ladder.interruptMs, gone);
  if (gone.aborted) return;
  send("SIGTERM");
  await pause(ladder.terminateMs, gone);
  if (!gone.aborted) send("SIGKILL");
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // The process has gone; there is nothing to wait for.
  }
}
