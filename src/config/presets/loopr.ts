import type { Config } from "../config.ts";

/** Loopr's defaults (L-14 to L-21, C4). Only its status block ends the loop as done (L-23); it knows no promise. */
export const LOOPR = {
  statusBlock: "loopr",
  exitGate: "dual",
  promiseMode: "off",
  maxCallsPerHour: 100,
  iterationTimeoutMinutes: 15,
  maxIterations: 50,
  maxConsecutiveDoneSignals: 2,
  maxNoProgress: 3,
  maxSameError: 5,
  maxConsecutiveTestLoops: 3,
  maxMissingStatus: 2,
  breakerOpenMultiplier: 1,
} as const satisfies Partial<Config>;
