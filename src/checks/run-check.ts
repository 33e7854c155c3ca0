import { StringDecoder } from "node:string_decoder";
import { finished } from "node:stream/promises";
import { stripVTControlCharacters } from "node:util";
import type { Problem } from "../core/errors.ts";
import type { Clock } from "../core/ports.ts";
import type { CheckResult } from "../core/verdict.ts";
import { type Isolation, surroundingsIn, whyNotStarted } from "../os/isolation/isolation.ts";
import type { Refusal } from "../os/isolation/refusal.ts";
import { lackToStart } from "../os/machine-trouble.ts";
import { type Exit, NOT_ISOLATED, supervise } from "../os/supervise.ts";

/** One command that proves something. */
export interface Check {
  readonly role: CheckResult["role"];
  /** as a person would type it */
  readonly command: string;
  readonly argv: readonly string[];
  /** whether `argv` is a shell around the person's text: it starts even when the command in it does not exist */
  readonly shell: boolean;
  /** whether `argv` is quoted already as its program on Windows wants it */
  readonly verbatim?: true;
  /** for people */
  readonly name?: string;
  /** whose criterion names it */
  readonly story?: string;
  /** how long it may run; absent: as long as any check */
  readonly timeoutMs?: number;
}

/** Where and how checks run (C26). */
export interface CheckOptions {
  readonly workspaceRoot: string;
  /** the whole environment of a check; the caller has filtered it */
  readonly env: Readonly<Record<string, string>>;
  /** variables of the check alone, which the programs that isolate it do not get; absent: none */
  readonly inside?: Readonly<Record<string, string>>;
  /** marks everything that a check starts, so that it can be found and killed */
  readonly mark: string;
  /** of one check that does not say */
  readonly timeoutMs: number;
  /** puts a command into the agent's sandbox (`check-sandbox: strict`) */
  readonly wrap?: (argv: readonly string[]) => readonly string[];
  /** how checks are isolated (`check-sandbox: auto`); absent, or undefined: they are not */
  readonly isolation?: () => Promise<Isolation | undefined>;
  readonly clock: Clock;
}

/** A check that ran, was cut off, or could not be started. */
export interface CheckRun {
  readonly result: CheckResult;
  /** see `OutputTail.whole` */
  readonly output: { readonly text: string; readonly cut: boolean };
  readonly cutOff: boolean;
  readonly problem: Problem | undefined;
}

/** Runs one check to its end. When the promise resolves, nothing that it started is left. */
export async function runCheck(check: Check, options: CheckOptions, signal: AbortSignal): Promise<CheckRun> {
  const { workspaceRoot: cwd, env, inside = {}, mark, wrap, isolation, clock } = options;
  const { role, name, story, timeoutMs = options.timeoutMs } = check;
  const [command, ...args] = wrap?.([...setting(inside), ...check.argv]) ?? check.argv;
  if (command === undefined) throw new Error("a check without a command");
  const isolated = await isolation?.();
  const surroundings = await surroundingsIn(isolated, env, wrap === undefined ? inside : {});
  const begun = clock.now();
  const child = supervise({ command, args, cwd, mark, signal, timeoutMs, verbatim: check.verbatim, ...surroundings });
  const tail = new OutputTail();
  child.stdout.on("data", tail.stream());
  child.stderr.on("data", tail.stream());
  const [exit] = await Promise.all([child.exit, finished(child.stdout), finished(child.stderr)]);
  // What knows all the runners is read when a check has ended, so that no agent's start waits for it.
  const { readTestReport } = await import("../core/progress/test-report.ts");
  const { readFigures } = await import("../core/progress/figures.ts");
  const said = tail.whole();
  const result: CheckResult = {
    role,
    ...(story === undefined ? {} : { story }),
    ...(name === undefined ? {} : { name }),
    command: check.command,
    exitCode: exit.ended === "exited" ? exit.exitCode : null,
    timedOut: exit.ended === "timed_out",
    durationMs: Math.max(0, clock.now() - begun),
    tail: tail.text(),
    tests: exit.ended === "exited" ? readTestReport(said.text, { root: cwd, cut: said.cut }) : null,
    ...(exit.ended === "exited" ? readFigures(said.text) : {}),
  };
  const refusal = isRed(result) ? await isolated?.refusal(said.text) : undefined;
  const problem = problemOf(check, command, exit, result) ?? (refusal && refusedInside(check, refusal));
  return { result, output: said, cutOff: exit.ended === "aborted", problem };
}

/** What puts variables before a command, where another program starts it. */
function setting(variables: Readonly<Record<string, string>>): readonly string[] {
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? [] : ["/usr/bin/env", ...pairs];
}

function isRed({ exitCode }: CheckResult): boolean {
  return exitCode !== null && exitCode !== 0;
}

