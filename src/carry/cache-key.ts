import type { Bundle } from "../core/carry.ts";

/** `smithers-v1-<id>-<revision>-<run>-<attempt>`: the key of the entry that holds a bundle. */
export function cacheKey({ record }: Pick<Bundle, "record">): string {
  const { loop_id: id, revision, run } = record;
  return `${cacheKeyPrefix(id)}${String(revision).padStart(8, "0")}-${run.id}-${run.attempt}`;
}

/** What the keys of all entries of a loop begin with. */
export function cacheKeyPrefix(loopId: string): string {
  return `smithers-v1-${loopId}-`;
}
