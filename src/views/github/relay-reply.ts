import type { RunView } from "../run-view.ts";
import { authorBlocks } from "./links.ts";
import { assembled, type Block, COMMENT_BYTES, heading, paragraph } from "./markdown.ts";
import { headlineBlocks, nextOnPullRequest, outcomeDetails } from "./outcome.ts";
import { storyBlocks } from "./stories.ts";
import { waysOnBlocks } from "./slash-commands.ts";

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
    ...storyBlocks(view),
    ...(view.alive ? [] : [nextOnPullRequest(view)]),
    ...waysOnBlocks(view),
    ...authorBlocks(view),
  ]);
}

function reply(blocks: readonly Block[]): string {
  return assembled([["the answer", blocks]], COMMENT_BYTES);
}
