import { sharedPart, stemsOf } from "./same-item.ts";

const SENTENCES = 400; // no more of a task is read
const SENTENCE = 1_000;
const COVERED = 0.6; // this much of an item in what is left out is a mention of it
const MEANT = 0.5; // and more than this much of what is left out has to be the item's

/** What stands behind one of these, up to the end of its clause, is left out. */
const LEAVES_OUT =
  /\b(?:skip|skipping|except(?: for)?|excluding|exclude|apart from|other than|leave out|leave|omit|ignore|do not|don['’]t|no need (?:to|for))\b(?<out>[^.;:]{1,200})/giu;
const WITHOUT = /\bwithout\b(?<out>[^.;:]{1,200})/giu;
/** What stands before one of these is. */
const LEFT_OUT =
  /(?<out>[^.;:]{1,200}?)\b(?:not needed|not required|(?:out of|not in) scope|is optional|are optional|can wait|for later|someone else)\b/giu;
/** These forbid to leave something out. */
const NOT_LEFT =
  /\b(?:do not|don['’]t|never|without|not)\s+(?:\w+\s+)?(?:skip|skipping|omit|omitting|ignor\w+|exclud\w+|leav\w+|forget)/iu;
const PARTS = /,\s|\band\b|\bor\b/iu;
/** What follows says where, why or of what. */
const TURNS = /\b(?:for|in|of|with|because|as|since|until|when|that|which)\b/iu;
const LIMITS = /\b(?:only|just|nothing (?:else|but)|stop (?:after|at|before|when)|up to|until)\b/iu;
const OF_LIST = /\b(?:items?|tasks?|steps?|points?|todos?|sections?|phases?|milestones?|parts?|chapters?|boxes)\b/iu;
/** How work is shared out among turns is no limit of all of it. */
const A_TURN =
  /\b(?:per|each|every|all|at a time|one by one|iterations?|turns?|loops?|sessions?|promise|then)\b|\buntil (?:no|nothing|none)\b/iu;

const NUMBERED = /\b(?:items?|tasks?|steps?|points?|no\.?|number)\s*#?(?<number>\d{1,3})\b/giu;

const TIDIES =
  /\b(?:rewrite|restructure|reorganise|reorganize|clean up|clear|prune|shorten|trim|replace|delete|remove|archive|merge|split|consolidate|re-?plan)\b/iu;
const OF_FILE = /\b(?:plan|todo|checklist|task list|lists?|items?)\b/iu;
const WHAT_IS_DONE = /\b(?:done|completed?|finished|ticked|checked)\b/iu;

/** What the task's own words take out of a list. */
export interface Exclusions {
  /** whether an item need not be done. @param position 1 for the first of its list */
  readonly excludes: (text: string, position: number) => boolean;
  /** whether the task is, or brings along, that items leave the list */
  readonly tidies: boolean;
}

/** Reads the task once; cautious: what may limit it does. */
export function exclusionsOf(prompt: string, paths: readonly string[]): Exclusions {
  const sentences = prompt
    .split(/\n+|(?<=[.!?;])\s+/u)
    .slice(0, SENTENCES)
    .map((sentence) => sentence.slice(0, SENTENCE));
  const leaving = sentences.flatMap(leftOutIn).map((words) => ({ stems: stemsOf(words), numbers: numbersIn(words) }));
  const isLimited = sentences.some((said) => LIMITS.test(said) && OF_LIST.test(said) && !A_TURN.test(said));
  const isOfFile = (said: string): boolean => OF_FILE.test(said) || paths.some((path) => said.includes(path));
  return {
    excludes: (text, position) => {
      const stems = stemsOf(text);
      return (
        isLimited ||
        leaving.some(
          ({ stems: others, numbers }) =>
            numbers.has(position) || (sharedPart(stems, others) >= COVERED && sharedPart(others, stems) > MEANT),
        )
      );
    },
    tidies: sentences.some((said) => TIDIES.test(said) && isOfFile(said) && !WHAT_IS_DONE.test(said)),
  };
}

function leftOutIn(sentence: string): readonly string[] {
  if (NOT_LEFT.test(sentence)) return [];
  const isOfList = OF_LIST.test(sentence) || OF_FILE.test(sentence);
  const forms = isOfList ? [LEAVES_OUT, LEFT_OUT, WITHOUT] : [LEAVES_OUT, LEFT_OUT];
  const phrases = forms.flatMap((form) =>
    [...sentence.matchAll(form)].flatMap((match) => match.slice(1).flatMap(partsOf)),
  );
  return phrases.flatMap((phrase) => [phrase, ...phrase.split(TURNS).slice(0, 1)]);
}

/** What is left out may be several things. */
function partsOf(out: string): readonly string[] {
  return [out, ...out.split(PARTS)].filter((part) => part.trim() !== "");
}

function numbersIn(sentence: string): ReadonlySet<number> {
  return new Set([...sentence.matchAll(NUMBERED)].flatMap((match) => match.slice(1).map(Number)));
}
