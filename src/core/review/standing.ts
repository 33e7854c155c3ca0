import type { Reviewed } from "../events.ts";
import { treeName } from "../progress/counters.ts";
import { isTakenByPerson } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import type { Task } from "../task.ts";
import { NOT_REVIEWED, type Review } from "./review.ts";

type Work = Pick<LoopState, "snapshot" | "stories" | "last_turn">;

/** Names the work as it stands, of a PRD with its story; without a git repository each iteration is other work. */
export function workName({ snapshot, stories, last_turn: turn }: Work): string {
  const work = snapshot === null ? `iteration ${turn?.iteration ?? 0}` : treeName(snapshot);
  return `${stories?.active ?? ""}/${work}`;
}

/** Whether the last answer is about the work as it stands. */
export function isAbout(state: Work & Pick<LoopState, "review">): boolean {
  return state.review.answer !== null && state.review.of.includes(workName(state));
}

/** Whether the reviewer has vetoed the work as it stands, and no person has taken it all the same. */
export function isVetoed({ runtime }: Pick<Task, "runtime">, state: LoopState): boolean {
  return runtime.reviewer !== "off" && state.review.answer === "veto" && isAbout(state) && !isTakenByPerson(state);
}

/** What counts against `max-tokens`: the turns' and the reviewer's. */
export function tokensOf({ spent, review: { spent: reviewed } }: Pick<LoopState, "spent" | "review">): number {
  return spent.tokens + reviewed.tokens;
}

/** Counts an answer. A review that was cut off says nothing, and is paid. */
export function countReview({ review: known }: Pick<LoopState, "review">, event: Reviewed): Review {
  const { usage, cost, answer, why, objections, iteration, of, tree } = event;
  const { spent } = known;
  const isAsked = usage !== null;
  const paid = {
    reviews: spent.reviews + (isAsked && answer !== null ? 1 : 0),
    tokens: spent.tokens + (usage === null ? 0 : usage.input + usage.output),
    input_tokens: spent.input_tokens + (usage?.input ?? 0),
    cached_input_tokens: spent.cached_input_tokens + (usage?.cachedInput ?? 0),
    output_tokens: spent.output_tokens + (usage?.output ?? 0),
    ms: spent.ms + event.duration_ms,
    cost: spent.cost + (cost ?? 0),
    unpriced: spent.unpriced + (isAsked && cost === undefined ? 1 : 0),
  };
  const open = known.open_tokens + paid.tokens - spent.tokens;
  if (answer === null) return { ...known, spent: paid, open_tokens: open };
  const vetoes = known.vetoes + (answer === "veto" ? 1 : 0);
  return { answer, why, objections, iteration, of, tree, vetoes, spent: paid, open_tokens: open };
}

/** A person, or another story, gives the reviewer all of its vetoes again. */
export function withoutVetoes(known: Review): Review {
  return { ...known, vetoes: NOT_REVIEWED.vetoes };
}
