import type { Control } from "../core/ports.ts";
import { requestStream } from "./request-stream.ts";

/** Signals that ask a run to stop: Ctrl+C, a cancelled job, a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Another signal within this time, in milliseconds, is the same wish: one Ctrl+C reaches a program that `npx` or
 * `npm run` started twice, from the terminal and from npm, and some supervisors send SIGTERM and SIGHUP together.
 */
const ONE_WISH_MS = 200;

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/**
 * Turns the first signal into a `stop` request; every further one calls `onSecond`, for somebody who does
 * not want to wait. The handlers are there from the call of `watch` until its signal aborts.
 *
 * @param now milliseconds of a clock
 */
export function createSignalControl(source: SignalSource, onSecond: () => void, now: () => number = Date.now): Control {
  return {
    watch: (signal) =>
      requestStream(signal, (push, ended) => {
        let wished: number | undefined;
        const listener = (name: NodeJS.Signals): void => {
          const at = now();
          // Counted from the request, not from the last signal: holding Ctrl+C down is no wish to wait longer.
          if (wished !== undefined && at - wished < ONE_WISH_MS) return;
          if (wished === undefined) push({ kind: "stop", by: name });
          else onSecond();
          wished = at;
        };
        for (const name of SIGNALS) source.on(name, listener);
        ended.addEventListener("abort", () => {
          for (const name of SIGNALS) source.off(name, listener);
        });
      }),
  };
}
