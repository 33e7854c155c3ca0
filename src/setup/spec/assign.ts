import type { SpecBlock, SpecItem } from "./blocks.ts";
import type { Outline, Section } from "./outline.ts";
import { type Priority, priorityOf, priorityOfTitle } from "./priority.ts";
import { isOnePiece } from "./section-kind.ts";

/** An item of the plan to be. */
export interface PlanItem extends SpecItem {
  readonly priority: Priority | undefined;
}

/** A list with what introduces it. */
export interface PlanList {
  /** whose work it is; undefined: the whole spec's */
  readonly section: Section | undefined;
  /** the paragraph right before it that ends with a colon or is all bold; empty when there is none */
  readonly lead: readonly string[];
  readonly items: readonly PlanItem[];
}

/** What becomes of a section: every block goes to exactly one place. */
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
      plan.push({ section, lead, items: itemsOf(block, lead, section) });
    } else if (!introduces(block) || !isWork(blocks[index + 1], section)) prose.push(block.lines);
  }
  const isAboutCommands = section.kind === "commands";
  return { section, plan, prompt: isAboutCommands ? [] : prose, agent: isAboutCommands ? prose : [] };
}

type List = Extract<SpecBlock, { readonly is: "list" }>;

/** A checkbox makes a list work wherever it stands, except where the spec says what is not to be done. */
function isWork(block: SpecBlock | undefined, { kind }: Section): block is List {
  if (block?.is !== "list" || kind === "left_out" || block.items.every(({ lines }) => lines.length === 0)) return false;
  return kind === "work" || block.items.some(({ ticked }) => ticked !== null);
}

function introduces(block: SpecBlock | undefined): block is SpecBlock {
  if (block?.is !== "paragraph") return false;
  const text = block.lines.join(" ").trim();
  return /:[*_]{0,2}$/u.test(text) || /^(?<bold>\*\*|__)[^*_]+\k<bold>$/u.test(text);
}

function itemsOf({ items }: List, lead: readonly string[], section: Section): readonly PlanItem[] {
  const around = priorityOfTitle(lead.join(" ")) ?? section.priority;
  const written = items.filter(({ lines }) => lines.length > 0);
  return written.map((item) => {
    const [first = ""] = item.lines;
    return { ...item, priority: priorityOf(first) ?? around };
  });
}
