import { CONTEXT_INPUTS, OUTPUTS, PLAN_OUTPUTS } from "../../src/config/action.ts";
import { expectation, valueText } from "../../src/config/parse.ts";
import { defaultOn, type Setting } from "../../src/config/setting.ts";
import { inputGroups } from "./action-inputs.ts";

const LISTED_CHOICES = 6;
const TOKEN = "${{ github.token }}";

/** The text of `action.yml`. No input has a default that could outrank the environment or the file (section 9). */
export function actionSource(): string {
  return [
    "# Written by scripts/generate.ts from the tables in src/config. Do not edit.",
    "name: smithers loop",
    "description: Runs a coding agent until the work is proved done, inside a job's time, and goes on in the next run.",
    "author: smithers/loop contributors",
    "branding:",
    "  icon: repeat",
    "  color: yellow",
    "",
    "inputs:",
    ...inputGroups().flatMap(({ heading, settings }) => [
      `  # ${heading}`,
      ...settings.flatMap((setting) => input(setting)),
      "",
    ]),
    "  # Set by themselves: they carry what the job knows into the action",
    ...CONTEXT_INPUTS.flatMap(({ name, value, help }) => [
      `  ${name}:`,
      `    description: ${quoted(`Set by itself. ${help}`)}`,
      `    default: ${quoted(value)}`,
    ]),
    "",
    "outputs:",
    ...[...OUTPUTS, ...PLAN_OUTPUTS].flatMap(({ name, help }) => [`  ${name}:`, `    description: ${quoted(help)}`]),
    "",
    "runs:",
    "  using: node24",
    "  main: dist/action/index.js",
    "  post: dist/post/index.js",
    "  post-if: always()",
    "",
  ].join("\n");
}

function input(setting: Setting): readonly string[] {
  return [
    `  ${setting.name}:`,
    `    description: ${quoted(`${setting.help}${remarks(setting)}`)}`,
    ...(setting.name === "github-token" ? [`    default: ${quoted(TOKEN)}`] : []),
  ];
}

/** What it accepts and what it is without being set, where the help does not say so. */
function remarks(setting: Setting): string {
  const usual = setting.derived ?? usualText(setting);
  const said = [
    ...(isPlain(setting) ? [] : [`Value: ${expectation(setting)}.`]),
    ...(usual === undefined || setting.secret ? [] : [`Default: ${usual}.`]),
  ];
  return said.map((sentence) => ` ${sentence}`).join("");
}

/** A text; a list of words too long to show becomes one as well. */
function isPlain(setting: Setting): boolean {
  return setting.type === "string" || (setting.type === "list" && (setting.choices?.length ?? 0) > LISTED_CHOICES);
}

function usualText(setting: Setting): string | undefined {
  const value = defaultOn(setting, "action");
  return Array.isArray(value) ? value.join(", ") || undefined : valueText(value);
}

/** JSON texts are YAML texts. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
