import { effectiveClaim } from "./claim/effective-claim.ts";
import { OperationalError } from "./errors.ts";
import type { LoopStopped, Settled } from "./events.ts";
import { timestamp } from "./open-loop.ts";
import { outcomeOf, type Status, type StopReason } from "./outcome.ts";
import { CLOSED, type LoopState, type Snapshot, isUntouched } from "./state.ts";
import { isVetoed } from "./review/standing.ts";
import type { CommitRequest, Committed, Ports } from "./ports.ts";
import type { Move } from "./stop/rule.ts";
import { headOf, isSameHead } from "./story/head.ts";
import { hasChanged } from "./story/judge.ts";
import { recordOf, type StoryEnd, withRecord } from "./story/stories.ts";
import { namingOthers } from "./recover/between-runs.ts";
import { putBackDocuments } from "./story/put-back.ts";
import { seenOnOneLine, visible } from "./text.ts";
import type { ProgressCounters } from "./progress/progress-counters.ts";
import { countIteration, iterationFacts, resetCounters, withBeginning } from "./progress/counters.ts";
import { circuitOf } from "./progress/circuit.ts";
import { failedTests } from "./progress/failures.ts";
import { isProved } from "./stop/completion.ts";
import { endsLoop } from "./stop/stuck.ts";
import { hasChecks, type Task } from "./task.ts";
import type { CheckResult } from "./verdict.ts";

const SUBJECT_LENGTH = 60;
const TAIL_LINES = 3;
const TAIL_LINE_LENGTH = 160;

/** A loop as it stands, and what it works with. */
export interface Work {
  readonly task: Task;
  readonly state: LoopState;
  readonly ports: Ports;
}

/** A commit that git, or the state of the repository, does not allow: the work stays in the work tree. */
export type CommitRefused = StopReason & { readonly kind: "commit_refused" | "head_moved" };

/**
 * Closes an iteration: the notes go to `progress.md`, and the work becomes a commit if it is to. Idempotent:
 * after a crash, or once a refused commit is possible, it may run again for the same iteration.
 */
export async function settle(
  { task, state, ports }: Work,
  { commits, story }: Pick<Move & { do: "settle" }, "commits" | "story">,
): Promise<Settled | CommitRefused> {
  const { iteration } = state;
  const recorded = ports.progress.record(iteration, progressEntry(state, story));
  const committing =
    story?.ends === "passed"
      ? passStory({ task, state, ports }, story, commits)
      : commitIteration({ task, state, ports }, commits);
  // Neither needs the other; if one fails, the other still ends first.
  await Promise.allSettled([recorded, committing]);
  await recorded;
  const committed = await committing;
  if (isRefused(committed)) return committed;
  const now = ports.clock.now();
  const { intervalMs, circuit } = task.limits;
  const counted = countersAfter(state, ports);
  // What was counted of one story says nothing of the next.
  const progress = story === null ? counted : resetCounters(counted);
  const snapshot = story?.ends === "blocked" ? await blockStory(state, story, ports) : (committed?.snapshot ?? null);
  if (story?.ends === "passed" && snapshot !== null) await ports.tests.renew(snapshot, iteration);
  return {
    type: "settled",
    iteration,
    ...commitOf(committed),
    snapshot,
    hard_stops: await ports.hardStops.scan(),
    progress,
    circuit: story === null ? circuitOf(progress, state.signals, circuit) : CLOSED,
    next_at: intervalMs > 0 ? timestamp(now + intervalMs) : null,
    ...(story === null ? {} : { story }),
    at: timestamp(now),
  };
}

function commitIteration({ task, state, ports }: Work, commits: boolean) {
  const subject = isDone(task, state) ? doneSubject(task.identity.prompt) : unfinished(state);
  return commits ? commitWork(state, ports, { message: subject }) : undefined;
}

