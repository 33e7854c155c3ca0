import { bookBlocks, fileBlocks, noticeBlocks, outputBlocks, placeBlocks } from "./job-summary/details.ts";
import type { JobFacts } from "./job-summary/facts.ts";
import { iterationBlocks } from "./job-summary/iterations.ts";
import { dangerBlocks, nextBlocks, outcomeBlocks } from "./job-summary/outcome.ts";
import { markdown, paragraph, text, type Block } from "./markdown.ts";
import type { RunView } from "./run-view.ts";

/** GitHub drops a summary of more than 1 MiB, without failing the step. UTF-8 bytes. */
const LIMIT_BYTES = 900_000;
/** Kept free for the line that says what was left out. */
const NOTE_BYTES = 500;

/**
 * The summary of a job as Markdown: what became of the loop, what to do next, and how it came to that. Pure. What others
 * wrote is in it as text or code only: it calls nobody, closes nothing and is no HTML.
 *
 * @param limit UTF-8 bytes; a part that does not fit is left out, and a line at the end says so
 */
export function jobSummary(view: RunView, facts: JobFacts, limit = LIMIT_BYTES): string {
  const parts: readonly [name: string, blocks: readonly Block[]][] = [
    ["outcome", outcomeBlocks(view)],
    ["what to do next", nextBlocks(view)],
    ["dangerous settings", dangerBlocks(view)],
    ["notices", noticeBlocks(facts)],
    ["what was used", bookBlocks(view)],
    ["iterations", iterationBlocks(view.state)],
    ["output of the failing check", outputBlocks(view)],
    ["changed files", fileBlocks(view)],
    ["where it is kept", placeBlocks(view, facts)],
  ];
  const kept: string[] = [];
  const cut: string[] = [];
  let left = limit - NOTE_BYTES;
  for (const [name, blocks] of parts) {
    if (blocks.length === 0) continue;
    const part = markdown(blocks);
    const bytes = new TextEncoder().encode(part).length + 1;
    if (bytes > left) cut.push(name);
    else kept.push(part);
    left -= bytes > left ? 0 : bytes;
  }
  if (cut.length > 0) kept.push(markdown([paragraph(text(`Left out for lack of room: ${cut.join(", ")}.`))]));
  return kept.join("\n");
}
