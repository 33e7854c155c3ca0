import { expect, test } from "vitest";
import { refuseDirtyTree } from "../../src/app/prd-preflight.ts";
import type { LoopState } from "../../src/core/state.ts";
import { snapshotOf, workspaceOf } from "../git/support.ts";
import { aState } from "../support/builders.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folder = ".daedalus/prds/login";

async function refusal(repository: GitRepository, stored?: LoopState): Promise<unknown> {
  await using scratch = await tempFolder();
  const workspace = await workspaceOf(repository.path);
  const where = { root: repository.path, folder, stored, scratch: scratch.path };
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
        next: expect.stringMatching(/commit.*stash.*--worktree on/iu),
      },
    ],
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
    problems: [{ code: "PRD_TREE_DIRTY" }],
  });
  // Killed while the agent was at work: nobody can tell what it has changed since.
  for (const phase of ["turn", "unproved", "unsettled"] as const)
    expect(await refusal(repository, aState({ phase, snapshot }))).toBeUndefined();
});
