import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { OWN_FLAGS } from "../../src/app/command.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { HELP_ROWS, SETUP_COMMANDS } from "../../src/setup/commands.ts";
import { settingFlags } from "../../src/config/describe.ts";
import { commandsIn } from "../e2e/readme-commands.ts";

const PROJECT = path.join(import.meta.dirname, "../..");
const OURS = /^(?:[A-Z_]+=\S+ )*(?:waylon-)?smithers\b/u;
const FLAGS: ReadonlySet<string> = new Set([
  ...settingFlags().flatMap(({ flags, negated }) => [...flags, ...(negated === undefined ? [] : [negated])]),
  ...Object.keys(OWN_FLAGS).map((name) => `--${name}`),
  ...["--help", "--help-all", "--version", "-f"],
]);
const NAMES: ReadonlySet<string> = new Set([...COMMANDS, ...SETUP_COMMANDS, ...HELP_ROWS].map(({ name }) => name));

/** The words of a command without its quoted texts and without what goes to the agent. */
function wordsOf(command: string): readonly string[] {
  return command
    .replaceAll(/"[^"]*"|'[^']*'/gu, "TEXT")
    .replace(/ -- .*| #.*/u, "")
    .replace(OURS, "")
    .trim()
    .split(/\s+/u);
}

test.each(globSync("docs/*.md", { cwd: PROJECT }).toSorted())("what %s shows of our command line is there", (page) => {
  const shown = commandsIn(readFileSync(path.join(PROJECT, page), "utf8")).filter((command) => OURS.test(command));
  const words = shown.map((command) => wordsOf(command));
  const flags = words.flat().flatMap((word) => /^--[a-z-]+/u.exec(word)?.[0] ?? []);
  expect(flags.filter((flag) => !FLAGS.has(flag))).toEqual([]);
  const names = words.flatMap(([first = ""]) => (/^[a-z-]+$/u.test(first) && !first.startsWith("-") ? [first] : []));
  expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
});
