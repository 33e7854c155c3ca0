import { refusalOf, timestamp } from "../open-loop.ts";
import type { Ports } from "../ports.ts";
import { commitOf, commitWork, type CommitRefused, isRefused, type Work } from "../settle.ts";
import type { LoopState, Snapshot } from "../state.ts";
import { putBackDocuments } from "../story/put-back.ts";
import type { Task } from "../task.ts";
import type { Commit } from "../transition.ts";

/**
 * A turn found in flight was cut by the death of its run: its iteration counts and is over, so that a turn that kills its
 * machine cannot repeat forever. What it left becomes the iteration's commit, if iterations have one: it may be what a
 * check is about to find green (docs/decisions/0044-proved-work.md). A commit that is refused leaves the turn in flight
 * for the next run.
 *
 * @returns the state without a turn in flight, or why the loop has stopped again; undefined: there is no loop yet
 */
export async function settleAbandoned(
  task: Task,
  ports: Ports,
  stored: LoopState | undefined,
  commit: Commit,
): Promise<LoopState | CommitRefused | undefined> {
  await putBackOfKilled(task, ports, stored);
  if (stored?.phase !== "turn") return stored;
  const { iteration } = stored;
  const left = await ports.workspace.snapshot();
  const committed = await commitAbandoned({ task, state: stored, ports }, left);
  if (isRefused(committed)) {
    await commit({ type: "loop_stopped", reason: committed, commit: null, at: timestamp(ports.clock.now()) });
    return committed;
  }
  const snapshot = committed?.snapshot ?? left;
  const made = committed === undefined ? {} : commitOf(committed);
  return commit({ type: "turn_abandoned", at: timestamp(ports.clock.now()), iteration, snapshot, ...made });
}

async function commitAbandoned({ task, state, ports }: Work, left: Snapshot | null) {
  if (task.runtime.commit !== "iteration") return undefined;
  const { refused } = await refusalOf(state.boundary.begun, left, ports);
  return refused === undefined ? commitWork(state, ports, { message: messageOf(state) }) : undefined;
}

/** Nobody knows when the run died, so what a person did before the next one cannot be told from the turn's work. */
function messageOf({ iteration }: LoopState): string {
  return `wip(smithers): iteration ${iteration}, cut short\n\nThe run died in this iteration. What was changed after that and before the next run is in here as well.`;
}

/**
 * What a run that was killed has left in the PRD's documents is nobody's order. A job's checkout is its own, and what it
 * reads of a PRD lies elsewhere.
 */
async function putBackOfKilled(task: Task, ports: Ports, stored: LoopState | undefined): Promise<void> {
  const isKilled = stored?.status === "running" && stored.stories !== null;
  if (isKilled && task.prd !== null && task.github === null) await putBackDocuments(stored, ports, "killed");
}
