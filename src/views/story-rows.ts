import type { LoopState } from "../core/state.ts";
import { type BlockedMark, freshRecord, type Passing, type Stories, type StoryRecord } from "../core/story/stories.ts";
import type { Undone } from "../core/story/undone.ts";
import type { Prd, Story } from "../core/story/story.ts";
import { counted, grouped } from "./amounts.ts";
import { cut, oneLine } from "./plain-text.ts";

/** A story as people and machines are shown it; texts are as their authors wrote them. */
export interface StoryRow {
  readonly id: string;
  readonly title: string;
  /**
   * `waiting`: for other stories, see `waits_for`; `taken_over`: the file calls it passed, and the loop does not know
   * how; `accepted`: a person has decided
   */
  readonly status: "passed" | "accepted" | "taken_over" | "blocked" | "in_progress" | "waiting" | "pending";
  /** iterations spent on it since a person let it try again */
  readonly attempts: number;
  /** null: not passed, nothing had to be changed, or it is not known */
  readonly commit: string | null;
  /**
   * criteria that were red before and are green now, of all; `by_changed`: the same by a check that the story has changed;
   * null: nobody has looked
   */
  readonly proved: { readonly criteria: number; readonly of: number; readonly by_changed?: number } | null;
  /** null: nobody had to */
  readonly accepted_by: string | null;
  /** null: it is not */
  readonly blocked: Pick<BlockedMark, "kind" | "why"> | null;
  /** the stories that have to pass before */
  readonly waits_for: readonly string[];
  /** its unfinished work, a file of the loop's folder; null: none */
  readonly patch: string | null;
  /** whether it says something else since it passed */
  readonly changed: boolean;
  /** whether the document has it no more */
  readonly gone: boolean;
}

/**
 * The stories in the document's order, then those that are gone. Without the document only those that something has
 * happened to are known.
 */
export function storyRows(known: Stories, prd: Prd | null): readonly StoryRow[] {
  const records = new Map(known.records.map((record) => [record.id, record]));
  if (prd === null) return [...records.values()].map((record) => rowOf(record, []));
  const here = prd.stories.map((story) => ({ story, record: recordFor(story, records.get(story.id)) }));
  const passed = new Set(here.flatMap(({ record: { id, state } }) => (state === "passed" ? [id] : [])));
  const rows = here.map(({ story, record }) =>
    rowOf(
      record,
      (story.dependsOn ?? []).filter((id) => !passed.has(id)),
    ),
  );
  for (const { id } of prd.stories) records.delete(id);
  return [...rows, ...[...records.values()].map((record) => rowOf({ ...record, gone: true }, []))];
}

/** What the file calls passed without the loop's knowledge will be taken over. */
function recordFor({ id, title, passes }: Story, known: StoryRecord | undefined): StoryRecord {
  const record = known ?? freshRecord({ id, title, digest: "" });
  const state = passes && known === undefined ? "passed" : record.state;
  return { ...record, title, state, gone: false };
}

function rowOf(record: StoryRecord, waitsFor: readonly string[]): StoryRow {
  const { id, title, attempts, passing, blocked, patch, changed, gone } = record;
  return {
    ...{ id, title, status: statusOf(record, waitsFor), attempts },
    commit: passing?.commit ?? null,
    proved: passing?.how === "proved" ? proofOfStory(passing) : null,
    accepted_by: passing?.by ?? null,
    blocked: record.state === "passed" || blocked === null ? null : { kind: blocked.kind, why: blocked.why },
    waits_for: record.state === "passed" ? [] : waitsFor,
    ...{ patch, changed, gone },
  };
}

function statusOf({ state, passing, blocked }: StoryRecord, waitsFor: readonly string[]): StoryRow["status"] {
  if (state === "passed") return passing?.how === "proved" ? "passed" : (passing?.how ?? "taken_over");
  if (blocked !== null) return "blocked";
  if (state === "in_progress") return state;
  return waitsFor.length > 0 ? "waiting" : "pending";
}

/** How many stories are how. */
export interface StoriesTally {
  readonly total: number;
  readonly passed: number;
  /** of these, those that nobody had to accept or to write into the file */
  readonly passed_by_proof: number;
  readonly blocked: number;
  /** of those that have passed, the ones that say something else since, and wait for retry */
  readonly changed: number;
}

/** How far a PRD is, as `--json` tells it. */
export interface StoriesReport extends StoriesTally {
  readonly prd: string;
  /** the one that is worked on; null: none */
  readonly active: { readonly id: string; readonly title: string; readonly attempt: number } | null;
  readonly stories: readonly StoryRow[];
  /** documents that somebody changed during turns and the loop put back, the last of them */
  readonly undone: readonly Undone[];
}

/** How far the loop's PRD is; null: it has none. @param prd the document; null: it cannot be read */
export function storiesReport({ stories: known }: Pick<LoopState, "stories">, prd: Prd | null): StoriesReport | null {
  return known === null ? null : reportOf(known, prd);
}

export function reportOf(known: Stories, prd: Prd | null): StoriesReport {
  const stories = storyRows(known, prd);
  const here = stories.filter(({ gone }) => !gone);
  const active = stories.find(({ id, status }) => id === known.active && status === "in_progress");
  return {
    prd: known.prd,
    total: prd === null ? known.total : here.length,
    passed: here.filter(hasPassed).length,
    passed_by_proof: here.filter(({ status }) => status === "passed").length,
    blocked: here.filter(({ status }) => status === "blocked").length,
    changed: here.filter(({ changed }) => changed).length,
    active: active === undefined ? null : { id: active.id, title: active.title, attempt: active.attempts },
    stories,
    undone: known.undone ?? [],
  };
}

