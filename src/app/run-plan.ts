import { runLoop } from "../core/loop.ts";
import type { LoopState } from "../core/state.ts";
import { sweep } from "../os/supervise.ts";
import type { Composition } from "./compose.ts";
import { marksOf } from "../store/place.ts";
import { hideOwnFiles } from "./own-files.ts";
import { choose, generationOf, type Plan } from "./plan.ts";
import { toTask, type WorkingHours } from "./to-task.ts";

const FLUSH_MS = 5_000;

export interface PlanRun {
  readonly state: LoopState;
  /** why nothing was done, when the stored ending stands (PRE 4) */
  readonly left?: string;
}

/**
 * Runs a planned loop under its lock: clears away what a killed run left, moves an older generation aside, runs, and
 * gives the reporters some seconds to finish.
 *
 * @param conclude is called with the final state while the lock is still held
 * @throws OperationalError `LOOP_BUSY` when another run has the loop
 */
export async function runPlan(
  plan: Plan,
  { ports, store, projections, gitWorkspace }: Composition,
  hours: WorkingHours,
  conclude: (state: LoopState) => Promise<void>,
): Promise<PlanRun> {
  const { place, settings, prd, taskRequest } = plan;
  const { config, identity } = settings;
  const notices = await hideOwnFiles(place, config, generationOf(plan), projections);
  const hooks = config.commit === "never" ? [] : ((await gitWorkspace?.hooksNotRun()) ?? []);
  if (hooks.length > 0) {
    const text = `commit hooks of this repository are not run: ${hooks.join(", ")}. What they check, a quality command can check`;
    ports.reporter.observe({ type: "notice", text });
  }
  for (const text of notices) ports.reporter.observe({ type: "notice", text });
  await store.open();
  try {
    const marks = marksOf(place);
    await sweep(marks.agent);
    await sweep(marks.checks);
    const stored = await store.load(place.loopId);
    const opening = choose(stored, settings, taskRequest.by);
    if (opening.do === "leave" && stored !== undefined) return { state: stored, left: opening.because };
    if (opening.do === "renew") await store.archive();
    if (opening.do === "resume" && stored !== undefined) await store.keepPrompt(stored, identity.prompt);
    const generation = generationOf({ opening, stored });
    const task = toTask({ place, config, identity, prd, generation, taskRequest }, hours);
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
