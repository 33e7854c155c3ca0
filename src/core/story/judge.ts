import { BLOCKED_THAT_STOPS, blockedBecause, questionOf } from "../claim/blocked-streak.ts";
import { effectiveClaim, objectionToClaim } from "../claim/effective-claim.ts";
import { judgedAnew } from "../progress/check-scripts.ts";
import { isAllOfBefore, whyRed } from "../progress/failures.ts";
import { isAccepted, refusedFor, weaknessWords, WEAK_PROOFS_THAT_STOP } from "../progress/strength.ts";
import { isVetoed } from "../review/standing.ts";
import { objectionTexts } from "../review/review.ts";
import type { LastTurn, LoopState } from "../state.ts";
import { headOf, joined } from "../text.ts";
import { isProved } from "../stop/completion.ts";
import { endsLoop } from "../stop/stuck.ts";
import { type PrdTask, type Task, workUntil } from "../task.ts";
import { checkLabel, type CheckResult, type Evidence, type Verdict } from "../verdict.ts";
import { commandsAfter, commandsOf } from "./passed-commands.ts";
import { storyOf } from "./pick.ts";
import {
  type BlockedMark,
  recordOf,
  type Stories,
  type StoryBlocked,
  type StoryEnd,
  type StoryRecord,
} from "./stories.ts";
import type { Story } from "./story.ts";

/** A story that is worked on, with all that is known of it. */
interface Worked {
  readonly prd: PrdTask;
  readonly known: Stories;
  readonly story: Story;
  readonly record: StoryRecord;
}

function workedOn(task: Task, { stories: known }: LoopState): Worked | undefined {
  const { prd } = task;
  if (prd === null || known === null || known.active === null) return undefined;
  const story = storyOf(prd, known.active);
  const record = recordOf(known, known.active);
  return story === undefined || record === undefined ? undefined : { prd, known, story, record };
}

/**
 * What to ask of a story's turn (POST 6): the gates and its own commands, if there is anything that they could judge.
 * Before it can pass, the commands of all stories that have passed as well: what was green before and is red then is this
 * story's.
 */
export function storyEvidence(task: Task, state: LoopState): Evidence | undefined {
  const worked = workedOn(task, state);
  const claimed = effectiveClaim(task, state) !== null;
  // Work that goes nowhere is not proved (T17).
  if (worked === undefined || state.boundary.refused !== null || (!claimed && !hasChanged(state))) return undefined;
  const { prd, known, story } = worked;
  const commands = [...commandsOf(story), ...(claimed ? commandsAfter(task, prd, known, story.id) : [])];
  return { iteration: state.iteration, occasion: "claim", deadline: workUntil(task.limits), commands };
}

/** Whether there would be anything in the story's commit besides the PRD itself. */
export function hasChanged({ last_turn: turn }: LoopState): boolean {
  return (turn?.pending ?? 0) > 0;
}

/** Judges the iteration that has ended: the engine alone says that a story has passed (D-23). */
export function judgeStory(task: Task, state: LoopState): StoryEnd | null {
  const worked = workedOn(task, state);
  const turn = state.last_turn;
  if (worked === undefined || turn === null) return null;
  const { story, record, prd } = worked;
  const { id } = story;
  if (effectiveClaim(task, state) !== null && isProved(task, state)) {
    const { withCommand, ...found } = provedCriteria(story, record, state.verdict, judgesChanged(task, prd, state));
    const criteria = story.criteria.length;
    if (hasChanged(state) || withCommand === criteria) return { id, ends: "passed", ...found, criteria };
    const why =
      "The agent says that it is done and has changed nothing, and not every criterion names a command that could show it.";
    return blocked(id, { kind: "unchanged", why });
  }
  if (turn.failure !== null && (turn.failure.kind === "cancelled" || endsLoop(turn.failure.kind))) return null;
  const mark = markOf(task, state, turn) ?? outOfAttempts(task, state, record, prd.storyAttempts);
  return mark === null ? null : blocked(id, mark);
}

/**
 * A story whose attempts are used up before its turn begins: its last one died with its run, or it may have fewer now.
 * Undefined: it has some left.
 */
export function withoutAttempts(
  { storyAttempts }: PrdTask,
  known: Stories,
  { iterations }: Pick<LoopState, "iterations">,
  id: string,
): StoryBlocked | undefined {
  const attempts = recordOf(known, id)?.attempts ?? 0;
  if (attempts < storyAttempts) return undefined;
  const isCut = known.active === id && iterations.at(-1)?.agent === "abandoned";
  const because = isCut ? " The last one was cut short when its run died." : "";
  return blocked(id, { kind: "attempts", why: `It has had ${attempts} of ${storyAttempts} attempts.${because}` });
}

const WHY_LENGTH = 1024;

function blocked(id: string, { kind, why }: Mark): StoryBlocked {
  return { id, ends: "blocked", kind, why: headOf(why, WHY_LENGTH) };
}

