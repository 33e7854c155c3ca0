import { openHardStops } from "../core/stop/control.ts";
import type { HardStopHit } from "../core/hard-stop.ts";
import { wasReset } from "../core/open-loop.ts";
import { type Outcome, outcomeOf, type Status, type StopReason } from "../core/outcome.ts";
import type { Change, LoopState } from "../core/state.ts";
import { recordsById } from "../core/story/stories.ts";
import type { Prd } from "../core/story/story.ts";
import type { Protection } from "./danger.ts";

/** What every view of a loop is made from: the state and what only the outside knows. */
export interface RunView {
  readonly state: LoopState;
  /** a run holds the loop's lock now; `state.status` alone does not distinguish a running loop from a crashed one */
  readonly alive: boolean;
  /** this is a copy that was made somewhere else: whether the loop ran then is known, and nothing of what came of it */
  readonly isRecorded?: true;
  /** its files were deleted while it was looked at: this is how it was last seen */
  readonly isGone?: true;
  /** why nothing here can go on with it as it is, and what helps, in whole sentences; absent: nothing is in the way */
  readonly lost?: string | undefined;
  /** everything between the loop's beginning and its last snapshot; null: not measurable */
  readonly change: Change | null;
  /** the document whose stories are worked through, as it is now; null: there is none, or it cannot be read */
  readonly prd: Prd | null;
  /** the branch that the work is on; null: none, or not known */
  readonly branch: string | null;
  readonly protection: Protection;
  readonly stateFile: string;
  /** the loop's folder */
  readonly folder: string;
  /** what resumes this loop: a command that can be pasted into a shell, or what to do on GitHub */
  readonly resume: string;
  /** what lets a person decide about a story: a command, or a comment on GitHub; null: there is no PRD */
  readonly ruling: ((verb: "retry" | "accept", story: string) => string) | null;
  /** words advice for the place where it is read: `--max-iterations`, or `max-iterations` in a workflow */
  readonly word: (advice: string) => string;
}

/** The state's name for people: a loop that says `running` without a run has crashed, but for a recorded one. */
export function shownStatus({ state, alive, isRecorded }: RunView): Status | "crashed" {
  return state.status === "running" && !alive && isRecorded !== true ? "crashed" : state.status;
}

/** The same for who looks on: a loop without files is gone. */
export function watchedStatus(view: RunView): string {
  return view.isGone === true ? "gone" : shownStatus(view);
}

/** How a loop is that has no ending, as a sentence. */
export function howItStands({ alive, isRecorded, isGone, stateFile }: RunView): string {
  if (isGone === true) return `Its folder is gone: ${stateFile} was deleted.`;
  if (isRecorded === true) return "It was running when it was recorded.";
  return alive ? "It is running." : "Its run was killed, or an error ended it.";
}

/** What a stopped loop's ending means; undefined while it runs and when it crashed. */
export function endingOf(state: LoopState): { reason: StopReason; outcome: Outcome } | undefined {
  if (state.status === "running" || state.stop_reason === null) return undefined;
  const outcome = outcomeOf(state.stop_reason);
  return { reason: state.stop_reason, outcome: { ...outcome, ...reworded(state, state.stop_reason) } };
}

function reworded(state: LoopState, reason: StopReason): Partial<Outcome> {
  if (reason.kind === "stories_passed") {
    if (reason.passed < reason.total) return STORIES_LEFT;
    return changedStory(state) === undefined ? ALL_PASSED : CHANGED_SINCE;
  }
  if (isDecided(state, reason)) return DECIDED;
  return wasReset(state) ? CIRCUIT_CLOSED : {};
}

/** Whether a person has decided about all that the loop ended for. */
function isDecided(state: LoopState, reason: StopReason): boolean {
  const isNamed = reason.kind === "story_blocked" || (reason.kind === "stories_blocked" && reason.stories.length > 0);
  return isNamed && waitingStory(state, reason) === undefined;
}

const ALL_PASSED = { sentence: "Every story of the PRD has passed: the work is done." } as const;

const CHANGED_SINCE = {
  sentence: "Every story of the PRD has passed, but not all as they read now.",
  next: "Have it done again (prd retry) or let it count as it is (prd accept), then go on with: <resume>",
  resumableBy: "anybody",
} as const;

