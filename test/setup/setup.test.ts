import path from "node:path";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { run } from "../../src/commands/run.ts";
import { setup } from "../../src/setup/setup.ts";
import { scanHardStops } from "../../src/core/hard-stop.ts";
import { parseChecklist } from "../../src/core/checklist.ts";
import { SETUP_FILES } from "../../src/setup/control-files.ts";
import { digest } from "../support/builders.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";
import { outsideOfGit } from "./outside-of-git.ts";

const NAMES = [".smithers.toml", "@AGENT.md", "@fix_plan.md", "PROMPT.md"];
const listed = async (folder: string): Promise<readonly string[]> => (await readdir(folder)).toSorted();

describe("smithers setup", () => {
  test("makes the folder with the control files, as a git repository, and says what is next [R-09, R-33]", async () => {
    await using place = await outsideOfGit();
    const said = await inProcess(setup, place.path, {}, { operand: "my-project" });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(await listed(path.join(place.path, "my-project"))).toEqual([".git", ...NAMES]);
    expect(said.stdout).toMatch(/^my-project now holds:\n {2}PROMPT\.md {7}what it is about/u);
    expect(said.stdout).toMatch(/a git repository, in which nothing is committed yet\n\nNext:\n {2}cd my-project\n/u);
    expect(said.stdout).toContain("smithers run --full-auto ");
  });

  test("a loop with what setup has made goes through the plan and waits at its HARD STOP [R-09]", async () => {
    await using repo = await gitRepository();
    await inProcess(setup, repo.path, {}, { operand: "." });
    const said = await inProcess(run, repo.path, { "full-auto": "on", "dry-run": "on", json: "on" });
    const { prompt, settings } = JSON.parse(said.stdout);
    expect(said.code).toBe(0);
    expect(settings).toMatchObject({ preset: "ralph", backlog: "checklist", todoFile: "@fix_plan.md" });
    expect(prompt).toContain("Read PROMPT.md and put items in the place of these examples");
    expect(prompt).toContain("Stop at HARD STOP and request human review");
  });

  test("inside a repository no other one is made, and .gitignore stays [R-33]", async () => {
    await using repo = await gitRepository({ ".gitignore": "*.log\n" });
    const said = await inProcess(setup, repo.path, { json: "on" }, { operand: "part" });
    expect(JSON.parse(said.stdout)).toMatchObject({
      ...{ schema: 1, folder: path.join(repo.path, "part"), repository_made: false, notices: [] },
      files: ["PROMPT.md", "@fix_plan.md", "@AGENT.md", ".smithers.toml"],
      next: ["cd part", expect.stringContaining("PROMPT.md"), expect.any(String), "smithers run --full-auto"],
    });
    expect(await listed(path.join(repo.path, "part"))).toEqual(NAMES);
    expect(await readFile(path.join(repo.path, ".gitignore"), "utf8")).toBe("*.log\n");
  });

  test("all that is in the way is listed, and nothing is written [R-09]", async () => {
    await using repo = await gitRepository({ "PROMPT.md": "mine\n" });
    await symlink("nowhere", path.join(repo.path, "@AGENT.md"));
    const said = await inProcess(setup, repo.path, { json: "on" }, { operand: "." });
    expect(said.code).toBe(64);
    expect(JSON.parse(said.stdout).problems.map(({ what }: { what: string }) => what)).toEqual([
      "PROMPT.md is there already, and nothing is overwritten.",
      "@AGENT.md is there already, and nothing is overwritten.",
    ]);
    expect(said.stderr).toContain("Nothing was started or changed.");
    expect(await listed(repo.path)).toEqual([".git", "@AGENT.md", "PROMPT.md"]);
  });

  test.each([
    "..",
    "../a",
    "a/b",
    "a\\b",
    "/a",
    "~",
    "-a",
    "",
    " ",
    ".git",
    "a.",
    "a b",
    "con",
    "COM1.txt",
    "a\n",
    "x".repeat(101),
  ])("%j is not a name [R-09]", async (operand) => {
    await using repo = await gitRepository();
    const said = await inProcess(setup, repo.path, {}, { operand });
    expect(said).toMatchObject({ code: 64, stderr: expect.stringContaining("is no name for a folder") });
    expect(await listed(repo.path)).toEqual([".git", "README.md"]);
  });

  test("a link, or a file, is not taken for the folder [R-09]", async () => {
    await using repo = await gitRepository({ file: "" });
    await mkdir(path.join(repo.path, "elsewhere"));
    await symlink("elsewhere", path.join(repo.path, "link"));
    for (const operand of ["file", "link"])
      expect(await inProcess(setup, repo.path, {}, { operand })).toMatchObject({
        code: 64,
        stderr: expect.stringContaining("is no folder"),
      });
    expect(await listed(path.join(repo.path, "elsewhere"))).toEqual([]);
  });

  test("without git nothing is left behind [R-33]", async () => {
    await using place = await outsideOfGit();
    const old = process.env["PATH"];
    process.env["PATH"] = place.path;
    try {
      const said = await inProcess(setup, place.path, {}, { operand: "new" });
      expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining("git could not be started") });
    } finally {
      process.env["PATH"] = old;
    }
    expect(await listed(place.path)).toEqual([]);
  });

  test("a repository that git refuses to make is told, and nothing of ours is left [R-33]", async () => {
    await using place = await outsideOfGit();
    await writeFile(path.join(place.path, ".git"), "gitdir: nowhere\n");
    const said = await inProcess(setup, place.path, {}, { operand: "." });
    expect(said).toMatchObject({ code: 1, stderr: expect.stringMatching(/git made no repository[\s\S]*Next: /u) });
    expect(await listed(place.path)).toEqual([".git"]);
  });
});

test("the plan teaches checkboxes and HARD STOP lines, which the loop reads as such [R-09]", () => {
  const plan = SETUP_FILES.find((file) => file.path === "@fix_plan.md")?.text ?? "";
  expect(parseChecklist(plan, "HARD STOP", digest).map(({ ticked }) => ticked)).toEqual([false, false, false]);
  expect(scanHardStops(plan, "HARD STOP", digest)).toMatchObject([{ reached: false }]);
});
