import { wasReset } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { counted } from "./amounts.ts";

/** How the work moves on, as `--json` tells it. Null stands for what nobody knows. */
export interface Progress {
  /** iterations in a row without progress */
  readonly iterations_without: number;
  readonly failing_tests: {
    readonly now: number | null;
    readonly fewest: number | null;
    readonly at_start: number | null;
  };
  /** items of the checklist; null: there is none */
  readonly plan: { readonly items: number; readonly ticked: number } | null;
  /** indicators of completion in a row */
  readonly done_signals: number;
}

/** How the work moves on. */
export function progressOf({ progress, failing, baseline, plan, signals }: LoopState): Progress {
  return {
    iterations_without: progress.no_progress,
    failing_tests: {
      now: failing?.failing_count ?? null,
      fewest: progress.fewest_failures,
      at_start: baseline?.failing_count ?? null,
    },
    plan: plan === null ? null : { items: plan.items, ticked: plan.ticked },
    done_signals: signals.done,
  };
}

/** `none for 2 iterations; failing tests: 3 now, 2 at the fewest, 7 at the start; 4 of 9 items ticked` */
export function progressText(state: LoopState): string {
  const { iterations_without: without, failing_tests: failing, plan, done_signals: signals } = progressOf(state);
  const counts: readonly (readonly [number | null, string])[] = [
    [failing.now, "now"],
    [failing.fewest, "at the fewest"],
    [failing.at_start, "at the start"],
  ];
  const known = counts.filter(([count]) => count !== null).map(([count, when]) => `${count} ${when}`);
  return [
    whenLast(state, without),
    ...(known.length === 0 ? [] : [`failing tests: ${known.join(", ")}`]),
    ...(plan === null ? [] : [`${plan.ticked} of ${counted(plan.items, "item")} ticked`]),
    ...(signals === 0 ? [] : [`${counted(signals, "signal")} of completion in a row`]),
  ].join("; ");
}

function whenLast(state: LoopState, without: number): string {
  const last = state.iterations.at(-1);
  if (last === undefined) return "no iteration is over yet";
  if (wasReset(state)) return "counted anew";
  // What ends a loop by itself is not counted among its iterations without progress.
  if (without === 0 && last.files_changed === 0 && state.status === "error") return "none, the last turn failed";
  return without === 0 ? "made in the last iteration" : `none for ${counted(without, "iteration")}`;
}
