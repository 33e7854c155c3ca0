import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PRD_VERBS } from "../../src/commands/prd/verbs.ts";
import { smithersProgram } from "../support/smithers-program.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Answer, cli, jsonOf, stage } from "./run-cli.ts";

describe("smithers prd and daedalus", () => {
  test("are the same verbs by two names, with the same help [D-11, D-12, D-13, D-44]", async () => {
    await using repo = await stage();
    await using bin = await tempFolder();
    const other = path.join(bin.path, "daedalus");
    await symlink(smithersProgram().script, other);
    const daedalus = (...args: readonly string[]): Promise<Answer> => cli(args, repo.path, {}, other);
    const smithers = (...args: readonly string[]): Promise<Answer> => cli(["prd", ...args], repo.path);
    const names = PRD_VERBS.map(({ name }) => name);

    const [help, ours, version] = await Promise.all([daedalus("--help"), smithers("--help"), daedalus("--version")]);
    for (const { code, stdout } of [help, ours]) {
      expect(code).toBe(0);
      for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} `, "mu"));
    }
    expect(help.stdout).toMatch(/^Usage: daedalus /u);
    expect(help.stdout).toContain("  daedalus new login ");
    expect(ours.stdout).toContain("  smithers prd new login ");
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);

    const made = await daedalus("new", "login", "--json");
    expect(jsonOf(made)).toMatchObject({ prd: "login", next: expect.arrayContaining(["daedalus validate login"]) });
    const [listed, unfilled, mistyped] = await Promise.all([
      smithers("list", "--json"),
      daedalus("validate", "login"),
      daedalus("stauts", "--json"),
    ]);
    expect(jsonOf(listed)).toMatchObject({ prds: [{ prd: "login" }] });
    expect(unfilled.code).toBe(64);
    expect(jsonOf(mistyped)).toMatchObject({ problems: [{ next: "Did you mean daedalus status?" }] });
  });

  test.each([
    [["prd"], "It was not said what to do with PRDs.", "There are new, list"],
    [["prd", "lst"], "There is no command smithers prd lst.", "Did you mean smithers prd list?"],
    [["prd", "status", "a", "b"], "too many arguments for 'status'", "smithers prd status --help"],
    [["prd", "list", "--jsn"], "unknown option '--jsn'", "Did you mean --json?"],
    [["prd", "status", "../x"], "is no name for a PRD", "Use up to 64 letters"],
  ])("%j is refused with the way out", async (args, what, next) => {
    await using repo = await stage();
    const answer = await cli(args, repo.path);
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toContain(what);
    expect(answer.stderr.slice(answer.stderr.indexOf("Next: "))).toContain(next);
  });

  test("both names are programs of the package", async () => {
    const { bin } = JSON.parse(await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(bin.daedalus).toBe(bin.smithers);
  });
});
