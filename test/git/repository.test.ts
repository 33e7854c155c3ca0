import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findRepository, readHead } from "../../src/git/repository.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function headOf(root: string): Promise<string | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error("no repository");
  return readHead(repository);
}

interface Case {
  readonly name: string;
  readonly act: (repository: GitRepository) => Promise<unknown>;
}

const READABLE: readonly Case[] = [
  { name: "a branch", act: async () => undefined },
  { name: "a branch with a dot and a folder in its name", act: (r) => r.git("checkout", "-q", "-b", "release/1.2") },
  { name: "a packed branch", act: (r) => r.git("pack-refs", "--all") },
  { name: "a detached HEAD", act: (r) => r.git("checkout", "-q", "--detach") },
  { name: "a branch that was packed and moved on", act: packAndMoveOn },
];

async function packAndMoveOn(repository: GitRepository) {
  await repository.git("pack-refs", "--all");
  await repository.git("commit", "-q", "--allow-empty", "-m", "on");
}

test.each(READABLE)("$name is read from files", async ({ act }) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await act(repository);
  expect(await headOf(repository.path)).toBe(await repository.git("rev-parse", "HEAD"));
});

test("a second work tree has a HEAD of its own", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  const other = path.join(folder.path, "other");
  await repository.git("worktree", "add", "-q", "-b", "other", other);
  await promisify(execFile)("git", ["commit", "-q", "--allow-empty", "-m", "there"], { cwd: other });
  expect(await headOf(other)).toBe(await repository.git("rev-parse", "other"));
  expect(await headOf(repository.path)).toBe(await repository.git("rev-parse", "main"));
});

const FOR_GIT: readonly Case[] = [
  { name: "a branch without a commit", act: (r) => r.git("checkout", "-q", "--orphan", "new") },
  { name: "a branch that is another's name", act: byAnotherName },
  { name: "references kept in some other way", act: (r) => r.write(".git/HEAD", "ref: refs/heads/.invalid\n") },
  { name: "a way out of the folder", act: (r) => r.write(".git/HEAD", "ref: refs/heads/../../HEAD\n") },
];

async function byAnotherName(repository: GitRepository) {
  await repository.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
  await repository.git("symbolic-ref", "HEAD", "refs/heads/alias");
}

test.each(FOR_GIT)("$name is left to git", async ({ act }) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await act(repository);
  expect(await headOf(repository.path)).toBeUndefined();
});
