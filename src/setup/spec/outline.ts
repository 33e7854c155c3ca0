import type { SpecBlock } from "./blocks.ts";

/** How much a spec says that something matters. */
export type Priority = "high" | "medium" | "low";

const WORDS: Readonly<Record<string, Priority>> = {
  ...{ critical: "high", urgent: "high", highest: "high", high: "high", must: "high", p0: "high", p1: "high" },
  ...{ medium: "medium", normal: "medium", should: "medium", p2: "medium" },
  ...{ low: "low", lowest: "low", could: "low", optional: "low", "nice to have": "low", p3: "low", p4: "low" },
};

const WORD =
  "(?<word>critical|urgent|highest|high|medium|normal|lowest|low|must|should|could|optional|nice to have|p[0-4])";
const SUFFIX = "(?:[ -](?:priority|haves?))?";
const WHOLE = new RegExp(
  String.raw`^(?:priority)?[\s:#-]*${WORD}${SUFFIX}(?: (?:features|items|requirements|stories|tasks))?$`,
  "iu",
);
const MARKS: readonly RegExp[] = [
  // (P1), [High], (priority: low)
  new RegExp(String.raw`[[(]\s*(?:priority:?\s*)?${WORD}${SUFFIX}\s*[\])]`, "iu"),
  // **P1**: …, High: …, Must have — …
  new RegExp(String.raw`^[*_\x60]{0,3}${WORD}${SUFFIX}[*_\x60]{0,3}\s?[:—–][*_\x60]{0,3}`, "iu"),
  // … Priority: High
  new RegExp(String.raw`\bpriority[*_]{0,2}[:=][*_]{0,2}\s?[*_]{0,2}${WORD}\b`, "iu"),
];

/** The key words of RFC 2119 count in capitals only, and the strongest one decides. */
const KEY_WORDS: readonly (readonly [RegExp, Priority])[] = [
  [/\b(?:MUST|SHALL|REQUIRED)\b/u, "high"],
  [/\b(?:SHOULD|RECOMMENDED)\b/u, "medium"],
  [/\b(?:MAY|COULD|OPTIONAL)\b/u, "low"],
];

/** The priority that a line gives to itself; undefined when it says nothing of it. */
export function priorityOf(line: string): Priority | undefined {
  for (const mark of MARKS) {
    const word = mark.exec(line)?.groups?.["word"];
    if (word !== undefined) return WORDS[word.toLowerCase()];
  }
  return KEY_WORDS.find(([word]) => word.test(line))?.[1];
}

/** The priority that a heading, or a line that introduces a list, gives to what is below it. */
export function priorityOfTitle(title: string): Priority | undefined {
  const word = WHOLE.exec(plain(title))?.groups?.["word"];
  return word === undefined ? priorityOf(title) : WORDS[word.toLowerCase()];
}

/** Later words of a title do not tell its kind. */
const TITLE_LIMIT = 200;

/** A title without marks of Markdown, numbers in front and a colon behind. */
function plain(title: string): string {
  return title
    .slice(0, TITLE_LIMIT)
    .replaceAll(/[*_\x60]/gu, "")
    .replace(/^\s*\d+(?:\.\d+)*[.):]?\s+/u, "")
    .replace(/[\s:]+$/u, "")
    .replaceAll(/[’]/gu, "'");
}

/**
 * What a section of a spec is about: work to be done, commands to build and test, or neither. `left_out`: what the spec
 * does not want done, so nothing in it is work.
 */
type SectionKind = "work" | "commands" | "prose" | "left_out";

const LEFT_OUT =
  /\bnon[- ]?goals?\b|\bnon[- ]requirements?\b|\b(?:out of|not in|beyond) scope\b|\bwon'?t\b|\bnot (?:planned|included|required|carried)\b|^exclusions?$|^future$|\bfuture (?:work|features?|enhancements?|improvements?|extensions?|versions?|ideas?|scope|considerations?|plans?)\b/iu;
const WORK = new RegExp(
  String.raw`\b(?:${[
    ...["requirements?", "features?", "acceptance criteria", "criteria for acceptance", "definition of done"],
    ...["(?:user )?stor(?:y|ies)", "use cases?", "epics?", "tasks?", "to-?dos?", "backlog", "checklist", "work items?"],
    ...[
      "deliverables?",
      "milestones?",
      "roadmap",
      "(?:implementation|rollout|release|test|fix|work) (?:plan|steps|phases)",
    ],
    ...["must[- ]haves?", "should[- ]haves?", "could[- ]haves?", "nice[- ]to[- ]haves?", "in scope", "capabilities"],
  ].join("|")})\b`,
  "iu",
);
/** Explains work among work; anywhere else a title that is not recognised is prose as well. */
const PROSE =
  /^(?:overview|introduction|summary|background|context|motivation|rationale|goals?|objectives?|constraints?|assumptions?|(?:technical |implementation |design )?notes|technical (?:constraints|details|considerations|design)|risks?|open questions|glossary|references|appendix|dependencies)$/iu;
/** A title about commands has only these words: "Build a login page" is work. */
const COMMANDS =
  /^(?:(?:build|building|test|tests|testing|run|running|start|starting|develop|developing|development|dev|install|installing|installation|set|up|setup|lint|linting|usage|use|commands?|scripts?|environment|tooling|quick|quickstart|getting|started|how|to|and|or|the|it|locally|local|project|instructions|guide|workflow|unit|integration|end|e2e|prerequisites)\b[\s&,/+-]*)+$/iu;
const ONE_PIECE = /^(?:feature|(?:user )?story|requirement|epic|task|milestone|step|phase)\s*(?:[#:]|\d)/iu;
const NUMBERED = /^(?:FR|NFR|REQ|R|US|UC|AC|F|T|FEAT|TASK|STORY|EPIC)[-_ ]?\d+\b/u;

/** What a section is by its own title; undefined when the title does not tell: the section around it decides. */
function kindOf(title: string): SectionKind | undefined {
  const words = plain(title);
  if (LEFT_OUT.test(words)) return "left_out";
  // A title that says nothing but a priority ranks work.
  if (WHOLE.test(words) || WORK.test(words) || isOnePiece(title)) return "work";
  if (COMMANDS.test(words)) return "commands";
  return PROSE.test(words) ? "prose" : undefined;
}

/** Whether a title names one piece of work rather than a group: `US-3: Log in`, `Feature 2`. */
export function isOnePiece(title: string): boolean {
  const words = plain(title);
  return ONE_PIECE.test(words) || NUMBERED.test(words);
}

type Heading = Extract<SpecBlock, { readonly is: "heading" }>;

/** A heading with everything up to the next one. */
export interface Section {
  /** undefined for what comes before the first heading */
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
  /** the only heading of the first depth, at the beginning of the spec; undefined: no such title */
  readonly title: string | undefined;
  readonly sections: readonly Section[];
}

/** Divides a spec. If it has no heading but its title, everything in it is about the work. */
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
    open = {
      heading,
      isTitle: heading !== undefined && heading === title,
      parent: around,
      kind: kindWithin(around?.kind ?? usual, own),
      priority: (own === undefined ? undefined : priorityOfTitle(own)) ?? around?.priority,
      blocks: inside.filter((block) => block.is !== "heading"),
      hasParts,
    };
    sections.push(open);
  }
  return { title: title?.title, sections };
}

/** The section that a heading divides further; undefined when it begins a new one. */
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
