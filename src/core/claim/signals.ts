import type { Claim } from "./claim.ts";
import { vetoOf } from "./veto.ts";

/** What status blocks have said in a row (R-18, L-23, L-24). */
export interface Signals {
  /** iterations in a row whose block is an indicator of completion (C5) */
  readonly done: number;
  /** turns in a row without a block, while one is asked for (L-21) */
  readonly missing: number;
}

export const NO_SIGNALS: Signals = { done: 0, missing: 0 };

/** Words that say in a summary that the work is done (C5); "not done yet" says the opposite. */
const DONE_WORDS =
  /(?<!(?:\b(?:not|never|almost|nearly|partly|half)|n['’]t)(?:[\s-]+(?:yet|quite|fully|all|been|entirely))*[\s-]+)\b(?:complete|completed|done|ready)\b/iu;

/** Counts a turn. */
export function countSignals(before: Signals, claim: Claim, asks: boolean): Signals {
  return {
    done: isIndicator(claim) ? before.done + 1 : 0,
    missing: asks && claim.block === null ? before.missing + 1 : 0,
  };
}

/** C5: an exit signal, and either STATUS: COMPLETE or a word for it in the summary. */
function isIndicator(claim: Claim): boolean {
  const { block } = claim;
  if (block === null || block.exit_signal !== true || vetoOf(claim) !== null) return false;
  return block.status === "COMPLETE" || DONE_WORDS.test(block.summary ?? "");
}
