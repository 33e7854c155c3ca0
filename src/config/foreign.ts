import type { Problem } from "../core/errors.ts";
import { done, failed, type Result } from "../core/result.ts";
import { findMistake, type JsonMistake, keyLines } from "./json-lines.ts";
import { type ConfigFile, type Entry, type Environment, readEntries, type Reading, withhold } from "./read.ts";
import { suggest } from "./suggest.ts";

/** The content of another system's configuration file. */
export interface ForeignFile extends ConfigFile {
  readonly system: "solo" | "loopr";
}

/**
 * What such a file says in settings of ours. It ranks below the config file and above the preset, which it may choose
 * by giving `preset`.
 */
interface ForeignReading extends Reading {
  /** where it asks for a program that goes on after success; null: it does not */
  readonly staysOpen: string | null;
}

/** Reads the configuration files of other systems, what outranks the rest first. */
export function readForeign(files: readonly ForeignFile[]): readonly ForeignReading[] {
  return files.map((file) => withhold(file.system === "solo" ? readSoloFile(file) : readLooprFile(file), file));
}

/** Loopr's keys, and the settings of ours that say the same (L-14 to L-21). */
const LOOPR_KEYS: Readonly<Record<string, string>> = {
  MAX_CALLS_PER_HOUR: "max-calls-per-hour",
  CODEX_TIMEOUT_MINUTES: "iteration-timeout-minutes",
  MAX_ITERATIONS: "max-iterations",
  MAX_CONSECUTIVE_DONE_SIGNALS: "max-consecutive-done-signals",
  MAX_NO_PROGRESS: "max-no-progress",
  MAX_SAME_ERROR: "max-same-error",
  MAX_CONSECUTIVE_TEST_LOOPS: "max-consecutive-test-loops",
  MAX_MISSING_STATUS: "max-missing-status",
};

const ASSIGNMENT = /^([^=\s]+)\s*=\s*(.*)$/u;

/**
 * Reads `.loopr/config`: one KEY=VALUE a line, blank lines and # comments ignored (L-13). Its user gets the preset
 * loopr, unless another one is chosen (C4).
 */
function readLooprFile({ path, text }: ForeignFile): ForeignReading {
  const entries: Entry[] = [{ name: "preset", where: path, raw: "loopr" }];
  const problems: Problem[] = [];
  const lines = text.replace(/^\uFEFF/u, "").split("\n");
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, key = "", value = ""] = ASSIGNMENT.exec(line) ?? [];
    const where = `${path} line ${index + 1}${key && ` [${key}]`}`;
    const name = Object.hasOwn(LOOPR_KEYS, key) ? LOOPR_KEYS[key] : undefined;
    if (key === "") problems.push(noAssignment(where));
    else if (name === undefined) problems.push(unknownKey("Loopr", where, key, Object.keys(LOOPR_KEYS)));
    else if (value === "") problems.push(noValue(where));
    else entries.push({ name, where, raw: value });
  }
  const reading = readEntries("foreign", entries);
  return { ...reading, problems: [...problems, ...reading.problems], staysOpen: null };
}

function noAssignment(where: string): Problem {
  return {
    code: "LOOPR_CONFIG_SYNTAX",
    what: `${where}: expected KEY=VALUE. Nothing was started.`,
    next: "Correct the line, or make it a comment with # at its beginning.",
  };
}

function unknownKey(program: "Loopr" | "SOLO", where: string, key: string, known: readonly string[]): Problem {
  // As the names of settings are spelled, between which `suggest` chooses.
  const spellings = new Map(known.map((name) => [name.toLowerCase().replaceAll("_", "-"), name]));
  const meant = spellings.get(suggest(key, spellings.keys()) ?? "");
  const remove = program === "Loopr" ? `Remove it; Loopr's keys are ${known.join(", ")}.` : "Remove it.";
  return {
    code: `${program.toUpperCase()}_CONFIG_UNKNOWN`,
    what: `${where}: ${program} knows no such key.`,
    next: meant === undefined ? remove : `Did you mean ${meant}?`,
  };
}

function noValue(where: string): Problem {
  return {
    code: "LOOPR_CONFIG_EMPTY",
    what: `${where}: expected a number behind the equals sign, got nothing.`,
    next: "Give it a value, or remove the line to get the usual one.",
  };
}

/** Where SOLO's file is by default (S-05); relative to the workspace. */
export const SOLO_FILE = ".codex-solo.json";
/** seen from the Loopr root */
export const LOOPR_FILE = ".loopr/config";
/** The variable that keeps SOLO from starting by itself (S-06). */
export const AUTOSTART = "CODEX_SOLO_AUTOSTART";

/** The variable that outranks `exit_on_success` (S-13). */
const EXIT_ON_SUCCESS = "CODEX_SOLO_EXIT_ON_SUCCESS";

/** What SOLO's own switches take for no. */
export const FALSY: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/**
 * A program that stays open after success (S-13) is refused: a loop has no session on the screen to stay in.
 *
 * @param usesSolo whether SOLO's variables count
 */
