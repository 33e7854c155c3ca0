import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { excludeFromGitStatus } from "../../src/workspace/exclude.ts";
import { findRepository, isGitRepository } from "../../src/workspace/repository.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("git status does not show what is excluded, and every pattern is there once", async () => {
  await using repository = await gitRepository();
  const file = path.join(repository.path, ".git/info/exclude");
  await repository.write(".git/info/exclude", "# mine");
  await repository.write(".codex/x", "x\n");
  await excludeFromGitStatus(repository.path, ["/.codex/", "*.log"]);
  await excludeFromGitStatus(repository.path, ["/.codex/", "*.tmp"]);
  expect(await readFile(file, "utf8")).toBe("# mine\n/.codex/\n*.log\n*.tmp\n");
  expect(await repository.git("status", "--porcelain")).toBe("");
});

test("W-19: below the top, patterns are anchored at the root", async () => {
  await using repository = await gitRepository();
  await repository.write("a[1]/.codex/x", "x\n");
  await repository.write("a1/.codex/x", "x\n");
  await excludeFromGitStatus(path.join(repository.path, "a[1]"), ["/.codex/"]);
  expect(await repository.git("status", "--porcelain")).toBe("?? a1/");
});

test("a linked work tree excludes in the repository that it belongs to", async () => {
  await using repository = await gitRepository();
  await using folder = await tempFolder();
  const tree = path.join(folder.path, "tree");
  await repository.git("worktree", "add", "-q", tree);
  await excludeFromGitStatus(tree, ["/.codex/"]);
  expect(await readFile(path.join(repository.path, ".git/info/exclude"), "utf8")).toContain("/.codex/\n");
});

test("W-25: a repository is found from its top and from below, and nowhere else", async () => {
  await using repository = await gitRepository({ "a/b/c.txt": "c\n" });
  expect(await isGitRepository(path.parse(repository.path).root)).toBe(false);
  expect(await isGitRepository(repository.path)).toBe(true);
  expect(await findRepository(path.join(repository.path, "a/b"))).toEqual({
    top: repository.path,
    gitDir: path.join(repository.path, ".git"),
    commonDir: path.join(repository.path, ".git"),
    prefix: "a/b/",
  });
});
