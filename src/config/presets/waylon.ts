import type { Config } from "../config.ts";

/** The seed's own defaults, whatever else becomes the default one day (W-14 to W-16, W-30, W-31, W-54). */
export const WAYLON = {
  completionPromise: "TASK_COMPLETE",
  promiseMode: "tag",
  maxIterations: 30,
  sandbox: "read-only",
  askForApproval: "on-request",
  session: "resume",
  hardStopToken: "HARD STOP",
  hardStopMode: "pause",
} as const satisfies Partial<Config>;
