import { CONTROL_REFS } from "./names.ts";
import type { Control, ControlRequest } from "./ports.ts";

const STRENGTH: Readonly<Record<ControlRequest["kind"], number>> = { pause: 1, stop: 2, cancel: 3, supersede: 4 };

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

  const watched = (async () => {
    for await (const request of control.watch(watching.signal)) take(request);
  })();

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

export interface NamedRequest {
  readonly kind: "pause" | "stop" | "cancel";
  readonly login: string;
  /** a number that GitHub gave to the comment or event, so that no two requests have one name */
  readonly id: number | string;
}

const REQUEST = /^(pause|stop|cancel)\/([A-Za-z0-9_][A-Za-z0-9_-]{0,99}(?:\.bot)?)-(\d{1,20})$/u;

/** The folder of refs for requests to a running loop: ends with a slash. */
export function controlRefsOf(loopId: string): string {
  return `${CONTROL_REFS}${loopId}/`;
}

/**
 * The full name of the ref that asks a running loop for something.
 *
 * @throws RangeError when a name can be made of it that would not be understood
 */
export function controlRefOf(loopId: string, { kind, login, id }: NamedRequest): string {
  // A bracket is not allowed in a ref.
  const name = `${kind}/${login.replace(/\[bot\]$/u, ".bot")}-${id}`;
  if (requestIn(name) === undefined) throw new RangeError(`${JSON.stringify(name)} is no request to a loop`);
  return `${controlRefsOf(loopId)}${name}`;
}

/** @param name of a ref, without `controlRefsOf`; undefined when it asks for nothing that is known */
export function requestIn(name: string): ControlRequest | undefined {
  const [, kind, login = ""] = REQUEST.exec(name) ?? [];
  if (kind !== "pause" && kind !== "stop" && kind !== "cancel") return undefined;
  return { kind, by: `${login.replace(/\.bot$/u, "[bot]")} on GitHub` };
}
