import type { TextChange } from "../judges/bend.ts";
import type { ChangedTexts } from "../judges/changed-texts.ts";
import { headOf, joined, seenOnOneLine } from "../text.ts";

const AROUND = 3;
const PATH_LENGTH = 300;
/** Of one file; UTF-16 units. */
const FILE_LENGTH = 8192;
const NAMED = 100;

/**
 * What has changed, for somebody who reads: of each file the lines from the first to the last that differ, with a few
 * around them. What judges the work comes first.
 *
 * @param limit of the whole; UTF-16 units. What does not fit is named
 */
export function shownChange({ changes, unread }: ChangedTexts, limit: number): string {
  const shown: string[] = [];
  const left: string[] = [...unread];
  let room = limit;
  for (const change of changes) {
    const text = headOf(hunkOf(change), FILE_LENGTH);
    if (text.length > room) left.push(change.path);
    else shown.push(text);
    room -= Math.min(text.length, room);
  }
  const names = left.slice(0, NAMED).map((path) => seenOnOneLine(path, PATH_LENGTH));
  const more = left.length > NAMED ? [`and ${left.length - NAMED} more`] : [];
  return joined("\n", [...shown, left.length === 0 ? "" : `Changed too, not shown: ${[...names, ...more].join(", ")}`]);
}

function hunkOf({ path, from, before, after }: TextChange): string {
  const [was, now] = [linesOf(before), linesOf(after)];
  let first = 0;
  while (first < was.length && first < now.length && was[first] === now[first]) first += 1;
  let same = 0;
  while (same < was.length - first && same < now.length - first && was.at(-1 - same) === now.at(-1 - same)) same += 1;
  const start = Math.max(0, first - AROUND);
  const end = now.length - Math.max(0, same - AROUND);
  const name = (one: string): string => seenOnOneLine(one, PATH_LENGTH);
  return [
    `--- ${before === null ? "none" : name(from ?? path)}`,
    `+++ ${after === null ? "none" : name(path)}`,
    `@@ line ${start + 1} @@`,
    ...now.slice(start, first).map((line) => ` ${line}`),
    ...was.slice(first, was.length - same).map((line) => `-${line}`),
    ...now.slice(first, now.length - same).map((line) => `+${line}`),
    ...now.slice(now.length - same, end).map((line) => ` ${line}`),
  ].join("\n");
}

function linesOf(text: string | null): readonly string[] {
  return text === null || text === "" ? [] : text.replace(/\n$/u, "").split("\n");
}
