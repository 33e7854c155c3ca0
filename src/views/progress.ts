import { wasReset } from "../core/open-loop.ts";
import type { CircuitTrigger, LoopState } from "../core/state.ts";
import { circuitCounts, marksOf } from "../core/progress/circuit.ts";
import { hourEnds } from "../core/stop/wait.ts";
import { counted, grouped } from "./amounts.ts";

/** How the work moves on (R-07), as `--json` tells it. Null: not known. */
export function progressOf({ progress, failing, baseline, plan, signals }: LoopState) {
  return {
    /** in a row without progress */
    iterations_without: progress.no_progress,
    failing_tests: {
      now: failing?.failing_count ?? null,
      fewest: progress.fewest_failures,
      at_start: baseline?.failing_count ?? null,
      /** of those now, at most 200; empty where their names are not known */
      names: failing?.failing ?? [],
    },
    /** items of the checklist; null: none */
    plan: plan === null ? null : { items: plan.items, ticked: plan.ticked },
    /** indicators of completion in a row */
    done_signals: signals.done,
  };
}

/** `none for 2 iterations; failing tests: 3 now, 2 at the fewest, 7 at the start; 4 of 9 items ticked` */
export function progressText(state: LoopState): string {
  const { iterations_without: without, failing_tests: failing, plan, done_signals: signals } = progressOf(state);
  const known = [
    ...(failing.now === null ? [] : [`${failing.now} now`]),
    ...(failing.fewest === null ? [] : [`${failing.fewest} at the fewest`]),
    ...(failing.at_start === null ? [] : [`${failing.at_start} at the start`]),
  ];
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
  if (wasReset(state)) return "counting from zero again";
  if (without > 0) return `none for ${counted(without, "iteration")}`;
  // A turn that was cut off is not counted, nor is what came before the story that is worked on now.
  if (last.agent === "cancelled" || last.agent === "abandoned") return "none, the last turn was cut short";
  if (last.files_changed !== 0) return "made in the last iteration";
  return last.agent === "ok" ? "no file changed in the last iteration" : "none, the last turn failed";
}

/** The triggers as people read them, in their order. */
export const TRIGGERS = {
  no_progress: "no progress",
  same_error: "same error",
  test_loops: "nothing but tests",
  missing_status: "no status block",
} as const satisfies Record<CircuitTrigger, string>;

/** The circuit with all that it counts (R-24), as `--json` tells it: iterations in a row, and what they count up to. */
export function circuitReport({ circuit, signals, progress, bounds, status_block: block }: LoopState) {
  const counts = circuitCounts(progress, signals);
  const counter = (trigger: CircuitTrigger) => {
    // A block that is not asked for cannot be missing.
    const isOff = bounds === null || (trigger === "missing_status" && block === "off");
    /** null: the trigger is off, or the state's version did not keep what it counts up to */
    const marks = isOff ? null : marksOf(bounds.thresholds[trigger], bounds.open_multiplier);
    return { trigger, count: counts[trigger], marks };
  };
  const counters = (["no_progress", "same_error", "test_loops", "missing_status"] as const).map(counter);
  return { state: circuit.state, trigger: circuit.trigger, count: circuit.count, counters };
}

/** `HALF_OPEN (no progress)` */
export function circuitState({ circuit }: LoopState): string {
  return circuit.trigger === null ? circuit.state : `${circuit.state} (${TRIGGERS[circuit.trigger]})`;
}

/** The circuit on one line: `CLOSED; no progress 1 of 3, same error 0 of 5`. Triggers that are off are left out. */
export function circuitText(state: LoopState): string {
  const told = circuitReport(state).counters.filter(({ count, marks }) => marks !== null || count > 0);
  const counts = told.map(
    ({ trigger, count, marks }) => `${TRIGGERS[trigger]} ${count}${marks === null ? "" : ` of ${marks.opens}`}`,
  );
  return [circuitState(state), ...(counts.length === 0 ? [] : [counts.join(", ")])].join("; ");
}

/** The calls of the agent against what is allowed (R-22), as `--json` tells it. */
export function callsOf({ rate, bounds }: LoopState) {
  return {
    hour_began: rate.hour_began,
    calls: rate.calls,
    /** null: no limit, or the state's version did not keep it */
    max: bounds?.max_calls_per_hour ?? null,
    /** when the hour ends that is counted, which may be over; null: none has begun */
    resets_at: hourEnds(rate),
  };
}

/** `12 of 100 in the hour until …` */
export function callsText(state: LoopState): string {
  const { calls, max, resets_at: ends } = callsOf(state);
  return `${grouped(calls)}${max === null ? "" : ` of ${grouped(max)}`}${ends === null ? "" : ` in the hour until ${ends}`}`;
}
