import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { timestamp } from "../../src/core/open-loop.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aState } from "../support/builders.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { gitHttp } from "../support/git-http.ts";
import { gitRepository } from "../support/git-repository.ts";
import { aCache, aPull, aRun, startGithubApi } from "../support/github-api/server.ts";
import { cli, jsonOf, stage } from "./run-cli.ts";

const PERMISSIONS = { actions: "write", contents: "write", "pull-requests": "read" } as const;
const DONE = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
const STOPPED = { status: "paused_hard_stop", stop_reason: { kind: "paused", by: "alice" } } as const;
const LONG_AGO = Date.now() - 20 * 86_400_000;

interface Stored {
  readonly state: Partial<LoopState>;
  readonly savedAt?: number;
  /** the loop's own pull request */
  readonly pull?: { readonly number: number; readonly branch: string };
}

/** A repository on GitHub, and a workspace whose origin it is. */
async function start() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await gitHttp());
  const tokens = { [remote.writeToken]: { login: "alice", permissions: PERMISSIONS } };
  const api = stack.use(await startGithubApi({ git: remote, repository: { owner: "o", name: "r" }, tokens }));
  const clone = stack.use(await gitRepository({ "a.txt": "a\n" }));
  const repo = stack.use(await stage());
  await repo.git("remote", "add", "origin", remote.url);
  await clone.git("push", "-q", remote.folder, "main");
  const head = await clone.git("rev-parse", "HEAD");
  const tree = await clone.git("rev-parse", "HEAD^{tree}");
  const loop = async (loopId: string, { state, savedAt = LONG_AGO, pull }: Stored): Promise<void> => {
    const link = { authorised_by: null, obeyed: null, continuations: 0 };
    const pullRequest = pull === undefined ? null : { number: pull.number, url: "", own: true };
    const github = { ...link, branch: pull?.branch ?? "none", head, pull_request: pullRequest };
    const whole = { ...aState(), loop_id: loopId, iteration: 1, snapshot: { id: "x", tree, head }, github, ...state };
    const { generation, revision } = whole;
    const saved = { loop_id: loopId, generation, revision, saved_at: timestamp(savedAt), state: whole };
    await writeFile(path.join(clone.path, "record.json"), JSON.stringify({ ...aCarriedRecord(revision), ...saved }));
    await clone.git("add", "record.json");
    const commit = await clone.git("commit-tree", await clone.git("write-tree"), "-m", loopId);
    await clone.git("push", "-q", remote.folder, `${commit}:refs/smithers-loops/${loopId}`);
    if (pull !== undefined) await remote.git("update-ref", `refs/heads/${pull.branch}`, head);
  };
  const env = { GITHUB_API_URL: api.url, GITHUB_SERVER_URL: new URL(remote.url).origin, GH_TOKEN: remote.writeToken };
  const owned = stack.move();
  return {
    ...{ api, remote, repo, head, loop },
    prune: (...args: string[]) => cli(["prune", ...args], repo.path, env),
    refs: async () => (await remote.git("for-each-ref", "--format=%(refname)")).split("\n"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.concurrent("smithers prune", () => {
  test("shows what loops that are over have left on GitHub, and removes it only with --yes", async () => {
    await using at = await start();
    const { api, remote, head, loop } = at;
    const { world } = api;
    await loop("done", { state: DONE });
    await loop("merged", { state: STOPPED, pull: { number: 7, branch: "smithers/merged" } });
    await loop("unsaved", { state: { ...DONE, snapshot: null } });
    await loop("young", { state: DONE, savedAt: Date.now() });
    await loop("parked", { state: STOPPED, pull: { number: 8, branch: "smithers/parked" } });
    await loop("at-work", { state: { status: "running", stop_reason: null } });
    const runId = Number(aCarriedRecord(1).run.id);
    world.runs.push(aRun({ id: runId, status: "in_progress", conclusion: null }));
    world.issues.push(aPull({ number: 7, headBranch: "smithers/merged", state: "closed", merged: true, base: "main" }));
    world.issues.push(aPull({ number: 8, headBranch: "smithers/parked" }));
    await remote.git("update-ref", "refs/smithers-control/done/pause/alice-1", head);
    await remote.git("update-ref", "refs/smithers-control/nobody/pause/alice-1", head);
    await remote.git("update-ref", "refs/smithers-control/at-work/pause/alice-1", head);
    const keyed = (id: number, key: string, createdAt = new Date(LONG_AGO)) => aCache({ id, key, createdAt });
    world.caches.push(keyed(1, "smithers-v1-done-00000001-1-1"), keyed(2, "smithers-v1-gone-00000001-1-1"));
    world.caches.push(keyed(3, "smithers-v1-new-00000001-1-1", new Date()), keyed(4, "npm"));
    world.caches.push(keyed(5, "smithers-v1-parked-00000001-1-1"));
    const before = await at.refs();

    const shown = await at.prune();
    expect(shown.code).toBe(0);
    expect(shown.stdout.split("\n").map((text) => text.trimEnd().replaceAll(/ {2,}/gu, " | "))).toEqual([
      "caches | 1 cache entry of done | completed",
      "request | refs/smithers-control/done/pause/alice-1 | completed",
      "ref | refs/smithers-loops/done | completed",
      "branch | refs/heads/smithers/merged | pull request #7 is merged",
      "ref | refs/smithers-loops/merged | pull request #7 is merged",
      "ref | refs/smithers-loops/unsaved | completed, its work may be nowhere else",
      "request | refs/smithers-control/nobody/pause/alice-1 | there is no such loop",
      "caches | 1 cache entry of gone | their loop has no ref",
      "stays: loop at-work is running",
      "stays: loop parked is paused_hard_stop and can go on",
      expect.stringMatching(/^stays: loop young was saved on \d{4}-\d\d-\d\d$/u),
      "Nothing was removed. smithers prune --yes, with the same flags, removes the 8 above.",
      "",
    ]);
    await at.prune("--dry-run", "--yes");
    expect(await at.refs()).toEqual(before);
    expect(world.caches).toHaveLength(5);

    const removed = await at.prune("--yes", "--json");
    expect(removed.code).toBe(0);
    expect(jsonOf(removed)).toMatchObject({ schema: 1, dry_run: false });
    expect(jsonOf(removed)["found"]).toEqual(
      Array.from({ length: 8 }, () => expect.objectContaining({ removed: true, left_because: null })),
    );
    expect(await at.refs()).toEqual([
      ...["refs/heads/main", "refs/heads/smithers/parked", "refs/smithers-control/at-work/pause/alice-1"],
      ...["refs/smithers-loops/at-work", "refs/smithers-loops/parked", "refs/smithers-loops/young"],
    ]);
    expect(world.caches.map(({ id }) => id)).toEqual([3, 4, 5]);
    expect((await at.prune("--yes", "--repo", "o/r")).stdout).toContain("There is nothing to remove.");
    expect(api.problems).toEqual([]);
  });

  test("says what it could not remove and exits 1; removes nothing where GitHub cannot be read", async () => {
    await using at = await start();
    await at.loop("done", { state: DONE });
    await at.remote.hook("pre-receive", "echo GH013: Repository rule violations found >&2; exit 1");
    const left = await at.prune("--yes");
    expect(left.code).toBe(1);
    expect(left.stderr).toContain("refs/smithers-loops/done is left: a rule of the repository forbids it");
    expect(left.stdout).toContain("Removed 0 of 1.");
    at.api.fail("git/list-matching-refs", { status: 404, body: { message: "Not Found" } });
    const unread = await at.prune("--yes");
    expect(unread.code).toBe(1);
    expect(unread.stderr).toMatch(/What loops have left in o\/r cannot be read: .*Nothing was deleted\.\n {2}Next: /u);
  });

  test("removes the folders of this workspace's loops that are over, and nothing that is not ours [W-47]", async () => {
    await using repo = await stage();
    // A folder of its own for our state: what other workspaces have left there is found as well.
    const at = [repo.path, { XDG_STATE_HOME: `${repo.path}-state` }] as const;
    const script = await repo.play({ turns: [{ lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" }] });
    await cli(["x", "--loop-id", "L", ...script], ...at);
    const old = await cli(["prune", "--yes"], ...at);
    expect(old.stderr).toContain("GitHub is not looked at, for there is no token");
    expect(old.stdout).toMatch(/^stays: loop L ended on .*\nThere is nothing to remove\.\n$/u);
    const shown = await cli(["prune", "--older-than", "0", "--json"], ...at);
    expect(jsonOf(shown)).toMatchObject({ dry_run: true, found: [{ kind: "files", loop_id: "L", removed: false }] });
    const removed = await cli(["prune", "--older-than", "0", "--yes"], ...at);
    expect({ code: removed.code, stdout: removed.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("Removed 1."),
    });
    expect(jsonOf(await cli(["status", "--json"], ...at))).toMatchObject({ status: "completed" });
    const again = await cli(["prune", "--older-than", "0", "--yes"], ...at);
    expect(again.stdout).toBe("There is nothing to remove.\n");
  });

  test("teaches in its help what goes, what never does, and how it is used", async () => {
    await using repo = await stage();
    const { code, stdout } = await cli(["prune", "--help"], repo.path);
    expect(code).toBe(0);
    for (const text of [
      "--yes",
      "--older-than <days>",
      "even with --yes",
      "never removed",
      "Examples:",
      "Exit codes:",
    ]) {
      expect(stdout).toContain(text);
    }
  });

  test.for([
    { args: ["--repo", "nonsense"], says: '--repo "nonsense" names no repository.' },
    { args: ["--repo", "o/r"], says: "There is no token, so nothing of the repository on GitHub can be looked at." },
    { args: ["--older-than", "soon"], says: '--older-than "soon" is no number of days.' },
  ])("refuses $args with a next step", async ({ args, says }) => {
    await using repo = await stage();
    const answer = await cli(["prune", ...args], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain(says);
    expect(answer.stderr).toContain("Next: ");
  });
});
