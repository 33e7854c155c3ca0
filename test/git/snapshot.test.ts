import { mkdir, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { LOOPS, snapshotOf, workspaceOf } from "./support.ts";

describe("the identity of a snapshot", () => {
  interface Case {
    readonly name: string;
    readonly differs: "id" | "tree" | "nothing";
    readonly act: (repository: GitRepository) => Promise<unknown>;
  }
  const inside = (repository: GitRepository, name: string) => path.join(repository.path, name);
  const cases: Case[] = [
    { name: "a changed file", differs: "tree", act: (r) => r.write("a.txt", "other\n") },
    { name: "a file of the same size", differs: "tree", act: (r) => r.write("a.txt", "A\n") },
    { name: "an untracked file", differs: "tree", act: (r) => r.write("new.txt", "n\n") },
    { name: "a deleted file", differs: "tree", act: (r) => rm(inside(r, "a.txt")) },
    { name: "a renamed file", differs: "tree", act: (r) => rename(inside(r, "a.txt"), inside(r, "z.txt")) },
    { name: "a staged change", differs: "id", act: (r) => r.git("rm", "-q", "--cached", "a.txt") },
    { name: "a file that is going to be added", differs: "id", act: (r) => r.git("add", "-N", "going.txt") },
    { name: "a new commit", differs: "id", act: (r) => r.git("commit", "-q", "--allow-empty", "-m", "x") },
    { name: "an ignored file", differs: "nothing", act: (r) => r.write("out/x.o", "x") },
    { name: "a file ignored by info/exclude", differs: "nothing", act: (r) => r.write("private.txt", "x") },
    { name: "a loop's folder", differs: "nothing", act: (r) => r.write(`${LOOPS}/loops/other/events.jsonl`, "{}\n") },
    { name: "a loop's folder staged", differs: "nothing", act: stageLoopFolder },
    { name: "a file touched only", differs: "nothing", act: (r) => utimes(inside(r, "a.txt"), 1, 1) },
    { name: "a refreshed index", differs: "nothing", act: touchAndRefresh },
    { name: "an empty folder", differs: "nothing", act: (r) => mkdir(inside(r, "empty")) },
  ];

  async function stageLoopFolder(repository: GitRepository) {
    await repository.write(`${LOOPS}/loops/other/events.jsonl`, "{}\n");
    await repository.git("add", "--", LOOPS);
  }

  async function touchAndRefresh(repository: GitRepository) {
    await utimes(inside(repository, "a.txt"), 1, 1);
    await repository.git("status");
  }

  test.each(cases)("$name: $differs", async ({ act, differs }) => {
    await using repository = await gitRepository({ "a.txt": "a\n", ".gitignore": "out/\n" });
    await repository.write(".git/info/exclude", "private.txt\n");
    await repository.write("going.txt", "g\n");
    const workspace = await workspaceOf(repository.path);
    const before = await snapshotOf(workspace);
    await act(repository);
    const after = await snapshotOf(workspace);
    expect(after.id === before.id).toBe(differs === "nothing");
    expect(after.tree === before.tree).toBe(differs !== "tree");
    expect((await snapshotOf(await workspaceOf(repository.path, "second"))).id).toBe(after.id);
  });

  test("what somebody has changed in our own index hides nothing [T12]", async () => {
    await using repository = await gitRepository({ "a.txt": "a\n" });
    const workspace = await workspaceOf(repository.path);
    const before = await snapshotOf(workspace);
    await repository.write("a.txt", "other\n");
    await repository.write("new.txt", "n\n");
    const gitDir = `--git-dir=${path.join(repository.path, LOOPS, "loops/loop/git")}`;
    await repository.git(gitDir, "--work-tree=.", "add", "new.txt");
    await repository.git(gitDir, "--work-tree=.", "update-index", "--assume-unchanged", "a.txt");
    const after = await snapshotOf(workspace);
    expect(await workspace.compare(before, after)).toMatchObject({ files: 2 });
    expect((await snapshotOf(await workspaceOf(repository.path, "second"))).id).toBe(after.id);
  });

  test("back where it was, a work tree is the same again", async () => {
    await using repository = await gitRepository({ "a.txt": "a\n" });
    const workspace = await workspaceOf(repository.path);
    const before = await snapshotOf(workspace);
    await repository.write("a.txt", "b\n");
    await repository.write("new.txt", "b\n");
    await workspace.snapshot();
    await repository.write("a.txt", "a\n");
    await rm(path.join(repository.path, "new.txt"));
    expect(await workspace.snapshot()).toEqual(before);
  });
});
