import type { LoopState } from "../core/state.ts";
import type { CheckResult, Verdict } from "../core/verdict.ts";
import { oneLine } from "./plain-text.ts";

/** What of the work is proved by something other than the agent. */
export interface Proof {
  /** `unchecked`: no check is configured, so nothing can be proved */
  readonly result: "verified" | "not_verified" | "unchecked";
  /** one sentence for a person */
  readonly sentence: string;
  /** the last red check */
  readonly failing: CheckResult | null;
}

/** The verdict that counts; null when the checks have not run on the last state of the work. */
export function lastVerdict({ stop_reason: ending, first_check: first, verdict }: LoopState): Verdict | null {
  if (ending?.kind === "already_green") return first;
  // A plan that was ticked off before the turn was proved by the checks of then.
  return ending?.kind === "plan_complete" && ending.verified && verdict?.result !== "passed" ? first : verdict;
}

/** What the checks said last. */
export function proofOf(state: LoopState): Proof {
  if (!isChecked(state.checks)) {
    return {
      result: "unchecked",
      sentence: "NOTHING was verified: no check is configured (--success-cmd, --quality-commands).",
      failing: null,
    };
  }
  const verdict = lastVerdict(state);
  const failing = verdict?.checks.findLast((check) => check.exitCode !== 0 || check.timedOut) ?? null;
  const not = (why: string): Proof => ({ result: "not_verified", sentence: `Not verified: ${why}`, failing });
  switch (verdict?.result) {
    case undefined:
      return not("the checks have not run on the last state of the work.");
    case "passed":
      return isTaken(state)
        ? { result: "verified", sentence: `Verified: ${green(verdict)} passed.`, failing: null }
        : not(`${green(verdict)} passed, and that proves little.`);
    case "failed":
      return not(failing === null ? "a check failed." : `${shown(failing)} failed (${failure(failing)}).`);
    case "cut_off":
      return not("the checks were cut off before they had ended.");
    case "unrunnable":
      return not(`a check could not be started: ${oneLine(verdict.problem.what)}`);
  }
}

/** A weak proof is one where somebody has said that it is to be taken (C21): the loop is completed by it. */
function isTaken({ status, strength }: LoopState): boolean {
  return status === "completed" || strength.weaknesses.length === 0;
}

function green({ checks }: Verdict): string {
  return checks.map(shown).join(", ");
}

function isChecked({
  success_cmd: command,
  success_sh: shell,
  quality_commands: quality,
  ci_workflow: ci,
}: LoopState["checks"]): boolean {
  return command !== null || shell !== null || quality.length > 0 || ci !== null;
}

function shown(check: CheckResult): string {
  return `\`${oneLine(check.command)}\``;
}

function failure(check: CheckResult): string {
  if (check.timedOut) return "timed out";
  return check.exitCode === null ? "killed" : `exit ${check.exitCode}`;
}
