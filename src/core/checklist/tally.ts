import type { ChecklistItem } from "./parse.ts";

/** How far a checklist is. */
export interface Tally {
  readonly items: number;
  readonly ticked: number;
}

/** Counts a checklist. */
export function tallyOf(items: readonly ChecklistItem[]): Tally {
  return { items: items.length, ticked: items.filter((item) => item.ticked).length };
}

/** Whether nothing is left to do; a checklist without an item says nothing. */
export function isAllTicked(tally: Tally | null): boolean {
  return tally !== null && tally.items > 0 && tally.ticked === tally.items;
}
