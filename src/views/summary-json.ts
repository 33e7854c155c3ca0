import type { LoopEvent } from "../core/events.ts";
import { foldIteration, type IterationMetadata } from "./iterations.ts";
import type { Result } from "./result.ts";

/** Endings that a person asked for or has to answer (W-57). */
const HUMAN: ReadonlySet<string> = new Set(["hard_stop", "paused", "stopped"]);

/**
 * The text of `summary.json` piece by piece (W-28): the result, then every iteration, then what is counted (W-57). The
 * pieces together are one JSON object; its size in memory does not depend on the number of iterations.
 */
export async function* summaryJson(result: Result, events: AsyncIterable<LoopEvent>): AsyncGenerator<string> {
  const { schema, ...rest } = result;
  yield `{\n  "schema": ${schema},\n  "iterations": [`;
  let open: IterationMetadata | null = null;
  let written = 0;
  let runs = 0;
  let interruptions = 0;
  const piece = (iteration: IterationMetadata): string =>
    `${written++ === 0 ? "" : ","}\n    ${JSON.stringify(iteration)}`;
  for await (const event of events) {
    if (event.type === "loop_started" || event.type === "loop_resumed") runs += 1;
    if (event.type === "loop_stopped" && HUMAN.has(event.reason.kind)) interruptions += 1;
    const folded = foldIteration(open, event);
    open = folded.open;
    if (folded.closed !== null) yield piece(folded.closed);
  }
  if (open !== null) yield piece(open);
  const tail = JSON.stringify({ ...rest, runs, human_interruptions: interruptions }, undefined, 2);
  yield `\n  ],${tail.slice(1)}\n`;
}
