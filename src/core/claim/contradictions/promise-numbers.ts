import type { Tally } from "../../task.ts";
import { saidLines, withoutStatusBlocks } from "../markup.ts";
import { type Contradiction, named } from "./contradiction.ts";

const LINE = 1_000; // no more of a line is read
const LINES = 400; // nor of a message, from its end

/** "12 of 12 items", "12/12", "12 out of 14 tests". A version or a date has more on either side. */
const PART =
  /(?<![\d.,/:-])(?<part>\d{1,5}) ?(?:of|out of|\/) ?(?:the |all )?(?<whole>\d{1,5})(?![\d.,]*\d|[/:%-]\d|%)(?: (?<noun>\p{L}{3,20}))?/giu;
/** "all 12 items", "12 tasks are done". */
const ALL =
  /\ball (?:the |of the )?(?<all>\d{1,5}) (?<noun>\p{L}{3,20})|(?<![\d.,/:-])(?<some>\d{1,5}) (?<things>\p{L}{3,20}) (?:are |is |have been |were )?(?:done|completed?|finished|passed|pass|passing|green|ticked|fixed|closed|migrated|implemented|converted)\b/giu;
/** "2 tests fail", "3 items are still open". */
const LEFT =
  /(?<![\d.,/:-])(?<left>[1-9]\d{0,4}) (?:more |of the |other )?(?<noun>\p{L}{3,20}) (?:are |is |still |have |has )*(?:fail(?:s|ed|ing)?|red|open|left|missing|pending|remain(?:s|ing)?|unticked|unfinished|skipped|to go)\b/giu;
/** What was, or what the number is not of. */
const NOT_NOW =
  /\b(?:before|previously|initially|at first|earlier|was|were|used to|originally|started|from \d|no longer|had)\b/iu;
const OF_PLAN = /^(?:item|task|step|todo|point|box|checkbox|entr)/u;

/** How many of something are done, or left. */
interface Counted {
  readonly said: string;
  /** what is counted, without its plural; null: not said */
  readonly noun: string | null;
  readonly done: number;
  /** null: not said */
  readonly whole: number | null;
  readonly isLeft: boolean;
}

/**
 * Where the promise, or the line before it, counts what is done, and the message counts less of the same, or the plan
 * does (C49). Versions, times, dates and amounts of something else are no such counts.
 *
 * @param message normalised text
 * @param promise the exact text; null: a pattern, which the last line matches
 */
export function contradictedNumbers(
  message: string,
  promise: string | null,
  plan: Tally | null,
): readonly Contradiction[] {
  const lines = saidLines(withoutStatusBlocks(message))
    .flatMap((line) => (line === null || line.trim() === "" ? [] : [line.slice(-LINE)]))
    .slice(-LINES);
  const at = promise === null ? lines.length - 1 : lines.findLastIndex((line) => line.includes(promise));
  const own = lines.slice(Math.max(0, at - 1), at + 1).flatMap(countsIn);
  const others = lines.filter((_, index) => index < at - 1 || index > at);
  const said = own.findLast(({ isLeft }) => !isLeft);
  if (at === -1 || said === undefined) return [];
  const last = [...others.flatMap(countsIn), ...own].findLast((other) => other !== said && isOfSame(said, other));
  if (last !== undefined && (last.isLeft || last.done < said.done)) return [against(said, last.said, last.done)];
  const isPromised = lines.slice(at, at + 1).some((line) => countsIn(line).some((one) => one.said === said.said));
  if (isPromised && said.whole !== null && said.done < said.whole)
    return [against(said, "that is not all of them", said.done)];
  const isMore = plan !== null && plan.items > 0 && plan.ticked < said.done;
  const isOfPlan = said.noun === null ? said.whole === plan?.items : OF_PLAN.test(said.noun);
  if (!isMore || !isOfPlan) return [];
  return [against(said, `${plan.ticked} of ${plan.items} items of the plan are ticked`, plan.ticked)];
}

function against({ said }: Counted, other: string, count: number): Contradiction {
  return { kind: "numbers", file: "", named: named([said, other]), count };
}

function isOfSame(said: Counted, other: Counted): boolean {
  if (said.noun !== null && other.noun !== null) return said.noun === other.noun;
  return said.whole !== null && said.whole === other.whole;
}

/** In the order in which they stand there; of sentences that tell of now. */
function countsIn(line: string): readonly Counted[] {
  // A promise may be one word: ALL_12_ITEMS_DONE.
  const text = line.replaceAll(/(?<=[\p{L}\d])[_-](?=[\p{L}\d])/gu, " ");
  return text
    .split(/(?<=[.!?;])\s+|\bbut\b/u)
    .flatMap((sentence) =>
      NOT_NOW.test(sentence) ? [] : [PART, ALL, LEFT].flatMap((form) => [...sentence.matchAll(form)].map(counted)),
    );
}

function counted({ 0: said, groups: { part, whole, noun, all, some, things, left } = {} }: RegExpMatchArray): Counted {
  const word = noun ?? things;
  return {
    said: said.trim(),
    noun: word === undefined ? null : word.toLowerCase().replace(/s$/u, ""),
    done: left === undefined ? Number(part ?? all ?? some) : 0,
    whole: whole === undefined ? null : Number(whole),
    isLeft: left !== undefined,
  };
}
