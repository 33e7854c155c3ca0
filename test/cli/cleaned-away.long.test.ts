import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { LOOPS_FOLDER } from "../../src/store/place.ts";
import { aState } from "../support/builders.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { gitHttp } from "../support/git-http.ts";
import { gitRepository } from "../support/git-repository.ts";
import { anArtifact, aRun, startGithubApi } from "../support/github-api/server.ts";
import { cli, jsonOf, stage } from "./run-cli.ts";

const WORK = { turns: [{ files: { "a.txt": "a\n" } }, { files: { "b.txt": "b\n" } }] };
const PAUSED = { status: "paused_hard_stop", stop_reason: { kind: "paused", by: "alice" }, iteration: 3 } as const;

/** A loop of two iterations with a commit each, whose files somebody has cleaned away. */
async function cleaned() {
  const repo = await stage();
  const script = await repo.play(WORK);
  const args = ["x", "--loop-id", "L", ...script, "--commit", "iteration", "--full-auto", "--max-iterations", "2"];
  const first = await cli(args, repo.path);
  expect(first.code).toBe(2);
  await repo.git("clean", "-ffdxq");
  await repo.play(WORK);
  return { repo, args, script };
}

describe.concurrent("a loop whose files were cleaned away [C57]", () => {
  test("status and resume say what happened, what is left, and what run would do", async () => {
    const { repo } = await cleaned();
    await using _ = repo;
    for (const command of [["status", "--loop-id", "L"], ["resume", "--loop-id", "L"], ["status"]]) {
      const { code, stdout, stderr } = await cli(command, repo.path);
      expect(code).toBe(64);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/There is no loop L in .*2 commits of loop L are in the history .* up to iteration 2/u);
      expect(stderr).toMatch(/git clean -ffdx/u);
      expect(stderr).toMatch(/run --loop-id L "<prompt>" would start it again: iteration 1, fresh counts/u);
    }
  });

  test("of which the state is left goes on, unless its prompt was too long for that: status says what resume does [C150]", async () => {
    await using repo = await stage();
    const script = await repo.play(WORK);
    const begin = async (loopId: string, prompt: string): Promise<void> => {
      await cli([prompt, "--loop-id", loopId, ...script, "--max-iterations", "1"], repo.path);
      await rm(path.join(repo.path, LOOPS_FOLDER, loopId), { recursive: true });
    };
    await begin("short", "Do the work.");
    await begin("long", "Do the work. ".repeat(2_000));
    expect((await cli(["status", "short"], repo.path)).stdout).toContain("smithers resume --loop-id short");
    const goesOn = await cli(["resume", "short", ...script, "--max-iterations", "2"], repo.path);
    expect(goesOn.stderr).toContain("loop short resumed: 1 iteration begun so far");
    const refused = await cli(["resume", "long", ...script, "--max-iterations", "2"], repo.path);
    const why = /The whole prompt of loop long is lost: its file \S+ is not there\. The state is unharmed\./u;
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(why);
    const status = await cli(["status", "long"], repo.path);
    expect(status.stdout).toMatch(new RegExp(`^Next: ${why.source} Put the file back, or start the loop again`, "mu"));
    expect(status.stdout).not.toContain("resume --loop-id");
    expect(jsonOf(await cli(["status", "long", "--json"], repo.path))).toMatchObject({ resume: null });
  });

  test("run begins it anew, and says so before it does", async () => {
    const { repo, args } = await cleaned();
    await using _ = repo;
    const again = await cli(args, repo.path);
    expect(again.stderr).toMatch(/2 commits of loop L .* it starts again: iteration 1/u);
    expect(again.stderr.indexOf("it starts again")).toBeLessThan(again.stderr.indexOf("iteration 1 started"));
    expect(again.stderr).toContain("iteration 1 started, fresh session");
  });

  test("nothing of it is said of a loop that nothing names, nor of one that is there", async () => {
    const { repo, args, script } = await cleaned();
    await using _ = repo;
    const other = await cli(["status", "--loop-id", "other"], repo.path);
    expect(other.stderr).toContain("There is no loop other");
    expect(other.stderr).not.toContain("cleaned");
    expect(other.stderr).not.toContain("commits of loop");
    const fresh = await cli(["x", "--loop-id", "new", ...script, "--max-iterations", "1"], repo.path);
    expect(fresh.stderr).not.toContain("starts again");
    await cli(args, repo.path);
    expect((await cli(["status", "--loop-id", "L"], repo.path)).stderr).not.toContain("starts again");
  });
});

