import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import path from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { FIRST_LINE, type Host, runStage } from "../../../src/job/run-stage.ts";
import { shortPauses } from "../short-pauses.ts";
import { LogCapture } from "./log-capture.ts";
import type { StageEnd, StageOptions } from "./stage.ts";

/** What a process tells when it ends, and what may end it. */
const EVENTS = ["exit", "SIGINT", "SIGTERM"];
const events: EventEmitter = process;

/** The environment of the stage that is at work, for code that asks the process for it. */
const environment = new AsyncLocalStorage<NodeJS.ProcessEnv>();

/**
 * Runs a stage of the Action from the sources in this process: for what has nothing to do with processes and starts few.
 * It saves the start of one; each program that the stage starts costs more, because this process is larger. It cannot be
 * cancelled. What it would have left to the end of its process is done at its end.
 */
export async function runStageInProcess({ script, env, timeoutMs }: StageOptions): Promise<StageEnd> {
  const started = performance.now();
  const [stdout, stderr, log] = [new PassThrough(), new PassThrough(), new LogCapture()];
  log.read(stdout);
  log.read(stderr);
  using pauses = new DisposableStack();
  if (env["NODE_OPTIONS"]?.includes("fast-timers") === true) pauses.use(shortPauses());
  const before = EVENTS.map((event) => new Set(events.listeners(event)));
  const own = { ...env };
  const host: Host = { env: own, stdout, stderr, platform: process.platform, script, startedAt: Date.now() };
  takeTurnsWithTheEnvironment();
  const exitCode = await environment.run(own, () => within(timeoutMs, stageOf(script)(host)));
  for (const [at, event] of EVENTS.entries()) {
    for (const listener of events.listeners(event)) {
      if (before[at]?.has(listener) === true) continue;
      Reflect.apply(events.off.bind(events), undefined, [event, listener]);
      if (event === "exit") environment.run(own, () => Reflect.apply(listener, process, [exitCode]));
    }
  }
  log.finish();
  return {
    log: log.text,
    exitCode: exitCode ?? null,
    sent: [],
    ended: exitCode === undefined ? "timed_out" : "exited",
    durationMs: Math.round(performance.now() - started),
    startedAt: performance.timeOrigin + started,
  };
}

function stageOf(script: string): (host: Host) => Promise<number> {
  const isMain = path.basename(path.dirname(script)) === "action";
  return async (host) =>
    isMain
      ? runStage(host, async () => (await import("../../../src/job/run-action.ts")).runAction, FIRST_LINE)
      : runStage(host, async () => (await import("../../../src/job/run-post.ts")).runPost);
}

/** @returns undefined when it takes longer */
async function within<T>(timeoutMs: number, doing: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: ended.signal }).catch(() => undefined);
  try {
    return await Promise.race([doing, late]);
  } finally {
    ended.abort();
  }
}

let isTaken = false;

/** From now on `process.env` is the environment of whatever stage asks, and outside of all stages what it always was. */
function takeTurnsWithTheEnvironment(): void {
  if (isTaken) return;
  isTaken = true;
  const outside = process.env;
  const current = (): NodeJS.ProcessEnv => environment.getStore() ?? outside;
  process.env = new Proxy(outside, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, String(value)),
    has: (_, name) => Reflect.has(current(), name),
    deleteProperty: (_, name) => Reflect.deleteProperty(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), name);
      return found === undefined ? undefined : { ...found, configurable: true };
    },
  });
}
