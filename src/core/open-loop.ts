import { boundsOf } from "./bounds.ts";
import type { Commit } from "./commit.ts";
import { taskDigest } from "./identity.ts";
import type { Ports } from "./ports.ts";
import type { LoopState } from "./state.ts";
import type { Task } from "./task.ts";

/** The clock's time the way it is written down. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

/**
 * Loads the loop or begins it. A turn found in flight was cut by the death of its run: its iteration counts and is
 * over, so that a turn that kills its machine cannot repeat for ever.
 *
 * @returns the state to go on from
 */
export async function openLoop(
  task: Task,
  ports: Ports,
  stored: LoopState | undefined,
  commit: Commit,
): Promise<LoopState> {
  const at = (): string => timestamp(ports.clock.now());
  const snapshot = await ports.workspace.snapshot();
  const { runtime, limits, identity, guidance, github } = task;
  if (stored === undefined) {
    return commit({
      type: "loop_started",
      at: at(),
      loop_id: task.loopId,
      generation: task.generation,
      identity,
      prompt_digest: ports.digest(identity.prompt),
      task_digest: taskDigest(identity, ports.digest),
      runtime,
      max_iterations: limits.maxIterations,
      bounds: boundsOf(limits),
      artifacts_dir: runtime.artifactsDir,
      guidance,
      github,
      snapshot,
      hard_stops: await ports.hardStops.scan(),
      tally: await ports.backlog.count(),
    });
  }
  if (stored.phase === "turn") await commit({ type: "turn_abandoned", at: at(), iteration: stored.iteration });
  if (github?.resetsCircuit === true) {
    await commit({ type: "reset", what: "circuit", by: github.askedBy ?? "a person", at: at() });
  }
  return commit({
    type: "loop_resumed",
    at: at(),
    by: task.by,
    runtime,
    max_iterations: limits.maxIterations,
    bounds: boundsOf(limits),
    guidance,
    github,
    snapshot,
  });
}
