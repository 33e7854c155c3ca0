import type { ControlRequest } from "../core/ports.ts";
import { createBell } from "./bell.ts";

/**
 * The stream of a `Control`: what `start` pushes, until `signal` aborts or the reader leaves.
 *
 * `start` runs at once, before anybody reads, so that no request is missed. It must not throw, and has to clear up when
 * the signal that it is given aborts.
 */
export function requestStream(
  signal: AbortSignal,
  start: (push: (request: ControlRequest) => void, ended: AbortSignal) => void,
): AsyncIterable<ControlRequest> {
  const left = new AbortController();
  const ended = AbortSignal.any([signal, left.signal]);
  const waiting: ControlRequest[] = [];
  const bell = createBell();
  if (!ended.aborted) {
    ended.addEventListener("abort", bell.ring, { once: true });
    start((request) => {
      waiting.push(request);
      bell.ring();
    }, ended);
  }
  return (async function* () {
    try {
      while (!ended.aborted) {
        const request = waiting.shift();
        if (request === undefined) await bell.heard();
        else yield request;
      }
    } finally {
      left.abort();
    }
  })();
}
