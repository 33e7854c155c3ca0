import { OperationalError } from "../core/errors.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { SealError } from "../os/seal.ts";
import { seconds } from "../views/amounts.ts";
import { briefly } from "../views/plain-text.ts";

/**
 * Does `act` after every operation that was asked for before; its signal aborts `within` milliseconds after it was
 * asked for. Rejects only with `STATE_NEWER`.
 *
 * @param otherwise what is answered where `act` throws; `because` is a part of a sentence
 */
export type Operations = <T>(
  within: number,
  act: (signal: AbortSignal) => Promise<T>,
  otherwise: (because: string, isLate: boolean) => T,
) => Promise<T>;

/**
 * Operations that share one git directory, so that they take turns.
 *
 * @param worded puts what was thrown in words
 */
export function createOperations(worded: (error: unknown) => string = briefly): Operations {
  const inTurn = oneAtATime();
  return (within, act, otherwise) => {
    const signal = AbortSignal.timeout(Math.max(0, Math.round(within)));
    return inTurn(async () => {
      try {
        return await act(signal);
      } catch (error) {
        if (error instanceof OperationalError && error.code === "STATE_NEWER") throw error;
        const isLate = signal.aborted;
        return otherwise(isLate ? `there was no answer within ${seconds(within)}` : worded(error), isLate);
      }
    });
  };
}

/** What went wrong, and what to do about it, on one line. */
export function withNext(error: unknown): string {
  if (error instanceof OperationalError) return `${error.message} ${error.next}`;
  const isOtherKey = error instanceof SealError && error.because === "altered";
  return isOtherKey ? `${error.message}; give the \`state-key\` that it was sealed with` : briefly(error);
}
