import { type Area, areasOf, areasOfFiles, canMeet } from "./meeting-paths.ts";
import type { Story } from "./story.ts";

/** GitHub runs no more jobs of one matrix. */
export const MOST_JOBS = 256;
/** What GitHub lets one account create. */
const [A_MINUTE, AN_HOUR] = [80, 500];
/** How many waves are looked ahead. */
const LOOKED_AHEAD = 50;
/**
 * What is written for one loop that needs one iteration and lands: its pull request with a status; then a comment there, and
 * two labels and the request itself are seen to. Five pushes to its ref, its branch, the PRD's branch, the ledger, and both
 * of its refs are deleted.
 */
const OF_A_JOB = { branches: 1, pullRequests: 1, comments: 1, statuses: 1, changes: 3, pushes: 10 };
/** What is written once: the PRD's branch and what tells how it is, the start of the next wave, three times the ledger. */
const ONCE = { branches: 1, pullRequests: 1, comments: 1, statuses: 0, changes: 1, pushes: 3 };

/** What the planner needs to know of a story that something has happened to. */
export interface StoryBefore {
  readonly state: "pending" | "in_progress" | "passed";
  /** whether it waits for a person */
  readonly blocked: boolean;
  /** files that it was seen to change */
  readonly paths: readonly string[];
}

/** What a wave is planned from. */
export interface WaveQuestion {
  /** in the order of the file, without a cycle or an unknown id in `dependsOn` */
  readonly stories: readonly Story[];
  /** by the story's id; a story without one is pending */
  readonly before: ReadonlyMap<string, StoryBefore>;
  /** how many stories a wave holds at most */
  readonly waveSize: number;
  /** the id of the one story that is to run; null: all */
  readonly only: string | null;
}

/** A wave, and why the other stories are not in it. */
export interface WavePlan {
  /** in the order in which they land */
  readonly stories: readonly PlannedStory[];
  /** of all stories that are left, in their order; `why` is a sentence */
  readonly waiting: readonly { readonly id: string; readonly why: string }[];
  /** how many waves are left with this one, if every story passes at once */
  readonly waves: { readonly atLeast: number; readonly more: boolean };
  /** how often this wave writes to GitHub, if every story passes in one iteration */
  readonly writes: WaveWrites;
  /** how long GitHub's limits make it wait; minutes */
  readonly waitMinutes: number;
}

export interface PlannedStory {
  readonly id: string;
  /** how many loops try it side by side */
  readonly candidates: number;
}

interface WaveWrites {
  readonly branches: number;
  readonly pullRequests: number;
  readonly comments: number;
  readonly statuses: number;
  /** of what is there: labels, closing, a start of a workflow */
  readonly changes: number;
  readonly pushes: number;
}

/** Chooses the stories that run side by side next (decision 0035). */
export function planWave(question: WaveQuestion): WavePlan {
  const planner = new Planner(question);
  const { chosen, waiting } = planner.wave();
  const stories = chosen.map(({ id, attempts }) => ({ id, candidates: candidatesOf(attempts) }));
  const jobs = stories.reduce((sum, { candidates }) => sum + candidates, 0);
  const writes = writesOf(jobs);
  return { stories, waiting, waves: planner.ahead(), writes, waitMinutes: waitOf(writes) };
}

/** One story and no more would not fit into a matrix otherwise. */
function candidatesOf(attempts: number): number {
  return Math.min(attempts, MOST_JOBS);
}

/** A story that is left. */
interface Left extends Story {
  /** its place among those that are left */
  readonly at: number;
  readonly isBlocked: boolean;
  /** what it may change */
  readonly areas: readonly Area[];
}

class Planner {
  readonly #question: WaveQuestion;
  /** those that were begun first, then by priority; ties by order */
  readonly #left: readonly Left[];
  /** whether two of them meet, by their places: 0 is not known yet */
  readonly #met: Uint8Array;

  constructor(question: WaveQuestion) {
    this.#question = question;
    const { stories, before } = question;
    const isBegun = ({ id }: Story): number => (before.get(id)?.state === "in_progress" ? 0 : 1);
    this.#left = stories
      .filter(({ id }) => before.get(id)?.state !== "passed")
      .toSorted((a, b) => isBegun(a) - isBegun(b) || a.priority - b.priority)
      .map((story, at) => {
        const { blocked: isBlocked = false, paths = [] } = before.get(story.id) ?? {};
        return { ...story, at, isBlocked, areas: [...areasOf(story.paths ?? []), ...areasOfFiles(paths)] };
      });
    this.#met = new Uint8Array(this.#left.length ** 2);
  }

