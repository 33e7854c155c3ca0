import type { Command } from "../core/policy/command.ts";
import { outcomeDetails } from "./blocks/outcome.ts";
import { code, heading, link, paragraph, strong, text, type Block } from "./markdown.ts";
import { assembled, COMMENT_BYTES } from "./parts.ts";
import { headlineBlocks } from "./publication/headline.ts";
import { nextOnPullRequest } from "./publication/next.ts";
import { waysOnBlocks } from "./publication/ways-on.ts";
import { authorBlocks } from "./publication/work.ts";
import type { RunView } from "./run-view.ts";

/** What a person's word has set going. */
export interface Accepted {
  readonly command: Command;
  readonly loopId: string;
  /** the run that obeys it; null: one that goes on already, or one that is not known yet */
  readonly runUrl: string | null;
  /** the commit it holds for; null: it holds for none in particular */
  readonly head: string | null;
}

const DOES = {
  continue: "The loop goes on.",
  start: "A loop starts.",
  prd: "A loop starts on that PRD.",
  "reset-circuit": "The circuit breaker is reset, and the loop goes on.",
  pause: "The loop pauses when its iteration has ended.",
  stop: "The loop stops now. Nothing is lost, and it can go on.",
  cancel: "The loop ends for good. What is on the branch stays.",
  status: "It is said below.",
} as const satisfies Record<Command, string>;

const AGAIN = "Put that right, then write a new comment: one that is edited is not read again.";

/**
 * Why nothing was done, for who asked.
 *
 * @param reason a sentence
 * @param next what to do now, as a sentence
 */
export function refusalReply(reason: string, next: string = AGAIN): string {
  return reply([
    heading(3, "😕 That was not done"),
    paragraph(text(reason)),
    paragraph(strong("Nothing was changed."), text(next)),
  ]);
}

/** How a loop stands, and what can be said to it now (D-30). */
export function statusReply(view: RunView): string {
  return reply([
    ...headlineBlocks(view),
    ...outcomeDetails(view),
    ...(view.alive ? [] : [nextOnPullRequest(view)]),
    ...waysOnBlocks(view),
    ...authorBlocks(view),
  ]);
}

/** What happens now because of a command. */
export function acceptedReply({ command, loopId, runUrl, head }: Accepted): string {
  return reply([
    paragraph(strong(`🚀 ${DOES[command]}`), ...(runUrl === null ? [] : [link("See the run", runUrl)])),
    paragraph(
      text("Loop"),
      code(loopId),
      ...(head === null ? [] : [text("· this holds for commit"), code(head.slice(0, 12)), text("alone")]),
    ),
  ]);
}

function reply(blocks: readonly Block[]): string {
  return assembled([["the answer", blocks]], COMMENT_BYTES);
}
