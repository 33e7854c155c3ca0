import { MINIMUM_ITERATION_MS } from "../../core/task.ts";
import { notice, type Rule } from "./rule.ts";

const MINUTE_MS = 60_000;

/** A budget that its own reserve eats up pauses the loop at once (PRE 10); that is allowed, but said. */
export const TIME_FOR_AN_ITERATION: Rule = {
  about: ["timeBudgetMinutes", "reserveMinutes"],
  judge: ({ config, sources }) => {
    const { timeBudgetMinutes: budget, reserveMinutes: reserve } = config;
    if (budget === null || (budget - reserve) * MINUTE_MS >= MINIMUM_ITERATION_MS) return [];
    return notice(
      `${sources.timeBudgetMinutes.where}: ${budget} minutes less the reserve of ${reserve} leave no time for an iteration, so the loop pauses at once; raise time-budget-minutes or lower reserve-minutes.`,
    );
  },
};
