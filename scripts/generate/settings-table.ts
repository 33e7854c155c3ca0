import { defaultText, expectation } from "../../src/config/parse.ts";
import { allowedIn, environmentName, GROUPS, type Group, type Place, type Setting } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";

/** The README's tables, one a group, in the order of the settings table. */
export function settingsTable(): string {
  const groups = [...new Set(SETTINGS.map((setting) => setting.group))];
  return groups.map((group) => groupTable(group)).join("\n");
}

function groupTable(group: Group): string {
  const rows = SETTINGS.filter((setting) => setting.group === group).map((setting) => row(setting));
  return [
    `### ${GROUPS[group]}`,
    "",
    "| Setting | Value | Default | What it does |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function row(setting: Setting): string {
  const cells = [
    `\`${setting.name}\``,
    value(setting),
    defaultText(setting) ?? "",
    `${setting.help}${remarks(setting)}`,
  ];
  return `| ${cells.map((cell) => escaped(cell)).join(" | ")} |`;
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

function escaped(cell: string): string {
  return cell
    .replaceAll("|", String.raw`\|`)
    .replaceAll("<", String.raw`\<`)
    .replaceAll("*", String.raw`\*`);
}
