import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Shell } from "../../app/shell.ts";
import { messageOf, OperationalError, type Problem, UsageError } from "../../core/errors.ts";
import { findOuter } from "../../os/programs.ts";

/** A person's editor: a program, absolute, and what comes before the file's name. */
export type Editor = readonly [program: string, ...args: readonly string[]];

/**
 * The editor that `VISUAL` or `EDITOR` names, with its arguments; no shell reads them.
 *
 * @throws UsageError `EDITOR_MISSING` or `EDITOR_INVALID`
 */
export function editorOf({ env }: Shell): Editor {
  const name = ["VISUAL", "EDITOR"].find((one) => (env[one] ?? "").trim() !== "");
  if (name === undefined) throw new UsageError(missing("Neither VISUAL nor EDITOR says which editor to open"));
  const words = wordsOf(env[name] ?? "");
  const [program = "", ...args] = words ?? [];
  if (program === "") {
    const what = `${name} has a quote without an end.`;
    throw new UsageError({ code: "EDITOR_INVALID", what, next: `Correct it, as in ${name}='code --wait'.` });
  }
  const file = outside(program, env);
  if (file === undefined)
    throw new UsageError(missing(`${name} names ${program}, which is not there outside of the workspace`));
  return [file, ...args];
}

/** The pager that `PAGER` names, else `less`, with its arguments; undefined: it is not there. */
export function pagerOf({ env }: Pick<Shell, "env">): Editor | undefined {
  const named = (env["PAGER"] ?? "").trim();
  const [program = "", ...args] = wordsOf(named === "" ? "less" : named) ?? [];
  const file = program === "" ? undefined : outside(program, env);
  return file === undefined ? undefined : [file, ...args];
}

function outside(program: string, env: Shell["env"]): string | undefined {
  if (path.isAbsolute(program)) return program;
  return program.includes("/") ? undefined : findOuter(program, env["PATH"])?.file;
}

function missing(why: string): Problem {
  return {
    code: "EDITOR_MISSING",
    what: `${why}.`,
    next: "Set EDITOR to your editor, as in EDITOR='code --wait'; or edit the file yourself and validate it.",
  };
}

/** The words of a text as a shell would part them, by spaces, quotes and backslashes alone; undefined: a quote is open. */
export function wordsOf(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === quote) quote = "";
    else if (quote === "" && (sign === '"' || sign === "'")) [quote, word] = [sign, word ?? ""];
    else if (sign === "\\" && quote !== "'" && at + 1 < text.length) word = (word ?? "") + text.charAt((at += 1));
    else if (quote !== "" || !/\s/u.test(sign)) word = (word ?? "") + sign;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote !== "") return undefined;
  return word === undefined ? words : [...words, word];
}

/**
 * Lets a person edit a file, until the editor ends.
 *
 * @param file absolute
 * @throws OperationalError `EDITOR_FAILED` when it cannot be started, or ends with an error
 */
export async function openEditor(editor: Editor, file: string, shell: Shell): Promise<void> {
  const why = await openIn(editor, file, shell);
  if (why !== undefined) throw failed(editor[0], why);
}

/**
 * Opens a file in a program on this terminal, until that ends.
 *
 * @param file absolute
 * @returns why it could not be started or ended with an error; undefined: all went well
 */
export async function openIn(
  [program, ...args]: Editor,
  file: string,
  { env, cwd }: Shell,
): Promise<string | undefined> {
  // Ctrl+C is the program's.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    const child = spawn(program, [...args, file], { cwd, env: { ...env }, stdio: "inherit" });
    const [exitCode]: (number | null)[] = await once(child, "exit");
    if (exitCode === 0) return undefined;
    return exitCode === null ? "it was killed" : `it ended with ${exitCode}`;
  } catch (error) {
    return messageOf(error);
  } finally {
    process.off("SIGINT", ignore);
  }
}

function failed(program: string, why: string): OperationalError {
  return new OperationalError({
    code: "EDITOR_FAILED",
    what: `The editor ${program} did not do it: ${why}. The PRD is as it was; what was edited is kept beside it.`,
    next: "Give the command again to go on with what was edited.",
  });
}
