import type {
  ArgvSetting,
  BooleanSetting,
  ChoiceSetting,
  ListSetting,
  NumberSetting,
  Setting,
  SettingValue,
  TextSetting,
} from "./setting.ts";

/** A value, or what was expected instead of it; `cure` says how to write it when that is not plain. */
export type Parsed =
  | { readonly ok: true; readonly value: SettingValue }
  | { readonly ok: false; readonly expected: string; readonly cure?: string };

const TRUE = new Set(["on", "true", "yes", "1"]);
const FALSE = new Set(["off", "false", "no", "0"]);
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;

/** Reads the text of a flag, of an environment variable or of a string in the file. `text` is not empty. */
export function parseText(setting: Setting, text: string): Parsed {
  if (text.trim() === setting.unsetWord) return { ok: true, value: null };
  if (setting.type === "list" && text.trim() === setting.emptyWord) return { ok: true, value: [] };
  switch (setting.type) {
    case "string":
      return checkText(setting, text);
    case "integer":
    case "number":
      return DECIMAL.test(text.trim()) ? parseNumber(setting, Number(text)) : wanted(setting);
    case "boolean":
      return parseSwitch(setting, text.trim().toLowerCase());
    case "choice":
      return setting.choices.includes(text.trim()) ? { ok: true, value: text.trim() } : wanted(setting);
    case "list":
      return checkTexts(setting, items(setting, text));
    case "argv":
      return parseArgv(setting, text);
  }
}

/** Reads a value of the TOML file; strings are read as everywhere else. */
export function parseTomlValue(setting: Setting, value: unknown): Parsed {
  if (typeof value === "string") return parseText(setting, value);
  if (typeof value === "number" && (setting.type === "integer" || setting.type === "number")) {
    return parseNumber(setting, value);
  }
  if (typeof value === "boolean" && setting.type === "boolean") return { ok: true, value };
  if ((setting.type === "list" || setting.type === "argv") && isTexts(value)) return checkTexts(setting, value);
  return wanted(setting);
}

/** What a setting accepts, to go after "expected". */
export function expectation(setting: Setting): string {
  const plain = expectedType(setting);
  return setting.unsetWord === undefined || setting.type === "choice" ? plain : `${plain}, or ${setting.unsetWord}`;
}

/** Every word that a choice accepts. */
export function acceptedWords(setting: ChoiceSetting): readonly string[] {
  return setting.unsetWord === undefined ? setting.choices : [...setting.choices, setting.unsetWord];
}

function expectedType(setting: Setting): string {
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
    case "list":
      return expectedList(setting);
    case "argv":
      return 'a JSON array of texts, such as ["npm","test"]';
  }
}

function expectedList({ choices, emptyWord }: ListSetting): string {
  const plain = choices === undefined ? "a list of texts" : `a list of ${choices.join(", ")}`;
  return emptyWord === undefined ? plain : `${plain}, or ${emptyWord}`;
}

function range(setting: NumberSetting): string {
  return setting.max === Number.MAX_SAFE_INTEGER
    ? `of at least ${setting.min}`
    : `from ${setting.min} to ${setting.max}`;
}

function wanted(setting: Setting): Parsed {
  return { ok: false, expected: expectation(setting) };
}

function parseNumber(setting: NumberSetting, value: number): Parsed {
  const whole = setting.type === "number" || Number.isSafeInteger(value);
  const fits = value >= setting.min && value <= setting.max;
  return whole && fits ? { ok: true, value } : wanted(setting);
}

function parseSwitch(setting: BooleanSetting, word: string): Parsed {
  if (TRUE.has(word)) return { ok: true, value: true };
  return FALSE.has(word) ? { ok: true, value: false } : wanted(setting);
}

/** A text that is a JSON array is one; anything else, such as `[ -f a ] && b`, is a line for a shell. */
function items(setting: ListSetting, text: string): readonly string[] {
  const array = jsonTexts(text);
  if (array !== undefined) return array;
  const parts = text.split(setting.commas ? /[,\r\n]/u : /\r?\n/u);
  return parts.map((part) => part.trim());
}

function parseArgv(setting: ArgvSetting, text: string): Parsed {
  const words = jsonTexts(text);
  if (words !== undefined) return checkTexts(setting, words);
  const guess = JSON.stringify(text.trim().split(/\s+/u));
  return { ok: false, expected: expectation(setting), cure: `write it as a JSON array, perhaps '${guess}'` };
}

function checkText(setting: TextSetting, value: string): Parsed {
  const expected = setting.check?.(value);
  return expected === undefined ? { ok: true, value } : { ok: false, expected };
}

function checkTexts(setting: ListSetting | ArgvSetting, texts: readonly string[]): Parsed {
  const value = setting.type === "list" ? texts.filter((text) => text.trim() !== "") : texts;
  if (setting.type === "list" && !isChosenFrom(setting.choices, value)) return wanted(setting);
  const expected = setting.check?.(value);
  return expected === undefined ? { ok: true, value } : { ok: false, expected };
}

function isChosenFrom(choices: readonly string[] | undefined, texts: readonly string[]): boolean {
  return choices === undefined || texts.every((text) => choices.includes(text));
}

function jsonTexts(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTexts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The default as a person would write it, or how it follows from other settings; undefined when there is none. */
export function defaultText(setting: Setting): string | undefined {
  if (setting.derived !== undefined) return setting.derived;
  if (setting.default === null) return setting.unsetWord;
  if (setting.type === "list" && setting.default.length === 0) return setting.emptyWord;
  return setting.default === "" ? undefined : valueText(setting.default);
}

/** How a person writes that there is nothing; "" where no word says so. */
export function emptyText(setting: Setting): string {
  return setting.unsetWord ?? (setting.type === "list" ? setting.emptyWord : undefined) ?? "";
}

/** A value as a person would write it; undefined for nothing. */
export function valueText(value: SettingValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "object") return value.length === 0 ? undefined : JSON.stringify(value);
  return String(value);
}
