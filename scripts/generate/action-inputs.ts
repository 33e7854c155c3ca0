import { concerns, allowedIn, type Setting } from "../../src/config/setting.ts";
import { SETTING_BY_NAME, SETTINGS } from "../../src/config/settings.ts";

/** Settings under one heading. */
export interface InputGroup {
  readonly heading: string;
  readonly settings: readonly Setting[];
}

/** What people reach for first, in this order. */
const FIRST = [
  "prompt",
  "prompt-file",
  "success-cmd",
  "success-sh",
  "quality-commands",
  "api-key",
  "github-token",
  "sandbox",
  "max-iterations",
  "job-timeout-minutes",
  "todo-file",
  "model",
  "loop-id",
];

/** The inputs that nearly every workflow sets or thinks about. */
export const FIRST_INPUTS: readonly Setting[] = FIRST.map((name) => SETTING_BY_NAME.get(name) ?? missing(name));

/** Every input: the first ones, then the rest under the headings of the settings table. */
export function inputGroups(): readonly InputGroup[] {
  const rest = SETTINGS.filter((setting) => allowedIn(setting, "input") && !FIRST.includes(setting.name));
  const headings = [...new Set(SETTINGS.map(({ heading }) => heading))];
  const groups = headings.map((heading) => ({ heading, settings: rest.filter((row) => row.heading === heading) }));
  return [
    { heading: "The ones that matter most", settings: FIRST_INPUTS },
    ...groups.filter(({ settings }) => settings.length > 0),
  ];
}

/** The inputs that mean nothing outside of the Action, and are not among the first. */
export function actionOnlyInputs(): readonly Setting[] {
  return SETTINGS.filter((setting) => !concerns(setting, "command-line") && !FIRST.includes(setting.name));
}

function missing(name: string): never {
  throw new Error(`${name} is not in the settings table`);
}
