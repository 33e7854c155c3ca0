import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { misread, refuseMistypedCommand } from "../../src/commands/misread-command-line.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { programName, programVersion } from "../../src/app/program.ts";
import { UsageError } from "../../src/core/errors.ts";
import { SETUP_COMMANDS } from "../../src/setup/commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

const EVERY_COMMAND = [...COMMANDS, ...SETUP_COMMANDS];

describe("the program's name and version", () => {
  test.each([
    ["/usr/bin/smithers", "smithers"],
    ["/usr/bin/waylon-smithers", "waylon-smithers"],
    ["/work/src/cli.ts", "smithers"],
    ["", "smithers"],
  ])("called as %j it is %s", (script, name) => {
    expect(programName(script)).toBe(name);
  });

  test("the version is that of the package behind the link, past a bundle's own package.json", async () => {
    await using folder = await tempFolder();
    const dist = path.join(folder.path, "pkg/dist/cli");
    await mkdir(dist, { recursive: true });
    await mkdir(path.join(folder.path, "bin"));
    await writeFile(path.join(folder.path, "pkg/package.json"), '{"version":"1.2.3"}');
    await writeFile(path.join(dist, "package.json"), '{"type":"module"}');
    await writeFile(path.join(dist, "index.js"), "");
    await symlink(path.join(dist, "index.js"), path.join(folder.path, "bin/smithers"));
    expect(programVersion(path.join(folder.path, "bin/smithers"))).toBe("1.2.3");
  });
});

describe("a command line that was misread", () => {
  test.each([
    ["error: unknown option '--jsn'\n(Did you mean --json?)", "unknown option '--jsn'.", "Did you mean --json?"],
    ["error: unknown option '--zzz'", "unknown option '--zzz'.", "smithers --help lists every command and every flag."],
    ["error: too many arguments. Expected 1 argument but got 2.", "too many arguments.", "Put the prompt into quotes."],
    ["error: too many arguments for 'loop'. Expected 1.", "too many arguments", "Put the prompt into quotes."],
    ["error: too many arguments for 'setup'. Expected 1.", "too many", "smithers setup --help tells what it takes."],
    ["error: missing required argument 'spec'", "'spec'", "Write smithers import <spec>; --help has an example."],
  ])("%j", (message, what, next) => {
    const [problem] = misread(message, "smithers", EVERY_COMMAND).problems;
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
