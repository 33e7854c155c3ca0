import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { CTRL_C, openTerminal, type TerminalSize } from "../support/terminal.ts";

const SIZES: readonly TerminalSize[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

const SCREENS = path.join(import.meta.dirname, "../golden/screens");
const RUN = `smithers "Make greet.sh print hello" --provider scripted --script script.json --full-auto --completion-promise DONE --check-when change --quality-commands '[ "$(sh greet.sh)" = hello ]'`;

const SAYS_TOO_EARLY = {
  messages: ["I will write the script first."],
  files: { "greet.sh": "echo helo\n" },
  commands: [["sh", "greet.sh"]],
  usage: { input: 1200, cachedInput: 800, output: 90 },
  lastMessage: "The script is written. <promise>DONE</promise>",
};
const IS_SILENT = { messages: ["Now I look at the greeting."], silence: true };
const CORRECTS = {
  files: { "greet.sh": "echo hello\n" },
  lastMessage: "I corrected the error. <promise>DONE</promise>",
};

/** A line without what no two runs have in common: moments, lengths of time. */
function alike(line: string): string {
  return line
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)/gu, "2026-01-06T21:10:00.000+00:00")
    .replaceAll(/\b\d+(?:\.\d)? (?:s|min)\b(?: \d+ s\b)?/gu, "0.0 s")
    .replaceAll(/(?<=ago) +/gu, "  ")
    .trimEnd();
}

/** As a terminal shows them. @param rows how many of the last rows fit */
function onScreen(lines: readonly string[], columns: number, rows: number): string {
  const pieces = (line: string) => alike(line).match(new RegExp(`.{1,${columns}}`, "gsu")) ?? [""];
  const shown = lines.flatMap(pieces).slice(-rows);
  return `${shown.map((piece) => piece.trimEnd()).join("\n")}\n`;
}

describe("a person at a terminal sees", () => {
  test.each(SIZES)("a run, Ctrl+C, status, resume, list, explain and logs -f at $columns×$rows", async (size) => {
    await using folder = await tempFolder("terminal-");
    await using repository = await gitRepository({ ".gitignore": "script.json\n" });
    await mkdir(path.join(folder.path, "home"));
    const script = { turns: [SAYS_TOO_EARLY, IS_SILENT, CORRECTS] };
    await writeFile(path.join(repository.path, "script.json"), JSON.stringify(script));
    const env = {
      ...{ PATH: process.env["PATH"] ?? "", HOME: path.join(folder.path, "home"), LANG: "C.UTF-8" },
      // What a machine cannot isolate it says, and not every machine can.
      SMITHERS_CHECK_SANDBOX: "off",
    };
    await using terminal = await openTerminal(repository.path, env, size);
    const shown = async (name: string, rows = size.rows): Promise<void> => {
      const file = path.join(SCREENS, `${size.columns}x${size.rows}`, `${name}.txt`);
      await expect(onScreen(terminal.lines(), size.columns, rows)).toMatchFileSnapshot(file);
    };
    const answered = async (name: string, command: string): Promise<void> => {
      await terminal.enter(command);
      await terminal.isAsked();
      await shown(name);
    };

    await terminal.enter(`${RUN} --loop-id greet`);
    await terminal.shows(/the agent says: Now I look/u);
    await shown("run");
    terminal.press(CTRL_C);
    await terminal.isAsked();
    await shown("interrupted");
    await answered("status", "smithers status");
    await answered("resumed", "smithers resume");
    await answered("list", "smithers list");
    await answered("explain", "smithers explain 1");

    await using other = await openTerminal(repository.path, env, size);
    await other.enter(`${RUN} --loop-id other`);
    await other.shows(/the agent says: Now I look/u);
    await terminal.enter("smithers logs -f other");
    await terminal.shows(/agent says: Now I look/u);
    other.press(CTRL_C);
    await other.isAsked();
    await terminal.isAsked();
    await shown("logs", 1000);
  });
});
