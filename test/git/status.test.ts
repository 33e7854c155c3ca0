import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { excludeFromGitStatus, trackedAmong } from "../../src/git/status.ts";
import { findRepository, isGitRepository } from "../../src/git/repository.ts";
import { LOOPS, snapshotOf, workspaceOf } from "./support.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("git status does not show what is excluded, and every pattern is there once", async () => {
  await using repository = await gitRepository();
  const file = path.join(repository.path, ".git/info/exclude");
  await repository.write(".git/info/exclude", "# mine");
  await repository.write(".codex/x", "x\n");
  await excludeFromGitStatus(repository.path, [".codex", "own/state.json"]);
  await excludeFromGitStatus(repository.path, [".codex", "other.json"]);
  expect(await readFile(file, "utf8")).toBe("# mine\n/.codex\n/own/state.json\n/other.json\n");
  expect(await repository.git("status", "--porcelain")).toBe("");
});

test("below the top, paths are anchored at the root [W-19]", async () => {
  await using repository = await gitRepository();
  await repository.write("a[1]/.codex/x", "x\n");
  await repository.write("a1/.codex/x", "x\n");
  await excludeFromGitStatus(path.join(repository.path, "a[1]"), [".codex"]);
  expect(await repository.git("status", "--porcelain")).toBe("?? a1/");
});

test("a linked work tree excludes in the repository that it belongs to", async () => {
  await using repository = await gitRepository();
  await using folder = await tempFolder();
  const tree = path.join(folder.path, "tree");
  await repository.git("worktree", "add", "-q", tree);
  await excludeFromGitStatus(tree, [".codex"]);
  expect(await readFile(path.join(repository.path, ".git/info/exclude"), "utf8")).toContain("/.codex\n");
});

test.each([
  "my *state/[s] #1.json ",
  "!a?b/#c",
  String.raw`back\slash`,
  "line\n*\nbreak.json",
  "carriage\r",
  "two  ",
  "é*",
])("%j is excluded, and nothing else [C11]", async (name) => {
  await using repository = await gitRepository();
  const before = await readFile(path.join(repository.path, ".git/info/exclude"), "utf8");
  const root = "x\n*";
  await repository.write(`${root}/${name}`, "ours\n");
  await repository.write(`${root}/mine`, "theirs\n");
  await repository.write("mine.json", "theirs\n");
  await excludeFromGitStatus(path.join(repository.path, root), [name]);
  const text = await readFile(path.join(repository.path, ".git/info/exclude"), "utf8");
  expect(text.slice(before.length)).toMatch(/^\/x\?\\\*\/.*\n$/u);
  const shown = await repository.git("status", "--porcelain", "-z", "--untracked-files=all");
  expect(shown.split("\0").filter((line) => line !== "")).toEqual(["?? mine.json", `?? ${root}/mine`]);
});

test.each([
  ["a folder in place of the file", ".git/info/exclude/x"],
  ["a file in place of its folder", ".git/info"],
])("%s is an error with its next step, and is left alone", async (_, obstacle) => {
  await using repository = await gitRepository();
  await rm(path.join(repository.path, ".git/info"), { recursive: true });
  await repository.write(obstacle, "x\n");
  await expect(excludeFromGitStatus(repository.path, [".codex"])).rejects.toMatchObject({
    code: "EXCLUDE_UNWRITABLE",
    next: expect.stringContaining("read and write"),
  });
  expect(await readFile(path.join(repository.path, obstacle), "utf8")).toBe("x\n");
});

test("a repository is found from its top and from below, and nowhere else [W-25]", async () => {
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

const NAMES = [".loopr/status.json", ".call_count", "a*é.txt"];

test("files that somebody has put under git's control, by exact name, from the top and from below [C11]", async () => {
  await using repository = await gitRepository({
    ".loopr/status.json": "{}\n",
    "aXé.txt": "x\n",
    "below/a*é.txt": "x\n",
  });
  await repository.write(".call_count", "1\n");
  expect(await trackedAmong(repository.path, NAMES)).toEqual([".loopr/status.json"]);
  expect(await trackedAmong(path.join(repository.path, "below"), NAMES)).toEqual(["a*é.txt"]);
});

test("outside of git there are none [W-25]", async () => {
  expect(await trackedAmong(path.parse(process.cwd()).root, NAMES)).toEqual([]);
});

test.each(["exclude", "."])("nothing is written through a link at info/%s [T14]", async (name) => {
  await using repository = await gitRepository();
  await using folder = await tempFolder();
  const secret = path.join(folder.path, "exclude");
  await writeFile(secret, "mine\n");
  const at = path.join(repository.path, ".git/info", name);
  await rm(at, { recursive: true, force: true });
  await symlink(name === "." ? folder.path : secret, at);
  await expect(excludeFromGitStatus(repository.path, [".codex"])).rejects.toMatchObject({ code: "EXCLUDE_UNWRITABLE" });
  expect(await readFile(secret, "utf8")).toBe("mine\n");
});

test.each(["exclude", "attributes"])("nothing is read through a link at info/%s [T3]", async (name) => {
  await using repository = await gitRepository();
  await using folder = await tempFolder();
  const secret = path.join(folder.path, "id");
  await writeFile(secret, "canary\n");
  const workspace = await workspaceOf(repository.path);
  await snapshotOf(workspace);
  const file = path.join(repository.path, ".git/info", name);
  await rm(file, { force: true });
  await symlink(secret, file);
  await expect(snapshotOf(workspace)).rejects.toMatchObject({ code: "LINK_REFUSED" });
  const copy = path.join(repository.path, LOOPS, "loops/loop/git/info", name);
  expect(await readFile(copy, "utf8")).not.toContain("canary");
});
