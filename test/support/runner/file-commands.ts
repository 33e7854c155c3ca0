import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** The runner takes no longer summary; UTF-8 bytes. */
const SUMMARY_LIMIT = 1_048_576;

const FILES = {
  GITHUB_OUTPUT: "set_output",
  GITHUB_STATE: "save_state",
  GITHUB_ENV: "set_env",
  GITHUB_PATH: "add_path",
  GITHUB_STEP_SUMMARY: "step_summary",
} as const;

/** The paths of a stage's file commands by the name of their variable. */
export type FileCommands = Readonly<Record<keyof typeof FILES, string>>;

/** What a stage has said through its files. */
export interface FileCommandResult {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  /** "" when it is missing or too long */
  readonly summary: string;
  /** each makes the step fail */
  readonly problems: readonly string[];
  /** annotations of the runner's own, which fail nothing */
  readonly warnings: readonly string[];
}

/** Makes fresh empty files for one stage. */
export async function createFileCommands(temp: string): Promise<FileCommands> {
  const folder = path.join(temp, "_runner_file_commands");
  const id = randomUUID();
  await mkdir(folder, { recursive: true });
  const make = async (variable: keyof typeof FILES): Promise<string> => {
    const file = path.join(folder, `${FILES[variable]}_${id}`);
    await writeFile(file, "");
    return file;
  };
  return {
    GITHUB_OUTPUT: await make("GITHUB_OUTPUT"),
    GITHUB_STATE: await make("GITHUB_STATE"),
    GITHUB_ENV: await make("GITHUB_ENV"),
    GITHUB_PATH: await make("GITHUB_PATH"),
    GITHUB_STEP_SUMMARY: await make("GITHUB_STEP_SUMMARY"),
  };
}

/** Reads what a stage has left, however it ended. */
export async function readFileCommands(files: FileCommands): Promise<FileCommandResult> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const pairs = async (variable: keyof typeof FILES): Promise<Record<string, string>> => {
    try {
      return parsePairs(await readFile(files[variable], "utf8"));
    } catch (error) {
      problems.push(`Unable to process file command '${variable}': ${String(error)}`);
      return {};
    }
  };
  const outputs = await pairs("GITHUB_OUTPUT");
  const state = await pairs("GITHUB_STATE");
  const env = await pairs("GITHUB_ENV");
  if ("NODE_OPTIONS" in env) problems.push("NODE_OPTIONS cannot be set through GITHUB_ENV.");
  const added = (await readFile(files.GITHUB_PATH, "utf8")).split(/\r?\n/u).filter((line) => line !== "");
  const summary = await readFile(files.GITHUB_STEP_SUMMARY);
  const tooLong = summary.byteLength > SUMMARY_LIMIT;
  if (tooLong) warnings.push(`The summary of ${summary.byteLength} bytes is dropped: it is longer than 1 MiB.`);
  return { outputs, state, env, path: added, summary: tooLong ? "" : summary.toString(), problems, warnings };
}

/**
 * `name=value`, or `name<<DELIMITER` and lines up to one that is the delimiter.
 *
 * @throws Error for anything else, and for a delimiter that never comes
 */
export function parsePairs(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/u);
  const pairs: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      pairs[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    const [name, delimiter] = [line.slice(0, heredoc), line.slice(heredoc + 2)];
    if (heredoc <= 0 || delimiter === "") throw new Error(`Invalid format '${line}'`);
    const end = lines.indexOf(delimiter, at + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    pairs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return pairs;
}
