import { bookBlocks } from "./blocks/books.ts";
import { circuitBlocks } from "./blocks/circuit.ts";
import { fileBlocks, outputBlocks } from "./blocks/evidence.ts";
import { iterationBlocks } from "./blocks/iterations.ts";
import { NONE_CHANGED, suspectBlocks } from "./blocks/suspects.ts";
import { dangerBlocks, nextBlocks, outcomeBlocks } from "./blocks/outcome.ts";
import { noticeBlocks, placeBlocks } from "./job-summary/details.ts";
import type { JobFacts } from "./job-summary/facts.ts";
import { assembled } from "./parts.ts";
import { workBlocks } from "./publication/work.ts";
import type { RunView } from "./run-view.ts";

/** GitHub drops a summary of more than 1 MiB, without failing the step. UTF-8 bytes. */
const LIMIT_BYTES = 900_000;

/**
 * The summary of a job as Markdown: what became of the loop, what to do next, and how it came to that. Pure. What others
 * wrote is in it as text or code only: it calls nobody, closes nothing and is no HTML.
 *
 * @param limit UTF-8 bytes; a part that does not fit is left out, and a line at the end says so
 */
export function jobSummary(view: RunView, facts: JobFacts, limit = LIMIT_BYTES): string {
  return assembled(
    [
      ["outcome", outcomeBlocks(view)],
      ["changed tests and CI files", suspectBlocks(view, facts.published ?? NONE_CHANGED)],
      ["what to do next", nextBlocks(view)],
      ["where the work is", facts.published === undefined ? [] : workBlocks(view, facts.published)],
      ["dangerous settings", dangerBlocks(view)],
      ["notices", noticeBlocks(facts)],
      ["what was used", bookBlocks(view)],
      ["progress and circuit breaker", circuitBlocks(view.state)],
      ["iterations", iterationBlocks(view.state)],
      ["output of the failing check", outputBlocks(view)],
      ["changed files", fileBlocks(view)],
      ["where it is kept", placeBlocks(view, facts)],
    ],
    limit,
  );
}