  /** @param landed places of stories that are thought to have landed, besides those that have */
  wave(landed: ReadonlySet<number> = new Set()) {
    const chosen: Left[] = [];
    const waiting: { id: string; why: string }[] = [];
    const left = this.#left.filter(({ at }) => !landed.has(at));
    const open = new Set(left.map(({ id }) => id));
    const first = lowest(left.filter(({ isBlocked }) => !isBlocked));
    let jobs = 0;
    for (const story of left) {
      const why = this.#whyNot(story, open, first) ?? this.#whyNotBeside(story, chosen, jobs);
      if (why === undefined) {
        chosen.push(story);
        jobs += candidatesOf(story.attempts);
      } else waiting.push({ id: story.id, why });
    }
    return { chosen, waiting };
  }

  /** How many waves there are if everything passes at once; the stories that wait for a person are in none. */
  ahead(): WavePlan["waves"] {
    const landed = new Set<number>();
    for (let waves = 0; waves < LOOKED_AHEAD; waves += 1) {
      const { chosen } = this.wave(landed);
      if (chosen.length === 0) return { atLeast: waves, more: false };
      for (const { at } of chosen) landed.add(at);
    }
    return { atLeast: LOOKED_AHEAD, more: this.wave(landed).chosen.length > 0 };
  }

  /** Why a story cannot begin now, whatever else is in the wave. */
  #whyNot({ id, isBlocked, dependsOn, priority }: Left, open: ReadonlySet<string>, first: number): string | undefined {
    const { only } = this.#question;
    if (isBlocked) return "It is blocked, and waits for a person.";
    if (only !== null && id !== only) return `This run is for ${only} alone.`;
    const missing = dependsOn?.filter((other) => open.has(other)) ?? [];
    if (missing.length > 0) {
      return `It depends on ${listOf(missing)}, which ${missing.length === 1 ? "has" : "have"} not landed.`;
    }
    if (dependsOn !== null || only !== null || priority <= first) return undefined;
    return `It does not say what it depends on, so it begins when all stories of lower priority numbers have landed or are blocked; one of ${first} is left.`;
  }

  /** Why a story that could begin does not share the wave with those that were chosen before it. */
  #whyNotBeside(story: Left, chosen: readonly Left[], jobs: number): string | undefined {
    const [head] = chosen;
    if (head === undefined) return undefined;
    if (story.dependsOn === null) {
      return `It does not say what it depends on, so it shares no wave; ${head.id} comes first.`;
    }
    if (head.dependsOn === null) return `${head.id} does not say what it depends on, so it shares no wave.`;
    const { waveSize } = this.#question;
    if (chosen.length >= waveSize) return `The wave has its ${waveSize} ${waveSize === 1 ? "story" : "stories"}.`;
    const pausing = chosen.find(({ pauseAfter }) => pauseAfter);
    if (pausing !== undefined) return `A person looks at ${pausing.id} first.`;
    const met = chosen.find((other) => this.#meet(story, other));
    if (met !== undefined) return `It may change files that ${met.id} changes.`;
    const candidates = candidatesOf(story.attempts);
    if (jobs + candidates > MOST_JOBS) return `The wave has ${jobs} of ${MOST_JOBS} jobs, and it takes ${candidates}.`;
    return undefined;
  }

  #meet(one: Left, other: Left): boolean {
    const place = one.at * this.#left.length + other.at;
    if (this.#met[place] === 0) this.#met[place] = canMeet(one.areas, other.areas) ? 2 : 1;
    return this.#met[place] === 2;
  }
}

function lowest(stories: readonly Story[]): number {
  return stories.reduce((least, { priority }) => Math.min(least, priority), Number.POSITIVE_INFINITY);
}

const SHOWN = 5;

function listOf(ids: readonly string[]): string {
  const more = ids.length - SHOWN;
  return `${ids.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function writesOf(jobs: number): WaveWrites {
  const of = (kind: keyof WaveWrites): number => (jobs === 0 ? 0 : jobs * OF_A_JOB[kind] + ONCE[kind]);
  return {
    ...{ branches: of("branches"), pullRequests: of("pullRequests"), comments: of("comments") },
    ...{ statuses: of("statuses"), changes: of("changes"), pushes: of("pushes") },
  };
}

/** The limits are those of what the API creates: pushes do not count, and the stories' branches are pushed. */
function waitOf({ pullRequests, comments, statuses }: WaveWrites): number {
  const created = pullRequests + comments + statuses;
  const full = (limit: number): number => Math.max(0, Math.ceil(created / limit) - 1);
  return Math.max(full(A_MINUTE), full(AN_HOUR) * 60);
}
