import { parse, TomlError } from "smol-toml";
import type { Problem } from "../core/errors.ts";
import { INPUT_PREFIX } from "./action.ts";
import type { Given, Source } from "./config.ts";
import { parseTomlValue } from "./parse.ts";
import {
  emptyValue,
  invalidValue,
  misplaced,
  noCommand,
  saidAgain,
  secretShown,
  twice,
  unknownName,
} from "./problems.ts";
import { allowedIn, ENVIRONMENT_PREFIX, type Setting } from "./setting.ts";
import { SETTING_BY_NAME, SETTINGS } from "./settings.ts";
import { suggest } from "./suggest.ts";

/** Flags by the setting's name or alias; every occurrence is one text, switches are "on" or "off". */
export type Flags = Readonly<Record<string, readonly string[]>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a person says for this very run. */
export interface Said {
  readonly flags: Flags;
  readonly env: Environment;
  /** the Action's environment, with the variables of its inputs; absent: this is the command line */
  readonly inputs?: Environment;
}

/** The content of the config file. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** names of settings that it may not say, because nobody has agreed to them; absent: it may say everything */
  readonly withheld?: ReadonlySet<string>;
}

/** What one place says, by the setting's name. */
export interface Reading {
  readonly given: ReadonlyMap<string, Given>;
  readonly problems: readonly Problem[];
  /** settings that were meant to be given and are not: what follows from that is not worth a message */
  readonly refused: ReadonlySet<string>;
}

/** `foreign`: in the configuration file of another system, which may say what the config file may. */
type WrittenIn = "flag" | "input" | "environment" | "file" | "foreign";

/** Where a secret may be written without others seeing it. */
const CONFIDENTIAL: ReadonlySet<WrittenIn> = new Set(["input", "environment"]);

/** A value as it was written. */
export interface Entry {
  /** name or alias */
  readonly name: string;
  readonly where: string;
  /** a text, or any TOML value */
  readonly raw: unknown;
}

/** Reads everything that is said for this very run, what outranks the rest first. */
export function readSaid({ flags, inputs, env }: Said): readonly Reading[] {
  return [readFlags(flags), ...(inputs === undefined ? [] : [readInputs(inputs)]), readEnvironment(env)];
}

/** Reads the command line's flags. */
function readFlags(flags: Flags): Reading {
  const entries = Object.entries(flags).flatMap(([name, texts]) =>
    texts.map((raw) => ({ name, where: `--${name}`, raw })),
  );
  return readEntries("flag", entries);
}

/**
 * Reads what a workflow gives to the Action under `with:` from the runner's variables. An empty input counts as not
 * set; the runner itself warns about unknown names.
 */
function readInputs(env: Environment): Reading {
  const entries = Object.entries(env).flatMap(([variable, text]) => {
    const raw = text?.trim() ?? "";
    if (!variable.startsWith(INPUT_PREFIX) || raw === "") return [];
    const name = variable.slice(INPUT_PREFIX.length).toLowerCase();
    return SETTING_BY_NAME.has(name) ? [{ name, where: `input ${name}`, raw }] : [];
  });
  return readEntries("input", entries);
}

/** Reads our environment variables; a foreign one with our prefix is only a problem when it looks like a misspelling. */
function readEnvironment(env: Environment): Reading {
  const theirs = SETTINGS.flatMap(({ name, theirVariable: where }) => {
    const raw = where === undefined ? undefined : env[where];
    return where === undefined || raw === undefined ? [] : [{ name, where, raw }];
  });
  const ours = Object.entries(env).flatMap(([where, raw]) => {
    if (!where.startsWith(ENVIRONMENT_PREFIX) || raw === undefined) return [];
    const name = where.slice(ENVIRONMENT_PREFIX.length).toLowerCase().replaceAll("_", "-");
    const meant = SETTING_BY_NAME.has(name) || suggest(name, SETTING_BY_NAME.keys()) !== undefined;
    return meant ? [{ name, where, raw }] : [];
  });
  // Of two values for one setting the last counts, which is ours.
  return readEntries("environment", [...theirs, ...ours]);
}

/** Reads the config file (D-41). A syntax error is told with line and column, and the whole file is ignored. */
export function readConfigFile(file: ConfigFile | undefined): Reading {
  if (file === undefined) return readEntries("file", []);
  const source = file.text.replace(/^\uFEFF/u, "");
  try {
    const lines = linesOf(source);
    const entries = Object.entries(parse(source, { unsafeKeyBehaviour: "throw" })).map(([name, raw]) => ({
      name,
      where: `${file.path} line ${lines.get(name) ?? 0} [${name}]`,
      raw,
    }));
    return withhold(readEntries("file", entries), file);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { given: new Map(), problems: [notToml(file.path, error)], refused: new Set(SETTING_BY_NAME.keys()) };
  }
}

/** What a file says, without what it may not say. Mistakes are told all the same. */
export function withhold<Read extends Reading>(reading: Read, { withheld }: ConfigFile): Read {
  if (withheld === undefined) return reading;
  return { ...reading, given: new Map([...reading.given].filter(([name]) => !withheld.has(name))) };
}

