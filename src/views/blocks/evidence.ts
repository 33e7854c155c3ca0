import { quieted, cut } from "../inert.ts";
import { code, fence, folded, paragraph, type Block } from "../markdown.ts";
import { lastLines } from "../plain-text.ts";
import { proofOf } from "../proof.ts";
import type { RunView } from "../run-view.ts";

const LINES = 200;
const LINE_LENGTH = 400;
const LENGTH = 12_000;

/** What the last red check said (W-39). */
export function outputBlocks({ state }: RunView): Block[] {
  const { failing } = proofOf(state);
  const shown = shownLines(failing?.tail ?? "");
  if (failing === null || shown === "") return [];
  return folded("Last output of the failing check", [paragraph(code(failing.command)), fence("text", shown)]);
}

export function fileBlocks({ change }: RunView): Block[] {
  const shown = shownLines(change?.stat ?? "");
  return shown === "" ? [] : folded("Changed files", [fence("text", shown)]);
}

/**
 * The end of a text of others, for a fence: bounded in every direction. A pull request's text may become the message of
 * a commit, in which a fence is nothing, so it is quiet as well.
 */
function shownLines(text: string): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lastLines(text, LINES).toReversed()) {
    const shown = quieted(cut(line, LINE_LENGTH));
    length += shown.length + 1;
    if (length > LENGTH) break;
    kept.unshift(shown);
  }
  return kept.join("\n");
}
