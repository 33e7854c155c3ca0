/** So many files are worked on at a time: enough to keep the disk busy, few enough for any limit on open files. */
const BATCH = 8;

/** Does `work` for all of them, some at a time; results are in the order of the items. The first error is thrown. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(work))));
  }
  return results;
}
