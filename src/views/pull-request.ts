import { bookBlocks } from "./blocks/books.ts";
import { fileBlocks, outputBlocks } from "./blocks/evidence.ts";
import { iterationBlocks } from "./blocks/iterations.ts";
import { dangerBlocks, outcomeDetails } from "./blocks/outcome.ts";
import { pullRequestMarker } from "./github-markers.ts";
import { cut, inert } from "./inert.ts";
import { heading } from "./markdown.ts";
import { marked } from "./parts.ts";
import { suspectBlocks } from "./blocks/suspects.ts";
import { bannerBlocks } from "./pull-request-banner.ts";
import { checkBlocks, taskBlocks, taskLine } from "./pull-request-evidence.ts";
import type { PublicationFacts } from "./publication/facts.ts";
import { headlineBlocks } from "./publication/headline.ts";
import { nextStepBlocks } from "./publication/next.ts";
import { waysOnBlocks } from "./publication/ways-on.ts";
import { authorBlocks, ciBlocks, linkBlocks, noteBlocks } from "./publication/work.ts";
import type { RunView } from "./run-view.ts";

/** GitHub takes 256 characters; people read fewer. */
const TITLE_LENGTH = 70;

/** What a pull request of ours says. */
export interface PullRequestText {
  /** plain text */
  readonly title: string;
  /** Markdown of at most 60,000 characters; its first line is the loop's marker */
  readonly body: string;
}

/** The words of a loop's own pull request (W-38, W-56, C13): the same loop, the same words. */
export function pullRequestText(view: RunView, facts: PublicationFacts): PullRequestText {
  const { state } = view;
  const body = marked(pullRequestMarker(state.loop_id), [
    ["the state of the work", bannerBlocks(view, facts)],
    ["dangerous settings", dangerBlocks(view)],
    ["changed tests and CI files", suspectBlocks(view, facts)],
    ["outcome", [...headlineBlocks(view), ...outcomeDetails(view)]],
    ["what to do next", nextStepBlocks(view, facts)],
    ["the task", taskBlocks(state)],
    ["how to go on", waysOnBlocks(view)],
    ["what could not be done", noteBlocks(facts)],
    ["what was verified", checkBlocks(state)],
    ["CI", ciBlocks(facts)],
    ["output of the failing check", outputBlocks(view)],
    ["what was used", bookBlocks(view)],
    ["iterations", iterationBlocks(state)],
    ["changed files", fileBlocks(view)],
    ["links", [heading(3, "Where to look"), ...linkBlocks(facts), ...authorBlocks(view)]],
  ]);
  return { title: titleOf(view), body };
}

/** The first line of the task. A squashed commit takes it for its subject, so it calls nobody and closes nothing. */
function titleOf({ state }: RunView): string {
  const subject = inert(taskLine(state));
  return `smithers: ${cut(subject, TITLE_LENGTH) || state.loop_id}`;
}
