import type { Digest } from "../../schema.ts";
import { type Contradiction, contradictionOf } from "./contradiction.ts";
import { exclusionsOf } from "./excluded-items.ts";
import { followList, lostItems } from "./follow-list.ts";
import { itemsOf } from "./listed-items.ts";
import type { WorkList, WorkListFile } from "./work-list.ts";

const LINE = 400; // no more of a line is read
const LINES = 5_000;

/**
 * What the lists say against a claim (C46): items that stand open, and that have left without being ticked. What is
 * optional does not count, unless it became that in the loop, nor what the task's words exclude.
 *
 * @param begun what the lists had to be done, as far as it was followed; of lists that began later nothing can be lost
 * @param token see `itemsOf`
 */
export function contradictionsOfLists(
  files: readonly WorkListFile[],
  begun: readonly WorkList[],
  { prompt, token }: { readonly prompt: string; readonly token: string | null },
  digest: Digest,
): readonly Contradiction[] {
  const { excludes, tidies } = exclusionsOf(
    prompt,
    files.map(({ path }) => path),
  );
  return files.flatMap((file) => {
    const now = itemsOf(file, token, digest);
    const known = begun.find(({ path }) => path === file.path);
    const list = known && followList(known, now);
    const due = new Set(list?.items.filter((item) => item.open).map(({ id }) => id));
    const open = now.filter(
      ({ id, text, ticked, required }, index) => !ticked && (required || due.has(id)) && !excludes(text, index + 1),
    );
    const isElsewhere = doneInWords(file.text);
    const lost = list === undefined || tidies ? [] : lostItems(list, now);
    const positions = list?.items.map(({ id }) => id) ?? [];
    const gone = lost.filter(({ id, text }) => !excludes(text, positions.indexOf(id) + 1) && !isElsewhere(text));
    return [
      ...(open.length === 0
        ? []
        : [
            contradictionOf(
              "open_items",
              file.path,
              open.map(({ text }) => text),
            ),
          ]),
      ...(gone.length === 0
        ? []
        : [
            contradictionOf(
              "lost_items",
              file.path,
              gone.map(({ text }) => text),
            ),
          ]),
    ];
  });
}

const DONE_MARK = /[✅✔☑]|~~|\b(?:done|completed?|finished|shipped)\b/iu;
const NOT_DONE = /\bnot\b|n['’]t\b|\bnever\b/iu;
const DONE_HEADING = /^\s{0,3}(?:#{1,6}\s|\*\*).*(?:✅|\b(?:done|completed?|finished|archived?|history|changelog)\b)/iu;
const ANY_HEADING = /^\s{0,3}(?:#{1,6}\s|\*\*)/u;

/** Whether a list names an item as done without a box: struck out, marked, or under a heading that says it. */
function doneInWords(text: string): (item: string) => boolean {
  let isDone = false;
  const done: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/u, LINES)) {
    const head = line.slice(0, LINE);
    if (ANY_HEADING.test(head)) isDone = DONE_HEADING.test(head);
    if ((isDone || DONE_MARK.test(head)) && !NOT_DONE.test(head)) done.push(head);
  }
  return (item) => done.some((line) => line.includes(item));
}
