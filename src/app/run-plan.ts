import { takeOutOfKilled } from "../checks/without-traces.ts";
import { runLoop } from "../core/loop.ts";
import type { LoopState } from "../core/state.ts";
import type { Task } from "../core/task.ts";
import { checkedOutBranch } from "../git/repository.ts";
import { sweep } from "../os/supervise.ts";
import type { Composition } from "./compose.ts";
import { type LoopPlace, marksOf } from "../store/place.ts";
import { hideOwnFiles } from "./own-files.ts";
import { choose, generationOf, type Plan } from "./plan.ts";
import { iterationsOfRun } from "./prd/prd-task.ts";
import type { PrdInUse } from "./prd/read-prd.ts";
import { toTask, type WorkingHours } from "./to-task.ts";

const FLUSH_MS = 5_000;

export interface PlanRun {
  readonly state: LoopState;
  /** why nothing was done, when the stored ending stands (PRE 4) */
  readonly left?: string;
}

/** On a person's machine a PRD's loop remembers the branch that its stories are worked on: there a word about them counts. */
function onBranch(task: Task, branch: string | null): Task {
  const isTheirs = task.prd !== null && task.github === null && branch !== null;
  return isTheirs ? { ...task, prd: { ...task.prd, branch } } : task;
}

/** Before anything runs that can change them: if this run is killed, the next one goes on with these. */
async function keepAsRead(place: LoopPlace, { document: { text }, markdown, ofWave }: PrdInUse): Promise<void> {
  if (ofWave !== undefined) return;
  const { keepDocuments } = await import("../prd/kept-documents.ts");
  await keepDocuments(place, [{ json: text, markdown }]);
}

/**
 * Runs a planned loop under its lock: clears away what a killed run left, moves an older generation aside, runs, and
 * gives the reporters some seconds to finish.
 *
 * @param conclude is called with the final state while the lock is still held, also when the run that ended the loop was
 * killed before it was through
 * @throws OperationalError `LOOP_BUSY` when another run has the loop
 */
export async function runPlan(
  plan: Plan,
  { ports, gitWorkspace, store, projections, announceHooks }: Composition,
  hours: WorkingHours,
  conclude: (state: LoopState) => Promise<void>,
): Promise<PlanRun> {
  const { place, settings, prd, taskRequest } = plan;
  const { config, identity } = settings;
  const notices = await hideOwnFiles(place, config, generationOf(plan), projections);
  if (config.commit !== "never") await announceHooks();
  for (const text of notices) ports.reporter.observe({ type: "notice", text });
  const wasKilled = await store.open();
  try {
    const marks = marksOf(place);
    await sweep(marks.agent);
    await sweep(marks.checks);
    const stored = await store.load(place.loopId);
    const opening = plan.opening.do === "leave" ? plan.opening : choose(stored, settings, taskRequest);
    if (opening.do === "leave" && stored !== undefined) {
      if (wasKilled) await conclude(stored);
      return { state: stored, left: opening.because };
    }
    if (opening.do === "renew") await store.archive();
    if (opening.do === "resume" && stored !== undefined) await store.keepPrompt(stored, identity.prompt);
    if (prd !== null) await keepAsRead(place, prd);
    if (prd !== null && taskRequest.github === null && stored !== undefined && gitWorkspace !== undefined)
      await takeOutOfKilled(stored, gitWorkspace, (text) => ports.reporter.observe({ type: "notice", text }));
    const generation = generationOf({ opening, stored });
    const capped = await iterationsOfRun(settings, prd, opening.do === "resume" ? stored : undefined, ports);
    const task = onBranch(
      toTask({ place, config: capped, identity, prd, generation, taskRequest }, hours),
      await checkedOutBranch(place.root),
    );
    try {
      await runLoop(task, ports, new AbortController().signal);
    } finally {
      await ports.reporter.flush(ports.clock.now() + FLUSH_MS);
    }
    const state = await store.load(place.loopId);
    if (state === undefined) throw new Error(`The loop ${place.loopId} has run and left no state.`);
    await conclude(state);
    return { state };
  } finally {
    await store.close();
  }
}
