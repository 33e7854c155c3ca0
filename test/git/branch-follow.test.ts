import path from "node:path";
import { describe, expect, test } from "vitest";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import type { WorkBranch } from "../../src/git/branch.ts";
import { BRANCH, type Machine, machine, remoteWith, type Remote, SOON } from "./branch-support.ts";

/** GitHub makes a commit again: the same files on the same parents, signed by somebody else. */
async function madeAnew({ http }: Remote, branch: WorkBranch, { git }: Machine, commit: string): Promise<string> {
  const parent = await git("rev-parse", `${commit}^`);
  await branch.push(commit, null, SOON);
  const of = ["-c", "user.name=GitHub", "-c", "user.email=noreply@github.com"];
  const made = await http.git(...of, "commit-tree", `${commit}^{tree}`, "-p", parent, "-m", "engine");
  await http.git("update-ref", `refs/heads/${BRANCH}`, made);
  return made;
}

describe.concurrent("sign-commits: the local branch follows what GitHub has made", () => {
  test.for([
    { name: "a whole clone", clone: [] },
    { name: "a shallow one", clone: ["--depth=1"] },
  ])("in $name: files and index stay, and the engine goes on on top of it", async ({ clone }) => {
    await using remote = await remoteWith();
    await using job = await machine(remote, clone);
    const branch = await job.branch();
    await branch.checkOut(SOON);
    const repository = { root: job.top, folder: path.join(job.path, "loop"), excluded: [] };
    const workspace = await createGitWorkspace(repository);
    const request = { message: "work", loopId: "a-loop", iteration: 1 };
    await job.write("a.md", "a\n");
    await workspace.snapshot();
    const { commit = "" } = (await workspace.commit(request)) ?? {};
    const made = await madeAnew(remote, branch, job, commit);
    expect(made).not.toBe(commit);
    expect(await branch.follow(commit, made, SOON)).toEqual({ ok: true, value: "moved" });
    await job.expectAt(made);
    expect(await job.git("log", "--format=%s", "-2")).toMatch(/^engine\n/u);
    expect(await workspace.commit(request)).toBeUndefined();
    await job.write("b.md", "b\n");
    await workspace.snapshot();
    const next = (await workspace.commit({ ...request, iteration: 2 }))?.commit ?? "";
    expect(await job.git("rev-parse", `${next}^`)).toBe(made);
    await job.expectAt(next);
  });

  test("not where the local branch is elsewhere, the files are others, or it cannot be fetched; and without one", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const main = await job.git("rev-parse", "HEAD");
    expect(await branch.follow(main, main, SOON)).toEqual({ ok: true, value: "absent" });
    await branch.checkOut(SOON);
    const commit = await job.commit("a.md", "a\n");
    const other = await remote.push("other", { "b.md": "b\n" });
    const rows = [
      [main, other, `the local branch ${BRANCH} is not where its work was`],
      [commit, other, `${other.slice(0, 12)} does not hold the same files`],
      [commit, "e".repeat(40), "eeeeeeeeeeee cannot be fetched: "],
    ] as const;
    for (const [from, to, why] of rows) {
      const followed = await branch.follow(from, to, SOON);
      expect(followed).toEqual({ ok: false, trouble: { because: expect.stringContaining(why) } });
    }
    await job.expectAt(commit);
  });
});

describe.concurrent("sign-commits: the commits that are to be made", () => {
  test("one by one; more than are wanted become one; none where history was rewritten", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const base = await job.git("rev-parse", "HEAD");
    const first = await job.commit("a.md", "a\n");
    const commit = await job.commit("a.md", "ab\n");
    const since = await branch.commitsSince({ base, commit, most: 2 }, SOON);
    const entry = { mode: "100644", object: await job.git("rev-parse", `${commit}:a.md`), size: 3 };
    const replaced = await job.git("rev-parse", `${first}:a.md`);
    expect(since).toMatchObject({
      value: {
        baseTree: await job.git("rev-parse", `${base}^{tree}`),
        commits: [{ id: first }, { id: commit, message: "engine\n", changes: [{ path: "a.md", replaced, entry }] }],
        squashed: null,
      },
    });
    expect(await branch.commitsSince({ base, commit, most: 1 }, SOON)).toMatchObject({
      value: {
        commits: [{ id: commit, message: "engine\n\nWith it:\n\n- engine\n", changes: [{ replaced: null, entry }] }],
        squashed: { from: 2, because: "many" },
      },
    });
    expect(await branch.commitsSince({ base: commit, commit, most: 1 }, SOON)).toMatchObject({
      value: { commits: [] },
    });
    const rewritten = await branch.commitsSince({ base: commit, commit: first, most: 1 }, SOON);
    expect(rewritten).toMatchObject({ ok: false, trouble: { kind: "rewritten" } });
    expect(await branch.commitsSince({ base: "--all", commit, most: 1 }, SOON)).toMatchObject({
      trouble: { kind: "failed" },
    });
    expect(await branch.contents(["e".repeat(40)], SOON)).toMatchObject({ ok: false });
    expect(await branch.contents([], SOON)).toEqual({ ok: true, value: new Map() });
  });
});
