import type { Checks } from "../core/task.ts";
import type { CheckResult } from "../core/verdict.ts";

/** One command that proves something. */
export interface Check {
  readonly role: CheckResult["role"];
  /** as a person would type it */
  readonly command: string;
  readonly argv: readonly string[];
  /** whether `argv` is a shell around the person's text: it starts although what it shall run does not exist */
  readonly shell: boolean;
}

/**
 * Runs a text in a login shell, as the person's terminal would, with its words left alone. The profile may add
 * to the PATH, but not hide what the loop itself finds; some reset it.
 */
const LOGIN_SHELL = 'PATH="$1${PATH:+:$PATH}"; snippet=$2; set --; eval "$snippet"';

/** The success check: `success-cmd`, else `success-sh`; undefined when neither is configured. */
export function successCheckOf(checks: Checks, searchPath: string): Check | undefined {
  const { successCommand, successShell } = checks;
  if (successCommand !== null)
    return { role: "success", command: successCommand.join(" "), argv: successCommand, shell: false };
  if (successShell !== null) return shellCheck("success", successShell, searchPath);
  return undefined;
}

/** The quality checks, all of which are necessary. */
export function qualityChecksOf(checks: Checks, searchPath: string): readonly Check[] {
  return checks.quality.map((text) => shellCheck("quality", text, searchPath));
}

function shellCheck(role: Check["role"], text: string, searchPath: string): Check {
  return { role, command: text, argv: ["bash", "-lc", LOGIN_SHELL, "bash", searchPath, text], shell: true };
}
