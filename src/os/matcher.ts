import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { oneAtATime } from "./concurrency.ts";

type Match = "match" | "none" | "timed_out";

/** A `Matcher` of the core. */
export interface RegexMatcher {
  test(pattern: string, text: string): Promise<Match>;
}

/**
 * Matches patterns on a thread of its own, which is ended when a match takes longer than `limitMs` and started again
 * when it is next needed (W-37, P13). The time that the thread needs to start does not count. Patterns are JavaScript
 * regular expressions with the flag `u`. Never keeps the process alive on its own.
 *
 * `test` rejects with a SyntaxError when the pattern is not a regular expression.
 */
export function createMatcher(limitMs = 250): RegexMatcher {
  let idle: Worker | undefined;
  // What waits for the thread must not count as matching.
  const inTurn = oneAtATime();

  const test = async (pattern: string, text: string): Promise<Match> => {
    const worker = idle ?? (await startWorker());
    idle = undefined;
    worker.ref();
    const answer = await ask(worker, { pattern, text }, limitMs);
    if (answer === "timed_out") {
      await worker.terminate();
      return answer;
    }
    worker.unref();
    idle = worker;
    if (typeof answer === "boolean") return answer ? "match" : "none";
    throw new SyntaxError(String(answer));
  };

  return { test: (pattern, text) => inTurn(() => test(pattern, text)) };
}

/**
 * The worker as source text: a bundler that moves our files about would lose a worker file.
 *
 * Says "ready" once, then answers each `{ pattern, text }` with a boolean, or with the error's message.
 */
const WORKER = `
"use strict";
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ pattern, text }) => {
  try {
    parentPort.postMessage(new RegExp(pattern, "u").test(text));
  } catch (error) {
    parentPort.postMessage(String(error.message));
  }
});
parentPort.postMessage("ready");
`;

async function startWorker(): Promise<Worker> {
  // Most loops match nothing.
  const threads = await import("node:worker_threads");
  const worker = new threads.Worker(WORKER, { eval: true, env: {}, execArgv: [] });
  await once(worker, "message");
  return worker;
}

async function ask(worker: Worker, question: { pattern: string; text: string }, limitMs: number): Promise<unknown> {
  const over = AbortSignal.timeout(limitMs);
  const answer = once(worker, "message", { signal: over });
  worker.postMessage(question);
  try {
    const [message]: unknown[] = await answer;
    return message;
  } catch (error) {
    if (over.aborted) return "timed_out";
    throw error;
  }
}
