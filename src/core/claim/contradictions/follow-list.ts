import type { Digest } from "../../schema.ts";
import { itemsOf, type ListedItem } from "./listed-items.ts";
import { sharedPart, stemsOf } from "./same-item.ts";
import type { WorkList, WorkListFile, WorkListItem } from "./work-list.ts";

/** At most this many items of a list are remembered, and this much of each. */
const KEPT_ITEMS = 200;
const TEXT_LENGTH = 80;

export function beginList(file: WorkListFile, token: string | null, digest: Digest): WorkList {
  const items = itemsOf(file, token, digest).slice(0, KEPT_ITEMS);
  return {
    path: file.path,
    items: items.map(({ id, text, ticked, required }) => ({
      id,
      text: text.slice(0, TEXT_LENGTH),
      open: required && !ticked,
    })),
  };
}

/** What has been ticked is open no more, and what was reworded goes by its new words; what has left stays. */
export function followList(list: WorkList, now: readonly ListedItem[]): WorkList {
  const renamed = rewordings(list, now);
  const ticked = new Set(now.filter((item) => item.ticked).map(({ id }) => id));
  const items = list.items.map((item) => {
    const { id, text } = renamed.get(item.id) ?? item;
    return { id, text: text.slice(0, TEXT_LENGTH), open: item.open && !ticked.has(id) };
  });
  return { ...list, items };
}

/** The items of a list that its file holds no more, and that were not ticked before. */
export function lostItems(list: WorkList, now: readonly ListedItem[]): readonly WorkListItem[] {
  const here = new Set(now.map(({ id }) => id));
  return list.items.filter(({ id, open }) => open && !here.has(id));
}

const ANYWHERE = 0.6; // this much of an item in another one is the same item wherever it stands

/** What became of items that are gone: by id, the new item that is the same in other words. */
function rewordings(list: WorkList, now: readonly ListedItem[]): ReadonlyMap<string, ListedItem> {
  const at = new Map(now.map(({ id }, index) => [id, index]));
  const gone = list.items.filter(({ id }) => !at.has(id));
  if (gone.length === 0) return new Map();
  const known = new Set(list.items.map(({ id }) => id));
  const fresh = now.flatMap((item, index) => (known.has(item.id) ? [] : [{ item, index, stems: stemsOf(item.text) }]));
  const taken = new Set<string>();
  const found = new Map<string, ListedItem>();
  for (const [position, { id, text }] of list.items.entries()) {
    if (at.has(id)) continue;
    const stems = stemsOf(text);
    const [from, to] = gapOf(list.items, position, at, now.length);
    const scored = fresh.map(({ item, index, stems: others }) => ({
      item,
      part: sharedPart(stems, others),
      isHere: index > from && index < to && !taken.has(item.id),
    }));
    const same = scored
      .filter(({ part, isHere }) => part >= ANYWHERE || (isHere && part > 0))
      .toSorted((one, other) => other.part - one.part)[0];
    if (same === undefined) continue;
    taken.add(same.item.id);
    found.set(id, same.item);
  }
  return found;
}

/** Between which of the items that are there now a gone one stood. */
function gapOf(
  items: readonly WorkListItem[],
  position: number,
  at: ReadonlyMap<string, number>,
  length: number,
): readonly [number, number] {
  const places = items.map(({ id }) => at.get(id));
  const from = places.slice(0, position).findLast((place) => place !== undefined) ?? -1;
  const to = places.slice(position + 1).find((place) => place !== undefined) ?? length;
  return [from, to > from ? to : length];
}
