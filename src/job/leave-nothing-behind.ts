import { sweepNow } from "../os/supervise.ts";
import { marksOf, type LoopPlace } from "../app/place.ts";

/** However this process ends, short of being killed: what it has started for the loop ends with it. */
export function leaveNothingBehind(place: LoopPlace): void {
  process.once("exit", () => sweepNow(marksOf(place).all));
}
