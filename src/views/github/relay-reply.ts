import type { LoopState } from "../../core/state.ts";
import { checkLabel } from "../../core/verdict.ts";
import type { RunView } from "../run-view.ts";
import { authorBlocks } from "./links.ts";
import { type NamedRun, otherRunBlocks } from "./failed-run.ts";
import { assembled, type Block, code, COMMENT_BYTES, heading, inline, link, marked, paragraph } from "./markdown.ts";
import { answerMarker } from "./markers.ts";
import { headlineBlocks, nextOnPullRequest, outcomeDetails } from "./outcome.ts";
import { storyBlocks } from "./stories.ts";
import { waysOnBlocks } from "./slash-commands.ts";

const AGAIN = "Put that right, then write a new comment: one that is edited is not read again.";

/** Why nothing was done, and what to do now, for the person who asked; both are whole sentences. */
export function refusalReply(reason: string, next: string = AGAIN): string {
  return reply([heading(3, "😕 That was not done"), paragraph`${reason}`, paragraph`**Nothing was changed.** ${next}`]);
}

/** What somebody has asked for that was handed on, and of which nothing came (C161). */
export interface LostRequest {
  /** as the beginning of a sentence, as in `The comment` */
  readonly what: string;
  /** where it is; null: it has no place of its own */
  readonly url: string | null;
  /** what it asked for, as in `/smithers continue` */
  readonly command: string;
  /** what to do instead, as a sentence */
  readonly next: string;
}

/** Tells people that a request got lost. */
export function lostReply({ what, url, command, next }: LostRequest): string {
  return reply([
    heading(3, "😕 That was not done"),
    paragraph`${url === null ? what : link(what, url)} asked for ${code(command)}, and ${NOTHING_CAME}.`,
    paragraph`**Nothing was changed.** ${next}`,
  ]);
}

const NOTHING_CAME = "nothing came of it: its run was cancelled, refused, or ended before the loop began";

/** Whether a text of ours is such an answer for what is at a place. */
export function tellsLoss(body: string, url: string): boolean {
  return body.includes(`](${url}) asked for`);
}

/** Which of several failed runs is repaired, and how to name another one (C114). */
export function chosenReply(run: NamedRun, others: readonly NamedRun[]): string {
  return reply([
    heading(3, "🔧 One of several failed runs is repaired"),
    paragraph`It is ${link(run.name || String(run.id), run.url)}, run ${code(String(run.id))}.`,
    ...otherRunBlocks(others),
  ]);
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

/** What a thread of a review is answered when its lines were changed and the work is proved (C110). It resolves nothing. */
export function threadAnswer(
  state: LoopState,
  review: number,
  { url, head }: { readonly url: string; readonly head: string },
): string {
  const checks = (state.verdict?.checks ?? []).slice(0, MOST_CHECKS).map((check) => code(checkLabel(check)));
  const green =
    checks.length === 0
      ? []
      : inline` Green there: ${checks.flatMap((check, at) => (at === 0 ? [check] : inline`, ${check}`))}.`;
  return marked(answerMarker(state.loop_id, review), [
    [
      "the answer",
      [
        paragraph`These lines were changed in ${link(head.slice(0, 12), `${url}/commit/${head}`)}.${green}`,
        paragraph`Whether that settles it is yours to say: the loop resolves nothing. If not, request changes again.`,
      ],
    ],
  ]);
}

const MOST_CHECKS = 5;

function reply(blocks: readonly Block[]): string {
  return assembled([["the answer", blocks]], COMMENT_BYTES);
}
