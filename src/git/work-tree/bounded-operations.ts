import { OperationalError } from "../../core/errors.ts";
import { SealError } from "../../os/seal.ts";
import { seconds } from "../../views/amounts.ts";
import { briefly } from "../../views/plain-text.ts";
import { oneAtATime } from "../../os/concurrency.ts";

/**
 * Does `act` after every operation that was asked for before; its signal aborts `within` milliseconds after it was
 * asked for. Rejects only with `STATE_NEWER`.
 *
 * @param failed what is answered where `act` throws; `why` is a part of a sentence
 */
export type Operations = <T>(
  within: number,
  act: (signal: AbortSignal) => Promise<T>,
  failed: (why: string) => T,
) => Promise<T>;

/** Operations that share one git directory, so that they take turns. */
export function createOperations(): Operations {
  const inTurn = oneAtATime();
  return (within, act, failed) => {
    const signal = AbortSignal.timeout(Math.max(0, Math.round(within)));
    return inTurn(async () => {
      try {
        return await act(signal);
      } catch (error) {
        if (error instanceof OperationalError && error.code === "STATE_NEWER") throw error;
        return failed(signal.aborted ? `there was no answer within ${seconds(within)}` : messageOf(error));
      }
    });
  };
}

/** What went wrong, on one line. */
export function messageOf(error: unknown): string {
  if (error instanceof OperationalError) return `${error.message} ${error.next}`;
  if (error instanceof SealError && error.because === "altered")
    return `${error.message}; give the \`state-key\` that it was sealed with`;
  return briefly(error);
}
