import { agentBlocked, asksInstead } from "./appeals.ts";
import { canceled } from "./canceled.ts";
import { maxIterations, timeReserve, timeUp, tokenCap, totalTime } from "./caps.ts";
import { circuitOpen } from "./circuit.ts";
import { claimHolds, successCommand } from "./completed.ts";
import { hardStop } from "./hard-stop.ts";
import { stopped } from "./interrupted.ts";
import { permissionDenied } from "./permission-denied.ts";
import { gateUnrunnable } from "./prove.ts";
import type { StopRule } from "./rule.ts";
import { superseded } from "./superseded.ts";
import { turnFailed } from "./turn-failed.ts";
import { weakProof } from "./weak-proof.ts";

/** What keeps the checks from running while a turn's work waits for its proof. */
export const UNPROVED: readonly StopRule[] = [superseded, canceled, stopped, gateUnrunnable, timeUp];

/**
 * The POST table (section 4.2), row by row: once an iteration's books are closed. POST 3 is a refund, and the wait is
 * PRE 11. A pause waits for the iteration to be judged, so BEFORE has it.
 */
export const AFTER: readonly StopRule[] = [
  superseded, // POST 1
  canceled, // POST 1
  stopped, // POST 1
  turnFailed, // POST 2, POST 4
  successCommand, // POST 5
  claimHolds, // POST 7
  weakProof, // POST 7a
  permissionDenied, // POST 8
  hardStop, // POST 9
  agentBlocked, // POST 10
  asksInstead, // section 4.5
  circuitOpen, // POST 11
  maxIterations, // POST 12
  tokenCap, // POST 13
  totalTime, // POST 13
  timeReserve, // POST 13
];
