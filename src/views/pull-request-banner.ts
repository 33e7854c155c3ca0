import { alert, code, strong, text, type Block } from "./markdown.ts";
import { isReady, pushes } from "./publication/asked.ts";
import type { PublicationFacts } from "./publication/facts.ts";
import { hardStopPending, type RunView } from "./run-view.ts";

const ELSEWHERE =
  "The loop has done its work, and this branch did not take it: see below what could not be done, and where the work is.";

/** Why the pull request is a draft, in words that nobody overlooks; [] when the work is done. */
export function bannerBlocks(view: RunView, facts: PublicationFacts): Block[] {
  if (isReady(view))
    return pushes(view, facts) ? [] : [alert("WARNING", [[strong("This is not all."), text(ELSEWHERE)]])];
  const pending = hardStopPending(view.state);
  if (pending.length === 0) {
    return [
      alert("WARNING", [
        [
          strong("This is not finished."),
          text("The loop has ended before the work was done and proved; what there is so far is here to be looked at."),
        ],
      ]),
    ];
  }
  const places = pending.map((hit) => `line ${hit.line}`).join(", ");
  return [
    alert("WARNING", [
      [code("hard_stop_pending"), strong("The work is done, but past a HARD STOP that nobody has confirmed.")],
      [text(`Look at ${places} of the todo file, then mark this pull request as ready.`)],
    ]),
  ];
}
