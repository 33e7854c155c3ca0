import type { Command } from "../../core/policy/command.ts";
import type { RunView } from "../run-view.ts";
import { authorBlocks } from "./links.ts";
import { assembled, type Block, code, COMMENT_BYTES, heading, inline, link, paragraph } from "./markdown.ts";
import { headlineBlocks, nextOnPullRequest, outcomeDetails } from "./outcome.ts";
import { waysOnBlocks } from "./slash-commands.ts";

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

/** Why nothing was done, and what to do now, for the person who asked; both are whole sentences. */
export function refusalReply(reason: string, next: string = AGAIN): string {
  return reply([heading(3, "😕 That was not done"), paragraph`${reason}`, paragraph`**Nothing was changed.** ${next}`]);
}

/** How a loop is, and which commands it takes now (D-30). */
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
    paragraph`**🚀 ${DOES[command]}**${runUrl === null ? [] : inline` ${link("See the run", runUrl)}`}`,
    paragraph`Loop ${code(loopId)}${head === null ? [] : inline` · this holds for commit ${code(head.slice(0, 12))} alone`}`,
  ]);
}

function reply(blocks: readonly Block[]): string {
  return assembled([["the answer", blocks]], COMMENT_BYTES);
}
