import type { GithubToken } from "../core/ports.ts";
import { propertyName, type Setting, type SettingRows, type SettingValue } from "./setting.ts";
import { gateOf, type QualityGate } from "./settings/quality-gates.ts";
import { SETTINGS, type LiteralRow } from "./settings.ts";

/** Every setting by its property, with the type that its row gives it; null: not set. Units are in the names. */
export type Values = { readonly [Row in LiteralRow as PropertyOf<Row["name"]>]: ValueOf<Row> | Unset<Row> };

/** The settings of a run, and what of its surroundings nobody may read. */
export interface Config extends Omit<Values, "githubToken"> {
  /** null: not set; what takes its place where the settings name an App */
  readonly githubToken: GithubToken | null;
  /** values of variables, see `secretVariables`; they are never stored */
  readonly environmentSecrets: readonly string[];
  /** `qualityCommands`, which are shell texts, with what is said of them */
  readonly gates: readonly QualityGate[];
}

/** `max-iterations` is `maxIterations`, as `propertyName` has it. */
type PropertyOf<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<PropertyOf<Tail>>}`
  : Name;

type ValueOf<Row extends LiteralRow> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Row["type"] extends "list"
    ? readonly Choice[]
    : Choice
  : {
      readonly string: string;
      readonly integer: number;
      readonly number: number;
      readonly boolean: boolean;
      readonly choice: string;
      readonly list: readonly string[];
      readonly argv: readonly string[];
    }[Row["type"]];

/** As `fits` has it. */
type Unset<Row extends LiteralRow> = Row extends { readonly unsetWord: string }
  ? null
  : Row extends { readonly derived: string }
    ? never
    : Extract<Row["default"], null>;

/**
 * The places a value can come from; an earlier one outranks a later one (L-06). Flags and inputs never meet; `foreign` is
 * another system's configuration file, for `.smithers.toml` is written for us and theirs is not.
 */
const PRECEDENCE = ["flag", "input", "environment", "file", "foreign", "preset", "default"] as const;

/** Where a value comes from; `where` is for people: `--max-iterations`, `.smithers.toml line 3 [max-iterations]`. */
export interface Source {
  readonly from: (typeof PRECEDENCE)[number];
  readonly where: string;
}

export type Sources = Readonly<Record<keyof Values, Source>>;

/** Whether a value was said for this run, not by a file or a default. */
export function isSaidNow({ from }: Pick<Source, "from">): boolean {
  return from === "flag" || from === "input" || from === "environment";
}

/** A value and where it comes from. */
export interface Given {
  readonly value: SettingValue;
  readonly source: Source;
}

/** Negative when `a` outranks `b`, positive when `b` outranks `a`, 0 when both come from the same kind of place. */
export function comparePrecedence(a: Source, b: Source): number {
  return PRECEDENCE.indexOf(a.from) - PRECEDENCE.indexOf(b.from);
}

/**
 * The value of every setting by its property.
 *
 * @param secretsOf the secret values of the surroundings, by the variables that are passed on; without it there are none
 * @throws Error a bug: a value that its row does not allow
 */
export function configOf(
  valueOf: (setting: Setting) => SettingValue,
  secretsOf: (passEnv: readonly string[]) => readonly string[] = () => [],
): Config {
  const wrong = SETTINGS.filter((setting) => !fits(setting, valueOf(setting))).map(({ name }) => name);
  const isValues = (values: Record<string, SettingValue>): values is Values => isWhole(values) && wrong.length === 0;
  const config = Object.fromEntries(SETTINGS.map((setting) => [propertyName(setting.name), valueOf(setting)]));
  if (isValues(config)) {
    const gates = config.qualityCommands.map(gateOf);
    const qualityCommands = gates.map(({ run }) => run);
    return { ...config, qualityCommands, gates, environmentSecrets: secretsOf(config.passEnv) };
  }
  throw new Error(`Settings have values that their rows do not allow: ${wrong.join(", ")}`);
}

/** The settings of one group of rows. */
export type Group<Rows> = Pick<Values, Extract<keyof Values, PropertyOf<Extract<keyof Rows, string>>>>;

/** The values of one group of settings, and of no other. */
export function groupOf<Rows extends SettingRows>(rows: Rows, config: Config): Group<Rows> {
  const properties = Object.keys(rows).map(propertyName);
  const isGroup = (values: object): values is Group<Rows> => properties.every((property) => property in values);
  const values = Object.fromEntries(Object.entries(config).filter(([property]) => properties.includes(property)));
  if (isGroup(values)) return values;
  throw new Error("A setting has no value");
}

/** The source of every setting by its property. */
export function sourcesOf(sourceOf: (setting: Setting) => Source): Sources {
  const sources = Object.fromEntries(SETTINGS.map((setting) => [propertyName(setting.name), sourceOf(setting)]));
  if (isWhole(sources)) return sources;
  throw new Error("A setting has no source");
}

function isWhole<T>(all: Record<string, T>): all is Record<keyof Values, T> {
  return SETTINGS.every(({ name }) => propertyName(name) in all);
}

/** Whether a value has the type that `Config` gives the setting. */
export function fits(setting: Setting, value: SettingValue): boolean {
  if (value === null)
    return setting.unsetWord !== undefined || (setting.default === null && setting.derived === undefined);
  if (setting.type === "list")
    return Array.isArray(value) && value.every((item) => setting.choices?.includes(item) ?? true);
  if (setting.type === "argv") return Array.isArray(value);
  if (setting.type === "choice") return typeof value === "string" && setting.choices.includes(value);
  return typeof value === (setting.type === "integer" ? "number" : setting.type);
}
