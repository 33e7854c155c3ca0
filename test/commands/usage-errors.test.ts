import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/table.ts";
import { commandLineError, refuseMistypedCommand } from "../../src/commands/usage-errors.ts";
import { UsageError } from "../../src/core/errors.ts";
import { SETUP_COMMANDS } from "../../src/setup/commands.ts";

const EVERY_COMMAND = [...COMMANDS, ...SETUP_COMMANDS];

function thrownBy(act: () => void): UsageError {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error("Nothing was refused.");
}

describe("a command line that was misread", () => {
  test.each([
    ["error: unknown option '--jsn'\n(Did you mean --json?)", "unknown option '--jsn'.", "Did you mean --json?"],
    [
      "error: unknown option '--zzz'",
      "unknown option '--zzz'.",
      "smithers --help-all lists every command and every flag.",
    ],
    ["error: too many arguments. Expected 1 argument but got 2.", "too many arguments.", "Put the prompt into quotes."],
    ["error: too many arguments for 'loop'. Expected 1.", "too many arguments", "Put the prompt into quotes."],
    ["error: too many arguments for 'setup'. Expected 1.", "too many", "smithers setup --help tells what it takes."],
    [
      "error: too many arguments for 'resume'. Expected 1 argument but got 2.",
      "too many",
      'A loop keeps its task. What the agent has to know besides: smithers resume --guidance "WORDS"; another task: smithers run "PROMPT".',
    ],
    ["error: missing required argument 'spec'", "'spec'", "Write smithers import <spec>; --help has an example."],
  ])("%j", (message, what, next) => {
    const [problem] = commandLineError(message, "smithers", EVERY_COMMAND).problems;
    expect(problem?.what).toContain(what);
    expect(problem?.next).toBe(next);
  });

  test.each([
    ["statsu", "Did you mean smithers status?"],
    ["Resume", "Did you mean smithers resume?"],
    ["cancle", "Did you mean smithers cancel?"],
    ["refactor", "The commands are run, loop, resume, "],
    ["self-test", "The commands are run, loop, resume, "],
  ])("%s could be a command, and is no prompt without run", (word, instead) => {
    const refused = (): void => refuseMistypedCommand(word, "smithers", EVERY_COMMAND);
    const [problem] = thrownBy(refused).problems;
    expect(problem?.next).toContain(instead);
    expect(problem?.next).toMatch(new RegExp(`If it is a prompt: smithers run ${word}$`, "u"));
  });

  test.each(["Fix the tests", "test!", "重构", "status please", ""])("%j is a prompt", (prompt) => {
    expect(() => refuseMistypedCommand(prompt, "smithers", EVERY_COMMAND)).not.toThrow();
  });
});
