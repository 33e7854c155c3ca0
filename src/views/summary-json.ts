import type { LoopEvent } from "../core/events.ts";
import { outcomeOf } from "../core/outcome.ts";
import { foldIteration, type IterationMetadata } from "./iterations.ts";
import { count, metricsOf, NO_COUNTS } from "./metrics.ts";
import type { Result } from "./result.ts";

/**
 * The text of `summary.json` piece by piece (W-28): the result, then every iteration, then what is counted (W-57). The
 * pieces together are one JSON object; its size in memory does not depend on the number of iterations.
 *
 * @param events of this generation
 * @param earlier the events of the generations before it, the oldest first, as far as they are still there
 */
export async function* summaryJson(
  result: Result,
  events: AsyncIterable<LoopEvent>,
  earlier: AsyncIterable<LoopEvent>,
): AsyncGenerator<string> {
  const { schema, ...rest } = result;
  yield `{\n  "schema": ${schema},\n  "iterations": [`;
  let open: IterationMetadata | null = null;
  let written = 0;
  let runs = 0;
  let interruptions = 0;
  let counts = NO_COUNTS;
  for await (const event of earlier) counts = count(counts, event);
  const piece = (iteration: IterationMetadata): string =>
    `${written++ === 0 ? "" : ","}\n    ${JSON.stringify(iteration)}`;
  for await (const event of events) {
    counts = count(counts, event);
    if (event.type === "loop_started" || event.type === "loop_resumed") runs += 1;
    if (event.type === "loop_stopped" && outcomeOf(event.reason).resumableBy === "person") interruptions += 1;
    const folded = foldIteration(open, event);
    open = folded.open;
    if (folded.closed !== null) yield piece(folded.closed);
  }
  if (open !== null) yield piece(open);
  const counted = { runs, human_interruptions: interruptions, metrics: metricsOf(counts) };
  yield `\n  ],${JSON.stringify({ ...rest, ...counted }, undefined, 2).slice(1)}\n`;
}
