import type { QualityGate } from "../config/settings/quality-gates.ts";
import { UsageError } from "../core/errors.ts";
import type { CheckEvent, Gate } from "../core/ports.ts";
import type { Checks } from "../core/task.ts";
import { checkLabel, type CheckResult, type Evidence, type StoryCommand, type Verdict } from "../core/verdict.ts";
import { untilDeadline } from "./gates.ts";
import { type Check, type CheckOptions, type CheckRun, runCheck } from "./run-check.ts";

export interface CommandGateOptions extends CheckOptions {
  /** as in `process.platform`, which it is if absent */
  readonly platform?: NodeJS.Platform;
  readonly checks: Checks;
  /** what is said of quality commands besides their text; absent: nothing */
  readonly gates?: readonly QualityGate[];
  /** for the eyes of people */
  readonly observe: (event: CheckEvent) => void;
}

/** A check that may be tried once more when it is red. */
interface Asked extends Check {
  readonly flaky?: boolean;
}

/** Checks that all run, whatever the others say. */
type Stage = readonly Asked[];

/**
 * Proves with commands: the success check first; if it is green or not set, all quality checks, which all have to pass;
 * if they do, all commands that stories name in the evidence. `success-cmd` is started without a shell, the others in a
 * shell. Each check runs outside the agent's sandbox, in a process tree of its own that is killed afterwards.
 *
 * A story's command that is a quality command as well does not run again: the quality check is its result. One that does
 * not exist is red, for the agent may have yet to make it. On the occasion `story` no others run.
 *
 * `judge` never rejects for what a command does. @throws Error a bug of the caller: there is nothing to ask
 * @throws UsageError for a text that the platform's shell would not run as it is
 */
export function createCommandGate(options: CommandGateOptions): Gate {
  const { checks, gates = [], env, clock, platform = process.platform } = options;
  const shell = { platform, searchPath: env["PATH"] ?? "" };
  const success = successCheckOf(checks, shell);
  const quality = checks.quality.map((text) =>
    qualityCheck(
      shellCheck("quality", text, shell),
      gates.find(({ run }) => run === text),
    ),
  );
  const own = [success === undefined ? [] : [success], quality];
  return {
    async judge(evidence, signal) {
      const stages = stagesOf(own, evidence, shell);
      if (stages.length === 0) throw new Error("a command gate without checks");
      return untilDeadline(evidence, signal, clock, (until) => judge(options, stages, until));
    },
  };
}

function stagesOf(own: readonly Stage[], evidence: Evidence, shell: CheckShell): readonly Stage[] {
  const { occasion, commands = [] } = evidence;
  const before = occasion === "story" ? [] : own;
  const asked = new Set(before.flat().flatMap((check) => (check.shell ? [check.command] : [])));
  const stories = storyChecks(
    commands.filter(({ run }) => !asked.has(run)),
    shell,
  );
  return [...before, stories].filter((stage) => stage.length > 0);
}

/** Equal texts run once, for the first story that names them, as long as the most patient of them allows. */
function storyChecks(commands: readonly StoryCommand[], shell: CheckShell): Stage {
  return [...new Set(commands.map(({ run }) => run))].map((run) => {
    const same = commands.filter((command) => command.run === run);
    const limits = same.map(({ timeoutMs }) => timeoutMs).filter((limit) => limit !== null);
    const limited = limits.length === same.length ? { timeoutMs: Math.max(...limits) } : {};
    return { ...shellCheck("story", run, shell), story: same[0]?.story ?? "", ...limited };
  });
}

async function judge(options: CommandGateOptions, stages: readonly Stage[], signal: AbortSignal): Promise<Verdict> {
  const checks: CheckResult[] = [];
  for (const stage of stages) {
    for (const check of stage) {
      if (signal.aborted) return { result: "cut_off", checks };
      const { result, cutOff, problem } = await askedUpToTwice(check, options, signal);
      checks.push(result);
      if (problem !== undefined) return { result: "unrunnable", checks, problem };
      if (cutOff) return { result: "cut_off", checks };
    }
    if (!checks.every(isGreen)) break;
  }
  return { result: checks.every(isGreen) ? "passed" : "failed", checks };
}

/** A flaky check that was red by itself runs once more, and the second result counts. */
async function askedUpToTwice(check: Asked, options: CommandGateOptions, signal: AbortSignal): Promise<CheckRun> {
  const first = await askedOnce(check, options, signal, {});
  const { exitCode } = first.result;
  const isFinal = check.flaky !== true || exitCode === null || exitCode === 0 || first.problem !== undefined;
  return isFinal || signal.aborted ? first : askedOnce(check, options, signal, { firstExitCode: exitCode });
}

async function askedOnce(
  check: Check,
  options: CommandGateOptions,
  signal: AbortSignal,
  before: Pick<CheckResult, "firstExitCode">,
): Promise<CheckRun> {
  options.observe({ type: "check.started", command: checkLabel(check) });
  const run = await runCheck(check, options, signal);
  const result = { ...run.result, ...before };
  options.observe({ type: "check.ended", check: result, output: run.output });
  return { ...run, result };
}

function isGreen({ exitCode }: CheckResult): boolean {
  return exitCode === 0;
}

function qualityCheck(check: Check, gate: QualityGate | undefined): Asked {
  if (gate === undefined) return check;
  const { name, timeoutMs, flaky } = gate;
  return { ...check, flaky, ...(name === null ? {} : { name }), ...(timeoutMs === null ? {} : { timeoutMs }) };
}

/** `success-cmd`, else `success-sh`; undefined when neither is set. */
function successCheckOf({ successCommand, successShell }: Checks, shell: CheckShell): Check | undefined {
  if (successCommand !== null)
    return { role: "success", command: successCommand.join(" "), argv: successCommand, shell: false };
  return successShell === null ? undefined : shellCheck("success", successShell, shell);
}

/** Which shell reads the texts of checks. */
interface CheckShell {
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
function shellCheck(role: CheckResult["role"], text: string, { platform, searchPath }: CheckShell): Check {
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