type Mark = Pick<BlockedMark, "kind" | "why">;

/** What makes a person necessary at once. */
function markOf(task: Task, state: LoopState, turn: LastTurn): Mark | null {
  const { appeals, strength } = state;
  if (turn.claim.person !== undefined) return { kind: "person", why: turn.claim.person };
  const blocked = blockedBecause(turn.claim);
  if (blocked !== null && appeals.blocked >= BLOCKED_THAT_STOPS) return { kind: "agent_blocked", why: blocked };
  const question = questionOf(turn.summary);
  if (question !== null && appeals.questions >= BLOCKED_THAT_STOPS) return { kind: "question", why: question };
  const objection = objectionToClaim(task, state);
  if (objection?.kind === "leftover" && objection.isFinal) return { kind: "unfinished", why: objection.said };
  if (isVetoed(task, state) && state.review.vetoes >= task.limits.reviewerVetoes)
    return { kind: "vetoed", why: objectionTexts(state.review.objections).join("; ") };
  if (isAccepted(task, state) || strength.refused < WEAK_PROOFS_THAT_STOP) return null;
  return { kind: "weak_proof", why: weaknessWords(strength.weaknesses).join("; ") };
}

function outOfAttempts(task: Task, state: LoopState, { attempts }: StoryRecord, most: number): Mark | null {
  return attempts < most ? null : { kind: "attempts", why: lastEvidence(task, state) };
}

/** What kept the last iteration of a story from passing, in one sentence. */
function lastEvidence(task: Task, state: LoopState): string {
  const { last_turn: turn, verdict, boundary } = state;
  if (turn?.failure) return `The last turn failed: ${turn.failure.kind}: ${turn.failure.message}`;
  if (boundary.refused !== null) return "The work changes what it may not change.";
  const red = verdict?.checks.find(({ exitCode }) => exitCode !== 0);
  if (red !== undefined) return redEvidence(red, state);
  const weak = refusedFor(task, state);
  if (weak.length > 0) return `The checks are green, but that proves little: ${weaknessWords(weak).join("; ")}.`;
  if (isVetoed(task, state)) return `The reviewer vetoes: ${objectionTexts(state.review.objections).join("; ")}`;
  const objection = objectionToClaim(task, state);
  if (objection?.kind === "leftover") return `The agent says that it is done, and admits: ${objection.said}`;
  if (verdict === null) return "The agent has changed nothing, and does not say that the story is done.";
  return "The checks are green, but the agent does not say that the story is done.";
}

function redEvidence(red: CheckResult, { failing, baseline }: LoopState): string {
  const { story: of, timedOut, exitCode } = red;
  const { story: _story, ...check } = red;
  const broken = of === undefined ? "" : ` (a criterion of ${of})`;
  const said = whyRed(red);
  return joined(" ", [
    `The check ${checkLabel(check)}${broken} ${timedOut ? "timed out" : `failed with exit code ${exitCode ?? "unknown"}`}.`,
    said === "" ? "" : `It says: ${said}`,
  ]).concat(isAllOfBefore(failing, baseline) ? ". All of that failed before the loop began as well." : "");
}

/** The commands whose own script the story has changed, as far as that is known (C21). */
function judgesChanged({ identity }: Task, { stories }: PrdTask, { strength }: LoopState): ReadonlySet<string> {
  const { scripts } = strength.tampering ?? { scripts: { count: 0, paths: [] } };
  return judgedAnew(
    [...identity.checks.quality, ...stories.flatMap(({ checks }) => checks.map(({ run }) => run))],
    scripts,
  );
}

/**
 * Of a story's criteria, how many name a command, and how many of these are proved: all its commands are green now, and
 * one of them was red before the story began. That one counts apart, if it is among those whose own script was changed.
 */
export function provedCriteria(
  { criteria, checks }: Story,
  { before }: Pick<StoryRecord, "before">,
  verdict: Verdict | null,
  changed: ReadonlySet<string>,
): { readonly withCommand: number; readonly proved: number; readonly by_changed?: number } {
  const green = new Set(verdict?.checks.filter(({ exitCode }) => exitCode === 0).map(({ command }) => command));
  const wasRed = new Set(before?.filter((check) => !check.green).map(({ run }) => run));
  const named = criteria
    .map((_text, index) => checks.filter(({ criterion }) => criterion === index))
    .filter((commands) => commands.length > 0);
  const turned = named
    .filter((commands) => commands.every(({ run }) => green.has(run)))
    .map((commands) => commands.filter(({ run }) => wasRed.has(run)))
    .filter((commands) => commands.length > 0);
  const proved = turned.filter((commands) => commands.some(({ run }) => !changed.has(run))).length;
  const others = turned.length - proved;
  return { withCommand: named.length, proved, ...(others === 0 ? {} : { by_changed: others }) };
}
