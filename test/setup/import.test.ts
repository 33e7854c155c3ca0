import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { importSpec } from "../../src/setup/import.ts";
import { run } from "../../src/commands/run.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";
import { outsideOfGit } from "./outside-of-git.ts";

const SPEC = "\uFEFF# Till\r\n\r\n## Tasks\r\n\r\n- scan\r\n- [x] print\r\n";
const listed = async (folder: string): Promise<readonly string[]> => (await readdir(folder)).toSorted();

describe("smithers import", () => {
  test("makes control files and keeps the spec beside them, byte by byte [R-10, R-33]", async () => {
    await using place = await outsideOfGit();
    await writeFile(path.join(place.path, "prd.md"), SPEC);
    const said = await inProcess(importSpec, place.path, { name: "till" }, { operand: "prd.md" });
    const till = path.join(place.path, "till");
    expect(said.code).toBe(0);
    expect(said.stdout).toContain("read @fix_plan.md: 2 items, 1 of them ticked");
    expect(said.stderr).toBe("smithers: No section tells how to build and test: fill in the commands of @AGENT.md.\n");
    expect(await listed(till)).toEqual([".git", ".smithers.toml", "@AGENT.md", "@fix_plan.md", "PROMPT.md", "specs"]);
    expect(await readFile(path.join(till, "specs/prd.md"), "utf8")).toBe(SPEC);
    expect(await readFile(path.join(till, "PROMPT.md"), "utf8")).toContain("In doubt, specs/prd.md decides.");
    expect(await readFile(path.join(till, "@fix_plan.md"), "utf8")).toContain("## Tasks\n\n- [ ] scan\n- [x] print\n");
  });

  test("a spec inside the folder stays where it is, and a loop begins with the first open item [R-10]", async () => {
    await using repo = await gitRepository({ "docs/prd.md": SPEC });
    const said = await inProcess(importSpec, repo.path, { name: ".", json: "on" }, { operand: "docs/prd.md" });
    expect(JSON.parse(said.stdout)).toMatchObject({ spec: "docs/prd.md", items: 2, ticked: 1, repository_made: false });
    expect(await listed(repo.path)).toEqual([
      ".git",
      ".smithers.toml",
      "@AGENT.md",
      "@fix_plan.md",
      "PROMPT.md",
      "docs",
    ]);
    const rehearsed = await inProcess(run, repo.path, { "full-auto": "on", "dry-run": "on", json: "on" });
    expect(JSON.parse(rehearsed.stdout).prompt).toContain("## This iteration\nscan\n");
  });

  test.each<[string, string | Buffer, string]>([
    ["no work", "# A\n\nWords.\n", "SPEC_WITHOUT_ITEMS"],
    ["ten megabytes", "- a\n".repeat(2_621_440), "SPEC_TOO_LARGE"],
    ["UTF-16", Buffer.from("- a\n", "utf16le").swap16(), "SPEC_NOT_TEXT"],
    ["no UTF-8", Buffer.from([0x2d, 0x20, 0xff, 0xfe]), "SPEC_NOT_TEXT"],
  ])("%s is refused before anything is written [R-10]", async (_title, content, code) => {
    await using repo = await gitRepository();
    await writeFile(path.join(repo.path, "spec.md"), content);
    const said = await inProcess(importSpec, repo.path, { name: "new", json: "on" }, { operand: "spec.md" });
    expect(said).toMatchObject({ code: 64, stderr: expect.stringContaining("Nothing was started or changed.") });
    expect(JSON.parse(said.stdout).problems).toMatchObject([{ code }]);
    expect(await listed(repo.path)).toEqual([".git", "README.md", "spec.md"]);
  });

  test("a spec that is not there, a folder, a named pipe and a name that was not said are told [R-10]", async () => {
    await using repo = await gitRepository();
    await mkdir(path.join(repo.path, "folder"));
    await promisify(execFile)("mkfifo", [path.join(repo.path, "pipe")]);
    for (const operand of ["missing.md", "README.md/x", "folder", "pipe"])
      expect(await inProcess(importSpec, repo.path, { name: "new" }, { operand })).toMatchObject({
        code: 64,
        stderr: expect.stringMatching(/cannot be read|is no file/u),
      });
    const said = await inProcess(importSpec, repo.path, {}, { operand: "README.md" });
    expect(said).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("smithers import README.md --name my-project"),
    });
  });

  test("nothing is overwritten, and where specs/ is a file nothing is written [R-10]", async () => {
    await using repo = await gitRepository({ "spec.md": SPEC, "till/specs": "", "shop/specs/spec.md": "mine" });
    const till = await inProcess(importSpec, repo.path, { name: "till" }, { operand: "spec.md" });
    const shop = await inProcess(importSpec, repo.path, { name: "shop" }, { operand: "spec.md" });
    expect(till).toMatchObject({ code: 64, stderr: expect.stringContaining("specs is no folder") });
    expect(shop).toMatchObject({ code: 64, stderr: expect.stringContaining("shop/specs/spec.md is there already") });
    expect(await listed(path.join(repo.path, "shop"))).toEqual(["specs"]);
  });
});
