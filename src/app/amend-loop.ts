import type { LoopEvent } from "../core/events.ts";
import type { LoopState } from "../core/state.ts";
import { transition } from "../core/transition.ts";
import { createFileStore } from "../store/file-store.ts";
import type { FoundLoop } from "./find-loop.ts";

/**
 * Writes one event to a loop that nobody runs, under its lock.
 *
 * @param eventOf what is to be written, seeing the state as it is under the lock; undefined: nothing
 * @returns the state afterwards
 * @throws OperationalError when a run has the loop
 */
export async function amendLoop(
  { place, state: known }: Pick<FoundLoop, "place" | "state">,
  eventOf: (state: LoopState) => Promise<LoopEvent | undefined>,
): Promise<LoopState> {
  const store = createFileStore(place);
  await store.open();
  try {
    const state = (await store.load(place.loopId)) ?? known;
    const event = await eventOf(state);
    if (event === undefined) return state;
    const amended = transition(state, event);
    await store.append(event, amended);
    return amended;
  } finally {
    await store.close();
  }
}
