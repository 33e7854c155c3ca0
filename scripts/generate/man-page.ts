import type { CommandRow } from "../../src/app/command.ts";
import { OWN_FLAGS, OWN_SHORT, OWN_VALUES } from "../../src/app/command.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { type SettingFlag, settingFlags } from "../../src/config/describe.ts";
import { type Outcome, OUTCOMES } from "../../src/core/outcome.ts";
import { HELP_ROWS, SETUP_COMMANDS } from "../../src/setup/commands.ts";

/** `man smithers`, in the macros of man(7). */
export function manPage(): string {
  const rows = [...COMMANDS, ...SETUP_COMMANDS, ...HELP_ROWS];
  const shown = settingFlags().filter(({ hidden }) => !hidden);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return [
    '.TH SMITHERS 1 "" "smithers" "User Commands"',
    ...section("NAME", [String.raw`smithers \- run a coding agent in a loop until the work is proved done`]),
    ...section("SYNOPSIS", [
      String.raw`.B smithers`,
      String.raw`\(dqwhat to do\(dq [options]`,
      ".br",
      ".B smithers",
      "command [options]",
    ]),
    ...section("COMMANDS", rows.flatMap(commandLines)),
    ...section("OPTIONS OF COMMANDS", Object.keys(OWN_FLAGS).filter(isOwn).flatMap(ownLines)),
    ...section(
      "SETTINGS",
      groups.flatMap((name) => [
        `.SS ${text(name)}`,
        ...shown.filter(({ group }) => group === name).flatMap(settingLines),
      ]),
    ),
    ...section("EXIT STATUS", exitLines()),
    ...section("FILES", [
      ".TP",
      ".I .smithers.toml",
      "Settings of the repository; each is the name of a flag without its dashes.",
      ".TP",
      ".I .codex/waylon-smithers/loops/",
      "The state of each loop, and a folder with its history.",
    ]),
  ].join("\n");
}

function section(name: string, lines: readonly string[]): readonly string[] {
  return [`.SH ${name}`, ...lines, ""].slice(0, -1);
}

function commandLines({ name, about, operand }: Pick<CommandRow, "name" | "about" | "operand">): readonly string[] {
  const shape = operand === undefined ? "" : ` ${operand.shape}`;
  return [".TP", `.B ${text(name + shape)}`, text(about)];
}

function isOwn(name: string): name is keyof typeof OWN_FLAGS {
  return name in OWN_FLAGS;
}

function ownLines(name: keyof typeof OWN_FLAGS): readonly string[] {
  const value = OWN_VALUES[name];
  const short = OWN_SHORT[name];
  const flag = `${short === undefined ? "" : `${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;
  return [".TP", `.B ${text(flag)}`, text(OWN_FLAGS[name])];
}

function settingLines({ flags, value, help, defaultText, environment }: SettingFlag): readonly string[] {
  const [flag = ""] = flags;
  const usual = defaultText === undefined ? "" : ` [${defaultText}]`;
  return [
    ".TP",
    `.B ${text(value === undefined ? flag : `${flag} ${value}`)}`,
    text(`${help}${usual} Also ${environment}.`),
  ];
}

function exitLines(): readonly string[] {
  const outcomes: readonly Outcome[] = Object.values(OUTCOMES);
  const codes = [...new Set(outcomes.map(({ exitCode }) => exitCode))].toSorted((a, b) => a - b);
  const named = (code: number) => outcomes.filter(({ exitCode }) => exitCode === code).map(({ status }) => status);
  return codes
    .flatMap((code) => [".TP", `.B ${code}`, text([...new Set(named(code))].join(", "))])
    .concat([".TP", ".B 64", "bad usage or configuration; nothing was started or changed"]);
}

/** Words that troff takes as they are. */
function text(words: string): string {
  return words
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replace(/^(?=[.'])/u, String.raw`\&`);
}
