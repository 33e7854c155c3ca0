import { objectionTexts } from "../core/review/review.ts";
import type { LoopState } from "../core/state.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { oneLine } from "./plain-text.ts";

/** What the reviewer said last (C50), quoted, a sentence or two; undefined: nobody was asked. */
export function reviewSentence({ review }: LoopState): string | undefined {
  const { answer, why, objections, iteration, vetoes } = review;
  switch (answer) {
    case null:
      return undefined;
    case "clear":
      return `Another session reviewed the work of iteration ${iteration} and holds nothing against it.`;
    case "veto":
      return `Another session reviewed the work of iteration ${iteration} and vetoed it${vetoes > 1 ? ` (veto ${vetoes})` : ""}: ${quoted(objectionTexts(objections))}.`;
    case "unreadable":
    case "failed":
      return `The review of iteration ${iteration} gave no answer that counts, so nobody has vetoed the work: ${oneLine(why)}.`;
  }
}

/** Whether a person may want to look at it before the work is believed. */
export function isDoubtful({ review }: LoopState): boolean {
  return review.answer !== null && review.answer !== "clear";
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${oneLine(text)}"`).join("; ");
}

/** What reviews have used, which is in no other figure; undefined: there was none. */
export function reviewTotals({ review: { spent } }: LoopState): string | undefined {
  const { reviews, tokens, input_tokens: input, cached_input_tokens: cached, output_tokens: output, ms } = spent;
  if (reviews === 0 && tokens === 0) return undefined;
  return `Reviews: ${counted(reviews, "session")}, ${duration(ms)}. Tokens, not among the others: ${grouped(tokens)} (${grouped(input)} in, of which ${grouped(cached)} cached; ${grouped(output)} out).`;
}
