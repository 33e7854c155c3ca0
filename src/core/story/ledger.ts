import { z } from "zod";
import { done, failed, type Result } from "../result.ts";
import { count, date, type Stored } from "../schema.ts";
import { parsedJson } from "../text.ts";
import { isPrdName, isStoryId, type Prd, type Story } from "./story.ts";
import type { PlannedStory, StoryBefore } from "./waves.ts";

/** A ledger is refused when its JSON takes more bytes. 2,000 stories with all their feedback and usual paths take 22 MB. */
export const LEDGER_LIMIT = 32 << 20;
/** No more of the files that a story was seen to change are kept. */
const MOST_PATHS = 100;
/** No more of what went wrong is handed to the next attempt, in UTF-16 units. */
const MOST_FEEDBACK = 4_096;

/** No more candidates that did not land are kept of a story, nor more of why, in UTF-16 units. */
const [MOST_LOST, MOST_WHY] = [256, 300];

const commitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
const storyId = z.string().refine(isStoryId);

/** What is remembered of a story that something has happened to. */
const storyEntry = z.looseObject({
  state: z.enum(["pending", "in_progress", "passed"]),
  /** turns at it that did not land, since it began or a person let it try again */
  attempts: count,
  /** from 1; which beginning of it this is, see `Take` */
  take: z.int().positive(),
  /** why it waits for a person; null: it does not */
  blocked: z.string().nullable(),
  /** files that it was seen to change, at most 100 */
  paths: z.array(z.string()).max(MOST_PATHS),
  /** why it did not land, for its next attempt; null: nothing is known. Others' words: data */
  feedback: z.string().nullable(),
  /** what a person said when they let it try again */
  words: z.string().nullable(),
  /** whether a person lets it try again whatever its file says */
  reopened: z.boolean(),
  /** how it passed; null: it has not */
  passed: z.enum(["proved", "accepted"]).nullable(),
  /** the login of who accepted it last; absent: nobody */
  accepted_by: z.string().max(100).exactOptional(),
  /** of what it said when it passed, see `storyDigest`; absent: not known */
  digest: z.string().max(64).exactOptional(),
  /** with which it landed; null: none */
  commit: commitId.nullable(),
  /** how many of its criteria were proved when it landed; null: not known */
  proved: count.nullable().default(null),
  /** that the loop of the landed commit has used; absent: not known */
  tokens: count.exactOptional(),
  /** the take whose work was landed because it was accepted, or had none to land; absent: nobody has looked yet */
  settled_take: z.int().positive().exactOptional(),
  /** of its last wave, which of several candidates did not land, and why; absent: none. Others' words: data */
  lost: z
    .array(z.looseObject({ candidate: z.int().min(1).max(256), why: z.string() }))
    .max(256)
    .exactOptional(),
});
export type StoryEntry = Stored<typeof storyEntry>;

const wave = z.looseObject({
  /** from 1 */
  number: z.int().positive(),
  /** that its stories begin from */
  commit: commitId,
  /** the workflow run that it is */
  run: z.int().positive(),
  begun_at: date,
  /** until its closing job has done all of it */
  is_open: z.boolean(),
  /** whether the next one is to be asked for, or was; null: neither */
  next: z.enum(["due", "asked"]).nullable().default(null),
  /** in the order in which they land */
  stories: z.array(z.looseObject({ story: storyId, take: z.int().positive(), candidates: z.int().min(1).max(256) })),
});
export type Wave = Stored<typeof wave>;

/** What is remembered of a PRD between waves (decision 0035). Whoever may write refs can write it: data only. */
const ledgerSchema = z.looseObject({
  schema: z.literal(1),
  prd: z.string().refine(isPrdName),
  /** one more with every change */
  revision: count,
  /** the last one; null: there was none */
  wave: wave.nullable(),
  /** the last request of a person that was obeyed, as in `comment:7`; null: none */
  obeyed: z.string().max(100).nullable(),
  /** waves in a row in which nothing landed and nothing was counted */
  idle_waves: count,
  stories: z.record(storyId, storyEntry),
});
export type Ledger = Stored<typeof ledgerSchema>;

export function emptyLedger(prd: string): Ledger {
  return { schema: 1, prd, revision: 0, wave: null, obeyed: null, idle_waves: 0, stories: {} };
}

/** Reads what `ledgerText` writes. @param prd whose it has to be */
export function parseLedger(text: string, prd: string): Result<Ledger> {
  const parsed = ledgerSchema.safeParse(parsedJson(text), { jitless: true });
  if (!parsed.success) return failed({ because: "it is no ledger of this version" });
  if (parsed.data.prd !== prd) return failed({ because: "it is another PRD's" });
  return done(parsed.data);
}

