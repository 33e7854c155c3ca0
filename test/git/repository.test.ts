import { execFile } from "node:child_process";
import { appendFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findRepository, readHead } from "../../src/git/repository.ts";
import { snapshotOf, workspaceOf } from "./support.ts";
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

const BENT: Readonly<Record<string, (repository: GitRepository, victim: string) => Promise<unknown>>> = {
  "a file that names another common folder": (r, victim) => r.write(".git/commondir", victim),
  "one that names the whole file system": (r) => r.write(".git/commondir", "/\n"),
  "a file in place of .git, to another repository": async (r, victim) => {
    await rm(path.join(r.path, ".git"), { recursive: true });
    await r.write(".git", `gitdir: ${victim}/.git\n`);
  },
  "a link in place of .git, to another repository": async (r, victim) => {
    await rename(path.join(r.path, ".git"), path.join(r.path, "old"));
    await symlink(`${victim}/.git`, path.join(r.path, ".git"));
  },
  "a file in place of .git, to another one's work tree": async (r, victim) => {
    const other = `${r.path}-other`;
    await promisify(execFile)("git", ["worktree", "add", "-q", other], { cwd: victim });
    await rm(path.join(r.path, ".git"), { recursive: true });
    await r.write(".git", `gitdir: ${victim}/.git/worktrees/${path.basename(other)}\n`);
    await rm(other, { recursive: true });
  },
};

test.for(Object.entries(BENT))("%s leads nowhere [T12]", async ([, bend]) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using victim = await gitRepository({ "a.txt": "a\n" });
  await bend(repository, victim.path);
  await expect(findRepository(repository.path)).rejects.toMatchObject({ code: "GIT_FOLDER_UNTRUSTED" });
});

test("a work tree whose common folder was bent leads nowhere [T12]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  const other = path.join(folder.path, "other");
  await repository.git("worktree", "add", "-q", other);
  await writeFile(path.join(repository.path, ".git/worktrees/other/commondir"), folder.path);
  await expect(findRepository(other)).rejects.toMatchObject({ code: "GIT_FOLDER_UNTRUSTED" });
});

test("a submodule and a git folder kept apart are found", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using inner = await gitRepository({ "b.txt": "b\n" });
  await repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.path, "sub");
  expect(await headOf(path.join(repository.path, "sub"))).toBe(await inner.git("rev-parse", "HEAD"));
  await using folder = await tempFolder();
  const apart = path.join(folder.path, "apart.git");
  await inner.git("init", "-q", "--separate-git-dir", apart);
  expect(await findRepository(inner.path)).toMatchObject({ gitDir: apart, commonDir: apart });
});

test("one that a turn writes ends the run, and nothing is done by it [T12]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using victim = await tempFolder();
  const workspace = await workspaceOf(repository.path);
  await snapshotOf(workspace);
  await appendFile(path.join(repository.path, ".git/commondir"), victim.path);
  await expect(snapshotOf(workspace)).rejects.toMatchObject({ code: "GIT_FOLDER_UNTRUSTED" });
});
