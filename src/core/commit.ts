import type { LoopEvent } from "./events.ts";
import type { Ports } from "./ports.ts";
import type { LoopState } from "./state.ts";
import { transition } from "./transition.ts";

/** Writes an event together with the state it leads to, then tells the reporters. Resolves with that state. */
export type Commit = (event: LoopEvent) => Promise<LoopState>;

/**
 * The only way in which a loop's state changes during a run.
 *
 * @param stored the state as loaded; undefined for a loop that is about to begin
 */
export function committer(
  { store, reporter }: Pick<Ports, "store" | "reporter">,
  stored: LoopState | undefined,
): Commit {
  let state = stored;
  return async (event) => {
    const next = transition(state, event);
    await store.append(event, next);
    state = next;
    reporter.report(event, next);
    return next;
  };
}
