import { hardStopPending, type RunView } from "../run-view.ts";
import { checkBlocks, fileBlocks, outputBlocks, suspectBlocks, taskBlocks, taskLine } from "./evidence.ts";
import { failedRunBlocks, flakeBlocks } from "./failed-run.ts";
import { isReady, type PublicationFacts, pushes } from "./facts.ts";
import { totalBlocks, iterationBlocks } from "./iterations.ts";
import { authorBlocks, ciBlocks, linkBlocks, noteBlocks, requiredBlocks } from "./links.ts";
import { cut } from "../plain-text.ts";
import { alert, type Block, code, heading, inert, inline, marked } from "./markdown.ts";
import { pullRequestMarker } from "./markers.ts";
import { dangerBlocks, headlineBlocks, nextStepBlocks, outcomeDetails } from "./outcome.ts";
import { storyBlocks } from "./stories.ts";
import { waysOnBlocks } from "./slash-commands.ts";
import { subjectInWave, waveStoryBlocks } from "./wave-story.ts";

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
    ["the state of the work", [...waveStoryBlocks(state, facts.base), ...bannerBlocks(view, facts)]],
    ["the issue", issueBlocks(view)],
    ["dangerous settings", dangerBlocks(view)],
    ["changed tests and CI files", suspectBlocks(view, facts)],
    ["outcome", [...headlineBlocks(view), ...outcomeDetails(view)]],
    ["what to do next", nextStepBlocks(view, facts)],
    ["stories", storyBlocks(view)],
    ["the task", taskBlocks(state)],
    ["the failed run", failedRunBlocks(view)],
    ["flaky checks", flakeBlocks(view)],
    ["how to go on", waysOnBlocks(view, facts)],
    ["what could not be done", noteBlocks(facts)],
    ["what was verified", checkBlocks(state)],
    ["CI", [...ciBlocks(facts), ...requiredBlocks(facts)]],
    ["output of the failing check", outputBlocks(view)],
    ["what was used", totalBlocks(view)],
    ["iterations", iterationBlocks(state)],
    ["changed files", fileBlocks(view)],
    ["links", [heading(3, "Where to look"), ...linkBlocks(facts), ...authorBlocks(view)]],
  ]);
  return { title: titleOf(view), body };
}

/**
 * The first line of the task, of a story in a wave the subject of its commit. A squashed commit takes it as its subject, so
 * it mentions nobody and closes nothing.
 */
function titleOf({ state }: RunView): string {
  const story = subjectInWave(state);
  if (story !== undefined) return cut(inert(story), TITLE_LENGTH);
  const subject = inert(taskLine(state));
  return `smithers: ${cut(subject, TITLE_LENGTH) || state.loop_id}`;
}

/** The issue that the work is for. Merged into the default branch it closes that, and only when it is done: never half of it. */
function issueBlocks(view: RunView): Block[] {
  const issue = view.state.github?.issue;
  if (issue === undefined) return [];
  const value = isReady(view)
    ? `Closes #${issue}`
    : `For #${issue}, which a merge leaves open as long as this is not finished.`;
  return [{ type: "paragraph", children: [{ type: "text", value }] }];
}

const ELSEWHERE =
  "The loop has done its work, and this branch did not take it: see below what could not be done, and where the work is.";

const SO_FAR = "The loop has ended before the work was done and proved; what there is so far is here to be looked at.";

/** Whether the pull request is a draft: asked for, or there is more to do or to see before anybody should merge it. */
export function isDraft(view: RunView, facts: PublicationFacts): boolean {
  return facts.wanted === "draft" || !isReady(view) || !pushes(view, facts);
}

/** Why the pull request is a draft, in prominent words; [] when the work is done. */
function bannerBlocks(view: RunView, facts: PublicationFacts): Block[] {
  if (subjectInWave(view.state) !== undefined && (view.state.status !== "completed" || pushes(view, facts))) return [];
  if (isReady(view)) return pushes(view, facts) ? [] : [alert("WARNING", [inline`**This is not all.** ${ELSEWHERE}`])];
  const pending = hardStopPending(view.state);
  if (pending.length === 0) return [alert("WARNING", [inline`**This is not finished.** ${SO_FAR}`])];
  const places = pending.map((hit) => `line ${hit.line}`).join(", ");
  return [
    alert("WARNING", [
      inline`${code("hard_stop_pending")} **The work is done, but past a HARD STOP that nobody has confirmed.**`,
      `Look at ${places} of the todo file, then mark this pull request as ready.`,
    ]),
  ];
}