export function hasPassed({ status }: Pick<StoryRow, "status">): boolean {
  return status === "passed" || status === "accepted" || status === "taken_over";
}

/** `2 of 5 stories passed, 1 of them not by proof; 1 changed since, 1 blocked` */
export function tallyText({ total, passed, passed_by_proof: proved, blocked, changed }: StoriesTally): string {
  const rest = passed - proved;
  const otherwise = rest === 0 ? "" : `, ${grouped(rest)} of them not by proof`;
  const waiting = [
    ...(changed === 0 ? [] : [`${grouped(changed)} changed since`]),
    ...(blocked === 0 ? [] : [`${grouped(blocked)} blocked`]),
  ];
  return `${grouped(passed)} of ${counted(total, "story")} passed${otherwise}${waiting.length === 0 ? "" : `; ${waiting.join(", ")}`}`;
}

/** `US-003 Pay by card (attempt 2)`; undefined: no story is worked on. */
export function activeText({ active }: StoriesReport): string | undefined {
  if (active === null) return undefined;
  const { id, title, attempt } = active;
  return `${id} ${oneLine(title)} (${attemptText(attempt)})`;
}

/** A turn that was cut off is no attempt, so there may be none yet of a story that has begun. */
export function attemptText(attempt: number): string {
  return attempt === 0 ? "no attempt yet" : `attempt ${attempt}`;
}

const TITLE_LENGTH = 100;

/** A story's title on one line, as far as there is room for it. */
export function shownTitle({ title }: Pick<StoryRow, "title">): string {
  return cut(oneLine(title), TITLE_LENGTH);
}

/** A sign that tells the statuses apart at a glance. */
export const STORY_SIGNS = {
  passed: "✅",
  accepted: "☑️",
  taken_over: "☑️",
  blocked: "🚧",
  in_progress: "🔄",
  waiting: "⏳",
  pending: "⬜",
} as const satisfies Record<StoryRow["status"], string>;

/** How a story is, in words: `passed, proved 3 of 5: red before, green after`. The commit and the title are not in it. */
export function standText(row: StoryRow): string {
  const words = [
    ...statusWords(row),
    ...(row.gone ? ["no longer in the PRD"] : []),
    ...(row.changed ? ["changed since it passed: retry it to have it done again"] : []),
  ];
  // Why a story is blocked is a sentence, and more may follow it.
  return words.map((part, i) => (i < words.length - 1 ? part.replace(/\.$/u, "") : part)).join(", ");
}

function statusWords(row: StoryRow): readonly string[] {
  const { status, attempts, proved, accepted_by: by, blocked, waits_for: waitsFor, patch } = row;
  const tried = attempts === 0 ? [] : [counted(attempts, "attempt")];
  const kept = patch === null ? [] : [`unfinished work in ${oneLine(patch)}`];
  switch (status) {
    case "passed":
      return proved === null || !isShown(proved) ? ["passed"] : ["passed", provedText(proved)];
    case "accepted":
      return [`accepted by ${oneLine(by ?? "a person")}`];
    case "taken_over":
      return ["taken over from the file, not proved"];
    case "blocked": {
      const why = blocked === null ? "" : ` (${blocked.kind}): ${cut(oneLine(blocked.why), WHY_LENGTH)}`;
      return [`blocked${why}`, ...tried, ...kept];
    }
    case "in_progress":
      return [`in progress, ${attemptText(attempts)}`];
    case "waiting":
      return [`waiting for ${waitsFor.slice(0, WAITS_SHOWN).join(", ")}${waitsFor.length > WAITS_SHOWN ? " …" : ""}`];
    case "pending":
      return ["pending", ...tried, ...kept];
  }
}

const WHY_LENGTH = 300;
const WAITS_SHOWN = 5;

type StoryProof = NonNullable<StoryRow["proved"]>;

export function proofOfStory({
  proved,
  criteria: of,
  by_changed,
}: Pick<Passing, "proved" | "criteria" | "by_changed">): StoryProof {
  return { criteria: proved, of, ...(by_changed === undefined ? {} : { by_changed }) };
}

/** Whether there is anything to say of it. */
export function isShown({ criteria, by_changed }: StoryProof): boolean {
  return criteria > 0 || by_changed !== undefined;
}

/**
 * How a story is proved by the commands of its criteria (D-24): `proved 2 of 5: red before, green after; 1 by a check that
 * this story changed`.
 */
export function provedText({ criteria, of, by_changed: others }: StoryProof): string {
  const more = others === undefined ? "" : `; ${others} by a check that this story changed`;
  return `proved ${criteria} of ${of}: red before, green after${more}`;
}

/** What people want to see first where not all have room. */
const INTEREST = ["in_progress", "blocked", "pending", "waiting", "accepted", "taken_over", "passed"] as const;

/** Where people look at stories, this many are shown. */
const MOST = 50;

/**
 * The stories to show where there may be many, in their order: all, or those of most interest.
 *
 * @returns `rest` says how many are not shown; "": none
 */
export function shownStories(rows: readonly StoryRow[], most = MOST) {
  const ranked = rows.toSorted((a, b) => interest(a) - interest(b));
  const chosen = new Set(ranked.slice(0, most));
  const rest = ranked.slice(most);
  const passed = rest.filter(hasPassed).length;
  const more = rest.length === 0 ? "" : `${grouped(rest.length)} more, ${grouped(passed)} of which have passed`;
  return { rows: rows.filter((row) => chosen.has(row)), rest: more };
}

function interest({ status, changed, gone }: StoryRow): number {
  const isCalled = changed && !gone;
  return isCalled ? INTEREST.indexOf("blocked") : INTEREST.indexOf(status) + (gone ? INTEREST.length : 0);
}