/** Makes the one commit of a story, in which `prd.json` says that it has passed (D-08, D-25, C27). */
async function passStory({ task, state, ports }: Work, { id }: StoryEnd, commits: boolean) {
  const { prd } = task;
  const { stories: known } = state;
  const record = known === null ? undefined : recordOf(known, id);
  if (prd === null || known === null || record === undefined) return undefined;
  await putBackDocuments({ ...state, stories: withRecord(known, { ...record, state: "passed" }) }, ports);
  // Nothing had to be changed: the mark goes with the next story's commit.
  if (!commits || !hasChanged(state)) return undefined;
  const on = known.stands === undefined ? {} : { on: known.stands };
  const committed = await commitWork(state, ports, {
    message: storySubject(record),
    story: { prd: prd.name, id },
    ...on,
  });
  // What the file calls passed, another task takes for passed.
  if (isRefused(committed)) await putBackDocuments(state, ports);
  else if (committed?.ignored !== undefined)
    ports.reporter.observe({ type: "notice", text: leftOut(committed.ignored) });
  return committed;
}

const NAMED = 5;

/** Such a file may be a person's `.env`. */
function leftOut(files: readonly string[]): string {
  const rest = files.length - NAMED;
  const names = [...files.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return `git ignored ${names} before the story began, so the story's commit leaves that out, whatever was made of .gitignore or added by force. If it belongs there, commit it yourself; if not, have git ignore it`;
}

/** The files say that nobody works on the story any more; what it has left stays in the work tree. */
async function blockStory(state: LoopState, { id }: StoryEnd, ports: Ports): Promise<Snapshot | null> {
  const { stories: known } = state;
  const record = known === null ? undefined : recordOf(known, id);
  if (known === null || record === undefined) return null;
  await putBackDocuments({ ...state, stories: withRecord(known, { ...record, state: "pending" }) }, ports);
  return ports.workspace.snapshot();
}

/** The subject of a story's commit (D-25). */
export function storySubject({ id, title }: { readonly id: string; readonly title: string }): string {
  return `feat: [${id}] - ${visible(title).replaceAll(/\s+/gu, " ").trim()}`;
}

/** An error that ends the loop is counted by itself (C25): it says nothing of how the work goes, nor does who ends a turn. */
function countersAfter(state: LoopState, { digest }: Ports): ProgressCounters {
  const failure = state.last_turn?.failure ?? null;
  if (failure !== null && (failure.kind === "cancelled" || endsLoop(failure.kind))) return state.progress;
  return countIteration(withBeginning(state, digest), iterationFacts(state, digest));
}

/**
 * With `commit: end`, the work so far becomes one commit when the loop stops, whatever the ending (C13). Not before the
 * first turn: what is in the work tree then is the person's. With `commit: iteration`, what a refunded turn has left does
 * when the loop is complete, because no other turn will take it in. A refused commit becomes the ending. Work that goes
 * nowhere becomes a patch (T17).
 */
export async function concludeWork(
  task: Task,
  state: LoopState,
  ports: Ports,
  reason: StopReason,
): Promise<Pick<LoopStopped, "reason" | "commit" | "submodules">> {
  const { status } = outcomeOf(reason);
  const { begun, refused } = state.boundary;
  if (refused !== null) {
    if (begun !== null && state.snapshot !== null) await ports.workspace.keepPatch(begun, state.snapshot);
    return { reason, commit: null };
  }
  const leaves = status === "canceled" || reason.kind === "superseded";
  const iteration = status === "completed" ? refundedIteration(state) : null;
  const wanted = task.runtime.commit === "end" ? !isUntouched(state) : task.runtime.commit === "iteration" && iteration;
  if (leaves || !wanted) return { reason, commit: null };
  const message = endingSubject(state, status, task.identity.prompt);
  const committed = await commitWork({ ...state, iteration: iteration ?? state.iteration }, ports, { message });
  return isRefused(committed) ? { reason: committed, commit: null } : { reason, ...commitOf(committed) };
}

/** The iteration of a last turn that does not count and yet changed something; null: there is none. */
function refundedIteration({ last_turn: turn, iteration }: LoopState): number | null {
  return turn !== null && turn.iteration > iteration && turn.change?.files !== 0 ? turn.iteration : null;
}

export function endingSubject(state: LoopState, status: Status, prompt: string): string {
  return status === "completed" ? doneSubject(prompt) : unfinished(state);
}

/** Commits what is there as the work of the state's iteration; what no turn has changed is named in the message. */
export async function commitWork(
  state: Pick<LoopState, "loop_id" | "iteration" | "between" | "boundary">,
  ports: Ports,
  request: Pick<CommitRequest, "message" | "story" | "on">,
): Promise<Committed | CommitRefused | undefined> {
  const { loop_id: loopId, iteration, between, boundary } = state;
  const begun = boundary.begun === null ? {} : { begun: boundary.begun.head };
  const message = request.story === undefined ? namingOthers(request.message, between) : request.message;
  try {
    return await ports.workspace.commit({ ...request, ...begun, message, loopId, iteration });
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    // A check, or what a turn has left running, may have moved it.
    const now = code === "GIT_HEAD_MOVED" && request.on !== undefined ? await ports.workspace.snapshot() : null;
    if (request.on !== undefined && now !== null && !isSameHead(request.on, now)) {
      return { kind: "head_moved", from: request.on, to: headOf(now) };
    }
    return { kind: "commit_refused", problem: { code, what, next } };
  }
}

/** A commit as an event has it. */
export function commitOf(committed: Committed | undefined): Pick<Settled, "commit" | "submodules"> {
  const { commit = null, submodules } = committed ?? {};
  return submodules === undefined ? { commit } : { commit, submodules };
}

export function isRefused(committed: Committed | CommitRefused | undefined): committed is CommitRefused {
  return committed !== undefined && "kind" in committed;
}

/** Proved, or claimed where there is nothing to prove it with. */
function isDone(task: Task, state: LoopState): boolean {
  if (isProved(task, state)) return true;
  return !hasChecks(task.identity.checks) && effectiveClaim(task, state) !== null && !isVetoed(task, state);
}

/** The subject of a commit of work that is done: the first line of the prompt. */
export function doneSubject(prompt: string): string {
  const line = prompt.trim().replace(/\s*[\r\n][^]*/u, "");
  const subject = line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1).trimEnd()}…` : line;
  return `smithers: ${subject}`;
}

function unfinished(state: LoopState): string {
  const checks = { passed: "green", failed: "red", cut_off: "cut off", unrunnable: "not run", none: "not run" };
  const weak = state.strength.weaknesses.length === 0 ? "" : ", a weak proof";
  return `wip(smithers): iteration ${state.iteration}, checks ${checks[state.verdict?.result ?? "none"]}${weak}`;
}

/**
 * What `progress.md` keeps of an iteration: the agent's notes below what the engine itself knows (C18), the end of what
 * failed included (D-24).
 */
function progressEntry(state: LoopState, story: StoryEnd | null): string {
  const turn = state.last_turn;
  if (turn === null) throw new Error("There is no turn to settle.");
  const { failure, change, claim } = turn;
  const counts =
    change && (change.files === 0 ? "nothing" : `${change.files} files, +${change.added} -${change.removed}`);
  return [
    ...storyLines(state, story),
    `- agent: ${failure === null ? "ok" : `${failure.kind}: ${failure.message}`}`,
    ...checkLines(state.verdict?.checks ?? []),
    `- change: ${counts ?? "unknown"}`,
    ...claim.notes.map((note) => `  ${note}`),
  ].join("\n");
}

function storyLines({ stories }: LoopState, story: StoryEnd | null): readonly string[] {
  const active = stories?.active ?? null;
  if (stories === null || active === null) return [];
  const title = oneLine(recordOf(stories, active)?.title ?? "");
  const end =
    story === null ? "goes on" : story.ends === "passed" ? "passed" : `blocked (${story.kind}): ${oneLine(story.why)}`;
  return [`- story: ${active} ${title}: ${end}`];
}

function oneLine(text: string): string {
  return seenOnOneLine(text, TAIL_LINE_LENGTH * 2);
}

function checkLines(checks: readonly CheckResult[]): readonly string[] {
  if (checks.length === 0) return ["- checks: none ran"];
  return checks.flatMap((check) => [`- check \`${check.command}\`: ${checkEnd(check)}`, ...failureTail(check)]);
}

function checkEnd({ timedOut, exitCode }: CheckResult): string {
  if (timedOut) return "timed out";
  return exitCode === null ? "killed" : `exit ${exitCode}`;
}

/** The end of what a red check says; of tests that fails rarely names them. */
function failureTail(check: CheckResult): readonly string[] {
  if (check.exitCode === 0) return [];
  const failed = failedTests(check);
  const lines = check.tail.split("\n").filter((line) => line.trim() !== "");
  const end = lines.slice(-TAIL_LINES).map((line) => line.slice(0, TAIL_LINE_LENGTH));
  return [...(failed === "" ? [] : [failed]), ...end].map((line) => `  > ${line}`);
}
