import { z } from "zod";
import { count, date, type Digest, type Stored } from "../schema.ts";
import { type HeadAt, headAt, headOf, isSameHead } from "./head.ts";
import type { Story } from "./story.ts";
import { type Undone, undone } from "./undone.ts";

/** Why a story waits for a person, with the evidence; a mark on a pending story. */
const blockedMark = z.looseObject({
  /**
   * `attempts`: they are used up; `agent_blocked`: the agent says so twice for one reason; `question`: it asks twice;
   * `person`: it names a step that only a person can take; `weak_proof`: green twice, and it proves little;
   * `unfinished`: claimed twice with what it admits to be a stub or not to work;
   * `vetoed`: the reviewer has vetoed it as often as it may (C51);
   * `unchanged`: claimed without a change, and not every criterion names a command; `conflict`: it could not be landed
   */
  kind: z.enum([
    "attempts",
    "agent_blocked",
    "question",
    "person",
    "weak_proof",
    "unfinished",
    "unchanged",
    "vetoed",
    "conflict",
  ]),
  /** in the words of the agent, of a check, or ours */
  why: z.string(),
  at: date,
});
export type BlockedMark = Stored<typeof blockedMark>;

/** How a story has passed. */
const passing = z.looseObject({
  /** `taken_over`: the file says so and the loop does not know how; `accepted`: a person has decided */
  how: z.enum(["proved", "accepted", "taken_over"]),
  /** null: nothing had to be changed, or it is not known */
  commit: z.string().nullable(),
  /** who accepted it; null: nobody had to */
  by: z.string().nullable(),
  at: date,
  /** criteria whose commands were all green, at least one of which was red before the story began */
  proved: count,
  /** criteria that would be among these, had the story not changed what their commands run; absent: none */
  by_changed: count.exactOptional(),
  /** all its criteria */
  criteria: count,
});
export type Passing = Stored<typeof passing>;

const storyRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(["pending", "in_progress", "passed"]),
  /** of what the story says, see `storyDigest` */
  digest: z.string(),
  /** iterations spent on it since a person let it try again */
  attempts: count,
  blocked: blockedMark.nullable(),
  passing: passing.nullable(),
  /** what the commands of its criteria said before it began; null: not asked yet */
  before: z.array(z.looseObject({ run: z.string(), green: z.boolean() })).nullable(),
  /** with which a person let it try again */
  words: z.string().nullable(),
  /** its unfinished work, a file of the loop's folder, when another story was begun; null: none */
  patch: z.string().nullable(),
  /** whether it says something else since it passed */
  changed: z.boolean(),
  /** whether the document has it no more */
  gone: z.boolean(),
});
export type StoryRecord = Stored<typeof storyRecord>;

const asked = z.looseObject({
  /** the story before which they were asked, or with which they were proved; null: none yet */
  story: z.string().nullable(),
  /** of the work tree then; null: not known */
  tree: z.string().nullable(),
  /** those that were red before that story began: no fault of whoever comes after */
  red: z.array(z.string()),
  /** stories that count as passed since, without having been asked */
  unasked: z.array(z.string()),
});
export const NOTHING_ASKED: Stored<typeof asked> = { story: null, tree: null, red: [], unasked: [] };

/** What a loop remembers of its PRD. A story without a record is pending, and nothing has happened to it. */
export const stories = z.looseObject({
  prd: z.string(),
  /** stories in the document */
  total: count,
  /** the story whose work is in the work tree; null: none */
  active: z.string().nullable(),
  /** stories that have passed since this run began */
  passed_in_run: count,
  /** in the order in which something happened to them first */
  records: z.array(storyRecord),
  /** what HEAD has to name while a story is worked on, and its commit is built on; absent: it is not measured */
  stands: headAt.exactOptional(),
  /** what it was found to name instead; absent: nothing else */
  moved: headAt.exactOptional(),
  /** documents that were changed during turns and put back, the last eight; absent: none */
  undone: z.array(undone).exactOptional(),
  /** whether a person has accepted work since the tests were kept, which are then kept anew; absent: no */
  accepted: z.literal(true).exactOptional(),
  /** what is known of the commands of all stories that have passed; absent: nothing */
  asked: asked.exactOptional(),
  /** what was checked out where the stories are worked on, as the last run began; absent: no branch, or not known */
  branch: z.string().exactOptional(),
});
export type Stories = Stored<typeof stories>;

/** How an iteration leaves its story for good, or until a person decides. */
export type StoryEnd =
  | ({ readonly id: string; readonly ends: "passed" } & Pick<Passing, "proved" | "by_changed" | "criteria">)
  | StoryBlocked;

export interface StoryBlocked extends Pick<BlockedMark, "kind" | "why"> {
  readonly id: string;
  readonly ends: "blocked";
}

/** A document's stories as an event has them. */
export interface StoriesRead {
  readonly prd: string;
  readonly stories: readonly {
    readonly id: string;
    readonly title: string;
    readonly digest: string;
    /** what the file says */
    readonly passes: boolean;
  }[];
  /** commits of records that are part of the branch */
  readonly held: readonly string[];
  /** the branch that is checked out there; absent: none, or it is not known */
  readonly branch?: string;
}

const DIGEST_LENGTH = 16;

/** Names what a story asks for: another name is another work to do. Priority, dependencies and the like are not in it. */
export function storyDigest({ title, description, criteria, checks }: Story, digest: Digest): string {
  const commands = checks.map(({ criterion, run }) => [criterion, run]);
  return digest(JSON.stringify([title, description, criteria, commands])).slice(0, DIGEST_LENGTH);
}

/** A document's story as an event has it. */
export function asRead(story: Story, digest: Digest): StoriesRead["stories"][number] {
  const { id, title, passes } = story;
  return { id, title, digest: storyDigest(story, digest), passes };
}

