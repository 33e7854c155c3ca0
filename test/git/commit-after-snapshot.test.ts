import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { snapshotOf, workspaceOf } from "./support.ts";

const REQUEST = { message: "done", loopId: "loop", iteration: 1 };

test("what a check has changed after the turn's snapshot is committed as well [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "b.txt": "b\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "by the turn\n");
  await workspace.snapshot();
  await repository.write("a.txt", "by the check\n");
  await repository.write("new.txt", "by the check\n");
  await repository.git("rm", "-q", "b.txt");
  const { snapshot } = (await workspace.commit(REQUEST)) ?? {};
  expect(await repository.git("show", "--name-status", "--format=")).toBe("M\ta.txt\nD\tb.txt\nA\tnew.txt");
  expect(await repository.git("show", "HEAD:a.txt")).toBe("by the check");
  expect(await repository.git("status", "--porcelain", "--", ".", ":(exclude).codex")).toBe("");
  expect(await workspace.snapshot()).toEqual(snapshot);
});

test("a branch that somebody moved after the turn's snapshot is built on [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "by the turn\n");
  await repository.write("b.txt", "by the turn\n");
  await workspace.snapshot();
  await repository.git("add", "a.txt");
  await repository.git("commit", "-q", "-m", "theirs");
  await workspace.commit(REQUEST);
  expect(await repository.git("show", "--name-only", "--format=")).toBe("b.txt");
});

test("a check that changes nothing and a check that takes everything back [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "by the turn\n");
  await workspace.snapshot();
  expect((await workspace.commit(REQUEST))?.snapshot).toEqual(await workspace.snapshot());
  expect(await repository.git("show", "HEAD:a.txt")).toBe("by the turn");
  await repository.write("a.txt", "by another turn\n");
  await workspace.snapshot();
  await repository.write("a.txt", "by the turn\n");
  expect(await workspace.commit({ ...REQUEST, iteration: 2 })).toBeUndefined();
});

test("what a later turn changes, removes and names strangely is counted once, and committed [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "b.txt": "b\n" });
  const workspace = await workspaceOf(repository.path);
  await workspace.snapshot();
  await repository.write("a.txt", "one\n");
  await workspace.snapshot();
  const before = (await workspace.commit(REQUEST))?.snapshot;
  await repository.write("a.txt", "two\n");
  await repository.write("1\t2\tx", "x\n");
  await repository.write(":100644 y", "y\n");
  await rm(path.join(repository.path, "b.txt"));
  const after = await snapshotOf(workspace);
  const change = before && (await workspace.compare(before, after));
  expect(change).toMatchObject({ files: 4, added: 3, removed: 2 });
  expect((await workspace.commit({ ...REQUEST, iteration: 2 }))?.snapshot.tree).toBe(after.tree);
  const committed = await repository.git("show", "-z", "--name-status", "--format=");
  expect(committed).toBe("A\u00001\t2\tx\u0000A\u0000:100644 y\u0000M\u0000a.txt\u0000D\u0000b.txt\0");
  expect(await repository.git("status", "--porcelain", "--", ".", ":(exclude).codex")).toBe("");
});

test("a file behind a filter ends the commit [C13]", async () => {
  await using repository = await gitRepository({ ".gitattributes": "*.bin filter=lfs\n", "a.bin": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.bin", "b\n");
  await workspace.snapshot();
  await expect(workspace.commit(REQUEST)).rejects.toHaveProperty("code", "GIT_FILTER_NEEDED");
});