export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger)}\n`;
}

const PENDING: StoryEntry = {
  ...{ state: "pending", attempts: 0, take: 1, blocked: null, paths: [] },
  ...{ feedback: null, words: null, reopened: false, passed: null, commit: null, proved: null },
};

const PASSED = { state: "passed", blocked: null, feedback: null, words: null, reopened: false } as const;

export function entryOf({ stories }: Ledger, id: string): StoryEntry {
  return stories[id] ?? PENDING;
}

/** What the planner needs to know. */
export function storiesBefore(ledger: Ledger, { stories }: Prd): ReadonlyMap<string, StoryBefore> {
  return new Map(
    stories.map((story) => {
      const { state, blocked, paths } = entryOf(ledger, story.id);
      const how = howPassed(ledger, story);
      return [story.id, { state: how === null ? state : "passed", blocked: blocked !== null, paths }];
    }),
  );
}

/**
 * How a story has passed: what the file calls passed is, whoever has written it, until a person lets it try again.
 *
 * @returns `taken_over`: the file says so, and nobody here knows how; null: it has not passed
 */
export function howPassed(
  ledger: Ledger,
  { id, passes }: Pick<Story, "id" | "passes">,
): "proved" | "accepted" | "taken_over" | null {
  const { state, passed, reopened } = entryOf(ledger, id);
  if (state === "passed") return passed ?? "taken_over";
  return passes && !reopened ? "taken_over" : null;
}

/** The passed stories that say something else than when they passed, and wait for `retry`. */
export function editedStories(
  ledger: Ledger,
  stories: readonly { readonly id: string; readonly digest: string }[],
): readonly string[] {
  return stories.flatMap(({ id, digest: now }) => {
    const { state, digest: then = now } = entryOf(ledger, id);
    return state === "passed" && then !== now ? [id] : [];
  });
}

/**
 * The ledger that agrees with git: a story whose commit the PRD's branch does not hold is what its file on the base
 * says. Where that does not call it passed, it is pending again.
 *
 * @param held the commits of the branch that the base does not hold
 */
export function reconciled(ledger: Ledger, { stories }: Prd, held: ReadonlySet<string>): Ledger {
  const lost = stories.flatMap(({ id, passes }) => {
    const { state, commit, take } = entryOf(ledger, id);
    if (state !== "passed" || passes || commit === null || held.has(commit)) return [];
    const again = { state: "pending", attempts: 0, take: take + 1, passed: null, commit: null, proved: null } as const;
    return [[id, { ...entryOf(ledger, id), ...again }] as const];
  });
  return lost.length === 0 ? ledger : next(ledger, {}, Object.fromEntries(lost));
}

/** The ledger with a wave begun; the last one has to be closed. */
export function beginWave(
  ledger: Ledger,
  stories: readonly PlannedStory[],
  at: Pick<Wave, "commit" | "run" | "begun_at">,
): Ledger {
  const takes = stories.map(({ id, candidates }) => ({ story: id, take: entryOf(ledger, id).take, candidates }));
  const begun = stories.map(({ id }) => [
    id,
    { ...entryOf(ledger, id), state: "in_progress", passed: null, lost: [] } as const,
  ]);
  const number = (ledger.wave?.number ?? 0) + 1;
  return next(
    ledger,
    { wave: { number, ...at, is_open: true, next: null, stories: takes } },
    Object.fromEntries(begun),
  );
}

/** What is known of a story that has landed; null: it is not. */
interface Seen {
  /** that its loop has used */
  readonly tokens: number | null;
  /** of its criteria, how many are proved */
  readonly proved: number | null;
  /** of what it says, see `storyDigest` */
  readonly digest: string | null;
}

/** The ledger with a story landed. */
export function landed(
  ledger: Ledger,
  id: string,
  commit: string,
  { tokens, proved, digest }: Seen = { tokens: null, proved: null, digest: null },
): Ledger {
  const known = { ...(tokens === null ? {} : { tokens }), ...(digest === null ? {} : { digest }) };
  return withEntry(ledger, id, { ...PASSED, passed: "proved", commit, proved, ...known });
}

/** What the loop of one story uses, as far as those that have landed show; null: none has, or it is not known of any. */
export function tokensOfStory({ stories }: Ledger): { readonly mean: number; readonly of: number } | null {
  const known = Object.values(stories).flatMap(({ tokens }) => tokens ?? []);
  if (known.length === 0) return null;
  return { mean: Math.round(known.reduce((sum, tokens) => sum + tokens, 0) / known.length), of: known.length };
}

/** Why a story goes back, with what was seen of it. */
export interface SentBack {
  /** turns that did not land */
  readonly attempts: number;
  /** at which it is blocked */
  readonly most: number;
  /** for its next attempt */
  readonly feedback: string;
  /** files that it changed; none: not known */
  readonly paths: readonly string[];
}

/** The ledger with a story pending again, from a new commit; blocked when its attempts are used up. */
export function sentBack(ledger: Ledger, id: string, { attempts, most, feedback, paths }: SentBack): Ledger {
  const { attempts: before, take, paths: known } = entryOf(ledger, id);
  const all = before + attempts;
  return withEntry(ledger, id, {
    ...{ state: "pending", attempts: all, take: take + 1, feedback: feedback.slice(0, MOST_FEEDBACK), words: null },
    blocked:
      all >= most
        ? `${all === 1 ? "Its attempt is" : `Its ${all} attempts are`} used up. ${feedback}`.slice(0, MOST_FEEDBACK)
        : null,
    paths: [...new Set([...known, ...paths])].slice(0, MOST_PATHS),
  });
}

/** The ledger with a story that waits for a person. @param why a sentence */
export function blocked(ledger: Ledger, id: string, attempts: number, why: string): Ledger {
  const { attempts: before, take } = entryOf(ledger, id);
  return withEntry(ledger, id, { state: "pending", attempts: before + attempts, take: take + 1, blocked: why });
}

/** A candidate that did not land. */
interface Lost {
  /** from 1 */
  readonly candidate: number;
  /** part of a sentence, with words of others */
  readonly why: string;
}

/** The ledger that says which candidates of a story did not land. None where only one tried it. */
export function withLost(ledger: Ledger, id: string, lost: readonly Lost[]): Ledger {
  const bounded = lost.slice(0, MOST_LOST).map(({ candidate, why }) => ({ candidate, why: why.slice(0, MOST_WHY) }));
  return bounded.length === 0 ? ledger : withEntry(ledger, id, { lost: bounded });
}

/** The ledger with a story that a person lets try again, whatever became of it. @param words "" without */
export function retried(ledger: Ledger, id: string, words: string): Ledger {
  const { take } = entryOf(ledger, id);
  return withEntry(ledger, id, {
    ...{ state: "pending", attempts: 0, take: take + 1, blocked: null, passed: null },
    ...{ words: words === "" ? null : words, reopened: true },
  });
}

/**
 * The ledger with a story that a person takes as it is.
 *
 * @param by their login; null: not known
 * @param digest of what it says, see `storyDigest`
 */
export function accepted(ledger: Ledger, id: string, by: string | null, digest: string): Ledger {
  const who = by === null ? {} : { accepted_by: by };
  return withEntry(ledger, id, { ...PASSED, passed: "accepted", digest, ...who });
}

/** The ledger with a request obeyed, so that it is not obeyed again. */
export function obeyed(ledger: Ledger, request: string | null): Ledger {
  return next(ledger, { obeyed: request }, {});
}

/** The ledger with its wave closed. What it has neither landed nor counted anything of makes it an idle one. */
export function closed(ledger: Ledger): Ledger {
  const { wave: open, idle_waves: before } = ledger;
  const isIdle = (open?.stories ?? []).every(({ story, take }) => {
    const { take: now, state } = entryOf(ledger, story);
    return now === take && state !== "passed";
  });
  return next(ledger, { wave: open && { ...open, is_open: false }, idle_waves: isIdle ? before + 1 : 0 }, {});
}

/** The stories that a person has accepted, while nobody has looked yet whether there is work of them to land. */
export function unlandedAccepted({ wave, stories: entries }: Ledger, { stories }: Prd): readonly Story[] {
  const inWave = new Set(wave?.stories.map(({ story }) => story));
  return stories.filter(({ id }) => {
    const { passed, take, settled_take: settled } = entries[id] ?? PENDING;
    return passed === "accepted" && settled !== take && (take > 1 || inWave.has(id));
  });
}

/** The ledger in which an accepted story needs no landing any more. @param commit with which it has landed; null: none */
export function acceptedLanded(ledger: Ledger, id: string, commit: string | null): Ledger {
  const { passed, take, commit: before } = entryOf(ledger, id);
  if (passed !== "accepted") return ledger;
  return withEntry(ledger, id, { commit: commit ?? before, settled_take: take });
}

/** The ledger in which a story that a person has accepted waits for them again. @param take whose work cannot land */
export function acceptedInVain(ledger: Ledger, id: string, take: number, why: string): Ledger {
  if (entryOf(ledger, id).passed !== "accepted") return ledger;
  return withEntry(ledger, id, { state: "pending", passed: null, blocked: why, take: take + 1 });
}

/** The ledger that says whether the wave after its last one is to be asked for, or was. */
export function nextWave(ledger: Ledger, asked: Wave["next"]): Ledger {
  return next(ledger, { wave: ledger.wave && { ...ledger.wave, next: asked } }, {});
}

function withEntry(ledger: Ledger, id: string, changed: Partial<StoryEntry>): Ledger {
  return next(ledger, {}, { [id]: { ...entryOf(ledger, id), ...changed } });
}

function next(ledger: Ledger, changed: Partial<Ledger>, entries: Ledger["stories"]): Ledger {
  return { ...ledger, ...changed, revision: ledger.revision + 1, stories: { ...ledger.stories, ...entries } };
}
