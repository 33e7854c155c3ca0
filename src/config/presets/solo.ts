import type { Config } from "../config.ts";

/**
 * Work without anybody looking on (S-17): a marker in place of the promise (S-10), the agent may write to the workspace; the approval policy is its own (C19).
 */
export const SOLO = {
  doneToken: "[SOLO_DONE]",
  promiseMode: "off",
  fullAuto: true,
  askForApproval: null,
  session: "resume",
} as const satisfies Partial<Config>;
