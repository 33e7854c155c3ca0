import type { Problem } from "../../core/errors.ts";
import { readEntries, type Entry } from "../read.ts";
import { suggest } from "../suggest.ts";
import type { ForeignFile, ForeignReading } from "./foreign.ts";
import { findMistake, keyLines, type JsonMistake } from "./json-lines.ts";

/** Where SOLO's file lies when nobody says otherwise (S-05); seen from the workspace. */
export const SOLO_FILE = ".codex-solo.json";
/** The variable that keeps SOLO from starting by itself (S-06). */
export const AUTOSTART = "CODEX_SOLO_AUTOSTART";

/** SOLO's keys that are settings of ours, with the type that SOLO itself reads (S-08 to S-14). */
const KEYS: Readonly<Record<string, { readonly setting: string; readonly type: ValueType }>> = {
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

const NOTHING = { given: new Map(), problems: [], refused: new Set<string>(), notices: [] } as const;

/** Reads `.codex-solo.json` (S-05). Whoever uses it gets the preset solo, unless another one is chosen (S-17). */
export function readSoloFile({ path, text }: ForeignFile): ForeignReading {
  const json = text.replace(/^\uFEFF/u, "");
  const object = parsed(json);
  if ("mistake" in object) return { ...NOTHING, problems: [unreadable(path, object.mistake)] };
  const lines = keyLines(json);
  const entries: Entry[] = [{ name: "preset", where: path, raw: "solo" }];
  const problems: Problem[] = [];
  const notices: string[] = [];
  for (const [key, value] of Object.entries(object.value)) {
    const where = `${path} line ${lines.get(key)} [${key}]`;
    const known = KEYS[key];
    const type = SWITCHES.has(key) ? "true or false" : known?.type;
    if (type === undefined) problems.push(unknownKey(where, key));
    // An optional field of SOLO that is null is as good as none.
    else if (value !== null && typeOf(value) !== type) problems.push(wrongType(where, type, value));
    else if (value !== null && known !== undefined) entries.push({ name: known.setting, where, raw: value });
    if (key === "exit_on_success" && value === false) {
      notices.push(`${where} has no effect: the program always ends with the loop.`);
    }
  }
  const reading = readEntries("foreign", entries);
  return { ...reading, problems: [...problems, ...reading.problems], notices };
}

/** Whether the file asks to be used without having been named (S-16). One that cannot be read is read, to say why. */
export function wantsSolo(text: string): boolean {
  const object = parsed(text.replace(/^\uFEFF/u, ""));
  return "mistake" in object || object.value["autostart"] === true;
}

type ParsedObject = { readonly value: Readonly<Record<string, unknown>> } | { readonly mistake: JsonMistake };

function parsed(json: string): ParsedObject {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? { value } : { mistake: { line: 1, column: 1, reason: "expected an object in braces" } };
  } catch {
    return { mistake: findMistake(json) };
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

function unreadable(path: string, { line, column, reason }: JsonMistake): Problem {
  return {
    code: "SOLO_CONFIG_SYNTAX",
    what: `${path} line ${line}, column ${column}: ${reason}. Nothing was started.`,
    next: "Correct the file: one JSON object, keys and texts in double quotes, no comma behind the last.",
  };
}

function unknownKey(where: string, key: string): Problem {
  const known = [...Object.keys(KEYS), ...SWITCHES].map((name) => name.replaceAll("_", "-"));
  const meant = suggest(key, known)?.replaceAll("-", "_");
  return {
    code: "SOLO_CONFIG_UNKNOWN",
    what: `${where}: SOLO knows no such key.`,
    next: meant === undefined ? "Remove it." : `Did you mean ${meant}?`,
  };
}

function wrongType(where: string, expected: string, value: unknown): Problem {
  return {
    code: "SOLO_CONFIG_TYPE",
    what: `${where}: expected ${expected}, got ${JSON.stringify(value)}.`,
    next: "Correct the value; SOLO reads no other type here.",
  };
}
