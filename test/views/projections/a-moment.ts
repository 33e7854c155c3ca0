import type { LoopEvent } from "../../../src/core/events.ts";
import type { LoopState } from "../../../src/core/state.ts";
import type { Layout, Moment } from "../../../src/views/projections/layout.ts";
import { aState, settled } from "../a-state.ts";

/** A loop right after the end of an iteration, unless `event` is another. */
export function aMoment(state: Partial<LoopState> = {}, event: LoopEvent = settled()): Moment {
  return { event, state: aState(state) };
}

/** The text of a file at a moment. */
export function textOf({ files }: Layout, name: string, moment: Moment): string {
  const textAt = files[name];
  if (textAt === undefined) throw new Error(`The layout has no file ${name}.`);
  return textAt(moment);
}

/** What a JSON file holds at a moment. */
export function jsonOf(layout: Layout, name: string, moment: Moment): Record<string, unknown> {
  return JSON.parse(textOf(layout, name, moment));
}
