import type { Assigned, PlanItem } from "./assign.ts";
import type { Section } from "./outline.ts";
import type { Priority } from "./priority.ts";

/** An item of the plan, under which heading it stands, and what has to be said before it. */
interface Entry {
  readonly item: PlanItem;
  readonly title: string;
  readonly lead: readonly string[];
}

/** In the order of the plan. What the spec does not rank comes before what it ranks low. */
const RANKS: readonly (readonly [Priority | undefined, string])[] = [
  ["high", "High priority"],
  ["medium", "Medium priority"],
  [undefined, "Without a priority"],
  ["low", "Low priority"],
];

/** The items as Markdown: ranked where the spec ranks anything, below each rank in the spec's own sections and order. */
export function planText(assigned: readonly Assigned[]): string {
  const entries = assigned.flatMap(entriesOf);
  if (entries.every(({ item }) => item.priority === undefined)) return textOf(entries, "##");
  return RANKS.flatMap(([priority, heading]) => {
    const ranked = entries.filter(({ item }) => item.priority === priority);
    return ranked.length === 0 ? [] : [`## ${heading}\n\n${textOf(ranked, "###")}`];
  }).join("\n");
}

function entriesOf({ plan }: Assigned): readonly Entry[] {
  return plan.flatMap(({ section, lead, items }) =>
    items.map((item, index) => ({ item, title: pathOf(section), lead: index === 0 ? lead : [] })),
  );
}

/** The titles from the outside in, without the spec's own. */
function pathOf(section: Section | undefined): string {
  const titles: string[] = [];
  for (let part = section; part !== undefined; part = part.parent)
    if (part.heading !== undefined && !part.isTitle) titles.unshift(part.heading.title);
  return titles.length === 0 ? "Work" : titles.join(" › ");
}

function textOf(entries: readonly Entry[], mark: "##" | "###"): string {
  const lines: string[] = [];
  for (const [index, { item, title, lead }] of entries.entries()) {
    const isNew = title !== entries[index - 1]?.title;
    if (isNew) lines.push(...(index === 0 ? [] : [""]), `${mark} ${title}`, "");
    if (lead.length > 0) lines.push(...(isNew ? [] : [""]), ...lead, "");
    lines.push(itemText(item));
  }
  return `${lines.join("\n")}\n`;
}

/** An item as it stands in the plan. */
export function itemText({ ticked, lines: [first = "", ...below] }: PlanItem): string {
  const box = `- [${ticked === true ? "x" : " "}] ${first}`;
  return [box, ...below.map((line) => (line.trim() === "" ? "" : `  ${line}`))].join("\n");
}