/** Every record by its story's id: for whoever asks for more than one. */
export function recordsById({ records }: Pick<Stories, "records">): ReadonlyMap<string, StoryRecord> {
  return new Map(records.map((record) => [record.id, record]));
}

export function recordOf(known: Pick<Stories, "records">, id: string): StoryRecord | undefined {
  return known.records.find((record) => record.id === id);
}

/** The stories with one record put in place of the former, or added. */
export function withRecord<Known extends Pick<Stories, "records">>(known: Known, record: StoryRecord): Known {
  const isKnown = known.records.some(({ id }) => id === record.id);
  const records = isKnown
    ? known.records.map((former) => (former.id === record.id ? record : former))
    : [...known.records, record];
  return { ...known, records };
}

/** The record of a story that nothing has happened to. */
export function freshRecord({ id, title, digest }: Pick<StoryRecord, "id" | "title" | "digest">): StoryRecord {
  return {
    id,
    title,
    digest,
    state: "pending",
    attempts: 0,
    blocked: null,
    passing: null,
    before: null,
    words: null,
    patch: null,
    changed: false,
    gone: false,
  };
}

/**
 * What the loop knows after it has read the document anew (C27): new stories are pending, those that are gone keep
 * their record, and a passed one whose text changed waits for a person. A passed story whose commit the branch does not
 * hold is what the file says; what only the file calls passed is taken over, for as long as it says so. What is in the
 * work tree of a story that is gone stays known, so that it is set aside before another one begins.
 */
export function reconcile(known: Stories | null, read: StoriesRead, at: string): Stories {
  const held = new Set(read.held);
  const former = recordsById(known ?? { records: [] });
  const here = new Map(read.stories.map((story) => [story.id, story]));
  const kept = (known?.records ?? []).flatMap((record) => {
    const story = here.get(record.id);
    if (story === undefined) return [{ ...record, state: leftState(record), gone: true }];
    return [reconciled({ ...record, gone: false, title: story.title }, story, held, at)];
  });
  const taken = read.stories.filter(({ id, passes }) => passes && !former.has(id));
  const records = [...kept, ...taken.map((story) => takenOver(freshRecord(story), at))];
  // What they say now was not asked while they passed.
  const isTaken = (record?: StoryRecord): boolean => record?.passing?.how === "taken_over";
  const open = records
    .filter((record) => record.changed || (isTaken(record) && !isTaken(former.get(record.id))))
    .map(({ id }) => id);
  const { branch: _former, ...others } = known ?? {};
  return {
    ...others,
    ...(read.branch === undefined ? {} : { branch: read.branch }),
    ...(open.length === 0 ? {} : { asked: withUnasked(known?.asked, open) }),
    prd: read.prd,
    total: read.stories.length,
    active: known?.active ?? null,
    passed_in_run: 0,
    records,
  };
}

/** With stories that have come to count as passed, and of which the gate has said nothing. */
export function withUnasked(asked: Stories["asked"], ids: readonly string[]): NonNullable<Stories["asked"]> {
  const { unasked, ...known } = asked ?? NOTHING_ASKED;
  return { ...known, unasked: [...new Set([...unasked, ...ids])] };
}

/** A story that is gone is not worked on. */
function leftState({ state }: StoryRecord): StoryRecord["state"] {
  return state === "passed" ? "passed" : "pending";
}

function reconciled(
  record: StoryRecord,
  { digest, passes }: StoriesRead["stories"][number],
  held: ReadonlySet<string>,
  at: string,
): StoryRecord {
  if (record.passing === null) {
    // Of a story that is worked on, the file says what the loop itself has written.
    if (passes && record.state === "pending") return takenOver({ ...record, digest }, at);
    // Whoever edits a story that is blocked has answered.
    return digest === record.digest ? record : { ...record, digest, blocked: null, attempts: 0, before: null };
  }
  const { commit, how } = record.passing;
  // Of what was taken over the file is the only witness.
  const isLost = commit === null ? how === "taken_over" : !held.has(commit);
  if (isLost && !passes) return freshRecord({ ...record, digest });
  const passing = isLost && commit !== null ? takenOver(record, at).passing : record.passing;
  return { ...record, passing, changed: digest !== record.digest };
}

function takenOver(record: StoryRecord, at: string): StoryRecord {
  const passing: Passing = { how: "taken_over", commit: null, by: null, at, proved: 0, criteria: 0 };
  return { ...record, state: "passed", blocked: null, passing };
}

const KEPT_UNDONE = 8;

/** The stories with what a turn's end has put back. */
export function withUndone(stories: Stories | null, found: readonly Undone[]): Stories | null {
  if (stories === null || found.length === 0) return stories;
  return { ...stories, undone: [...(stories.undone ?? []), ...found].slice(-KEPT_UNDONE) };
}

/** The next commit is built on what HEAD names now. @param now null: nothing is measured */
export function standOn({ moved: _former, ...known }: Stories, now: HeadAt | null): Stories {
  return now === null ? known : { ...known, stands: headOf(now) };
}

/** Holds what HEAD names against what it has to. @param now null: nothing is measured */
export function holdHead(stories: Stories | null, now: HeadAt | null): Stories | null {
  if (stories === null || now === null) return stories;
  const { moved: _former, ...known } = stories;
  const { stands } = known;
  return stands === undefined || isSameHead(stands, now) ? known : { ...known, moved: headOf(now) };
}

/** How `prd.json` marks each story that it does not call pending (C27). */
export function marksOf({
  records,
}: Pick<Stories, "records">): ReadonlyMap<string, { passes: boolean; inProgress: boolean }> {
  return new Map(
    records.map(({ id, state }) => [id, { passes: state === "passed", inProgress: state === "in_progress" }]),
  );
}
