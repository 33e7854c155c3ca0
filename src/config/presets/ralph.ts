import type { Config } from "../config.ts";

/**
 * Ralph's files and thresholds (R-15, R-16, R-26, R-32, C6): the plan and the status block end the loop; it
 * knows no promise. What the agent may write is the user's to say (C3).
 */
export const RALPH = {
  backlog: "checklist",
  planFile: "@fix_plan.md",
  agentFile: "@AGENT.md",
  promptFile: "PROMPT.md",
  promiseMode: "off",
  statusBlock: "ralph",
  exitGate: "dual",
  session: "resume",
  maxCallsPerHour: 100,
  maxConsecutiveDoneSignals: 2,
  maxNoProgress: 3,
  maxSameError: 5,
  breakerOpenMultiplier: 2,
} as const satisfies Partial<Config>;
