import type { CircuitTrigger } from "../progress/circuit.ts";
import type { Brief } from "./brief.ts";

const TRIGGERS = {
  no_progress: "without progress",
  same_error: "that failed in the same way",
  test_loops: "that changed nothing but tests",
  missing_status: "without the status block",
} as const satisfies Record<CircuitTrigger, string>;

/** What an agent has to hear while the circuit is half open, before it opens (C6); "" otherwise. */
export function corrective({ state: { circuit } }: Brief): string {
  if (circuit.trigger === null) return "";
  const iterations = circuit.count === 1 ? "1 iteration" : `${circuit.count} iterations`;
  return `${iterations} ${TRIGGERS[circuit.trigger]}: take a different approach or report BLOCKED. The loop stops when it goes on like this.`;
}
