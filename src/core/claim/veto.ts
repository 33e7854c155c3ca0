import type { Claim } from "./claim.ts";

/** What the agent's own status block says against its claim, as part of a sentence; null: nothing (section 4.3). */
export function vetoOf({ block }: Claim): string | null {
  if (block === null) return null;
  if (block.exit_signal === false) return "EXIT_SIGNAL: false";
  if (block.status === "BLOCKED" || block.status === "ERROR") return `STATUS: ${block.status}`;
  return block.tests_status === "FAILING" ? "TESTS_STATUS: FAILING" : null;
}
