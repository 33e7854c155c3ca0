import { callsPerHour } from "./calls-per-hour.ts";
import { canceled } from "./canceled.ts";
import { maxIterations, timeReserve, tokenCap, totalTime } from "./caps.ts";
import { circuitOpen } from "./circuit.ts";
import { firstCheck } from "./first-check.ts";
import { hardStopOnResume } from "./hard-stop.ts";
import { paused, stopped } from "./interrupted.ts";
import { notBefore } from "./not-before.ts";
import { nothingLeft } from "./nothing-left.ts";
import type { StopRule } from "./rule.ts";
import { superseded } from "./superseded.ts";

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
