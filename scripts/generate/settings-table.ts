import { defaultText, expectation, valueText } from "../../src/config/parse.ts";
import { allowedIn, concerns, environmentName, type Place, type Setting } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { markdownTable } from "./markdown-table.ts";

/** What the command line has; the rest is in the table of inputs. */
const SHOWN = SETTINGS.filter((setting) => concerns(setting, "command-line"));

/** The tables of docs/settings.md, one a heading, in the order of the settings table. */
export function settingsTable(): string {
  const headings = [...new Set(SHOWN.map(({ heading }) => heading))];
  return headings.map((heading) => tableBelow(heading)).join("\n");
}

function tableBelow(heading: string): string {
  const rows = SHOWN.filter((setting) => setting.heading === heading).map((setting) => row(setting));
  return `## ${heading}\n\n${markdownTable(["Setting", "Value", "Default", "What it does"], rows)}`;
}

function row(setting: Setting): readonly string[] {
  return [`\`${setting.name}\``, value(setting), usual(setting), `${setting.help}${remarks(setting)}`];
}

function usual(setting: Setting): string {
  const text = defaultText(setting) ?? "";
  return setting.actionDefault === undefined ? text : `${text}; in the Action ${valueText(setting.actionDefault)}`;
}

function value(setting: Setting): string {
  return setting.type === "choice" ? expectation(setting).replace(/^one of /u, "") : expectation(setting);
}

function remarks(setting: Setting): string {
  const aliases = setting.aliases?.map((alias) => ` Also \`${alias}\`.`).join("") ?? "";
  return `${aliases}${placeRemark(setting)}`;
}

/** Said only where flag, environment and file are not all possible. */
function placeRemark(setting: Setting): string {
  const places: readonly Place[] = ["flag", "environment", "file"];
  const allowed = places.filter((place) => allowedIn(setting, place));
  if (allowed.length === places.length) return "";
  const names = allowed.map((place) =>
    place === "flag" ? `\`--${setting.name}\`` : `\`${environmentName(setting.name)}\``,
  );
  return ` Only as ${names.join(" or ")}.`;
}
