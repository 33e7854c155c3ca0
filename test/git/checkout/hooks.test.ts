import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { tellsHooks } from "../../../src/git/checkout/hooks.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { workspaceOf } from "../support.ts";

test.for([
  { of: "git's own folder", folder: ".git/hooks", path: null, shown: ".git/hooks/" },
  { of: "a folder of the repository", folder: "tools/hooks", path: "tools/hooks", shown: "tools/hooks/" },
  { of: "husky", folder: ".husky/_", path: ".husky/_", shown: ".husky/" },
])("the commit hooks of $of are named, and those that git would not run are not [C13]", async (one) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const folder = path.join(repository.path, one.folder);
  await mkdir(folder, { recursive: true });
  const hook = async (name: string, mode: number) => {
    await writeFile(path.join(folder, name), "#!/bin/sh\ntouch ran\n");
    await chmod(path.join(folder, name), mode);
  };
  await hook("pre-commit", 0o755);
  await hook("commit-msg", 0o644);
  await hook("post-checkout", 0o755);
  await mkdir(path.join(folder, "post-commit"));
  if (one.path !== null) await repository.git("config", "core.hooksPath", one.path);
  if (one.folder !== ".husky/_") await hook("prepare-commit-msg", 0o755);
  else {
    await hook("prepare-commit-msg", 0o755);
    await repository.write(".husky/pre-commit", "npm test\n");
  }
  const others = one.folder === ".husky/_" ? [] : [`${one.shown}prepare-commit-msg`];
  const workspace = await workspaceOf(repository.path);
  expect(await workspace.hooksNotRun()).toEqual([`${one.shown}pre-commit`, ...others]);
});

test("without a hook there is nothing to tell", async () => {
  await using repository = await gitRepository();
  await repository.write(".git/hooks/pre-commit.sample", "x\n");
  expect(await (await workspaceOf(repository.path)).hooksNotRun()).toEqual([]);
});

test("each is told once: those that are there as the run begins, and those that come later as such", async () => {
  const found: string[] = [];
  const said: string[] = [];
  const tell = tellsHooks(
    async () => found,
    (text) => said.push(text),
  );
  await tell();
  found.push("pre-commit");
  for (let commit = 0; commit < 2; commit += 1) await tell();
  expect(said).toEqual([expect.stringMatching(/^commit hooks were put into .* went on: pre-commit\. /u)]);
  const again = tellsHooks(
    async () => found,
    (text) => said.push(text),
  );
  await again();
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^commit hooks of this repository are not run: pre-commit\. /u),
  ]);
  await tellsHooks(undefined, (text) => said.push(text))();
  expect(said).toHaveLength(2);
});