/** A workspace whose origin is on GitHub, where a loop may be kept. */
async function onGithub() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await gitHttp());
  const permissions = { actions: "read", contents: "read", "pull-requests": "read" } as const;
  const tokens = { [remote.writeToken]: { login: "alice", permissions } };
  const api = stack.use(await startGithubApi({ git: remote, repository: { owner: "o", name: "r" }, tokens }));
  const clone = stack.use(await gitRepository({ "a.txt": "a\n" }));
  const repo = stack.use(await stage());
  await repo.git("remote", "add", "origin", remote.url);
  const env = { GITHUB_API_URL: api.url, GITHUB_SERVER_URL: new URL(remote.url).origin, GH_TOKEN: remote.writeToken };
  const owned = stack.move();
  return {
    api,
    repo,
    keep: async (loopId: string) => {
      const state = { ...aState(), loop_id: loopId, ...PAUSED };
      const { generation, revision } = state;
      const record = { ...aCarriedRecord(revision), loop_id: loopId, generation, state };
      await writeFile(path.join(clone.path, "record.json"), JSON.stringify(record));
      await clone.git("add", "record.json");
      const commit = await clone.git("commit-tree", await clone.git("write-tree"), "-m", loopId);
      await clone.git("push", "-q", remote.folder, `${commit}:refs/smithers-loops/${loopId}`);
    },
    cli: (...args: string[]) => cli(args, repo.path, env),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.concurrent("a loop that GitHub holds [C57]", () => {
  test("is found from its ref, and status shows where it stands and how it goes on there", async () => {
    await using at = await onGithub();
    await at.keep("job-loop");
    const shown = await at.cli("status", "--loop-id", "job-loop", "--json");
    expect(shown.stderr).toMatch(
      /job-loop is not on this machine\. refs\/smithers-loops\/job-loop on o\/r holds it, unharmed/u,
    );
    expect(jsonOf(shown)).toMatchObject({ loop_id: "job-loop", status: "paused_hard_stop", iteration: 3 });
    expect(shown.stdout).not.toContain("resume --loop-id");
    expect(at.api.problems).toEqual([]);
  });

  test("is not gone on with here: two machines would pay for it twice", async () => {
    await using at = await onGithub();
    await at.keep("job-loop");
    const { code, stderr } = await at.cli("resume", "--loop-id", "job-loop");
    expect(code).toBe(64);
    expect(stderr).toMatch(/Nothing was begun here/u);
    expect(stderr).toMatch(/\/smithers continue .* would start it again/u);
  });

  test("is found from its artifact, where it has no ref", async () => {
    await using at = await onGithub();
    at.api.world.runs.push(aRun({ id: 77 }));
    at.api.world.artifacts.push(anArtifact({ id: 5, runId: 77, name: "smithers-job-loop-77-1" }));
    const { code, stderr } = await at.cli("status", "--loop-id", "job-loop");
    expect(code).toBe(64);
    expect(stderr).toMatch(/artifact smithers-job-loop-77-1 has its files: .*\/actions\/runs\/77\/artifacts\/5/u);
  });

  test("one that GitHub does not know either is simply not there", async () => {
    await using at = await onGithub();
    const { stderr } = await at.cli("status", "--loop-id", "none");
    expect(stderr).toContain("There is no loop none");
    expect(stderr).not.toContain("cleaned");
  });
});
