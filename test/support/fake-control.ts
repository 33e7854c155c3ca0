import type { Control, ControlRequest } from "../../src/core/ports.ts";

/** A control on which a test asks for a pause, a stop or a cancel. */
export interface FakeControl extends Control {
  /** Resolves when the watcher has taken the request in. */
  readonly request: (kind: ControlRequest["kind"], by?: string) => Promise<void>;
}

interface Asked {
  readonly request: ControlRequest;
  readonly taken: () => void;
}

export function fakeControl(): FakeControl {
  const asked: Asked[] = [];
  const news = new EventTarget();
  return {
    request: (kind, by = "a person") =>
      new Promise((resolve) => {
        asked.push({ request: { kind, by }, taken: resolve });
        news.dispatchEvent(new Event("news"));
      }),
    async *watch(signal) {
      while (!signal.aborted) {
        const next = asked.shift();
        if (next === undefined) {
          await somethingNew(news, signal);
        } else {
          yield next.request;
          next.taken();
        }
      }
    },
  };
}

function somethingNew(news: EventTarget, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    news.addEventListener("news", done, { once: true });
    signal.addEventListener("abort", done, { once: true });
  });
}
