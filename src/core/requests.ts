import type { Control, ControlRequest } from "./ports.ts";

const STRENGTH = { pause: 1, stop: 2, cancel: 3, supersede: 4 } as const satisfies Record<
  ControlRequest["kind"],
  number
>;

/** What people asked of this run so far. */
export interface Requests {
  /** the strongest request; the first of equals */
  strongest(): ControlRequest | null;
  /** aborts on every request but `pause`, with the request as its reason: ends what is going on */
  readonly cut: AbortSignal;
  /** aborts on any request: ends a sleep */
  readonly wake: AbortSignal;
  close(): Promise<void>;
}

/** Listens to control requests for as long as a run lasts. `signal` aborting counts as a stop request. */
export function listen(control: Control, signal: AbortSignal): Requests {
  const cut = new AbortController();
  const wake = new AbortController();
  const watching = new AbortController();
  let strongest: ControlRequest | null = null;

  const take = (request: ControlRequest): void => {
    if (strongest === null || STRENGTH[request.kind] > STRENGTH[strongest.kind]) strongest = request;
    wake.abort(request);
    if (request.kind !== "pause") cut.abort(request);
  };
  const abort = (): void => take({ kind: "stop", by: "the caller" });
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });

  const watch = async (): Promise<void> => {
    for await (const request of control.watch(watching.signal)) take(request);
  };
  const watched = watch();

  return {
    strongest: () => strongest,
    cut: cut.signal,
    wake: wake.signal,
    async close() {
      signal.removeEventListener("abort", abort);
      watching.abort();
      await watched;
    },
  };
}
