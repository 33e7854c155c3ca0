import { acceptedWords, defaultText, emptyText, valueText } from "./parse.ts";
import type { Resolved } from "./resolve.ts";
import { itemOf } from "./settings/quality-gates.ts";
import {
  allowedIn,
  concerns,
  environmentName,
  namesOf,
  propertyName,
  type BooleanSetting,
  type Setting,
  type SettingValue,
} from "./setting.ts";
import { SETTINGS } from "./settings.ts";

/** What a command line needs to know about a setting. */
export interface SettingFlag {
  /** the setting's name, under which its texts go into `Flags` */
  readonly name: string;
  /** the names of the flag, the setting's own first: `--max-iterations` */
  readonly flags: readonly string[];
  /** the flag that switches it off: `--no-check-first`; only of a switch, which takes no value */
  readonly negated?: string;
  /** what the value is, for the help: `<number>`; undefined for a switch */
  readonly value?: string;
  /** the only values that it takes; undefined: others as well */
  readonly choices?: readonly string[];
  /** whether the flag may be given several times, each adding to the last */
  readonly repeatable: boolean;
  readonly help: string;
  /** undefined when it has no default */
  readonly defaultText?: string;
  readonly environment: string;
  /** the heading in the help */
  readonly group: string;
  /** hidden from the help: giving it is answered with what to do instead */
  readonly hidden: boolean;
}

const LONGEST_VALUE = 60;

/** The flags of all settings, in the order of the table. */
export function settingFlags(): readonly SettingFlag[] {
  return SETTINGS.map((setting) => {
    const usual = defaultText(setting);
    return {
      name: setting.name,
      flags: namesOf(setting).map((name) => `--${name}`),
      ...(setting.type === "boolean" ? { negated: `--no-${setting.name}` } : { value: placeholder(setting) }),
      ...(setting.type === "choice" ? { choices: setting.choices } : {}),
      repeatable: setting.type === "list",
      help: setting.help,
      ...(usual === undefined ? {} : { defaultText: usual }),
      environment: environmentName(setting.name),
      group: setting.heading,
      hidden: !allowedIn(setting, "flag"),
    };
  });
}

/** The settings as `--dry-run` shows them, a line each with name, value and source. Secrets are not shown. */
export function formatSettings(resolved: Resolved): readonly string[] {
  const { gates, environmentSecrets: _, githubToken, ...config } = resolved.config;
  const shown = { ...config, githubToken: githubToken === null ? null : "set", qualityCommands: gates.map(itemOf) };
  const values = new Map<string, SettingValue>(Object.entries(shown));
  const sources = new Map(Object.entries(resolved.sources));
  const rows = SETTINGS.filter((setting) => concerns(setting, resolved.surface)).map((setting) => {
    const property = propertyName(setting.name);
    const value = shownValue(setting, values.get(property) ?? null);
    return { name: setting.name, value, source: sources.get(property)?.where ?? "" };
  });
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const valueWidth = Math.max(...rows.map(({ value }) => value.length));
  return rows.map(({ name, value, source }) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}`);
}

function shownValue(setting: Setting, value: SettingValue): string {
  if (setting.secret && value !== null) return "(set, not shown)";
  const text = valueText(value);
  if (text === undefined) return emptyText(setting) || "-";
  const line = /\s/u.test(text) && typeof value === "string" ? JSON.stringify(text) : text;
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line;
}

function placeholder(setting: Exclude<Setting, BooleanSetting>): string {
  switch (setting.type) {
    case "string":
    case "list":
      return `<${setting.placeholder}>`;
    case "integer":
    case "number":
      return "<number>";
    case "choice":
      return `<${acceptedWords(setting).join("|")}>`;
    case "argv":
      return "<json>";
  }
}
