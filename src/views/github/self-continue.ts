import { tokensOf } from "../../core/review/standing.ts";
import { workedMs } from "../../core/cost/spent.ts";
import { duration } from "../amounts.ts";
import type { RunView } from "../run-view.ts";

/** What decides whether the loop starts its next run by itself. */
export interface SelfContinuation {
  readonly setting: "never" | "auto";
  /** how often at most since a person let the loop run */
  readonly most: number;
  /** how many milliseconds of turns and checks at most since the loop began */
  readonly mostMs: number;
  /** how many tokens at most since the loop began; null: no limit */
  readonly mostTokens: number | null;
  /** the repository variable `SMITHERS_DISABLED` is set */
  readonly disabled: boolean;
  /** why it was not started although nothing else prevents it, as part of a sentence; null: not tried */
  readonly refused: string | null;
}

/** Whether the loop starts its next run by itself; else why not: part of a sentence, null when not expected. */
export interface Continuation {
  readonly goesOn: boolean;
  readonly why?: string | null;
}

/** Only a loop whose time is up goes on by itself, and only within bounds that are counted in its state. */
export function continuationOf(
  { state }: RunView,
  { setting, most, mostMs, mostTokens, disabled, refused }: SelfContinuation,
): Continuation {
  if (state.stop_reason?.kind !== "time_budget" || setting === "never") return { goesOn: false, why: null };
  const not = (why: string): Continuation => ({ goesOn: false, why });
  if (disabled) return not("the repository variable SMITHERS_DISABLED is set");
  if ((state.github?.continuations ?? 0) >= most) return not(`it may do so ${most} times in a row, and has`);
  if (workedMs(state.spent) >= mostMs)
    return not(`it may work ${duration(mostMs)} in all, and has; max-total-minutes may say more`);
  if (mostTokens !== null && tokensOf(state) >= mostTokens) return not("the tokens it may use in all are used up");
  return refused === null ? { goesOn: true } : not(refused);
}
