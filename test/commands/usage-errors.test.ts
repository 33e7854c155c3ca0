import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/table.ts";
import { commandLineError, refuseMistypedCommand } from "../../src/commands/usage-errors.ts";
import { UsageError } from "../../src/core/errors.ts";
import { SETUP_COMMANDS } from "../../src/setup/commands.ts";

const EVERY_COMMAND = [...COMMANDS, ...SETUP_COMMANDS];

describe("a command line that was misread", () => {
  test.each([
    ["error: unknown option '--jsn'\n(Did you mean --json?)", "unknown option '--jsn'.", "Did you mean --json?"],
    ["error: unknown option '--zzz'", "unknown option '--zzz'.", "smithers --help lists every command and every flag."],
    ["error: too many arguments. Expected 1 argument but got 2.", "too many arguments.", "Put the prompt into quotes."],
    ["error: too many arguments for 'loop'. Expected 1.", "too many arguments", "Put the prompt into quotes."],
    ["error: too many arguments for 'setup'. Expected 1.", "too many", "smithers setup --help tells what it takes."],
    ["error: missing required argument 'spec'", "'spec'", "Write smithers import <spec>; --help has an example."],
  ])("%j", (message, what, next) => {
    const [problem] = commandLineError(message, "smithers", EVERY_COMMAND).problems;
    expect(problem?.what).toContain(what);
    expect(problem?.next).toBe(next);
  });

  test.each(["statsu", "Resume", "cancle"])("%s was meant to be a command", (word) => {
    expect(() => refuseMistypedCommand(word, "smithers", EVERY_COMMAND)).toThrow(UsageError);
  });

  test.each(["Fix the tests", "refactor", "status please", ""])("%j is a prompt", (prompt) => {
    expect(() => refuseMistypedCommand(prompt, "smithers", EVERY_COMMAND)).not.toThrow();
  });
});
