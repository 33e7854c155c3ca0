import type { CircuitTrigger } from "./progress/circuit.ts";
import type { Limits } from "./task.ts";

/** What the counts in a state are bounded by: as the settings of its last run say, so that people see one beside the other. */
export interface Bounds {
  /** null: no limit */
  readonly max_calls_per_hour: number | null;
  /** indicators in a row that the dual gate takes (L-17) */
  readonly done_signals: number;
  /** what each trigger of the circuit warns at or opens at (C6); 0: it is off */
  readonly thresholds: Readonly<Record<CircuitTrigger, number>>;
  /** the circuit opens at so many times the threshold */
  readonly open_multiplier: number;
}

/** The bounds of a run. */
export function boundsOf({ maxCallsPerHour, doneSignals, circuit }: Limits): Bounds {
  return {
    max_calls_per_hour: maxCallsPerHour,
    done_signals: doneSignals,
    thresholds: {
      missing_status: circuit.missingStatus,
      no_progress: circuit.noProgress,
      same_error: circuit.sameError,
      test_loops: circuit.testLoops,
    },
    open_multiplier: circuit.openMultiplier,
  };
}
