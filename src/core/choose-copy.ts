import type { CarriedRecord, Moment, RefAnswer } from "./carry.ts";

export interface Copy {
  readonly from: string;
  readonly record: CarriedRecord;
}

/**
 * The copy to go on with: the newest of the loop's own lineage; undefined when none exists. A copy newer than the ref
 * counts only when it follows the commit that the ref is at: otherwise it belongs to the loser of a race, or somebody
 * forged it. Without a ref the newest wins.
 */
export function chooseCopy(ref: RefAnswer, copies: readonly Copy[]): Copy | undefined {
  let best: Copy | undefined = ref.answer === "found" ? { from: "ref", record: ref.record } : undefined;
  for (const copy of copies) {
    const { record } = copy;
    const own = ref.answer !== "found" || record.follows === ref.commit || !isNewer(record, ref.record);
    if (own && (best === undefined || isNewer(record, best.record))) best = copy;
  }
  return best;
}

/** The moment that a state or a record is of. */
export function momentOf({ generation, revision }: Moment): Moment {
  return { generation, revision };
}

/** Whether `a` is a later moment of the loop than `b`; states have moments as well as records. */
export function isNewer(a: Moment, b: Moment): boolean {
  return a.generation === b.generation ? a.revision > b.revision : a.generation > b.generation;
}
