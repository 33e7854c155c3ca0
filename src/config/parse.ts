import { parsedJson } from "../core/text.ts";
import { isDetailed } from "./settings/quality-gates.ts";
import type { ArgvSetting, ChoiceSetting, ListSetting, NumberSetting, SettingKind, SettingValue } from "./setting.ts";

/** A value, or what was expected instead of it; `cure` says how to write it when that is not obvious. */
export type Parsed =
  | { readonly ok: true; readonly value: SettingValue }
  | { readonly ok: false; readonly expected: string; readonly cure?: string };

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ...["on", "true", "yes", "1"].map((word) => [word, true] as const),
  ...["off", "false", "no", "0"].map((word) => [word, false] as const),
]);
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;

/** Reads the text of a flag, of an environment variable or of a string in the file. `text` is not empty. */
export function parseText(setting: SettingKind, text: string): Parsed {
  const word = text.trim();
  if (word === setting.unsetWord) return { ok: true, value: null };
  switch (setting.type) {
    case "string":
      return unless(setting.check?.(text), text);
    case "integer":
    case "number":
      return parseNumber(setting, DECIMAL.test(word) ? Number(word) : Number.NaN);
    case "boolean": {
      const value = SWITCH.get(word.toLowerCase());
      return value === undefined ? wanted(setting) : { ok: true, value };
    }
    case "choice":
      return setting.choices.includes(word) ? { ok: true, value: word } : wanted(setting);
    case "list":
      return word === setting.emptyWord ? { ok: true, value: [] } : checkItems(setting, items(setting, text));
    case "argv":
      return parseArgv(setting, text);
  }
}

/** Reads a value of the TOML file; strings are read as in flags and inputs. */
export function parseTomlValue(setting: SettingKind, value: unknown): Parsed {
  if (typeof value === "string") return parseText(setting, value);
  if (typeof value === "number" && (setting.type === "integer" || setting.type === "number"))
    return parseNumber(setting, value);
  if (typeof value === "boolean" && setting.type === "boolean") return { ok: true, value };
  if (setting.type === "list" && Array.isArray(value)) return checkItems(setting, value);
  if (setting.type === "argv" && isTexts(value)) return unless(setting.check?.(value), value);
  return wanted(setting);
}

/** What a setting accepts, to go after "expected". */
export function expectation(setting: SettingKind): string {
  const plain = expectedType(setting);
  return setting.unsetWord === undefined || setting.type === "choice" ? plain : `${plain}, or ${setting.unsetWord}`;
}

/** Every word that a choice accepts. */
export function acceptedWords({ choices, unsetWord }: ChoiceSetting): readonly string[] {
  return unsetWord === undefined ? choices : [...choices, unsetWord];
}

function expectedType(setting: SettingKind): string {
  switch (setting.type) {
    case "string":
      return "a text";
    case "integer":
      return `a whole number ${range(setting)}`;
    case "number":
      return `a number ${range(setting)}`;
    case "boolean":
      return "on or off";
    case "choice":
      return `one of ${acceptedWords(setting).join(", ")}`;
    case "list": {
      const plain = `a list of ${setting.choices?.join(", ") ?? "texts"}`;
      return setting.emptyWord === undefined ? plain : `${plain}, or ${setting.emptyWord}`;
    }
    case "argv":
      return 'a JSON array of texts, such as ["npm","test"]';
  }
}

function range({ min, max }: NumberSetting): string {
  return max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
}

function wanted(setting: SettingKind): Parsed {
  return { ok: false, expected: expectation(setting) };
}

function unless(expected: string | undefined, value: SettingValue): Parsed {
  return expected === undefined ? { ok: true, value } : { ok: false, expected };
}

function parseNumber(setting: NumberSetting, value: number): Parsed {
  const isWhole = setting.type === "number" || Number.isSafeInteger(value);
  // Zero with a minus sign is zero.
  return isWhole && value >= setting.min && value <= setting.max ? { ok: true, value: value + 0 } : wanted(setting);
}

/** A text that is a JSON array is one; anything else, for example `[ -f a ] && b`, is a line for a shell. */
function items({ commas, objects }: ListSetting, text: string): readonly unknown[] {
  const json = parsedJson(text);
  if (isTexts(json)) return json;
  if (objects !== undefined && isObject(json)) return [json];
  if (objects !== undefined && Array.isArray(json) && json.some(isObject)) return json;
  return text.split(commas ? /[,\r\n]/u : /\r?\n/u).map((part) => part.trim());
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseArgv(setting: ArgvSetting, text: string): Parsed {
  const words = parsedJson(text);
  if (isTexts(words)) return unless(setting.check?.(words), words);
  const guess = JSON.stringify(text.trim().split(/\s+/u));
  return { ok: false, expected: expectation(setting), cure: `write it as a JSON array, perhaps '${guess}'` };
}

function checkItems(setting: ListSetting, all: readonly unknown[]): Parsed {
  const { objects } = setting;
  if (objects === undefined) return isTexts(all) ? checkTexts(setting, all) : wanted(setting);
  const texts: string[] = [];
  for (const [at, item] of all.entries()) {
    const found = objects.read(item);
    if (!found.ok) return { ok: false, expected: `${found.expected} in item ${at + 1}`, cure: objects.cure };
    texts.push(found.text);
  }
  return checkTexts(setting, texts);
}

function checkTexts(setting: ListSetting, texts: readonly string[]): Parsed {
  const value = texts.filter((text) => text.trim() !== "");
  const { choices = value } = setting;
  return value.every((text) => choices.includes(text)) ? unless(setting.check?.(value), value) : wanted(setting);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The default as a person would write it, or how it follows from other settings; undefined when it has none. */
export function defaultText(setting: SettingKind): string | undefined {
  if (setting.derived !== undefined) return setting.derived;
  if (setting.default === null) return setting.unsetWord;
  if (setting.type === "list" && setting.default.length === 0) return setting.emptyWord;
  return setting.default === "" ? undefined : valueText(setting.default);
}

/** How a person writes an empty value; "" when there is no word for it. */
export function emptyText(setting: SettingKind): string {
  return setting.unsetWord ?? (setting.type === "list" ? setting.emptyWord : undefined) ?? "";
}

/** A value as a person would write it; undefined for nothing. */
export function valueText(value: SettingValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "object") return value.length === 0 ? undefined : `[${value.map(itemText).join(",")}]`;
  return String(value);
}

/** An item that is kept as a JSON object is written as one. */
function itemText(item: string): string {
  return isDetailed(item) ? item : JSON.stringify(item);
}
