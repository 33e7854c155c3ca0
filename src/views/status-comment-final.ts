import { outputBlocks } from "./blocks/evidence.ts";
import { dangerBlocks, outcomeDetails } from "./blocks/outcome.ts";
import { markerOf } from "./github-markers.ts";
import { marked } from "./parts.ts";
import { suspectBlocks } from "./blocks/suspects.ts";
import { pushes } from "./publication/asked.ts";
import type { PublicationFacts } from "./publication/facts.ts";
import { headlineBlocks } from "./publication/headline.ts";
import { nextStepBlocks } from "./publication/next.ts";
import { waysOnBlocks } from "./publication/ways-on.ts";
import { authorBlocks, ciBlocks, linkBlocks, noteBlocks } from "./publication/work.ts";
import type { RunView } from "./run-view.ts";

/**
 * What becomes of the status comment when the run has ended (W-38, W-39): at most 60,000 characters of Markdown, under
 * the same marker as while it ran.
 */
export function finalComment(view: RunView, facts: PublicationFacts): string {
  return marked(markerOf({ ...facts, loopId: view.state.loop_id }), [
    ["outcome", [...headlineBlocks(view), ...outcomeDetails(view)]],
    ["what to do next", nextStepBlocks(view, facts)],
    ["dangerous settings", dangerBlocks(view)],
    ["changed tests and CI files", suspectBlocks(view, facts)],
    ["what could not be done", noteBlocks(facts)],
    ["how to go on", waysOnBlocks(view)],
    ["CI", pushes(view, facts) ? ciBlocks(facts) : []],
    ["output of the failing check", outputBlocks(view)],
    ["links", [...linkBlocks(facts), ...authorBlocks(view)]],
  ]);
}
