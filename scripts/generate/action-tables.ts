import { OUTPUTS, PLAN_OUTPUTS } from "../../src/config/action.ts";
import { defaultText, emptyText } from "../../src/config/parse.ts";
import type { Setting } from "../../src/config/setting.ts";
import { actionOnlyInputs, FIRST_INPUTS } from "./action-inputs.ts";
import { markdownTable } from "./markdown-table.ts";

/** The table of the inputs that matter most, and of those that only the Action has. */
export function inputsTable(): string {
  const rows = [...FIRST_INPUTS, ...actionOnlyInputs()].map((setting) => row(setting));
  return markdownTable(["Input", "Default", "What it does"], rows);
}

/** The table of outputs. */
export function outputsTable(): string {
  return markdownTable(
    ["Output", "What it holds"],
    [...OUTPUTS, ...PLAN_OUTPUTS].map(({ name, help }) => [`\`${name}\``, help]),
  );
}

function row(setting: Setting): readonly string[] {
  return [`\`${setting.name}\``, usual(setting), setting.help];
}

function usual(setting: Setting): string {
  if (setting.name === "github-token") return "the job's token";
  if (setting.type !== "list") return defaultText(setting) ?? "";
  return setting.default.join(", ") || emptyText(setting);
}
