import path from "node:path";
import { rm, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { findRepository } from "../../../src/git/repository.ts";
import { PrivateGit } from "../../../src/git/private-git.ts";
import { createPlainWorkspace } from "../../../src/git/workspace.ts";
import { changedTextsIn, type TextLimits } from "../../../src/git/work-tree/changed-texts.ts";
import { forgeObject } from "../../support/forge-object.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { LOOPS, snapshotOf, workspaceOf } from "../support.ts";

const FILES = { "check.sh": "sh test/a.sh\n", "src/a.ts": "1;\n", "test/a.test.ts": "a\n", "test/ü.test.ts": "ü\n" };
const SCRIPTS = ["check.sh"];
const OURS = path.join(LOOPS, "loops", "loop", "git");

test("what has changed since the loop began, judges first, moves as one, untracked and uncommitted included [C40]", async () => {
  await using repository = await gitRepository(FILES);
  await repository.write("test/b.test.ts", "uncommitted when it began\n");
  const workspace = await workspaceOf(repository.path);
  const begun = await snapshotOf(workspace);
  expect(await workspace.changedTexts(begun, begun, SCRIPTS)).toEqual({ changes: [], unread: [] });
  await repository.write("src/a.ts", "2;\n");
  await repository.write("check.sh", "true\n");
  await repository.write("test/c.test.ts", "new\n");
  await repository.write("test/deep/ü.test.ts", "ü\n");
  await repository.write("node_modules/a/index.js", "1\n");
  await repository.write("test/fixtures/a.png", "\0binary");
  for (const name of ["test/b.test.ts", "test/ü.test.ts"]) await rm(path.join(repository.path, name));
  const texts = await workspace.changedTexts(begun, await snapshotOf(workspace), SCRIPTS);
  expect(texts).toEqual({
    changes: [
      { path: "check.sh", before: "sh test/a.sh\n", after: "true\n" },
      { path: "test/b.test.ts", before: "uncommitted when it began\n", after: null },
      { path: "test/c.test.ts", before: null, after: "new\n" },
      { path: "test/deep/ü.test.ts", from: "test/ü.test.ts", before: "ü\n", after: "ü\n" },
      { path: "src/a.ts", before: "1;\n", after: "2;\n" },
    ],
    unread: ["test/fixtures/a.png"],
  });
});

test("on another machine the commit that it began with tells, and without that nothing does [C40]", async () => {
  await using repository = await gitRepository(FILES);
  const begun = await snapshotOf(await workspaceOf(repository.path));
  const lost = { ...begun, tree: begun.tree.replaceAll(/./gu, "1") };
  await rm(path.join(repository.path, OURS), { recursive: true });
  const workspace = await workspaceOf(repository.path);
  await repository.write("src/a.ts", "2;\n");
  const now = await snapshotOf(workspace);
  const changes = [{ path: "src/a.ts", before: "1;\n", after: "2;\n" }];
  expect(await workspace.changedTexts(begun, now, SCRIPTS)).toEqual({ changes, unread: [] });
  expect(await workspace.changedTexts(lost, now, SCRIPTS)).toEqual({ changes, unread: [] });
  expect(await workspace.changedTexts({ ...lost, head: null }, now, SCRIPTS)).toBeNull();
  expect(await workspace.changedTexts({ ...lost, head: lost.tree }, now, SCRIPTS)).toBeNull();
  expect(await createPlainWorkspace().changedTexts(begun, now, SCRIPTS)).toBeNull();
});

test("a text that is not what its name says is told, and never taken [C40, T17]", async () => {
  await using repository = await gitRepository(FILES);
  const workspace = await workspaceOf(repository.path);
  const begun = await snapshotOf(workspace);
  await repository.write("test/a.test.ts", "bent\n");
  const now = await snapshotOf(workspace);
  await forgeObject(repository.path, await repository.git("rev-parse", "HEAD:test/a.test.ts"), "blob", "bent\n");
  await expect(workspace.changedTexts(begun, now, SCRIPTS)).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
});

test.each<[string, Partial<TextLimits>, readonly string[]]>([
  ["too many", { files: 1 }, ["test/a.test.ts"]],
  ["too large a file", { fileBytes: 4 }, ["src/b.ts", "test/a.test.ts"]],
  ["too much of all", { bytes: 6 }, ["test/a.test.ts"]],
])("%s: judges are read before the rest, which is told as unread [C40]", async (_what, some, read) => {
  await using repository = await gitRepository({ "src/b.ts": "1\n", "src/big.ts": "1\n", "test/a.test.ts": "a\n" });
  const workspace = await workspaceOf(repository.path);
  const begun = await snapshotOf(workspace);
  await repository.write("test/a.test.ts", "b\n");
  await repository.write("src/b.ts", "2\n");
  await repository.write("src/big.ts", "much more than that\n");
  await symlink("/nowhere", path.join(repository.path, "link"));
  const now = await snapshotOf(workspace);
  const found = await findRepository(repository.path);
  if (found === undefined) throw new Error("There is a repository.");
  const git = new PrivateGit(found, path.join(repository.path, OURS));
  const limits = { files: 400, fileBytes: 1_000, bytes: 10_000, ...some };
  const texts = await changedTextsIn(git, begun, now.tree, SCRIPTS, limits);
  const named = texts?.changes.map((change) => change.path) ?? [];
  expect(named.slice(0, 1)).toEqual(["test/a.test.ts"]);
  expect([...named, ...(texts?.unread ?? [])].toSorted()).toEqual(["link", "src/b.ts", "src/big.ts", "test/a.test.ts"]);
  expect(named.toSorted()).toEqual(read);
});
