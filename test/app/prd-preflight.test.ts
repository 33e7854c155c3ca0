import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { refuseDirtyTree } from "../../src/app/prd-preflight.ts";
import type { LoopState } from "../../src/core/state.ts";
import { snapshotOf, workspaceOf } from "../git/support.ts";
import { aState } from "../support/builders.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folder = ".daedalus/prds/login";

async function refusal(repository: GitRepository, stored?: LoopState, canGoBeside = true): Promise<unknown> {
  await using scratch = await tempFolder();
  const workspace = await workspaceOf(repository.path);
  const where = { root: repository.path, folder, stored, scratch: scratch.path, canGoBeside };
  return await refuseDirtyTree(workspace, where).catch((error: unknown) => error);
}

test("a story's commit may take in the PRD's two documents, new or changed, and nothing else that was there", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", [`${folder}/prd.md`]: "# Login\n" });
  expect(await refusal(repository)).toBeUndefined();
  await repository.write(`${folder}/prd.md`, "# Login, better\n");
  await repository.write(`${folder}/prd.json`, "{}\n");
  expect(await refusal(repository)).toBeUndefined();
  for (const name of ["a.txt", `${folder}/notes.txt`, "prd.json", ".daedalus/prds/other/prd.json"])
    await repository.write(name, "theirs\n");
  for (let i = 10; i < 20; i++) await repository.write(`more/${i}`, "x\n");
  expect(await refusal(repository)).toMatchObject({
    problems: [
      {
        code: "PRD_TREE_DIRTY",
        what: expect.stringMatching(/: \.daedalus\/prds\/login\/notes\.txt, (?:[^,]+, ){8}[^,]+ and 4 more\./u),
        // Beside the checkout, what is not committed of the PRD would be missing.
        next: `Commit them, or git stash them; or commit ${folder} alone, leave the rest and have the stories worked on beside it: --worktree on.`,
      },
    ],
  });
  await repository.git("add", folder);
  await repository.git("rm", "-q", "--cached", `${folder}/notes.txt`);
  await repository.git("commit", "-qm", "PRD");
  expect(await refusal(repository)).toMatchObject({
    problems: [{ next: expect.stringMatching(/stash them; or leave the rest .*: --worktree on\.$/u) }],
  });
  expect(await refusal(repository, undefined, false)).toMatchObject({
    problems: [{ next: "Commit them, or git stash them." }],
  });
  await repository.git("update-ref", "-d", "HEAD");
  expect(await refusal(repository, undefined, false)).toMatchObject({
    problems: [{ next: "Commit them: the repository has no commit yet." }],
  });
});

test("what a run left unfinished is the loop's own, until somebody changes it [D-32]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.write("a.txt", "the agent's\n");
  const snapshot = await snapshotOf(await workspaceOf(repository.path));
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toBeUndefined();
  // The PRD may be edited between runs.
  await repository.write(`${folder}/prd.json`, "{}\n");
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toBeUndefined();
  await repository.write("b.txt", "somebody's\n");
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toMatchObject({
    problems: [{ code: "PRD_TREE_DIRTY", what: expect.stringMatching(/take them in: b\.txt\. Nothing/u) }],
  });
  // What a person commits, pulls or amends beside it leaves it what it was.
  await repository.git("add", "b.txt");
  await repository.git("commit", "-qm", "somebody's");
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toBeUndefined();
  await repository.git("commit", "-q", "--amend", "-m", "somebody's, better");
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toBeUndefined();
  await repository.git("reset", "-q", "--soft", await repository.git("commit-tree", "-m", "elsewhere", "HEAD^{tree}"));
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toBeUndefined();
  // What was committed and is no more would be taken in as well.
  await repository.git("reset", "-q", "--soft", snapshot.head ?? "");
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toMatchObject({
    problems: [{ code: "PRD_TREE_DIRTY", what: expect.stringMatching(/take them in: b\.txt\. Nothing/u) }],
  });
  await repository.git("rm", "-qf", "b.txt");
  // Put back in part: the rest is still the loop's.
  await repository.write("c.txt", "the agent's\n");
  const both = aState({ phase: "ready", snapshot: await snapshotOf(await workspaceOf(repository.path)) });
  await rm(path.join(repository.path, "c.txt"));
  expect(await refusal(repository, both)).toBeUndefined();
  expect(
    await refusal(repository, aState({ phase: "ready", snapshot: { ...snapshot, head: "1".repeat(40) } })),
  ).toMatchObject({
    problems: [{ code: "PRD_TREE_DIRTY", what: expect.stringMatching(/take them in: a\.txt\. Nothing/u) }],
  });
  // Killed while the agent was at work: nobody can tell what it has changed since.
  for (const phase of ["turn", "unproved", "unsettled"] as const)
    expect(await refusal(repository, aState({ phase, snapshot }))).toBeUndefined();
});

test("of many changes, and whatever they are called, only those are named that are not the loop's", async () => {
  await using repository = await gitRepository({ "zz.txt": "a\n" });
  await repository.write("zz.txt", "the agent's\n");
  const snapshot = await snapshotOf(await workspaceOf(repository.path));
  const odd = ["grün | +1.txt", 'say "hi".txt', `${"long/".repeat(40)}a.txt`];
  for (const name of odd) await repository.write(name, "x\n");
  const refused = {
    problems: [{ what: expect.stringMatching(/in: grün \| \+1\.txt, …\S+\/a\.txt, say "hi"\.txt\. /u) }],
  };
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toMatchObject(refused);
  for (let i = 10; i < 32; i++) await repository.write(`${i}.txt`, "x\n");
  const told = { problems: [{ what: expect.stringMatching(/: 10\.txt, (?:\d\d\.txt, ){8}19\.txt and 15 more\./u) }] };
  expect(await refusal(repository, aState({ phase: "ready", snapshot }))).toMatchObject(told);
});
