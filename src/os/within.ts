import { done, failed, type Result } from "../core/result.ts";

/**
 * Gives `work` so many milliseconds. Then its signal aborts and nobody waits for it any longer: what it comes to
 * afterwards is dropped, an error as well. An error in time is thrown.
 *
 * @param from the time begins when this is settled
 * @returns what `work` gives; a failure where time was over first
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  from?: unknown,
): Promise<Result<T>> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<T>>((resolve) => {
    const begin = (): void => {
      if (over.signal.aborted) return;
      timer = setTimeout(() => resolve(failed({ because: "time is over" })), Math.max(0, ms));
    };
    if (from === undefined) begin();
    else void Promise.resolve(from).then(begin, begin);
  });
  try {
    const inTime = (async (): Promise<Result<T>> => done(await work(over.signal)))();
    inTime.catch(() => undefined);
    return await Promise.race([inTime, late]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
