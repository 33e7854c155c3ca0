import { parseChecklist } from "../../checklist.ts";
import type { Digest } from "../../schema.ts";
import type { WorkListFile } from "./work-list.ts";

/** No more items of a list are looked at. */
const MOST_READ = 1_000;

/** An item as its file has it now. */
export interface ListedItem {
  readonly id: string;
  readonly text: string;
  readonly ticked: boolean;
  /** neither its words nor its section call it optional */
  readonly required: boolean;
}

/** @param token lines with it are checkpoints, not work; null: there are none */
export function itemsOf({ text }: WorkListFile, token: string | null, digest: Digest): readonly ListedItem[] {
  const required = new Set(parseChecklist(withoutOptional(text), token, digest).map(({ id }) => id));
  const items = parseChecklist(text, token, digest).slice(0, MOST_READ);
  // A plan that calls all of itself optional is a plan all the same.
  const isAll = !items.some(({ id }) => required.has(id));
  return items.map(({ id, text: words, ticked }) => ({ id, text: words, ticked, required: isAll || required.has(id) }));
}

const LINE = 400; // no more of a line is read
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/u;
const HEADING = /^\s{0,3}(?<marks>#{1,6})\s+(?<title>\S.*)$/u;
/** A line of its own that ends in a colon, or is bold, heads what follows as well. */
const LABEL = /^\s{0,3}(?:\*\*|__)?(?<title>[\p{L}(][^:*_]{1,60}):?(?:\*\*|__)?:?\s*$/u;
const ITEM = /^(?<indent>\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[.?\]\s+)?(?<words>\S.*)$/u;

const NOT_ASKED =
  "optional(?:ly)?|nice[- ]to[- ]haves?|stretch(?: goals?)?|out of scope|not in scope|non-?goals?|bonus|won['’]?t (?:do|fix)|not (?:now|needed|required|planned)|wontfix|deferred|postponed|someday|maybe|parking lot|ideas?|future(?: work| ideas?| versions?)?|later(?: on)?|icebox|follow-?ups?|if (?:there is )?time(?: permits)?|low priority";

/** What may follow without being about something that the work is to have, as in "Optional arguments". */
const THINGS = "features?|items?|tasks?|improvements?|enhancements?|extras?|work|steps?|goals?|polish|things";
/** A section whose title says it: "Nice to have", "Phase 4: optional", "Docs (out of scope)". */
const OPTIONAL_SECTION = new RegExp(
  `^(?:[\\p{L}\\d .]{0,20}[:.–—-]\\s*)?[\\s*_(\\[]{0,5}(?:${NOT_ASKED})[\\s*_)\\]]{0,5}(?:${THINGS})?\\s*(?:[:(\\[–—/-].*)?$|[(\\[](?:${NOT_ASKED})[^)\\]]{0,60}[)\\]]\\s*$`,
  "iu",
);
/** An item that says it before or behind its own words: "Optional: …", "… (nice to have)". */
const OPTIONAL_ITEM = new RegExp(
  `^[\\s*_(\\[]*(?:${NOT_ASKED})[\\s*_)\\]]*:|[(\\[](?:${NOT_ASKED})[^)\\]]{0,60}[)\\]]|[-–—][\\s*_]*(?:${NOT_ASKED})[\\s*_.]*$`,
  "iu",
);

/** A list without what its own sections and words call optional or out of scope: those lines are blank. */
function withoutOptional(text: string): string {
  let inFence = false;
  /** the level of the optional section that is read; null: none */
  let section: number | null = null;
  /** the indent of the optional item whose nested ones are read; null: none */
  let nested: number | null = null;
  const lines = text.split(/\r\n|\r|\n/u).map((line) => {
    if (FENCE.test(line)) inFence = !inFence;
    if (inFence) return line;
    const headed = headedBy(line);
    if (headed !== null) {
      nested = null;
      if (section === null || headed.level <= section) section = headed.isOptional ? headed.level : null;
      return line;
    }
    if (section !== null) return "";
    const { indent, words } = ITEM.exec(line.slice(0, LINE))?.groups ?? {};
    if (indent === undefined || words === undefined) return line;
    if (nested !== null && indent.length > nested) return "";
    nested = OPTIONAL_ITEM.test(words) ? indent.length : null;
    return nested === null ? line : "";
  });
  return lines.join("\n");
}

const OF_LABEL = 7;

function headedBy(line: string): { readonly level: number; readonly isOptional: boolean } | null {
  const head = line.slice(0, LINE);
  const { marks, title } = HEADING.exec(head)?.groups ?? {};
  if (marks !== undefined && title !== undefined)
    return { level: marks.length, isOptional: OPTIONAL_SECTION.test(title) };
  if (!/(?::|\*\*|__)\s*$/u.test(head)) return null;
  const label = LABEL.exec(head)?.groups?.["title"];
  return label === undefined ? null : { level: OF_LABEL, isOptional: OPTIONAL_SECTION.test(label) };
}
