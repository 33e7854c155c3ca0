import type { LoopState } from "../core/state.ts";
import { type BlockedMark, freshRecord, type Stories, type StoryRecord } from "../core/story/stories.ts";
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
  /** criteria that were red before and are green now, of all; null: nobody has looked */
  readonly proved: { readonly criteria: number; readonly of: number } | null;
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
 *
 * @param known null: there was no run yet
 */
export function storyRows(known: Stories | null, prd: Prd | null): readonly StoryRow[] {
  const records = new Map(known?.records.map((record) => [record.id, record]));
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
    proved: passing?.how === "proved" ? { criteria: passing.proved, of: passing.criteria } : null,
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

/** How far a PRD is, as `--json` tells it. */
export interface StoriesReport {
  readonly prd: string;
  readonly total: number;
  readonly passed: number;
  /** of these, those that nobody had to accept or to write into the file */
  readonly passed_by_proof: number;
  readonly blocked: number;
  /** the one that is worked on; null: none */
  readonly active: { readonly id: string; readonly title: string; readonly attempt: number } | null;
  readonly stories: readonly StoryRow[];
}

/** How far the loop's PRD is; null: it has none. @param prd the document; null: it cannot be read */
export function storiesReport({ stories: known }: Pick<LoopState, "stories">, prd: Prd | null): StoriesReport | null {
  if (known === null) return null;
  const stories = storyRows(known, prd);
  const here = stories.filter(({ gone }) => !gone);
  const active = stories.find(({ id, status }) => id === known.active && status === "in_progress");
  return {
    prd: known.prd,
    total: prd === null ? known.total : here.length,
    passed: here.filter(hasPassed).length,
    passed_by_proof: here.filter(({ status }) => status === "passed").length,
    blocked: here.filter(({ status }) => status === "blocked").length,
    active: active === undefined ? null : { id: active.id, title: active.title, attempt: active.attempts },
    stories,
  };
}

export function hasPassed({ status }: Pick<StoryRow, "status">): boolean {
  return status === "passed" || status === "accepted" || status === "taken_over";
}

/** `2 of 5 stories passed, 1 of them not by proof; 1 blocked` */
export function tallyText({ total, passed, passed_by_proof: proved, blocked }: StoriesReport): string {
  const rest = passed - proved;
  const otherwise = rest === 0 ? "" : `, ${grouped(rest)} of them not by proof`;
  const stuck = blocked === 0 ? "" : `; ${grouped(blocked)} blocked`;
  return `${grouped(passed)} of ${grouped(total)} ${total === 1 ? "story" : "stories"} passed${otherwise}${stuck}`;
}

/** `US-003 Pay by card (attempt 2)`; undefined: no story is worked on. */
export function activeText({ active }: StoriesReport): string | undefined {
  return active === null ? undefined : `${active.id} ${oneLine(active.title)} (attempt ${active.attempt})`;
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
  const said = row.gone ? [...statusWords(row), "no longer in the PRD"] : statusWords(row);
  return (row.changed ? [...said, "changed since it passed: retry it to have it done anew"] : said).join(", ");
}

function statusWords(row: StoryRow): readonly string[] {
  const { status, attempts, proved, accepted_by: by, blocked, waits_for: waitsFor, patch } = row;
  const tried = attempts === 0 ? [] : [counted(attempts, "attempt")];
  const kept = patch === null ? [] : [`unfinished work in ${oneLine(patch)}`];
  switch (status) {
    case "passed":
      return proved === null || proved.criteria === 0 ? ["passed"] : ["passed", provedText(proved)];
    case "accepted":
      return [`accepted by ${oneLine(by ?? "a person")}`];
    case "taken_over":
      return ["taken over from the file, not proved"];
    case "blocked": {
      const why = blocked === null ? "" : ` (${blocked.kind}): ${cut(oneLine(blocked.why), WHY_LENGTH)}`;
      return [`blocked${why}`, ...tried, ...kept];
    }
    case "in_progress":
      return [`in progress, attempt ${attempts}`];
    case "waiting":
      return [`waiting for ${waitsFor.slice(0, WAITS_SHOWN).join(", ")}${waitsFor.length > WAITS_SHOWN ? " …" : ""}`];
    case "pending":
      return ["pending", ...tried, ...kept];
  }
}

const WHY_LENGTH = 300;
const WAITS_SHOWN = 5;

/** How a story is proved by the commands of its criteria (D-24): `proved 3 of 5: red before, green after`. */
export function provedText({ criteria, of }: NonNullable<StoryRow["proved"]>): string {
  return `proved ${criteria} of ${of}: red before, green after`;
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
