import { setTimeout as sleep } from "node:timers/promises";
import { lockHolder } from "../store/lock.ts";
import { readState } from "../store/state-file.ts";
import type { FoundLoop } from "./find-loop.ts";

const PATIENCE_MS = 15_000;
const LOOK_MS = 100;

/** Waits until a run has let go of its loop, 15 seconds at most. @returns the loop as it is then */
export async function awaitEnding({ place, state }: FoundLoop): Promise<FoundLoop> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const alive = (await lockHolder(place.folder)) !== undefined;
    if (!alive || Date.now() >= until) {
      return { place, state: (await readState(place.stateFile)) ?? state, alive };
    }
    await sleep(LOOK_MS);
  }
}
