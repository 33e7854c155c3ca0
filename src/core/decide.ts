import type { Item, Task } from "./task.ts";
import type { LoopState } from "./state.ts";
import {
  admitsUnfinished,
  evidenceOf,
  firstCheck,
  nothingLeft,
  claimHolds,
  successCommand,
  gateUnrunnable,
  proofAccepted,
  weakProof,
} from "./stop/completion.ts";
import { flaky, flakyProof, unrepaired } from "./stop/repair.ts";
import type { Facts, Move, StopRule } from "./stop/rule.ts";
import { maxIterations, timeReserve, tokenCap, tokensPerDay, totalTime, timeUp } from "./stop/limits.ts";
import { callsPerHour, notBefore } from "./stop/wait.ts";
import { canceled, erasedHardStop, hardStopOnResume, hardStop, paused, stopped, superseded } from "./stop/control.ts";
import { headMoved, storiesDone, storyBlocked, storyReview } from "./stop/stories.ts";
import { judgeStory, storyEvidence, withoutAttempts } from "./story/judge.ts";
import { completes, reviewerVetoes, secondKey, unreviewed } from "./review/due.ts";
import { commandsBefore } from "./story/passed-commands.ts";
import { storyOf } from "./story/pick.ts";
import { recordOf } from "./story/stories.ts";
import { circuitOpen, agentBlocked, asksInstead, overstepped, permissionDenied, turnFailed } from "./stop/stuck.ts";

/**
 * What the loop does next: the first rule that matches wins, and the order of the rules is policy. Pure
 * (docs/decisions/0002-phases.md).
 */
export function decide(task: Task, state: LoopState, facts: Facts): Move {
  const first = (rules: readonly StopRule[], seen = state): Move | undefined => {
    for (const rule of rules) {
      const move = rule(task, seen, facts);
      if (move !== undefined) return move;
    }
    return undefined;
  };
  // Whatever the reviewer has said: work that would not count as done without it is not looked at (C50).
  const reviewed = (isDone: (seen: LoopState) => boolean): Move | undefined =>
    isDone(unreviewed(state)) ? secondKey(task, state, facts) : undefined;
  const ending = (rules: readonly StopRule[]): Move | undefined =>
    reviewed((seen) => completes(first(rules, seen))) ?? first(rules);
  const settlingReviewed = (): Move =>
    reviewed((seen) =>
      task.prd === null ? completes(first(AFTER, seen)) : judgeStory(task, seen)?.ends === "passed",
    ) ?? settling(task, state, facts);
  switch (state.phase) {
    case "ready":
      return ending(BEFORE) ?? nextTurn(task, state, facts);
    case "turn":
      throw new Error("A turn is in flight; openLoop has to record it as abandoned first.");
    case "unproved": {
      const moved = headMoved(task, state, facts);
      if (moved !== undefined) return superseded(task, state, facts) ?? canceled(task, state, facts) ?? moved;
      const evidence = task.prd === null ? evidenceOf(task, state) : storyEvidence(task, state);
      const isLate = evidence?.occasion === "change" && timeUp(task, state, facts) !== undefined;
      // Nothing waits for what was not claimed.
      if (evidence === undefined || isLate) return settlingReviewed();
      return first(UNPROVED) ?? { do: "prove", evidence };
    }
    case "unsettled":
      return settlingReviewed();
    case "settled":
      return ending([...(task.prd === null ? AFTER : AFTER_STORY), ...BEFORE]) ?? nextTurn(task, state, facts);
  }
}

/**
 * A loop that is cancelled, or that another run has, leaves the work tree as the agent left it; so does one whose work
 * goes nowhere (T17).
 */
function settling(task: Task, state: LoopState, { request }: Facts): Move {
  const leaves = request?.kind === "cancel" || request?.kind === "supersede";
  const story = leaves ? null : judgeStory(task, state);
  const { commit } = task.runtime;
  const wanted = commit === "iteration" || (commit === "story" && story?.ends === "passed");
  const isRefused = state.boundary.refused !== null || state.stories?.moved !== undefined;
  return { do: "settle", commits: wanted && !leaves && !isRefused, story };
}

