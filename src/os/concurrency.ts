import { done, failed, type Result } from "../core/result.ts";

/** Runs operations in the order in which they were asked for; one that fails does not keep the next from running. */
export function oneAtATime(): <T>(operation: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(operation);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Enough to keep the disk busy, few enough for any limit on open files. */
const BATCH = 8;

/** Does `work` for all of them, some at a time; results are in the order of the items. The first error is thrown. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for await (const result of eachInBatches(items, work)) results.push(result);
  return results;
}

/** The same result by result, for more of them than are to be held; no item is begun on that nobody asks for. */
export async function* eachInBatches<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, undefined> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield* await Promise.all(batch.map(work));
    batch = [];
  }
  yield* await Promise.all(batch.map(work));
}

/** Waits until `work` settles, or until `deadline` (milliseconds since the epoch) at most. Never rejects. */
export async function settledBy(work: Promise<unknown> | undefined, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(deadline - Date.now(), 0));
  });
  await Promise.race([Promise.allSettled([work]), late]);
  clearTimeout(timer);
}

/**
 * Gives `work` at most `ms` milliseconds. Then its signal aborts and its later result is dropped, an error as well. An
 * error in time is thrown.
 *
 * @param from the time begins when this is settled
 * @returns the result of `work`; a failure when time was over first
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
