import { saysDone } from "../core/claim/effective-claim.ts";
import type { LoopEvent, LoopStopped, TurnEnded } from "../core/events.ts";
import { outcomeOf } from "../core/outcome.ts";
import { endsLoop } from "../core/stop/stuck.ts";

/** What is counted. However many events there are, its size grows with completed generations and stories alone. */
export interface Counts {
  readonly generations: number;
  readonly ended: number;
  readonly completedBeforeCap: number;
  /** how many iterations each completed generation took */
  readonly toComplete: readonly number[];
  readonly interruptions: number;
  readonly resumes: { readonly well: number; readonly badly: number };
  readonly refused: number;
  /** the generation that is being read */
  readonly current: { readonly ended: boolean; readonly capped: boolean; readonly iteration: number };
  /** whether the result of a resume is still open */
  readonly resuming: boolean;
  /** `open`: the iteration claims to be done; `refused`: counts as refused unless the loop ends with it */
  readonly claim: "none" | "open" | "refused";
  readonly stories: StoryCounts;
}

/** What is counted of a PRD's stories, by id. */
interface StoryCounts {
  /** those of the document as it was read last */
  readonly read: readonly string[];
  readonly passed: ReadonlySet<string>;
  /** passed, and everything that was asked was green then */
  readonly green: ReadonlySet<string>;
  /** those that a person had to decide about */
  readonly ruled: ReadonlySet<string>;
  /** what the checks of this iteration have said */
  readonly isGreen: boolean;
}

const NEW_GENERATION = {
  current: { ended: false, capped: false, iteration: 0 },
  resuming: false,
  claim: "none",
} as const;

/** Nothing has been read yet. */
export const NO_COUNTS: Counts = {
  generations: 0,
  ended: 0,
  completedBeforeCap: 0,
  toComplete: [],
  interruptions: 0,
  resumes: { well: 0, badly: 0 },
  refused: 0,
  stories: { read: [], passed: new Set(), green: new Set(), ruled: new Set(), isGreen: false },
  ...NEW_GENERATION,
};

/** Takes one more event. */
export function count(counts: Counts, event: LoopEvent): Counts {
  return { ...countLoop(counts, event), stories: countStories(counts.stories, event) };
}

function countStories(counts: StoryCounts, event: LoopEvent): StoryCounts {
  const { passed, green, ruled } = counts;
  if (event.type === "loop_started" || event.type === "loop_resumed") {
    return event.stories === undefined ? counts : { ...counts, read: event.stories.stories.map(({ id }) => id) };
  }
  if (event.type === "turn_started") return { ...counts, isGreen: false };
  if (event.type === "proved") return { ...counts, isGreen: event.verdict.result === "passed" };
  if (event.type === "story_ruled") {
    const { id, ruling } = event;
    return { ...counts, ruled: joined(ruled, id), passed: ruling === "accept" ? joined(passed, id) : passed };
  }
  if (event.type !== "settled" || event.story?.ends !== "passed") return counts;
  const { id } = event.story;
  return { ...counts, passed: joined(passed, id), green: counts.isGreen ? joined(green, id) : green };
}

function joined(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids, id]);
}

function countLoop(counts: Counts, event: LoopEvent): Counts {
  switch (event.type) {
    case "loop_started":
      return { ...counts, ...NEW_GENERATION, generations: counts.generations + 1 };
    case "loop_resumed":
      // A resume that nothing followed has crashed.
      return { ...judgeResume(counts, false), resuming: true };
    case "turn_started":
      return { ...counts, claim: "none" };
    case "turn_ended":
      return endTurn(counts, event);
    case "turn_abandoned":
      return { ...counts, current: { ...counts.current, iteration: event.iteration } };
    case "settled": {
      const claimed = counts.claim === "open" && event.story?.ends !== "passed";
      const current = { ...counts.current, iteration: event.iteration };
      return { ...counts, current, refused: counts.refused + (claimed ? 1 : 0), claim: claimed ? "refused" : "none" };
    }
    case "loop_stopped":
      return stop(counts, event);
    case "proved":
      return judgeResume(counts, true);
    case "reviewed":
    case "session_opened":
    case "wait_started":
    case "story_examined":
    case "story_given_up":
    case "story_shelved":
    case "story_ruled":
    case "reset":
    case "published":
      return counts;
  }
}

function endTurn(counts: Counts, { failure, claim, tally }: TurnEnded): Counts {
  const judged = judgeResume(counts, failure === null || !endsLoop(failure.kind));
  return { ...judged, claim: failure === null && saysDone(claim, tally) ? "open" : "none" };
}

