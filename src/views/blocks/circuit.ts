import type { LoopState } from "../../core/state.ts";
import { circuitReport, circuitState, type Counter, TRIGGERS } from "../circuit.ts";
import { callsText } from "../calls.ts";
import { bullets, heading, strong, table, text, type Block, type Piece } from "../markdown.ts";
import { progressText } from "../progress.ts";

/** How the work moves on, the calls of the hour, and the circuit breaker in detail. Nothing before the first turn. */
export function circuitBlocks(state: LoopState): Block[] {
  if (state.spent.turns === 0) return [];
  const head = ["Iterations in a row with", "Now", "Half open at", "Opens at"].map(strong);
  return [
    heading(3, "Progress and circuit breaker"),
    bullets([
      [strong("Progress:"), text(progressText(state))],
      [strong("Calls of the agent:"), text(callsText(state))],
      [strong("Circuit:"), text(circuitState(state))],
    ]),
    table([null, "right", "right", "right"], [head, ...circuitReport(state).counters.map(row)]),
  ];
}

function row({ trigger, count, marks }: Counter): Piece[] {
  const cells = [TRIGGERS[trigger], count, marks?.warns ?? "off", marks?.opens ?? "off"];
  return cells.map((cell) => text(String(cell)));
}
