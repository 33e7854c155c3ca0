import type { Setting } from "../setting.ts";

const MOST = 1000;

/** When a loop that goes nowhere is stopped (C6); 0 turns a threshold off. */
export const CIRCUIT_SETTINGS = [
  {
    name: "max-no-progress",
    group: "circuit",
    type: "integer",
    default: 3,
    min: 0,
    max: MOST,
    help: "Iterations in a row that leave nothing new, before the circuit opens; 0 never opens it.",
  },
  {
    name: "max-same-error",
    group: "circuit",
    type: "integer",
    default: 5,
    min: 0,
    max: MOST,
    help: "Iterations in a row that fail in the same way, before the circuit opens; 0 never opens it.",
  },
  {
    name: "max-consecutive-test-loops",
    group: "circuit",
    type: "integer",
    default: 3,
    min: 0,
    max: MOST,
    help: "Iterations in a row that change nothing but tests, before the circuit opens; 0 never opens it.",
  },
  {
    name: "max-missing-status",
    group: "circuit",
    type: "integer",
    default: 2,
    min: 0,
    max: MOST,
    help: "Turns in a row without the status block that is asked for, before the circuit opens; 0 never opens it.",
  },
  {
    name: "breaker-open-multiplier",
    group: "circuit",
    type: "integer",
    default: 1,
    min: 1,
    max: 10,
    help: "The circuit opens at so many times the thresholds; below that the agent is told to try another way.",
  },
] as const satisfies readonly Setting[];
