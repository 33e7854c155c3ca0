import { visibleLines } from "./visible-lines.ts";

/** An item of a Markdown task list. */
export interface ChecklistItem {
  /** digest of the item's words and its occurrence number: the same before and after it is ticked */
  readonly id: string;
  /** without its checkbox */
  readonly text: string;
  readonly ticked: boolean;
  /** the beginning of the lines that belong to it, items nested in it included; "" when there are none */
  readonly body: string;
}

const ITEM = /^(?<indent>\s*)(?:[-*+]|\d{1,9}[.)])\s+\[(?<box>[ xX~/]?)\]\s+(?<text>\S.*)$/u;
const BODY_LIMIT = 4096;

/**
 * Reads the task lists of a Markdown text, top to bottom and nested ones too. What stands in fenced code or in a comment
 * is no item. An empty box, and one for what is under way (`[~]`, `[/]`), are open.
 *
 * @param skipped items with this in their text are no work, as HARD STOP lines are none; null: there are none
 * @param digest hex SHA-256 of a text
 */
export function parseChecklist(
  text: string,
  skipped: string | null,
  digest: (text: string) => string,
): readonly ChecklistItem[] {
  const lines = text.split(/\r\n|\r|\n/u);
  const occurrences = new Map<string, number>();
  return visibleLines(lines).flatMap((line, index) => {
    const groups = ITEM.exec(line)?.groups;
    if (groups === undefined || (skipped !== null && line.includes(skipped))) return [];
    const { indent = "", box, text: words = "" } = groups;
    const subject = words.trim();
    const occurrence = (occurrences.get(subject) ?? 0) + 1;
    occurrences.set(subject, occurrence);
    const id = `${digest(subject).slice(0, 16)}#${occurrence}`;
    return [{ id, text: subject, ticked: box === "x" || box === "X", body: bodyOf(lines, index + 1, indent.length) }];
  });
}

/** Everything from `start` that stands further in than the item's bullet. */
function bodyOf(lines: readonly string[], start: number, indent: number): string {
  let body = "";
  for (let index = start; body.length < BODY_LIMIT; index += 1) {
    const line = lines[index];
    if (line === undefined || (line.trim() !== "" && line.search(/\S/u) <= indent)) break;
    body += `${line}\n`;
  }
  return body.slice(0, BODY_LIMIT).trimEnd();
}