/** What there is to do for an agent that has ticked everything off, and is not believed. */
const UNPROVED_PLAN: Item = {
  id: "proof",
  title: "Every item of the plan is ticked, but the work is not taken as done yet.",
  text: "Look at what the last iteration came to, and fix what is missing. Untick an item that is not done after all.",
};

/** A backlog with nothing left and no rule that ends the loop is a bug of the backlog, unless the proof is missing. */
function nextTurn(task: Task, state: LoopState, { item }: Facts): Move {
  if (item !== null) return storyMove(task, state, item.id) ?? { do: "turn", item };
  if (state.plan === null) throw new Error("The backlog has nothing left, yet no stop rule ends the loop.");
  return { do: "turn", item: UNPROVED_PLAN };
}

/** What comes before a turn of a story; undefined: nothing, or it is none. */
function storyMove(task: Task, state: LoopState, id: string): Move | undefined {
  const { prd } = task;
  const { stories: known } = state;
  if (prd === null || known === null) return undefined;
  if (known.active !== null && known.active !== id) return { do: "shelve", story: known.active };
  const ended = withoutAttempts(prd, known, state, id);
  if (ended !== undefined) return { do: "give_up", story: ended };
  const story = storyOf(prd, id);
  if (story === undefined) return undefined;
  const isAsked = story.checks.length === 0 || (recordOf(known, id)?.before ?? null) !== null;
  return isAsked && commandsBefore(task, state, id).length === 0 ? undefined : { do: "examine", story };
}

/** The PRE table (section 4.1), before a turn is spent. The rest of PRE 1, and PRE 4, are asked before the loop is opened. */
const BEFORE: readonly StopRule[] = [
  superseded, // PRE 1
  canceled, // PRE 2
  headMoved, // POST 1a
  stopped, // PRE 3
  paused, // PRE 3
  hardStopOnResume, // PRE 5
  proofAccepted, // PRE 5a
  firstCheck, // PRE 6
  flaky, // PRE 6
  nothingLeft, // PRE 6
  storiesDone, // PRE 6
  circuitOpen, // PRE 7
  maxIterations, // PRE 8
  tokenCap, // PRE 9
  totalTime, // PRE 9
  timeReserve, // PRE 10
  callsPerHour, // PRE 11
  tokensPerDay, // PRE 11
  notBefore, // PRE 11
];

/** What keeps the checks from running while a turn's work waits for its proof. */
const UNPROVED: readonly StopRule[] = [superseded, canceled, stopped, gateUnrunnable, timeUp];

/**
 * The POST table (section 4.2), row by row, for an iteration that is settled. POST 3 is a refund, and the wait is PRE
 * 11. A pause waits for the iteration to be judged, so it is in BEFORE.
 */
const AFTER: readonly StopRule[] = [
  superseded, // POST 1
  canceled, // POST 1
  stopped, // POST 1
  turnFailed, // POST 2, POST 4
  overstepped, // POST 4a
  erasedHardStop, // POST 4b
  unrepaired, // POST 4c
  flakyProof, // POST 4d
  successCommand, // POST 5
  claimHolds, // POST 7
  weakProof, // POST 7a
  admitsUnfinished, // POST 7b
  reviewerVetoes, // POST 7c
  permissionDenied, // POST 8
  hardStop, // POST 9
  agentBlocked, // POST 10
  asksInstead, // section 4.5
  circuitOpen, // POST 11
  maxIterations, // POST 12
  tokenCap, // POST 13
  totalTime, // POST 13
  timeReserve, // POST 13
];

/** The same where each story is judged by itself (POST 6): what the agent says of the loop as a whole ends nothing. */
const AFTER_STORY: readonly StopRule[] = [
  superseded, // POST 1
  canceled, // POST 1
  headMoved, // POST 1a
  stopped, // POST 1
  turnFailed, // POST 2, POST 4
  overstepped, // POST 4a
  erasedHardStop, // POST 4b
  flakyProof, // POST 4d
  storyBlocked, // POST 6
  storiesDone, // POST 6
  permissionDenied, // POST 8
  storyReview, // POST 9
  hardStop, // POST 9
  circuitOpen, // POST 11
  maxIterations, // POST 12
  tokenCap, // POST 13
  totalTime, // POST 13
  timeReserve, // POST 13
];