function stop(counts: Counts, { reason }: LoopStopped): Counts {
  const { status, resumableBy } = outcomeOf(reason);
  const { current } = counts;
  const judged = judgeResume(counts, status !== "error");
  const capped = current.capped || reason.kind === "max_iterations";
  const rest = {
    ...judged,
    ended: counts.ended + (current.ended ? 0 : 1),
    interruptions: counts.interruptions + (resumableBy === "person" ? 1 : 0),
    current: { ...current, ended: true, capped },
  };
  if (status !== "completed") return rest;
  return {
    ...rest,
    completedBeforeCap: counts.completedBeforeCap + (capped ? 0 : 1),
    toComplete: [...counts.toComplete, current.iteration],
    refused: counts.refused - (counts.claim === "refused" ? 1 : 0),
    claim: "none",
  };
}

function judgeResume(counts: Counts, well: boolean): Counts {
  if (!counts.resuming) return counts;
  const how = well ? "well" : "badly";
  return { ...counts, resumes: { ...counts.resumes, [how]: counts.resumes[how] + 1 }, resuming: false };
}

/** What was counted, as numbers that can be added up over many loops. */
export interface Tally extends Pick<
  Counts,
  "generations" | "ended" | "completedBeforeCap" | "toComplete" | "interruptions" | "resumes" | "refused"
> {
  /** null: there is no PRD */
  readonly stories: StoryTally | null;
}

/** Of the stories of the PRD as it was read last: how many there are, and how they have come about. */
interface StoryTally {
  readonly total: number;
  readonly passed: number;
  readonly alone: number;
  readonly green: number;
}

export function tallyOf(counts: Counts): Tally {
  const { generations, ended, completedBeforeCap, toComplete, interruptions, resumes, refused, stories } = counts;
  const { read, passed, green, ruled } = stories;
  const done = read.filter((id) => passed.has(id));
  const tally = {
    total: read.length,
    passed: done.length,
    alone: done.filter((id) => !ruled.has(id)).length,
    green: done.filter((id) => green.has(id)).length,
  };
  return {
    ...{ generations, ended, completedBeforeCap, toComplete, interruptions, resumes, refused },
    stories: read.length === 0 ? null : tally,
  };
}

/** Of several together. */
export function tallyOfAll(tallies: readonly Tally[]): Tally {
  const sum = (numberOf: (tally: Tally) => number): number => tallies.reduce((all, one) => all + numberOf(one), 0);
  const stories = (name: keyof StoryTally): number => sum((one) => one.stories?.[name] ?? 0);
  return {
    generations: sum(({ generations }) => generations),
    ended: sum(({ ended }) => ended),
    completedBeforeCap: sum(({ completedBeforeCap }) => completedBeforeCap),
    toComplete: tallies.flatMap(({ toComplete }) => toComplete),
    interruptions: sum(({ interruptions }) => interruptions),
    resumes: { well: sum(({ resumes }) => resumes.well), badly: sum(({ resumes }) => resumes.badly) },
    refused: sum(({ refused }) => refused),
    stories: tallies.every((one) => one.stories === null)
      ? null
      : { total: stories("total"), passed: stories("passed"), alone: stories("alone"), green: stories("green") },
  };
}

/** How a loop does, over every generation whose events were read (W-57). */
export function metricsOf(counts: Counts) {
  return metricsOfTally(tallyOf(counts));
}

/** The same of what was added up. A rate is null while there is nothing to divide by. */
export function metricsOfTally({ toComplete, resumes, stories, ...tally }: Tally) {
  return {
    generations: tally.generations,
    /** generations that ended as completed */
    completed: toComplete.length,
    /** of those that have ended at least once, the share that was completed and never met the iteration cap */
    completion_rate: share(tally.completedBeforeCap, tally.ended),
    median_iterations_to_complete: median(toComplete),
    /** endings that only a person could end, by completed generation */
    human_interruptions_per_completed: share(tally.interruptions, toComplete.length),
    /** the share of finished resumes that did not end with an error at once */
    resume_success_rate: share(resumes.well, resumes.well + resumes.badly),
    /** times that the agent said it was done and the loop went on */
    refused_claims: tally.refused,
    /** null: there is no PRD */
    stories: stories === null ? null : storyMetrics(stories),
  };
}

/** How the stories have come about (D-09). */
function storyMetrics({ total, passed, alone, green }: StoryTally) {
  return {
    total,
    /** in this loop; what the file alone calls passed is not among them */
    passed,
    /** of all stories, the share that has passed without a person having had to decide about them */
    completed_without_person: share(alone, total),
    /** of those that have passed, the share whose checks were all green then; what was accepted has not shown it */
    passed_with_green_checks: share(green, passed),
  };
}

/** To three decimals. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000;
}

/** Null of none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.length === 0 ? null : middle.reduce((sum, number) => sum + number, 0) / middle.length;
}
