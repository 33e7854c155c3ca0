/** What became of work that had a limited time. */
export type Within<T> = { readonly inTime: true; readonly value: T } | { readonly inTime: false };

/**
 * Gives `work` so many milliseconds. Then its signal aborts and nobody waits for it any longer: what it comes to
 * afterwards is dropped, an error as well. An error in time is thrown.
 *
 * @param from the time begins when this is settled
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  from?: unknown,
): Promise<Within<T>> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Within<T>>((resolve) => {
    const begin = (): void => {
      if (!over.signal.aborted) timer = setTimeout(() => resolve({ inTime: false }), Math.max(0, ms));
    };
    if (from === undefined) begin();
    else void Promise.resolve(from).then(begin, begin);
  });
  try {
    const done = work(over.signal).then((value): Within<T> => ({ inTime: true, value }));
    done.catch(() => undefined);
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
