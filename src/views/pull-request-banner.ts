import { listed } from "./blocks/list.ts";
import { alert, code, strong, text, type Block, type Piece } from "./markdown.ts";
import { proofOf } from "./proof.ts";
import { isReady, pushes } from "./publication/asked.ts";
import type { PublicationFacts } from "./publication/facts.ts";
import { hardStopPending, type RunView } from "./run-view.ts";

const PATHS = 40;

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

/**
 * The files by which the work could have made its own checks green (T3, T17). Without a check there is nothing to be made
 * green.
 */
export function suspectBlocks({ state }: RunView, { changedTests, changedCi }: PublicationFacts): Block[] {
  if (proofOf(state).result === "unchecked" || changedTests.length + changedCi.length === 0) return [];
  const rows = (kind: string, paths: readonly string[]): Piece[][] => paths.map((path) => [text(kind), code(path)]);
  return [
    alert("IMPORTANT", [
      [
        strong("Look at these files first."),
        text("The loop has changed tests or CI, by which its own work is judged."),
      ],
    ]),
    listed([...rows("CI:", changedCi), ...rows("Test:", changedTests)], PATHS, "see all changes"),
  ];
}
