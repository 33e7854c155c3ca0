import type { Settled } from "./events.ts";
import { timestamp } from "./open-loop.ts";
import { outcomeOf, type StopReason } from "./outcome.ts";
import type { Ports } from "./ports.ts";
import type { LoopState } from "./state.ts";
import type { Task } from "./task.ts";

const SUBJECT_LENGTH = 60;

/**
 * Closes an iteration's books: the notes go to `progress.md`, the work is committed if the user wants a commit for each
 * iteration. Idempotent: after a crash it may run again for the same iteration.
 */
export async function settle(task: Task, state: LoopState, ports: Ports): Promise<Settled> {
  const { iteration } = state;
  await ports.progress.record(iteration, progressEntry(state));
  const commit = task.runtime.commit === "iteration" ? await commitIteration(task, state, ports) : null;
  const now = ports.clock.now();
  const { intervalMs } = task.limits;
  return {
    type: "settled",
    iteration,
    commit,
    snapshot: commit === null ? null : await ports.workspace.snapshot(),
    hard_stops: await ports.hardStops.scan(),
    next_at: intervalMs > 0 ? timestamp(now + intervalMs) : null,
    at: timestamp(now),
  };
}

async function commitIteration(task: Task, state: LoopState, ports: Ports): Promise<string | null> {
  return commitWork(state, ports, provedGreen(state) ? title(task) : unfinished(state));
}

/** With `commit: end`, the work so far becomes one commit when the loop stops, whatever the ending (C13). */
export async function concludeWork(
  task: Task,
  state: LoopState,
  ports: Ports,
  reason: StopReason,
): Promise<string | null> {
  const { status } = outcomeOf(reason);
  if (task.runtime.commit !== "end" || status === "canceled") return null;
  return commitWork(state, ports, status === "completed" ? title(task) : unfinished(state));
}

async function commitWork(state: LoopState, ports: Ports, message: string): Promise<string | null> {
  const { loop_id: loopId, iteration } = state;
  return (await ports.workspace.commit({ message, loopId, iteration })) ?? null;
}

function provedGreen(state: LoopState): boolean {
  return state.verdict?.result === "passed";
}

/** The first line of the prompt, as a commit subject. */
function title(task: Task): string {
  const line = task.identity.prompt.trim().split("\n", 1)[0] ?? "";
  const subject = line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1).trimEnd()}…` : line;
  return `smithers: ${subject}`;
}

function unfinished(state: LoopState): string {
  const checks = { passed: "green", failed: "red", cut_off: "cut off", unrunnable: "not run", none: "not run" };
  return `wip(smithers): iteration ${state.iteration}, checks ${checks[state.verdict?.result ?? "none"]}`;
}

/** What `progress.md` keeps of an iteration: the agent's notes between what the engine itself knows (C18). */
function progressEntry(state: LoopState): string {
  const turn = state.last_turn;
  const lines = [
    `- agent: ${turn?.failure === null ? "ok" : `${turn?.failure.kind}: ${turn?.failure.message}`}`,
    `- checks: ${checksLine(state)}`,
    `- change: ${turn?.change === null || turn?.change === undefined ? "unknown" : changeLine(turn.change)}`,
    ...(turn?.claim.notes ?? []).map((note) => `  ${note}`),
  ];
  return lines.join("\n");
}

function checksLine(state: LoopState): string {
  const verdict = state.verdict;
  if (verdict === null) return "none ran";
  return verdict.checks
    .map((check) => `\`${check.command}\` ${check.timedOut ? "timed out" : `exit ${check.exitCode}`}`)
    .join(", ");
}

function changeLine(change: { files: number; added: number; removed: number }): string {
  return change.files === 0 ? "nothing" : `${change.files} files, +${change.added} -${change.removed}`;
}
