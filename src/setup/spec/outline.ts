import type { SpecBlock } from "./blocks.ts";
import { type Priority, priorityOfTitle } from "./priority.ts";
import { kindOf, type SectionKind } from "./section-kind.ts";

type Heading = Extract<SpecBlock, { readonly is: "heading" }>;

/** A heading with what stands between it and the next one. */
export interface Section {
  /** undefined for what stands before the first heading */
  readonly heading: Heading | undefined;
  /** whether its heading is the title of the whole spec */
  readonly isTitle: boolean;
  /** the section that it is part of */
  readonly parent: Section | undefined;
  readonly kind: SectionKind;
  /** as its own title or one around it says */
  readonly priority: Priority | undefined;
  readonly blocks: readonly Exclude<SpecBlock, Heading>[];
  /** whether the next heading is part of it */
  readonly hasParts: boolean;
}

/** A spec as its headings divide it, from top to bottom. */
export interface Outline {
  /** the one heading of the first depth that the spec begins with; undefined when it has no such title */
  readonly title: string | undefined;
  readonly sections: readonly Section[];
}

/** Divides a spec. Where it has no heading but its title, everything in it is about the work. */
export function outlineOf(blocks: readonly SpecBlock[]): Outline {
  const headings = blocks.filter((block) => block.is === "heading");
  const [first] = headings;
  const isTitled = first?.depth === 1 && headings.filter(({ depth }) => depth === 1).length === 1;
  const title = isTitled ? first : undefined;
  const sections: Section[] = [];
  let open: Section | undefined;
  for (const [index, heading] of [undefined, ...headings].entries()) {
    const start = heading === undefined ? 0 : blocks.indexOf(heading) + 1;
    const next = headings[index];
    const inside = blocks.slice(start, next === undefined ? blocks.length : blocks.indexOf(next));
    const around = heading && partOf(open, heading);
    const own = heading === undefined || heading === title ? undefined : heading.title;
    const hasParts = heading !== undefined && next !== undefined && next.depth > heading.depth;
    const usual: SectionKind = headings.every((other) => other === title) ? "work" : "prose";
    const section: Section = {
      heading,
      isTitle: heading !== undefined && heading === title,
      parent: around,
      kind: kindWithin(around?.kind ?? usual, own),
      priority: (own === undefined ? undefined : priorityOfTitle(own)) ?? around?.priority,
      blocks: inside.filter((block) => block.is !== "heading"),
      hasParts,
    };
    sections.push(section);
    open = section;
  }
  return { title: title?.title, sections };
}

/** The section that a heading divides further; undefined when it begins anew. */
function partOf(before: Section | undefined, { depth }: Heading): Section | undefined {
  let section = before;
  while (section?.heading !== undefined && section.heading.depth >= depth) section = section.parent;
  return section?.heading === undefined ? undefined : section;
}

/** What the spec does not want done stays so, whatever the parts of that section are called. */
function kindWithin(around: SectionKind, title: string | undefined): SectionKind {
  if (title === undefined || around === "left_out") return around;
  return kindOf(title) ?? around;
}
