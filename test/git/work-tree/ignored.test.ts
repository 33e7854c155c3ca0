import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { gitRepository } from "../../support/git-repository.ts";
import { snapshotOf, workspaceOf } from "../support.ts";

test("a person's ignored file that was added by force, or whose rule was taken away, stays, and is in no story's commit", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", ".gitignore": "*.env\n" });
  await repository.write("my.env", "secret\n");
  await repository.write("other.env", "secret\n");
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await repository.git("add", "-f", "my.env");
  expect(await workspace.pendingFiles()).toBe(0);
  expect(await workspace.takeOut(before, "checks.patch")).toEqual({ made: [], changed: [], left: [] });
  await workspace.setAside("set-aside.patch");
  expect(await readFile(path.join(repository.path, "my.env"), "utf8")).toBe("secret\n");
  expect(await repository.git("diff", "--cached", "--name-only")).toBe("");

  await repository.git("add", "-f", "my.env");
  await repository.write(".gitignore", "nothing\n");
  await repository.write("work.txt", "work\n");
  const story = { prd: "shop", id: "US-001" };
  const made = await workspace.commit({ message: "m", loopId: "l", iteration: 1, story });
  expect(made?.ignored?.toSorted()).toEqual(["my.env", "other.env"]);
  expect(await repository.git("show", "--format=", "--name-only", "HEAD")).toBe(".gitignore\nwork.txt");
  expect(made?.snapshot).toEqual(await snapshotOf(await workspaceOf(repository.path, "fresh")));
  // The rules that came with that commit do not ignore them any more.
  expect(await repository.git("status", "--porcelain")).toContain("?? other.env");
  expect(await workspace.pendingFiles()).toBe(0);
  await repository.write("more.env", "work\n");
  const next = await workspace.commit({
    message: "m",
    loopId: "l",
    iteration: 2,
    story: { prd: "shop", id: "US-002" },
  });
  expect(next?.ignored?.toSorted()).toEqual(["my.env", "other.env"]);
  expect(await repository.git("show", "--format=", "--name-only", "HEAD")).toBe("more.env");
  await workspace.setAside("set-aside.patch");
  expect(await readFile(path.join(repository.path, "other.env"), "utf8")).toBe("secret\n");
});
