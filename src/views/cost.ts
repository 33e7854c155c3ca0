import { forecast, type PastTurn } from "../core/cost/forecast.ts";
import type { LoopState } from "../core/state.ts";
import { counted, usd } from "./amounts.ts";

/** What the loop has cost, as `--json` tells it, in USD. */
export function costReport({ spent }: LoopState) {
  return {
    /** of the turns whose cost is known; null: of none */
    usd: spent.priced_turns === 0 ? null : spent.cost / 1_000_000,
    /** turns whose cost is not known: no price is known of their model, and the agent did not say it */
    unpriced_turns: spent.turns - spent.priced_turns,
  };
}

/** `about 0.42 USD`, `at least 0.42 USD (3 turns have no known price)`; undefined: nothing is known. */
export function costText(state: LoopState): string | undefined {
  const { usd: known, unpriced_turns: unpriced } = costReport(state);
  if (known === null) return undefined;
  if (unpriced === 0) return `about ${usd(state.spent.cost)}`;
  return `at least ${usd(state.spent.cost)} (${counted(unpriced, "turn")} of an unknown price)`;
}

/** `about 2 more turns, 0.40 to 0.90 USD`; undefined: there is too little to guess from. @see forecast */
export function forecastText(state: LoopState): string | undefined {
  const turns: readonly PastTurn[] = state.iterations.map(({ cost, failing_tests }) => ({
    cost: cost ?? null,
    failing: failing_tests ?? null,
  }));
  const found = forecast(turns, state.baseline?.failing_count ?? null);
  if (found === undefined) return undefined;
  return `about ${counted(found.turns, "more turn")}, ${usd(found.least).replace(" USD", "")} to ${usd(found.most)}`;
}