/** Reads what one place says, in the order in which it says so. */
export function readEntries(from: WrittenIn, entries: readonly Entry[]): Reading {
  const given = new Map<string, Given>();
  const problems: Problem[] = [];
  const refused = new Set<string>();
  const writtenAs = new Map<string, Entry>();
  for (const entry of entries) {
    const setting = SETTING_BY_NAME.get(entry.name);
    if (setting === undefined) {
      const meant = suggest(entry.name, SETTING_BY_NAME.keys());
      problems.push(unknownName(from, entry.where, meant));
      if (meant !== undefined) refused.add(SETTING_BY_NAME.get(meant)?.name ?? meant);
      continue;
    }
    const earlier = writtenAs.get(setting.name);
    writtenAs.set(setting.name, entry);
    const taken = take(setting, { from, where: entry.where }, entry.raw);
    if (setting.once === true && given.has(setting.name)) {
      problems.push(saidAgain(setting, entry.where));
      refused.add(setting.name);
    } else if (earlier !== undefined && earlier.name !== entry.name)
      problems.push(twice(setting, earlier.where, entry.where));
    else if (taken !== undefined && "code" in taken) {
      problems.push(taken);
      refused.add(setting.name);
    } else if (taken !== undefined) given.set(setting.name, joined(setting, given.get(setting.name), taken));
  }
  return { given, problems, refused };
}

/** What one entry says: a value, a problem, or nothing because it is empty. */
function take(setting: Setting, source: Source & { from: WrittenIn }, raw: unknown): Given | Problem | undefined {
  const { from, where } = source;
  if (setting.secret && !CONFIDENTIAL.has(from)) return secretShown(setting, where);
  if (!allowedIn(setting, from === "foreign" ? "file" : from)) return misplaced(setting, where);
  if (from === "flag" && setting.empty === "flag-error" && saysNothing(raw)) return noCommand(where);
  // An empty list where a program is expected was meant to be one.
  const isNoProgram = Array.isArray(raw) && setting.type === "argv" && setting.check !== undefined;
  if (isEmpty(raw) && !isNoProgram && setting.empty !== "value")
    return setting.empty === "error" ? emptyValue(setting, where) : undefined;
  const parsed = parseTomlValue(setting, raw);
  return parsed.ok ? { value: parsed.value, source } : invalidValue(setting, where, raw, parsed);
}

/** Of a flag: an empty text, or a list that is written and has nothing in it. */
function saysNothing(raw: unknown): boolean {
  return typeof raw === "string" && /^\s*(?:\[\s*\])?\s*$/u.test(raw);
}

function isEmpty(raw: unknown): boolean {
  return typeof raw === "string" ? raw.trim() === "" : Array.isArray(raw) && raw.length === 0;
}

/** Lists add up; of everything else the last value counts. */
function joined(setting: Setting, earlier: Given | undefined, later: Given): Given {
  if (setting.type !== "list" || earlier === undefined) return later;
  const texts = [earlier, later].flatMap(({ value }) => (Array.isArray(value) ? value : []));
  return { value: texts, source: later.source };
}

function notToml(path: string, error: TomlError): Problem {
  const [reason = ""] = error.message.split("\n", 1);
  return {
    code: "CONFIG_FILE_SYNTAX",
    what: `${path} line ${error.line}, column ${error.column}: ${reason.replace(/^Invalid TOML document: /u, "")}.`,
    next: "Correct the file: one `name = value` a line, texts in quotes, lists in brackets.",
  };
}

/** What opens, closes or hides something, and line ends. A text without an end is one sign: it is looked at once. */
const SIGN = /"""|'''|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/gu;
const OPENING = /\s*(?:\[+\s*)?(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|(?<bare>[\w-]+))\s*[=.\]]/uy;

/** The 1-based lines on which the keys of a TOML text first stand, in one pass; the parser does not tell them. */
function linesOf(source: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  let depth = 0;
  const begin = (at: number): void => {
    OPENING.lastIndex = at;
    const { double, single, bare } = OPENING.exec(source)?.groups ?? {};
    const key = double ?? single ?? bare;
    if (depth === 0 && key !== undefined && !lines.has(key)) lines.set(key, line);
  };
  begin(0);
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(source); sign !== null; sign = SIGN.exec(source)) {
    const [text] = sign;
    if (text === "[" || text === "{") depth += 1;
    else if (text === "]" || text === "}") depth -= 1;
    else if (text === '"""' || text === "'''") {
      const end = endOfText(source, text, SIGN.lastIndex);
      line += source.slice(SIGN.lastIndex, end).split("\n").length - 1;
      SIGN.lastIndex = end;
    } else if (text === "\n") {
      line += 1;
      begin(SIGN.lastIndex);
    }
  }
  return lines;
}

/** Behind the quotation marks that end a text of several lines. */
function endOfText(source: string, marks: string, from: number): number {
  for (let at = source.indexOf(marks, from); at !== -1; at = source.indexOf(marks, at + 1)) {
    const escapes = marks === '"""' ? (/\\*$/u.exec(source.slice(Math.max(from, at - 64), at))?.[0].length ?? 0) : 0;
    if (escapes % 2 === 0) return at + marks.length;
  }
  return source.length;
}
