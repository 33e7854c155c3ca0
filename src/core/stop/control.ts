import { stop, type StopRule } from "./rule.ts";
import type { Todo } from "../state.ts";
import type { HardStopHit } from "../hard-stop.ts";
import type { ControlRequest } from "../ports.ts";

/** What somebody asked for ends the loop, as the ending of this kind. */
function onRequest(asked: ControlRequest["kind"], kind: "paused" | "stopped" | "canceled" | "superseded"): StopRule {
  return (_task, _state, { request }) => (request?.kind === asked ? stop({ kind, by: request.by }) : undefined);
}

/** PRE 1: another run has the loop now and could not see anything that this one does. */
export const superseded = onRequest("supersede", "superseded");

/** PRE 2, POST 1: somebody cancelled the loop for good. */
export const canceled = onRequest("cancel", "canceled");

/** PRE 3, POST 1: a signal or a stop request ended the turn (W-46). */
export const stopped = onRequest("stop", "stopped");

/** PRE 3: a pause was asked for; it waits for the iteration to end. */
export const paused = onRequest("pause", "paused");

/** POST 9: a HARD STOP that nobody has acknowledged (W-43 to W-45, C10). */
export const hardStop: StopRule = (_task, { todo }, facts) => {
  if (todo === null) return undefined;
  const hits = openHardStops(todo, facts.hardStops);
  return hits.length === 0 ? undefined : stop({ kind: "hard_stop", mode: todo.hard_stop_mode, hits });
};

/**
 * POST 4b: a HARD STOP that nobody has acknowledged, and that is not in the todo file any more. Whatever the turn came to,
 * a person has to see it: an agent that takes its checkpoints away must not be done by that (C45).
 */
export const erasedHardStop: StopRule = (_task, { todo }, facts) => {
  if (todo === null) return undefined;
  const hits = unacknowledged(todo, erased(todo, facts.hardStops));
  return hits.length === 0 ? undefined : stop({ kind: "hard_stop", mode: todo.hard_stop_mode, hits });
};

/** PRE 5: the same on resume, before a turn is spent. The first iteration of a loop always runs. */
export const hardStopOnResume: StopRule = (task, state, facts) =>
  state.spent.resumes > 0 ? hardStop(task, state, facts) : undefined;

/**
 * The hits that pause the loop: not acknowledged, and reached (or merely present, if that is what the user wants). A
 * hit that was seen before and is gone counts as reached: deleting the line is not a review of the work (C10).
 */
export function openHardStops(
  todo: Pick<Todo, "hard_stop_when" | "seen" | "acknowledged">,
  current: readonly HardStopHit[],
): readonly HardStopHit[] {
  const reached = current.filter((hit) => hit.reached || todo.hard_stop_when === "present");
  return unacknowledged(todo, [...reached, ...erased(todo, current)]);
}

function erased({ seen }: Pick<Todo, "seen">, current: readonly HardStopHit[]): readonly HardStopHit[] {
  const here = new Set(current.map((hit) => hit.id));
  return seen.filter((hit) => !here.has(hit.id)).map((hit) => ({ ...hit, reached: true, vanished: true }));
}

function unacknowledged(
  { acknowledged }: Pick<Todo, "acknowledged">,
  hits: readonly HardStopHit[],
): readonly HardStopHit[] {
  return hits.filter((hit) => !acknowledged.includes(hit.id));
}
