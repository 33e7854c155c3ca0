import { messageOf, OperationalError, type Problem, UsageError } from "../core/errors.ts";
import { machineTrouble } from "../os/machine-trouble.ts";
import { plainText } from "../views/plain-text.ts";

/** An error as a person and a machine should learn of it. */
export interface PresentedError {
  /** what happened, what is unharmed, what to do next */
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly exitCode: number;
}

/** Bad usage or configuration, before anything was written (section 4.5). */
export const USAGE_EXIT_CODE = 64;
const ERROR_EXIT_CODE = 1;

export function presentError(error: unknown, program: string): PresentedError {
  if (error instanceof UsageError) {
    const text = [...error.problems.map((problem) => problemText(problem, program)), "Nothing was started or changed."];
    return { text: text.join("\n"), problems: error.problems, exitCode: USAGE_EXIT_CODE };
  }
  if (error instanceof OperationalError) {
    const problem = { code: error.code, what: error.message, next: error.next };
    return { text: problemText(problem, program), problems: [problem], exitCode: ERROR_EXIT_CODE };
  }
  return ofMachine(error, program) ?? bug(error, program);
}

/** What the machine lacks is no bug of ours, wherever it shows. */
function ofMachine(error: unknown, program: string): PresentedError | undefined {
  const trouble = machineTrouble(error);
  if (trouble === undefined) return undefined;
  const { what, next, file, done } = trouble;
  const problem: Problem = {
    code: "MACHINE",
    what: `${file === null ? "Something" : file} could not be ${done}: ${what}. The loop is kept as of its last finished step, and the work is in the work tree, unharmed.`,
    next: `${next}, then resume the loop, or give the command again where none has begun; ${program} status shows where it is.`,
  };
  return { text: problemText(problem, program), problems: [problem], exitCode: ERROR_EXIT_CODE };
}

function problemText(problem: Problem, program: string): string {
  return `${program}: ${plainText(problem.what)}\n  Next: ${plainText(problem.next)}`;
}

function bug(error: unknown, program: string): PresentedError {
  const stack = plainText(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const problem: Problem = {
    code: "BUG",
    what: `This is a bug in smithers: ${messageOf(error)}`,
    next: `Report it with the text above. The loop is kept as of its last finished step: look with ${program} status.`,
  };
  return { text: `${stack}\n${problemText(problem, program)}`, problems: [problem], exitCode: ERROR_EXIT_CODE };
}
