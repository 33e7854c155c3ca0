import type { Control, ControlRequest } from "../core/ports.ts";

/** Wakes a waiting reader: once, however often it was called since the last wait. */
interface Waker {
  readonly wake: () => void;
  readonly woken: () => Promise<void>;
}

export function createWaker(): Waker {
  let called = false;
  let waiter: (() => void) | undefined;
  return {
    wake() {
      called = true;
      waiter?.();
    },
    async woken() {
      if (!called) await new Promise<void>((resolve) => (waiter = resolve));
      called = false;
    },
  };
}

/**
 * The stream of a `Control`: what `start` pushes, until `signal` aborts or the reader leaves.
 *
 * `start` runs at once, before anybody reads, so that no request is missed. It must not throw, and has to clean up when
 * its signal aborts.
 */
export function requestStream(
  signal: AbortSignal,
  start: (push: (request: ControlRequest) => void, ended: AbortSignal) => void,
): AsyncIterable<ControlRequest> {
  const left = new AbortController();
  const ended = AbortSignal.any([signal, left.signal]);
  const waiting: ControlRequest[] = [];
  const waker = createWaker();
  if (!ended.aborted) {
    ended.addEventListener("abort", waker.wake, { once: true });
    start((request) => {
      waiting.push(request);
      waker.wake();
    }, ended);
  }
  return (async function* () {
    try {
      while (!ended.aborted) {
        const request = waiting.shift();
        if (request === undefined) await waker.woken();
        else yield request;
      }
    } finally {
      left.abort();
    }
  })();
}

/** Several ways to reach a loop as one: every request of each, as it comes. */
export function allOf(controls: readonly Control[]): Control {
  return {
    watch: (signal) =>
      requestStream(signal, (push, ended) => {
        for (const control of controls) void forward(control, push, ended);
      }),
  };
}

/** One that throws, against its contract, leaves the others working. */
async function forward(control: Control, push: (request: ControlRequest) => void, ended: AbortSignal): Promise<void> {
  try {
    for await (const request of control.watch(ended)) push(request);
  } catch {
    // nothing more will come from here
  }
}
