import { BLOCKED_THAT_STOPS, blockedBecause, questionOf } from "../claim/blocked-streak.ts";
import { effectiveClaim } from "../claim/effective-claim.ts";
import { isAccepted, refusedFor, weaknessWords, WEAK_PROOFS_THAT_STOP } from "../progress/strength.ts";
import type { LastTurn, LoopState } from "../state.ts";
import { headOf } from "../text.ts";
import { isProved } from "../stop/completion.ts";
import { endsLoop } from "../stop/stuck.ts";
import { type PrdTask, type Task, workUntil } from "../task.ts";
import type { Evidence, StoryCommand, Verdict } from "../verdict.ts";
import { storyOf } from "./pick.ts";
import {
  type BlockedMark,
  recordOf,
  recordsById,
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
 * Before it can pass, the commands of all stories that have passed as well: what is red then is this story's. What a
 * person has accepted is as good as its commands say or not.
 */
export function storyEvidence(task: Task, state: LoopState): Evidence | undefined {
  const worked = workedOn(task, state);
  const claimed = effectiveClaim(task, state) !== null;
  // Work that goes nowhere is not proved (T17).
  if (worked === undefined || state.boundary.refused !== null || (!claimed && !hasChanged(state))) return undefined;
  const { prd, known, story } = worked;
  const records = recordsById(known);
  const passed = prd.stories.filter(({ id }) => {
    const record = id === story.id ? undefined : records.get(id);
    return record !== undefined && holdsFor(record, prd);
  });
  const commands = [story, ...(claimed ? passed : [])].flatMap(commandsOf);
  return { iteration: state.iteration, occasion: "claim", deadline: workUntil(task.limits), commands };
}

/**
 * Whether a passed story's commands have been green for what it says now, so that red is another one's: not of one that
 * was accepted, edited or taken over since. In a wave, what the branch calls passed was proved as it landed.
 */
function holdsFor({ passing, changed }: StoryRecord, { handed }: PrdTask): boolean {
  if (passing === null || changed) return false;
  return passing.how === "proved" || (passing.how === "taken_over" && handed !== undefined);
}

/** The commands that a story's criteria name. */
export function commandsOf({ id, checks }: Story): readonly StoryCommand[] {
  return checks.map(({ run, timeoutMs }) => ({ story: id, run, timeoutMs }));
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
    const found = provedCriteria(story, record, state.verdict);
    if (hasChanged(state) || found.withCommand === story.criteria.length) {
      return { id, ends: "passed", proved: found.proved, criteria: story.criteria.length };
    }
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
  if (red !== undefined) {
    const broken = red.story === undefined ? "" : ` (a criterion of ${red.story})`;
    return `The check ${red.command}${broken} ${red.timedOut ? "timed out" : `failed with exit code ${red.exitCode ?? "unknown"}`}.`;
  }
  const weak = refusedFor(task, state);
  if (weak.length > 0) return `The checks are green, but that proves little: ${weaknessWords(weak).join("; ")}.`;
  if (verdict === null) return "The agent has changed nothing, and does not say that the story is done.";
  return "The checks are green, but the agent does not say that the story is done.";
}

/**
 * Of a story's criteria, how many name a command, and how many of these are proved: all its commands are green now, and
 * one of them was red before the story began.
 */
export function provedCriteria(
  { criteria, checks }: Story,
  { before }: Pick<StoryRecord, "before">,
  verdict: Verdict | null,
): { readonly withCommand: number; readonly proved: number } {
  const green = new Set(verdict?.checks.filter(({ exitCode }) => exitCode === 0).map(({ command }) => command));
  const wasRed = new Set(before?.filter((check) => !check.green).map(({ run }) => run));
  const named = criteria
    .map((_text, index) => checks.filter(({ criterion }) => criterion === index))
    .filter((commands) => commands.length > 0);
  const proved = named.filter(
    (commands) => commands.every(({ run }) => green.has(run)) && commands.some(({ run }) => wasRed.has(run)),
  );
  return { withCommand: named.length, proved: proved.length };
}
