import { UsageError } from "../core/errors.ts";
import type { CheckResult } from "../core/verdict.ts";
import type { Check } from "./run-check.ts";

/** Which shell reads the texts of checks. */
export interface CheckShell {
  /** as in `process.platform` */
  readonly platform: NodeJS.Platform;
  /** the PATH of the checks */
  readonly searchPath: string;
}

/**
 * Runs a text in a login shell, as the person's terminal would, with its words left alone. The profile may add to the
 * PATH, but not hide what the loop itself finds; some reset it.
 */
const LOGIN_SHELL = 'PATH="$1${PATH:+:$PATH}"; snippet=$2; set --; eval "$snippet"';

/**
 * The check that a text for a shell describes: `bash -lc`, on Windows `cmd /C` (S-12).
 *
 * @throws UsageError for a text of several lines on Windows, where only the first would run
 */
export function shellCheck(role: CheckResult["role"], text: string, { platform, searchPath }: CheckShell): Check {
  const check = { role, command: text, shell: true };
  if (platform !== "win32") return { ...check, argv: ["bash", "-lc", LOGIN_SHELL, "bash", searchPath, text] };
  if (text.trim().includes("\n")) throw onlyFirstLine(text);
  // With /S only the outer quotes are taken away; quotes of the text need no escape.
  return { ...check, argv: ["cmd", "/d", "/s", "/c", `"${text.trim()}"`], verbatim: true };
}

function onlyFirstLine(text: string): UsageError {
  const [first = ""] = text.trim().split("\n", 1);
  return new UsageError({
    code: "CHECK_OF_SEVERAL_LINES",
    what: `A check has several lines, and on Windows cmd /C runs only the first of them: ${first.slice(0, 200)}`,
    next: "Join them with && on one line, or write them into a script and name that.",
  });
}
