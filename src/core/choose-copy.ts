import type { CarriedRecord, RefAnswer } from "./carry.ts";

export interface Copy {
  readonly from: string;
  readonly record: CarriedRecord;
}

/**
 * The copy to go on with: the newest of the loop's own lineage; undefined when there is none. A copy that is newer than
 * the ref counts only when it goes on from the very commit that the ref stands at: else it belongs to the loser of a
 * race, or to somebody who made it up. Where there is no ref, the newest wins.
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

type Moment = Pick<CarriedRecord, "generation" | "revision">;

/** Whether `a` is a later moment of the loop than `b`; states have moments as well as records. */
export function isNewer(a: Moment, b: Moment): boolean {
  return a.generation === b.generation ? a.revision > b.revision : a.generation > b.generation;
}
