import { code, paragraph, strong, text, type Block } from "../markdown.ts";
import { endingOf, type RunView } from "../run-view.ts";
import { continuationOf } from "./continuation.ts";
import type { PublicationFacts } from "./facts.ts";

/** The next step; what resumes the loop is a comment there. */
export function nextOnPullRequest(view: RunView): Block {
  const advice = view.word(endingOf(view.state)?.outcome.next ?? KILLED_NEXT);
  return paragraph(
    strong("Next:"),
    text(advice.replace("<resume>", "")),
    ...(advice.includes("<resume>") ? [code("/smithers continue")] : []),
  );
}

const KILLED_NEXT = "Nothing that was written is lost. Go on with: <resume>";

/** The next step, or that nobody has to take one; where somebody could expect that, why they have to after all. */
export function nextStepBlocks(view: RunView, facts: PublicationFacts): Block[] {
  const continuation = continuationOf(view, facts);
  if (continuation.goesOn) {
    return [paragraph(strong("Next:"), text("Nothing to do. The loop goes on by itself, in a run of its own."))];
  }
  const { why } = continuation;
  const reason = why === null ? [] : [paragraph(strong("It does not go on by itself:"), text(`${why}.`))];
  return [nextOnPullRequest(view), ...reason];
}
