import type { CheckEvent, Gate } from "../core/ports.ts";
import type { Checks } from "../core/task.ts";
import type { CheckResult, Verdict } from "../core/verdict.ts";
import { untilDeadline } from "./gates.ts";
import { type Check, type CheckOptions, runCheck } from "./run-check.ts";

export interface CommandGateOptions extends CheckOptions {
  readonly checks: Checks;
  /** for the eyes of people */
  readonly observe: (event: CheckEvent) => void;
}

/**
 * Proves with commands: the success check first; if it is green or not set, all quality checks, which all have to pass.
 * `success-cmd` is started without a shell, the others in a login shell. Each check runs outside the agent's sandbox,
 * in a process tree of its own that is killed afterwards.
 *
 * `judge` never rejects for what a command does.
 */
export function createCommandGate(options: CommandGateOptions): Gate {
  const { env, clock } = options;
  const searchPath = env["PATH"] ?? "";
  const success = successCheckOf(options.checks, searchPath);
  const quality = options.checks.quality.map((text) => shellCheck("quality", text, searchPath));
  if (success === undefined && quality.length === 0) throw new Error("a command gate without checks");
  return {
    judge: (evidence, signal) =>
      untilDeadline(evidence, signal, clock, (until) => judge(options, success, quality, until)),
  };
}

async function judge(
  options: CommandGateOptions,
  success: Check | undefined,
  quality: readonly Check[],
  signal: AbortSignal,
): Promise<Verdict> {
  const checks: CheckResult[] = [];
  for (const check of success === undefined ? quality : [success, ...quality]) {
    if (signal.aborted) return { result: "cut_off", checks };
    options.observe({ type: "check.started", command: check.command });
    const { result, cutOff, problem } = await runCheck(check, options, signal);
    checks.push(result);
    options.observe({ type: "check.ended", check: result });
    if (problem !== undefined) return { result: "unrunnable", checks, problem };
    if (cutOff) return { result: "cut_off", checks };
    if (check === success && !isGreen(result)) break;
  }
  return { result: checks.every(isGreen) ? "passed" : "failed", checks };
}

function isGreen({ exitCode }: CheckResult): boolean {
  return exitCode === 0;
}

/** `success-cmd`, else `success-sh`; undefined when neither is set. */
function successCheckOf({ successCommand, successShell }: Checks, searchPath: string): Check | undefined {
  if (successCommand !== null)
    return { role: "success", command: successCommand.join(" "), argv: successCommand, shell: false };
  return successShell === null ? undefined : shellCheck("success", successShell, searchPath);
}

/**
 * Runs a text in a login shell, as the person's terminal would, with its words left alone. The profile may add to the
 * PATH, but not hide what the loop itself finds; some reset it.
 */
const LOGIN_SHELL = 'PATH="$1${PATH:+:$PATH}"; snippet=$2; set --; eval "$snippet"';

function shellCheck(role: Check["role"], text: string, searchPath: string): Check {
  return { role, command: text, argv: ["bash", "-lc", LOGIN_SHELL, "bash", searchPath, text], shell: true };
}
