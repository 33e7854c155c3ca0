import { propertyName, type Setting } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";

const HEADING = "// Written by scripts/generate.ts from the table in settings.ts. Do not edit.";

/** The text of `src/config/config.ts`: the `Config` type. */
export function configSource(): string {
  return [
    HEADING,
    "",
    "/** Every setting with its value; null: not set. Units are in the names. */",
    "export interface Config {",
    ...SETTINGS.flatMap((setting) => [
      `/** ${setting.help} */`,
      `readonly ${propertyName(setting.name)}: ${typeOf(setting)};`,
    ]),
    "}",
    "",
  ].join("\n");
}

/** The text of `src/config/config-schema.ts`: `Config` while the program runs. */
export function configSchemaSource(): string {
  return [
    HEADING,
    'import { z } from "zod";',
    'import type { Config } from "./config.ts";',
    "",
    "/** Holds what was resolved against the type. */",
    "export const ConfigSchema = z.strictObject({",
    ...SETTINGS.map((setting) => `${propertyName(setting.name)}: ${schemaOf(setting)},`),
    "});",
    "",
    "/** Calls `visit` with the name of every setting and puts what it returns under the setting's property. */",
    "// oxlint-disable-next-line max-lines-per-function -- it has a line for each setting",
    "export function perSetting<Value>(visit: (name: string) => Value): Record<keyof Config, Value> {",
    "return {",
    ...SETTINGS.map((setting) => `${propertyName(setting.name)}: visit(${JSON.stringify(setting.name)}),`),
    "};",
    "}",
    "",
  ].join("\n");
}

function nullable(setting: Setting): boolean {
  return setting.unsetWord !== undefined || (setting.default === null && setting.derived === undefined);
}

function typeOf(setting: Setting): string {
  return nullable(setting) ? `${bareType(setting)} | null` : bareType(setting);
}

function bareType(setting: Setting): string {
  switch (setting.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "choice":
      return union(setting.choices);
    case "list":
      return setting.choices === undefined ? "readonly string[]" : `readonly (${union(setting.choices)})[]`;
    case "argv":
      return "readonly string[]";
  }
}

function schemaOf(setting: Setting): string {
  return nullable(setting) ? `${bareSchema(setting)}.nullable()` : bareSchema(setting);
}

function bareSchema(setting: Setting): string {
  switch (setting.type) {
    case "string":
      return "z.string()";
    case "integer":
    case "number":
      return "z.number()";
    case "boolean":
      return "z.boolean()";
    case "choice":
      return oneOf(setting.choices);
    case "list":
      return `z.array(${setting.choices === undefined ? "z.string()" : oneOf(setting.choices)}).readonly()`;
    case "argv":
      return "z.array(z.string()).readonly()";
  }
}

function union(choices: readonly string[]): string {
  return choices.map((choice) => JSON.stringify(choice)).join(" | ");
}

function oneOf(choices: readonly string[]): string {
  return `z.enum(${JSON.stringify(choices)})`;
}
