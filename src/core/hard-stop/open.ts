import type { HardStopHit } from "./scan.ts";

/** What decides which HARD STOP hits still want a person. */
export interface HardStopBooks {
  readonly when: "reached" | "present";
  /** every hit met since the loop began */
  readonly seen: readonly HardStopHit[];
  /** ids that a person has acknowledged */
  readonly acknowledged: readonly string[];
}

/**
 * The hits that pause the loop: not acknowledged, and reached (or merely present, if that is what the user wants). A
 * hit that was seen before and is gone counts as reached: whoever deleted the line has not reviewed the work (C10).
 */
export function openHardStops(books: HardStopBooks, current: readonly HardStopHit[]): readonly HardStopHit[] {
  const acknowledged = new Set(books.acknowledged);
  const here = new Set(current.map((hit) => hit.id));
  const standing = current.filter((hit) => hit.reached || books.when === "present");
  const vanished = books.seen
    .filter((hit) => !here.has(hit.id))
    .map((hit): HardStopHit => ({ ...hit, reached: true, vanished: true }));
  return [...standing, ...vanished].filter((hit) => !acknowledged.has(hit.id));
}
