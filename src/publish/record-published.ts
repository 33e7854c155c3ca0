import type { Published } from "../core/events.ts";
import { timestamp } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { transition } from "../core/transition.ts";
import { createFileStore } from "../store/file-store.ts";
import type { LoopPlace } from "../app/place.ts";

/** Notes in a stopped loop's state what its ending has come to on GitHub. */
export async function recordPublished(
  place: LoopPlace,
  {
    head,
    pull_request,
    continues,
    unpublished,
  }: Pick<Published, "head" | "pull_request" | "continues" | "unpublished">,
): Promise<LoopState> {
  const store = createFileStore(place);
  await store.open();
  try {
    const state = await store.load(place.loopId);
    if (state === undefined) throw new Error(`The loop ${place.loopId} has ended and left no state.`);
    const left = unpublished === undefined ? {} : { unpublished };
    const event: Published = { type: "published", head, pull_request, continues, ...left, at: timestamp(Date.now()) };
    const next = transition(state, event);
    await store.append(event, next);
    return next;
  } finally {
    await store.close();
  }
}
