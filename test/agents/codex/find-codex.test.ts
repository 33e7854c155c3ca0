import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findCodex } from "../../../src/agents/codex/program.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const BIN = path.join(import.meta.dirname, "../../../node_modules/.bin");
const NATIVE = /codex-[a-z]+-[a-z0-9]+\/vendor\/[^/]+\/bin\/codex$/u;

describe("which program is Codex [C15]", () => {
  test("npm's launcher on PATH becomes the native program", () => {
    expect(findCodex(undefined, `/nowhere:${BIN}`)).toMatch(NATIVE);
  });

  test("npm's launcher given as a path becomes the native program", () => {
    expect(findCodex(path.join(BIN, "codex"), "")).toMatch(NATIVE);
  });

  test("any other program is taken as it is", async () => {
    await using folder = await tempFolder();
    const program = path.join(folder.path, "my-codex");
    await writeFile(program, "#!/bin/sh\n");
    await chmod(program, 0o755);
    expect(findCodex("my-codex", `/nowhere::${folder.path}`)).toBe(program);
    expect(findCodex(program, "")).toBe(program);
  });

  test("a launcher without its platform's package is not Codex", async () => {
    await using folder = await tempFolder();
    const launcher = path.join(folder.path, "lib/@openai/codex/bin/codex.js");
    await mkdir(path.dirname(launcher), { recursive: true });
    await writeFile(launcher, "");
    await symlink(launcher, path.join(folder.path, "codex"));
    // The package is looked for in every folder above as well, where this repository has it.
    const found = findCodex(undefined, folder.path);
    expect(found === undefined || NATIVE.test(found)).toBe(true);
    expect(found).not.toBe(launcher);
  });

  test.each([
    [undefined, ""],
    ["codex", "/nowhere"],
    ["/nowhere/codex", BIN],
    [BIN, ""],
  ])("%j with PATH %j is not there", (given, searchPath) => {
    expect(findCodex(given, searchPath)).toBeUndefined();
  });
});
