import type { SpecBlock, SpecItem } from "./blocks.ts";
import { isOnePiece, type Outline, type Priority, priorityOf, priorityOfTitle, type Section } from "./outline.ts";

/** A future item of the plan. */
interface PlanItem extends SpecItem {
  readonly priority: Priority | undefined;
}

/** A list with what introduces it. */
interface PlanList {
  /** whose work it is; undefined: the whole spec's */
  readonly section: Section | undefined;
  /** the paragraph right before it that ends with a colon or is all bold; empty when there is none */
  readonly lead: readonly string[];
  readonly items: readonly PlanItem[];
}

/** What a section becomes: every block goes to exactly one place. */
export interface Assigned {
  readonly section: Section;
  readonly plan: readonly PlanList[];
  readonly prompt: readonly (readonly string[])[];
  readonly agent: readonly (readonly string[])[];
}

/** Decides for every section what is work, what is for the prompt, and what tells how to build and test. */
export function assign({ sections }: Outline): readonly Assigned[] {
  return sections.map((section) => (isItem(section) ? asItem(section) : asGroup(section)));
}

type ItemSection = Section & { readonly heading: NonNullable<Section["heading"]> };

/** A heading among work, without parts or lists of its own, is an item: `### FR1: Log in`. */
function isItem(section: Section): section is ItemSection {
  const { heading, parent, kind, hasParts, blocks } = section;
  if (heading === undefined || kind !== "work" || hasParts || blocks.some(({ is }) => is === "list")) return false;
  return parent?.kind === "work" || isOnePiece(heading.title);
}

function asItem(section: ItemSection): Assigned {
  const body = section.blocks.flatMap(({ lines }) => ["", ...lines]);
  const item = { ticked: null, lines: [section.heading.title, ...body], priority: section.priority };
  return { section, plan: [{ section: section.parent, lead: [], items: [item] }], prompt: [], agent: [] };
}

function asGroup(section: Section): Assigned {
  const { blocks } = section;
  const plan: PlanList[] = [];
  const prose: (readonly string[])[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    if (isWork(block, section)) {
      const lead = introduces(before) ? before.lines : [];
      plan.push({ section, lead, items: plannedItems(block, lead, section) });
    } else if (!introduces(block) || !isWork(blocks[index + 1], section)) prose.push(block.lines);
  }
  return { section, plan, prompt: [], agent: [], [placeOf(section)]: prose };
}

function placeOf({ kind }: Section): "prompt" | "agent" {
  return kind === "commands" ? "agent" : "prompt";
}

/** A heading without anything below it is kept as well. */
function isBare({ section: { blocks, hasParts }, plan }: Assigned): boolean {
  return blocks.length === 0 && !hasParts && plan.length === 0;
}

type List = Extract<SpecBlock, { readonly is: "list" }>;

/** A checkbox makes a list work in every section, except where the spec says what is not wanted. */
function isWork(block: SpecBlock | undefined, { kind }: Section): block is List {
  if (block?.is !== "list" || kind === "left_out" || block.items.every(({ lines }) => lines.length === 0)) return false;
  return kind === "work" || block.items.some(({ ticked }) => ticked !== null);
}

function introduces(block: SpecBlock | undefined): block is SpecBlock {
  if (block?.is !== "paragraph") return false;
  const text = block.lines.join(" ").trim();
  return /:[*_]{0,2}$/u.test(text) || /^(?<bold>\*\*|__)[^*_]+\k<bold>$/u.test(text);
}

function plannedItems({ items }: List, lead: readonly string[], section: Section): readonly PlanItem[] {
  const around = priorityOfTitle(lead.join(" ")) ?? section.priority;
  return items.flatMap((item) => {
    const [first] = item.lines;
    return first === undefined ? [] : [{ ...item, priority: priorityOf(first) ?? around }];
  });
}

/** An item of the plan, its heading, and what has to be said before it. */
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

/** An item as text of the plan. */
export function itemText({ ticked, lines: [first = "", ...below] }: PlanItem): string {
  const box = `- [${ticked === true ? "x" : " "}] ${first}`;
  return [box, ...below.map((line) => (line.trim() === "" ? "" : `  ${line}`))].join("\n");
}

/** What of a spec's sections goes to one place, below the spec's own headings; "" when there is nothing. */
export function proseText(assigned: readonly Assigned[], place: "prompt" | "agent"): string {
  const wanted = new Set<Section>();
  for (const part of assigned) {
    if (part[place].length === 0 && !(isBare(part) && placeOf(part.section) === place)) continue;
    for (let section: Section | undefined = part.section; section !== undefined; section = section.parent)
      wanted.add(section);
  }
  return assigned
    .filter(({ section }) => wanted.has(section))
    .flatMap((part) => {
      const { heading, isTitle } = part.section;
      return [...(heading === undefined || isTitle ? [] : [heading.lines]), ...part[place]];
    })
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}
