import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { standOnBranch } from "../../src/app/checkout/stand-on-branch.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const on = (repository: GitRepository) => repository.git("symbolic-ref", "--short", "HEAD");

test("a run stands on a new branch at HEAD, on one that is there, and on its own again, and no hook runs [D-27]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "gone.txt": "x\n" });
  const ran = path.join(repository.path, ".git/ran");
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change"])
    await repository.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${ran}"\n`);
  await repository.git("config", "core.hooksPath", ".git/none");
  const main = await repository.git("rev-parse", "HEAD");
  expect(await standOnBranch(repository.path, "prd/login")).toEqual({ how: "begun", notices: [] });
  expect([await on(repository), await repository.git("rev-parse", "HEAD")]).toEqual(["prd/login", main]);
  await repository.git("rm", "-q", "gone.txt");
  await repository.write("a.txt", "b\n");
  await repository.git("commit", "-qam", "on");
  await repository.git("checkout", "-q", "main");
  await repository.git("config", "--unset", "core.hooksPath");
  await repository.write("untracked.txt", "theirs\n");
  expect(await standOnBranch(repository.path, "prd/login")).toEqual({ how: "moved", notices: [] });
  expect(await repository.git("status", "--porcelain")).toBe("?? untracked.txt");
  expect(await readFile(path.join(repository.path, "a.txt"), "utf8")).toBe("b\n");
  expect(await readdir(repository.path)).not.toContain("gone.txt");
  expect(await standOnBranch(repository.path, "prd/login")).toEqual({ how: "there", notices: [] });
  expect(await readdir(path.join(repository.path, ".git"))).not.toContain("ran");
});

test.for([
  {
    what: "a file with changes",
    make: (repository: GitRepository) => repository.write("a.txt", "theirs\n"),
    because: /a\.txt has changes/u,
  },
  {
    what: "a file in the way, ignored as it may be",
    make: async (repository: GitRepository) => {
      await writeFile(path.join(repository.path, ".git/info/exclude"), "new.txt\n");
      await repository.write("new.txt", "theirs\n");
    },
    because: /new\.txt would be written over/u,
  },
  {
    what: "a merge",
    make: (repository: GitRepository) => repository.write(".git/MERGE_HEAD", "x\n"),
    because: /a merge is in progress/u,
  },
])("$what keeps the checkout where it is, and nothing is changed [D-27]", async ({ make, because }) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.git("checkout", "-qb", "work");
  await repository.write("a.txt", "b\n");
  await repository.write("new.txt", "n\n");
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", "on");
  await repository.git("checkout", "-q", "main");
  await make(repository);
  const before = await repository.git("status", "--porcelain");
  await expect(standOnBranch(repository.path, "work")).rejects.toMatchObject({
    problems: [{ code: "BRANCH_NOT_CHECKED_OUT", what: expect.stringMatching(because) }],
  });
  expect(await on(repository)).toBe("main");
  expect(await repository.git("status", "--porcelain")).toBe(before);
});

test.for(["", "-q", "a b", "a..b", "refs/heads/x", "HEAD", "x.lock", "$(touch ran)", "a\nb", "main/x"])(
  "%j is no branch to stand on [D-35]",
  async (branch) => {
    await using repository = await gitRepository();
    await expect(standOnBranch(repository.path, branch)).rejects.toHaveProperty("name", "UsageError");
    expect(await on(repository)).toBe("main");
  },
);

test("a branch that another work tree has is left to it [D-27]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  await repository.git("worktree", "add", "-q", "-b", "side", path.join(folder.path, "side"));
  await expect(standOnBranch(repository.path, "side")).rejects.toMatchObject({
    problems: [{ what: expect.stringContaining("another work tree (side) has it checked out") }],
  });
});