export function staysOpen(
  readings: readonly ForeignReading[],
  env: Environment,
  usesSolo: boolean,
): readonly Problem[] {
  const said = env[EXIT_ON_SUCCESS]?.trim().toLowerCase() ?? "";
  const inFile = readings.map((reading) => reading.staysOpen).find((where) => where !== null);
  const where = said === "" ? inFile : usesSolo && FALSY.has(said) ? EXIT_ON_SUCCESS : undefined;
  if (where === undefined) return [];
  return [
    {
      code: "SOLO_STAYS_OPEN",
      what: `${where}: asks for a program that stays open after success. This one has no session on the screen to stay in, and always ends with the loop. Nothing was started.`,
      next: `Set exit_on_success to true, or ${EXIT_ON_SUCCESS}=1, or remove it; the agent's session stays, and the agent itself can resume it.`,
    },
  ];
}

/** SOLO's keys that are settings of ours, with the type that SOLO itself reads (S-08 to S-14). */
const SOLO_KEYS: Readonly<Record<string, { readonly setting: string; readonly type: ValueType }>> = {
  kickoff_prompt: { setting: "prompt", type: "a text" },
  continue_prompt: { setting: "continue-prompt", type: "a text" },
  done_token: { setting: "done-token", type: "a text" },
  success_cmd: { setting: "success-cmd", type: "a list of texts" },
  success_sh: { setting: "success-sh", type: "a text" },
  interval_seconds: { setting: "interval-seconds", type: "a number" },
};

/** SOLO's keys that only say how its own program behaves (S-07, S-13). */
const SWITCHES: ReadonlySet<string> = new Set(["autostart", "exit_on_success"]);

type ValueType = "a text" | "a number" | "true or false" | "a list of texts";

const NOTHING = { given: new Map(), problems: [], refused: new Set<string>(), staysOpen: null } as const;

/** Reads `.codex-solo.json` (S-05). Its user gets the preset solo, unless another one is chosen (S-17). */
function readSoloFile({ path, text }: ForeignFile): ForeignReading {
  const json = text.replace(/^\uFEFF/u, "");
  const object = parsed(json);
  if (!object.ok) return { ...NOTHING, problems: [unreadable(path, object.trouble)] };
  const lines = keyLines(json);
  const entries: Entry[] = [{ name: "preset", where: path, raw: "solo" }];
  const problems: Problem[] = [];
  let stays: string | null = null;
  for (const [key, value] of Object.entries(object.value)) {
    const line = lines.get(key);
    // Node.js 24 (V8 13.6) now and then gives a key with a backslash the name of another one that it read before.
    const where = line === undefined ? `${path} [${key}]` : `${path} line ${line} [${key}]`;
    const known = Object.hasOwn(SOLO_KEYS, key) ? SOLO_KEYS[key] : undefined;
    const type = SWITCHES.has(key) ? "true or false" : known?.type;
    if (type === undefined) problems.push(unknownKey("SOLO", where, key, [...Object.keys(SOLO_KEYS), ...SWITCHES]));
    // An optional field of SOLO that is null counts as absent.
    else if (value !== null && typeOf(value) !== type) problems.push(wrongType(where, type, value));
    else if (value !== null && known !== undefined) entries.push({ name: known.setting, where, raw: value });
    if (key === "exit_on_success" && value === false) stays = where;
  }
  const reading = readEntries("foreign", entries);
  return { ...reading, problems: [...problems, ...reading.problems], staysOpen: stays };
}

/** Whether the file asks to be used without being named (S-16). An unreadable one does, so that reading says why. */
export function wantsSolo(text: string): boolean {
  const object = parsed(text.replace(/^\uFEFF/u, ""));
  return !object.ok || object.value["autostart"] === true;
}

function parsed(json: string): Result<Readonly<Record<string, unknown>>, JsonMistake> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? done(value) : failed({ line: 1, column: 1, because: "expected an object in braces" });
  } catch {
    return failed(findMistake(json));
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): ValueType | "something else" {
  if (typeof value === "string") return "a text";
  if (typeof value === "number") return "a number";
  if (typeof value === "boolean") return "true or false";
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? "a list of texts" : "something else";
}

function unreadable(path: string, { line, column, because }: JsonMistake): Problem {
  return {
    code: "SOLO_CONFIG_SYNTAX",
    what: `${path} line ${line}, column ${column}: ${because}. Nothing was started.`,
    next: "Correct the file: one JSON object, keys and texts in double quotes, no comma behind the last.",
  };
}

/** A hostile file may hold more brackets within each other than can be written down. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "something too deep to show";
  }
}

function wrongType(where: string, expected: string, value: unknown): Problem {
  return {
    code: "SOLO_CONFIG_TYPE",
    what: `${where}: expected ${expected}, got ${written(value)}.`,
    next: "Correct the value; SOLO reads no other type here.",
  };
}