const DECIDED = {
  sentence: "Stories were blocked; a person has decided about them since.",
  next: "Go on with: <resume>",
} as const;

/** A PRD's loop is never over while there are stories that have not passed (C25). */
const STORIES_LEFT = {
  sentence: "The stories that this run was asked for have passed; others are left.",
  next: "Review the commits, then go on with the rest: <resume>",
  resumableBy: "anybody",
} as const;

/** What an open circuit means once somebody has closed it by hand. */
const CIRCUIT_CLOSED = {
  sentence: "The circuit was open; it has been reset, and what it counts starts again.",
  next: "Go on with: <resume>",
  resumableBy: "anybody",
} as const;

/** HARD STOPs that a completed loop ran past because completion wins (C17). */
export function hardStopPending(state: LoopState): readonly HardStopHit[] {
  if (state.status !== "completed" || state.todo === null) return [];
  return openHardStops(state.todo, state.todo.seen);
}

/** Whether a loop ended because the agent said so, with or without proof. Who ticks a plan off has changed it. */
function isClaim({ kind }: StopReason): boolean {
  return kind === "promise" || kind === "done_token" || kind === "dual_gate" || kind === "exit_signal";
}

/** What to say about a claim without any change (P14); undefined: nothing. */
export function unchangedClaim({ change, state }: RunView): string | undefined {
  return change?.files === 0 && state.stop_reason !== null && isClaim(state.stop_reason)
    ? "The agent claimed to be done, but nothing was changed in the tree."
    : undefined;
}

/** What a person does next, as one sentence. */
export function nextStep(view: RunView): string {
  if (view.isGone === true)
    return "Nothing can be resumed from it. The work tree and what was committed are as they are.";
  const ending = endingOf(view.state);
  const goesOn = ending?.outcome.resumableBy !== "nobody";
  if (view.lost !== undefined && !view.alive && goesOn) return view.lost;
  if (ending !== undefined) return adviceOf(view, ending).replaceAll("<resume>", view.resume);
  if (view.isRecorded === true) return "What came of it is in the artifact that its run leaves at its end.";
  if (view.alive) return "It is running: wait for it, or end it with pause, stop or cancel.";
  return `Nothing that was written is lost. Go on with: ${view.resume}`;
}

/** The advice of an ending with what decides about the first story that waits; `<resume>` still stands in it. */
export function adviceOf(
  { state, word, ruling }: RunView,
  { reason, outcome }: NonNullable<ReturnType<typeof endingOf>>,
): string {
  const story = reason.kind === "stories_passed" ? changedStory(state) : waitingStory(state, reason);
  return word(outcome.next).replaceAll(/\bprd (retry|accept)\b/gu, (found, verb) =>
    ruling === null || story === undefined ? found : ruling(verb === "retry" ? "retry" : "accept", story),
  );
}

/** The first story that the loop ended for and that still waits for a person. */
function waitingStory({ stories }: LoopState, reason: StopReason): string | undefined {
  const named =
    reason.kind === "stories_blocked" ? reason.stories : reason.kind === "story_blocked" ? [reason.story] : [];
  const records = recordsById(stories ?? { records: [] });
  return named
    .map((one) => (typeof one === "string" ? one : one.id))
    .find((id) => records.get(id)?.state !== "passed" && records.get(id)?.blocked !== null);
}

/** The first story that has passed and says something else since. */
function changedStory({ stories }: LoopState): string | undefined {
  return stories?.records.find(({ state, changed, gone }) => state === "passed" && changed && !gone)?.id;
}

/** How people on GitHub decide about a story: by a comment. */
export function rulingByComment({ stories }: Pick<LoopState, "stories">): RunView["ruling"] {
  return stories && ((verb, story) => `/smithers prd ${stories.prd} ${verb} ${story}`);
}

/** Advice about flags, reworded for a workflow: `--max-iterations` is the input `max-iterations`. */
export function asInputs(text: string): string {
  return text
    .replaceAll(/(?<![\w-])--no-(?<name>[a-z][a-z-]*)/gu, "$<name>: false")
    .replaceAll(/(?<![\w-])--(?<name>[a-z][a-z-]*)(?: <(?<value>[a-z|-]+)>)?/gu, "$<name>");
}
