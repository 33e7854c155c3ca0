import { NOT_CONTRADICTED } from "../claim/contradictions/contradiction.ts";
import type { EventOf } from "../events.ts";
import { resetCounters } from "../progress/counters.ts";
import { countsToCompare } from "../progress/strength.ts";
import { CLOSED, type LoopState, NO_SIGNALS, NOT_BLOCKED_YET } from "../state.ts";
import {
  freshRecord,
  NOTHING_ASKED,
  recordOf,
  standOn,
  type Stories,
  type StoryRecord,
  withRecord,
  withUnasked,
} from "../story/stories.ts";

/** A turn begins on a story; another one than before begins with counters of its own. */
export function startStory(state: LoopState, { item }: EventOf<"turn_started">): LoopState {
  const { stories: known } = state;
  if (known === null) return state;
  const record = recordOf(known, item.id) ?? freshRecord({ digest: "", ...item });
  // The engine begins neither.
  if (record.state === "passed" || record.blocked !== null) return state;
  const begun = { ...record, state: "in_progress", attempts: record.attempts + 1 } as const;
  const { accepted: _kept, ...others } = known;
  const stories = { ...withRecord(others, begun), active: item.id };
  return known.active === item.id ? { ...state, stories } : { ...anew(state), stories };
}

/** What was said and counted of one story says nothing of the next. */
function anew(state: LoopState): LoopState {
  return {
    ...state,
    last_turn: null,
    verdict: null,
    failing: null,
    failure_signature: null,
    ...countingAnew(state),
    strength: { ...state.strength, weaknesses: [], tampering: null, tree: null, bends: [], refused: 0 },
  };
}

/** What counts against the agent. */
function countingAnew({ progress, strength }: LoopState) {
  return {
    progress: resetCounters(progress),
    circuit: CLOSED,
    signals: NO_SIGNALS,
    appeals: NOT_BLOCKED_YET,
    admissions: 0,
    contradicted: NOT_CONTRADICTED,
    strength: { ...strength, refused: 0 },
  };
}

/** A turn that did not come about is no attempt. */
export function refundAttempt(known: Stories | null): Stories | null {
  const record = known?.active ? recordOf(known, known.active) : undefined;
  if (known === null || record === undefined) return known;
  return withRecord(known, { ...record, attempts: Math.max(0, record.attempts - 1) });
}

/** An iteration is over, and its story may be as well. */
export function endStory(state: LoopState, { story: end, at, commit, snapshot }: EventOf<"settled">): LoopState {
  const { stories: known } = state;
  const record = known === null || end === undefined ? undefined : recordOf(known, end.id);
  if (known === null || end === undefined || record?.state !== "in_progress") return state;
  if (end.ends === "blocked") return { ...state, stories: withBlocked(known, record, { ...end, at }) };
  const { id: _id, ends: _passed, ...proof } = end;
  const passing = { how: "proved", commit, by: null, at, ...proof } as const;
  return {
    ...state,
    stories: {
      ...withRecord(standOn(known, commit === null ? null : snapshot), {
        ...record,
        state: "passed",
        passing,
        before: null,
        words: null,
        patch: null,
      }),
      active: null,
      passed_in_run: known.passed_in_run + 1,
      // Its proof has asked them all, but for those that were told apart.
      asked: { ...(known.asked ?? NOTHING_ASKED), story: end.id, tree: (snapshot ?? state.snapshot)?.tree ?? null },
    },
    // From here on the work, and the tests, are compared with what this story has left.
    boundary: { begun: snapshot ?? state.boundary.begun, refused: null, turns: 0 },
    strength: {
      ...state.strength,
      counts: countsToCompare(state.verdict?.checks ?? []) ?? state.strength.counts,
      // Its gates are green, and the next story begins with that.
      began: "passed",
    },
  };
}

function withBlocked(
  known: Stories,
  record: StoryRecord,
  { kind, why, at }: NonNullable<StoryRecord["blocked"]>,
): Stories {
  return withRecord(known, { ...record, state: "pending", blocked: { kind, why, at } });
}

