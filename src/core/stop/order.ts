import { callsPerHour, maxIterations, timeReserve, tokenCap, totalTime, timeUp, notBefore } from "./limits.ts";
import { canceled, hardStopOnResume, hardStop, paused, stopped, superseded } from "./control.ts";
import { circuitOpen, agentBlocked, asksInstead, permissionDenied } from "./stuck.ts";
import { firstCheck, nothingLeft, claimHolds, successCommand, gateUnrunnable, weakProof } from "./completion.ts";
import type { StopRule } from "./rule.ts";
import { turnFailed } from "./turn-failed.ts";

/** The PRE table (section 4.1), row by row: before a turn is spent. The rest of PRE 1, and PRE 4, are asked before the loop is opened. */
export const BEFORE: readonly StopRule[] = [
  superseded, // PRE 1
  canceled, // PRE 2
  stopped, // PRE 3
  paused, // PRE 3
  hardStopOnResume, // PRE 5
  firstCheck, // PRE 6
  nothingLeft, // PRE 6
  circuitOpen, // PRE 7
  maxIterations, // PRE 8
  tokenCap, // PRE 9
  totalTime, // PRE 9
  timeReserve, // PRE 10
  callsPerHour, // PRE 11
  notBefore, // PRE 11
];

/** What keeps the checks from running while a turn's work waits for its proof. */
export const UNPROVED: readonly StopRule[] = [superseded, canceled, stopped, gateUnrunnable, timeUp];

/**
 * The POST table (section 4.2), row by row: once an iteration is closed. POST 3 is a refund, and the wait is
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
