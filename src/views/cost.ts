import type { LoopState } from "../core/state.ts";
import { counted, usd } from "./amounts.ts";

/** What the loop has cost, as `--json` tells it, in USD. */
export function costReport(state: LoopState) {
  const { spent, review } = state;
  const isKnown = spent.priced_turns > 0 || review.spent.cost > 0;
  return {
    /** of the turns and reviews whose cost is known; null: of none */
    usd: isKnown ? costOf(state) / 1_000_000 : null,
    /** turns and reviews whose cost is not known: no price is known of their model, and the agent did not say it */
    unpriced_turns: spent.turns - spent.priced_turns + review.spent.unpriced,
  };
}

/** In millionths of a USD. */
function costOf({ spent, review }: LoopState): number {
  return spent.cost + review.spent.cost;
}

/** `about 0.42 USD`, `at least 0.42 USD (3 turns have no known price)`; undefined: nothing is known. */
export function costText(state: LoopState): string | undefined {
  const { usd: known, unpriced_turns: unpriced } = costReport(state);
  if (known === null) return undefined;
  const amount = usd(costOf(state));
  const how = amount.startsWith("less") ? "" : unpriced === 0 ? "about " : "at least ";
  return `${how}${amount}${unpriced === 0 ? "" : ` (${counted(unpriced, "turn")} of an unknown price)`}`;
}

/** The same where people ask for it: `cost unknown` once there was a turn; undefined: before that. */
export function costOrNone(state: LoopState): string | undefined {
  return costText(state) ?? (state.spent.turns === 0 ? undefined : "cost unknown");
}

/** `about 2 more turns, 0.40 to 0.90 USD`; undefined: there is too little to guess from. @see forecast */
export function forecastText(state: LoopState): string | undefined {
  const turns: readonly PastTurn[] = state.iterations.map(({ cost, failing_tests }) => ({
    cost: cost ?? null,
    failing: failing_tests ?? null,
  }));
  const found = forecast(turns, state.baseline?.failing_count ?? null);
  if (found === undefined) return undefined;
  const [least, most] = [usd(found.least), usd(found.most)];
  const range = least === most ? most : `${least.replace(" USD", "")} to ${most}`;
  return `about ${counted(found.turns, "more turn")}, ${range}`;
}

/** What a loop will still need, as far as its own history tells. Costs in millionths of a USD. */
export interface Forecast {
  /** turns until nothing fails any more, at the pace so far */
  readonly turns: number;
  readonly least: number;
  readonly most: number;
}

/** An iteration as far as the forecast looks at it. */
export interface PastTurn {
  /** null: not known */
  readonly cost: number | null;
  /** how many tests failed after it; null: not known */
  readonly failing: number | null;
}

/** Fewer turns say nothing of the next ones. */
const FEWEST = 2;
/** A guess that far ahead is none. */
const FARTHEST = 20;

/**
 * Guesses from the turns so far. Undefined where there is too little to guess from: fewer than two turns whose costs are
 * known, no count of failing tests, or no progress in it.
 *
 * @param failingAtStart null: not known
 */
export function forecast(turns: readonly PastTurn[], failingAtStart: number | null): Forecast | undefined {
  const costs = turns.flatMap(({ cost }) => (cost === null ? [] : [cost])).toSorted((a, b) => a - b);
  const now = turns.findLast(({ failing }) => failing !== null)?.failing ?? null;
  if (costs.length < FEWEST || now === null || now === 0 || failingAtStart === null) return undefined;
  const pace = (failingAtStart - now) / turns.length;
  if (pace <= 0) return undefined;
  const left = Math.ceil(now / pace);
  if (left > FARTHEST) return undefined;
  return { turns: left, least: left * quantile(costs, 0.25), most: left * quantile(costs, 0.75) };
}

/** @param sorted not empty */
function quantile(sorted: readonly number[], part: number): number {
  const at = Math.round((sorted.length - 1) * part);
  return sorted.slice(at).reduce((first) => first);
}
