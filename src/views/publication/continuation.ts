import { workedMs } from "../../core/state.ts";
import { duration } from "../amounts.ts";
import type { RunView } from "../run-view.ts";
import type { PublicationFacts } from "./facts.ts";

/** Whether the loop starts its next run by itself, and why not. */
export type Continuation =
  | { readonly goesOn: true }
  /** `why`: part of a sentence; null when nobody would expect it to go on */
  | { readonly goesOn: false; readonly why: string | null };

/** Only a loop whose time is up goes on by itself, and only within bounds that are counted in its state. */
export function continuationOf({ state }: RunView, { selfContinue }: PublicationFacts): Continuation {
  const { setting, most, mostMs, mostTokens, disabled, refused } = selfContinue;
  if (state.stop_reason?.kind !== "time_budget" || setting === "never") return { goesOn: false, why: null };
  const not = (why: string): Continuation => ({ goesOn: false, why });
  if (disabled) return not("the repository variable SMITHERS_DISABLED is set");
  if ((state.github?.continuations ?? 0) >= most) return not(`it may do so ${most} times in a row, and has`);
  if (workedMs(state.spent) >= mostMs)
    return not(`it may work ${duration(mostMs)} in all, and has; max-total-minutes may say more`);
  if (mostTokens !== null && state.spent.tokens >= mostTokens) return not("the tokens it may use in all are used up");
  return refused === null ? { goesOn: true } : not(refused);
}
