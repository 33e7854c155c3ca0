import type { Tally, Item } from "./task.ts";
import { bullets, headOf, joined, occurrenceIds } from "./text.ts";
import type { Digest } from "./schema.ts";

export interface ChecklistItem {
  /** digest of the item's words and its occurrence number: the same before and after it is ticked */
  readonly id: string;
  /** without its checkbox */
  readonly text: string;
  readonly ticked: boolean;
  /** the beginning of the lines that belong to it, nested items included; "" when it has none */
  readonly body: string;
}

const ITEM = /^(?<indent>\s*)(?:[-*+]|\d{1,9}[.)])\s+\[(?<box>[ xX~/]?)\]\s+(?<text>\S.*)$/u;
const BODY_LIMIT = 4096;

/**
 * Reads the task lists of a Markdown text, top to bottom, nested ones too. Fenced code and comments hold no items. An
 * empty box and a started one (`[~]`, `[/]`) are open.
 *
 * @param skipped items with this in their text are not work, like HARD STOP lines; null: all are
 */
export function parseChecklist(text: string, skipped: string | null, digest: Digest): readonly ChecklistItem[] {
  const lines = text.split(/\r\n|\r|\n/u);
  const idOf = occurrenceIds(digest);
  return visibleLines(lines).flatMap((line, index) => {
    const groups = ITEM.exec(line)?.groups;
    if (groups === undefined || (skipped !== null && line.includes(skipped))) return [];
    const { indent = "", box, text: words = "" } = groups;
    const subject = words.trim();
    const id = idOf(subject);
    return [{ id, text: subject, ticked: box === "x" || box === "X", body: bodyOf(lines, index + 1, indent.length) }];
  });
}

/** Everything from `start` that is indented further than the item's bullet. */
function bodyOf(lines: readonly string[], start: number, indent: number): string {
  let body = "";
  for (let index = start; body.length < BODY_LIMIT; index += 1) {
    const line = lines[index];
    if (line === undefined || (line.trim() !== "" && line.search(/\S/u) <= indent)) break;
    body += `${line}\n`;
  }
  return body.slice(0, BODY_LIMIT).trimEnd();
}

const FENCE = /^\s*(?<fence>`{3,}(?=[^`]*$)|~{3,})/u;
const COMMENT = /<!--.{0,1000}?-->/gu; // bounded, so that no text makes it slow

/**
 * The lines of a Markdown text, blank inside fenced code and comments. A fence or comment that is never closed hides
 * nothing: it must not make a plan look finished. Fast for every text.
 */
function visibleLines(lines: readonly string[]): readonly string[] {
  const closers = lastClosers(lines);
  const lastEnd = lines.findLastIndex((line) => line.includes("-->"));
  let fence = "";
  let inComment = false;
  return lines.map((line, index) => {
    if (fence !== "") {
      if (closes(line, fence)) fence = "";
      return "";
    }
    if (inComment) {
      inComment = !line.includes("-->");
      return "";
    }
    fence = fenceOf(line);
    if (fence !== "" && closers.some(([closer, last]) => last > index && closer.startsWith(fence))) return "";
    fence = "";
    const shown = line.replace(COMMENT, "");
    inComment = shown.trimStart().startsWith("<!--") && lastEnd > index;
    return inComment ? "" : shown;
  });
}

function fenceOf(line: string): string {
  return FENCE.exec(line)?.groups?.["fence"] ?? "";
}

function closes(line: string, fence: string): boolean {
  const found = fenceOf(line);
  return found.startsWith(fence) && line.trim() === found;
}

/** Of every fence that may close another, the last line that holds it. */
function lastClosers(lines: readonly string[]): readonly (readonly [fence: string, index: number])[] {
  const closers = lines.map((line, index): [string, number] => [closes(line, "") ? fenceOf(line) : "", index]);
  return [...new Map(closers.filter(([fence]) => fence !== ""))];
}

export function tallyOf(items: readonly ChecklistItem[]): Tally {
  return { items: items.length, ticked: items.filter((item) => item.ticked).length };
}

/** Whether nothing is left to do; a checklist without an item says nothing. */
export function isAllTicked(tally: Tally | null): boolean {
  return tally !== null && tally.items > 0 && tally.ticked === tally.items;
}

const TITLE_LIMIT = 80;
const TEXT_LIMIT = 4096;
const NAMED = 20;

/**
 * The first item that is not ticked, with the number left after it; undefined when all are. In an empty
 * checklist the plan itself has to be written.
 */
export function nextItem(items: readonly ChecklistItem[], path: string): Item | undefined {
  if (items.length === 0) {
    const text = `${path} holds no item. Break the task down into items that can be done one at a time, write them there as a list of \`- [ ]\`, the most important first, and do the first.`;
    return { id: "plan", title: "Write the plan", text };
  }
  const [item, ...others] = items.filter(({ ticked }) => !ticked);
  return item && { id: item.id, title: titleOf(item.text), text: textOf(item, others, path) };
}

function textOf({ text, body }: ChecklistItem, others: readonly ChecklistItem[], path: string): string {
  const after = others.map((other) => titleOf(other.text));
  return joined("\n", [
    titleOf(text) === text ? "" : headOf(text, TEXT_LIMIT),
    body,
    `This is the first open item of ${path}. Do it and no other; tick it off there (\`[x]\`) when it is done and checked.`,
    after.length === 0 ? "It is the last one." : bullets("After it", after, NAMED),
  ]);
}

function titleOf(text: string): string {
  const characters = Array.from(text);
  return characters.length <= TITLE_LIMIT ? text : `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`;
}
