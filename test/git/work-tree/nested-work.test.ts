import { execFile } from "node:child_process";
import { mkdir, rename, rm, symlink, utimes } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitRepository, type GitRepository } from "../../support/git-repository.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { snapshotOf, workspaceOf } from "../support.ts";

const run = promisify(execFile);
const inside = (repository: GitRepository, name: string) => path.join(repository.path, name);

async function nest(repository: GitRepository, name: string): Promise<void> {
  await mkdir(inside(repository, name), { recursive: true });
  await run("git", ["init", "-q"], { cwd: inside(repository, name) });
}

async function commitAll(folder: string): Promise<void> {
  await run("git", ["add", "-A"], { cwd: folder });
  await run("git", ["-c", "user.name=T", "-c", "user.email=t@x", "commit", "-qm", "on"], { cwd: folder });
}

interface Case {
  readonly name: string;
  readonly differs: boolean;
  readonly act: (repository: GitRepository) => Promise<unknown>;
}

const CASES: readonly Case[] = [
  { name: "a changed file", differs: true, act: (r) => r.write("lib/a.txt", "other\n") },
  { name: "a new file", differs: true, act: (r) => r.write("lib/b.txt", "b\n") },
  { name: "a deleted file", differs: true, act: (r) => rm(inside(r, "lib/a.txt")) },
  { name: "a renamed file", differs: true, act: (r) => rename(inside(r, "lib/a.txt"), inside(r, "lib/z.txt")) },
  { name: "a link to another place", differs: true, act: (r) => symlink("a.txt", inside(r, "lib/link")) },
  { name: "a repository in it", differs: true, act: (r) => nest(r, "lib/deep").then(() => r.write("lib/deep/x", "x")) },
  { name: "a file longer than is read", differs: true, act: (r) => r.write("lib/long", "x".repeat(3 << 20)) },
  { name: "a commit of what was there", differs: false, act: (r) => commitAll(inside(r, "lib")) },
  { name: "a file touched only", differs: false, act: (r) => utimes(inside(r, "lib/a.txt"), 1, 1) },
  { name: "a file that it ignores", differs: false, act: (r) => r.write("lib/out/x.o", "x") },
];

test.each(CASES)("work inside a nested repository is told apart from none: $name [C34]", async ({ act, differs }) => {
  await using repository = await gitRepository({ "main.txt": "m\n" });
  await nest(repository, "lib");
  await repository.write("lib/a.txt", "a\n");
  await repository.write("lib/.gitignore", "out/\n");
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await act(repository);
  const after = await snapshotOf(workspace);
  expect(after.tree).toBe(before.tree);
  expect(after.nested === before.nested).toBe(!differs);
  expect(after.id === before.id).toBe(!differs);
  expect((await snapshotOf(await workspaceOf(repository.path, "second"))).nested).toBe(after.nested);
});

test("without nested repositories nothing is told apart, nor of one that is empty or ignored [C34]", async () => {
  await using repository = await gitRepository({ ".gitignore": "vendor/\n" });
  const workspace = await workspaceOf(repository.path);
  expect((await snapshotOf(workspace)).nested).toBeUndefined();
  await nest(repository, "empty");
  await nest(repository, "vendor");
  await repository.write("vendor/x.txt", "x\n");
  expect((await snapshotOf(workspace)).nested).toBeUndefined();
});

test("a link in a submodule's place leads nowhere [C34, T12]", async () => {
  await using inner = await gitRepository({ "x.txt": "x\n" });
  await using elsewhere = await tempFolder();
  await using repository = await gitRepository();
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  await repository.git("commit", "-qm", "submodule");
  const workspace = await workspaceOf(repository.path);
  expect((await snapshotOf(workspace)).nested).toBeDefined();
  await rm(inside(repository, "sub"), { recursive: true });
  await symlink(elsewhere.path, inside(repository, "sub"));
  expect((await snapshotOf(await workspaceOf(repository.path, "second"))).nested).toBeUndefined();
});
