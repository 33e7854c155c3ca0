import type { Clock } from "../core/ports.ts";
import type { Evidence } from "../core/verdict.ts";

/** Ends what is being proved. */
export interface CutOff {
  readonly signal: AbortSignal;
  /** Nobody waits for the deadline any more. */
  release(): void;
}

/** Aborts with `signal` or at the evidence's deadline, whichever is first. */
export function cutOffOf({ deadline }: Evidence, signal: AbortSignal, clock: Clock): CutOff {
  const released = new AbortController();
  const late = new AbortController();
  if (deadline !== null) {
    if (deadline <= clock.now()) late.abort();
    else void clock.sleepUntil(deadline, released.signal).then(() => late.abort());
  }
  return { signal: AbortSignal.any([signal, late.signal]), release: () => released.abort() };
}