/** Why a check could not be started: not a red verdict, because no work of the agent would turn it green. */
function problemOf(check: Check, command: string, exit: Exit, result: CheckResult): Problem | undefined {
  if (exit.ended === "not_started" && exit.error?.code === NOT_ISOLATED) return notStartedInside(check, result.tail);
  if (exit.ended === "not_started") return unstarted(check, command, exit.error);
  if (!check.shell || exit.ended !== "exited" || (exit.exitCode !== 126 && exit.exitCode !== 127)) return undefined;
  // What a criterion names, the agent may have yet to make.
  if (check.role === "story") return undefined;
  // A script may end with these numbers as well, for its own reasons; then it is not bash that complains.
  const complaint = result.tail.split("\n").findLast((line) => line.startsWith("bash: "));
  return complaint === undefined ? undefined : unrunnable(check, complaint);
}

/** Bubblewrap says on stderr what it could not do: to find the program, or to isolate it. */
function notStartedInside(check: Check, tail: string): Problem {
  const said = whyNotStarted(tail) ?? "it does not say why";
  const [, program = "", why = ""] = /^execvp (.+): (.+)$/u.exec(said) ?? [];
  if (why.startsWith("No such file")) return unrunnable(check, `${program} was not found`);
  if (program !== "") return unrunnable(check, `${program} is not executable`);
  return {
    code: "CHECK_NOT_ISOLATED",
    what: `The ${check.role} check \`${check.command}\` did not run, because it could not be isolated: ${said}. It says nothing about the work.`,
    next: "Run smithers doctor on this machine; --check-sandbox off runs checks as you, with everything that you can do.",
  };
}

/** The work may be right: outside this would not have failed. */
function refusedInside(check: Check, { line, path, access }: Refusal): Problem {
  const keeps = path === "" ? "other users, and the owners of files," : path;
  return {
    code: "CHECK_NEEDS_ACCESS",
    what: `The ${check.role} check \`${check.command}\` failed because it is isolated, which keeps ${keeps} from it, as its own output says: ${line.slice(0, 300)}. It says nothing about the work, which is kept.`,
    next: openingOf(path, access),
  };
}

function openingOf(path: string, access: string | undefined): string {
  if (path === "")
    return "Do it in a step before the loop, or correct the check; --check-sandbox off runs checks as you. Then resume the loop.";
  return access === undefined
    ? "Correct the check: to open this would open your files or secrets to what the agent wrote. Then resume the loop."
    : `If the check needs it, open it: --check-access ${access} (in a workflow check-access: ${access}), then resume the loop. If it should not touch it, correct the check; --check-sandbox off runs checks as you.`;
}

function unstarted(check: Check, command: string, error: NodeJS.ErrnoException | undefined): Problem {
  const lack = lackToStart(error);
  if (lack !== undefined) return unrunnable(check, lack.what, `${lack.next}, then resume the loop.`);
  if (error?.code === "ENOENT") return unrunnable(check, `${command} was not found`);
  if (error?.code === "EACCES") return unrunnable(check, `${command} is not executable`);
  return unrunnable(check, error?.message ?? `${command} did not start`);
}

const INSTALL =
  "Install what is missing, try the command by hand in the workspace, then resume the loop; another command is another task: start it with `smithers run`.";

function unrunnable(check: Check, why: string, next = INSTALL): Problem {
  return {
    code: "CHECK_UNRUNNABLE",
    what: `The ${check.role} check \`${check.command}\` cannot be run: ${why}. It says nothing about the work.`,
    next,
  };
}

const TAIL_BYTES = 8_192;
/** Kept while streaming (UTF-16 units): test runners print among much else, and codes need room as well. */
const KEPT = 262_144;

/**
 * The end of a command's output, in the order of arrival, in bounded memory, without ANSI codes and other control
 * characters. Of a line that was drawn over (a progress bar) the last state stays.
 */
export class OutputTail {
  #text = "";
  #cut = false;

  /** A writer for one stream; a character whose bytes arrive in pieces is put together. */
  stream(): (chunk: Buffer) => void {
    const decoder = new StringDecoder("utf8");
    return (chunk) => this.#append(decoder.write(chunk));
  }

  #append(piece: string): void {
    this.#text += piece;
    if (this.#text.length <= 2 * KEPT) return;
    this.#text = this.#text.slice(-KEPT);
    this.#cut = true;
  }

  /** For people and prompts: at most 8 KiB of valid UTF-8. */
  text(): string {
    return endOf(Buffer.from(this.whole().text.trim()));
  }

  /** All that is kept: at most 512 KiB. `cut`: the beginning is missing. */
  whole(): { readonly text: string; readonly cut: boolean } {
    // The first line may begin within an ANSI code.
    const whole = this.#cut ? this.#text.slice(this.#text.indexOf("\n") + 1) : this.#text;
    const lines = stripVTControlCharacters(whole).replaceAll("\r\n", "\n").split("\n").map(lastDrawing);
    return { text: lines.join("\n"), cut: this.#cut };
  }
}

function lastDrawing(line: string): string {
  const drawn = line.split("\r").findLast((part) => part !== "") ?? "";
  return drawn.replaceAll(/[^\P{Cc}\t]/gu, "");
}

function endOf(bytes: Buffer): string {
  if (bytes.length <= TAIL_BYTES) return bytes.toString("utf8");
  let start = bytes.length - TAIL_BYTES;
  // 10xxxxxx continues a character.
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start++;
  return bytes.toString("utf8", start);
}