/** The story is over as if an iteration of it had ended just now, so that the same rules look at it. */
export function giveUpStory(state: LoopState, { story, at }: EventOf<"story_given_up">): LoopState {
  const { stories: known } = state;
  const record = known === null ? undefined : recordOf(known, story.id);
  if (known === null || record === undefined || record.state === "passed") return state;
  const stories = { ...withBlocked(known, record, { ...story, at }), active: story.id };
  return { ...anew(state), phase: "settled", stories };
}

export function examineStory(
  state: LoopState,
  { id, title, digest, before, others }: EventOf<"story_examined">,
): LoopState {
  const { stories: known } = state;
  if (known === null) return state;
  const record = recordOf(known, id) ?? freshRecord({ id, title, digest });
  const examined = withRecord(known, { ...record, digest, before: [...before] });
  if (others === undefined) return { ...state, stories: examined };
  const red = others.red.map(({ run }) => run);
  const asked = { story: id, tree: state.snapshot?.tree ?? null, red, unasked: [] };
  return { ...state, stories: { ...examined, asked } };
}

/** What the work tree held of the story is gone from it, so the next attempt starts over. */
export function shelveStory(state: LoopState, { id, patch, snapshot }: EventOf<"story_shelved">): LoopState {
  const { stories: known } = state;
  const record = known === null ? undefined : recordOf(known, id);
  if (known === null || record === undefined) return state;
  const left = record.state === "passed" ? record.state : "pending";
  const shelved: StoryRecord = { ...record, state: left, patch: patch ?? record.patch };
  return {
    ...state,
    snapshot: snapshot ?? state.snapshot,
    boundary: { ...state.boundary, refused: null, turns: 0 },
    stories: { ...withRecord(known, shelved), active: known.active === id ? null : known.active },
  };
}

/** A person's word: it passes as it is, or is tried again with words for the next attempts. */
export function ruleStory(state: LoopState, event: EventOf<"story_ruled">): LoopState {
  const { stories: known } = state;
  if (known === null) return state;
  const { id, title, digest, ruling } = event;
  const record = { ...(recordOf(known, id) ?? freshRecord({ id, title, digest })), digest, changed: false };
  return ruling === "retry" ? retried(state, known, record, event) : accepted(state, known, record, event);
}

type Ruled = EventOf<"story_ruled">;

/** Its work that is still in the work tree is gone on with, so what its commands said before that still holds. */
function retried(state: LoopState, known: Stories, record: StoryRecord, { id, words }: Ruled): LoopState {
  const isThere = known.active === id;
  const again: StoryRecord = {
    ...record,
    state: "pending",
    blocked: null,
    passing: null,
    attempts: 0,
    before: isThere ? record.before : null,
    words,
  };
  return { ...state, ...(isThere ? countingAnew(state) : {}), stories: withRecord(known, again) };
}

/** What a person has accepted is what later work is compared with. */
function accepted(state: LoopState, known: Stories, record: StoryRecord, { id, by, at, ...made }: Ruled): LoopState {
  // What has passed, and changed its text since, has its commit still.
  const commit = made.commit ?? record.passing?.commit ?? null;
  const passing = { how: "accepted", commit, by, at, proved: 0, criteria: 0 } as const;
  const over = { blocked: null, before: null, words: null, patch: null } as const;
  const passed: StoryRecord = { ...record, ...over, state: "passed", passing };
  const stories = { ...withRecord(known, passed), asked: withUnasked(known.asked, [id]) };
  // Another story's work is in the work tree, and stays compared with what it began with.
  if (known.active !== null && known.active !== id) return { ...state, stories };
  return {
    ...state,
    stories: { ...stories, active: null, accepted: true },
    boundary: { begun: null, refused: null, turns: 0 },
    strength: { ...state.strength, counts: null, began: null },
  };
}
