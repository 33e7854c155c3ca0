import type { Circuit, CircuitTrigger, LoopState } from "../core/state.ts";
import { marksOf, type Marks } from "../core/progress/circuit.ts";

/** The triggers as people read them, in their order. */
export const TRIGGERS = {
  no_progress: "no progress",
  same_error: "same error",
  test_loops: "nothing but tests",
  missing_status: "no status block",
} as const satisfies Record<CircuitTrigger, string>;

/** One trigger of the circuit: iterations in a row, and what they count up to. */
export interface Counter {
  readonly trigger: CircuitTrigger;
  readonly count: number;
  /** null: the trigger is off, or the state's version did not keep what it counts up to */
  readonly marks: Marks | null;
}

/** The circuit with all that it counts (R-24), as `--json` tells it. */
export interface CircuitReport extends Circuit {
  readonly counters: readonly Counter[];
}

/** The circuit with all that it counts. */
export function circuitReport(state: LoopState): CircuitReport {
  const { circuit, signals, progress } = state;
  const counts: Record<CircuitTrigger, number> = { ...progress, missing_status: signals.missing };
  const counter = (trigger: CircuitTrigger): Counter => ({
    trigger,
    count: counts[trigger],
    marks: marksIn(state, trigger),
  });
  return {
    state: circuit.state,
    trigger: circuit.trigger,
    count: circuit.count,
    counters: [counter("no_progress"), counter("same_error"), counter("test_loops"), counter("missing_status")],
  };
}

/** A block that is not asked for cannot be missing. */
function marksIn({ bounds, status_block: block }: LoopState, trigger: CircuitTrigger): Marks | null {
  if (bounds === null || (trigger === "missing_status" && block === "off")) return null;
  return marksOf(bounds.thresholds[trigger], bounds.open_multiplier);
}

/** `HALF_OPEN (no progress)` */
export function circuitState({ circuit }: LoopState): string {
  return circuit.trigger === null ? circuit.state : `${circuit.state} (${TRIGGERS[circuit.trigger]})`;
}

/** The circuit on one line: `CLOSED; no progress 1 of 3, same error 0 of 5`. What is off is not told. */
export function circuitText(state: LoopState): string {
  const told = circuitReport(state).counters.filter(({ count, marks }) => marks !== null || count > 0);
  const counts = told.map(
    ({ trigger, count, marks }) => `${TRIGGERS[trigger]} ${count}${marks === null ? "" : ` of ${marks.opens}`}`,
  );
  return [circuitState(state), ...(counts.length === 0 ? [] : [counts.join(", ")])].join("; ");
}
