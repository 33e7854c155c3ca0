import type { Item } from "../ports.ts";
import { headOf } from "../prompt/bounded.ts";
import type { ChecklistItem } from "./parse.ts";

const TITLE_LIMIT = 80;
const TEXT_LIMIT = 4096;
/** So many of the items that are left are named. */
const NAMED = 20;

/**
 * The first item from top to bottom that is not ticked, with what is left after it; undefined when all are.
 * In a checklist without an item the plan itself is to be written.
 *
 * @param path the checklist's file, as people read it
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
  return [
    titleOf(text) === text ? "" : headOf(text, TEXT_LIMIT),
    body,
    `This is the first open item of ${path}. Do it and no other; tick it off there (\`[x]\`) when it is done and checked.`,
    remaining(others),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function remaining(others: readonly ChecklistItem[]): string {
  if (others.length === 0) return "It is the last one.";
  const more = others.length > NAMED ? [`- … and ${others.length - NAMED} more`] : [];
  return ["After it:", ...others.slice(0, NAMED).map(({ text }) => `- ${titleOf(text)}`), ...more].join("\n");
}

function titleOf(text: string): string {
  const characters = Array.from(text);
  return characters.length <= TITLE_LIMIT ? text : `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`;
}
