import { describe, expect, test } from "vitest";
import { byHand } from "../examples/events.ts";
import { type ExampleRepository, repositoryWith } from "../examples/repository.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { aJob, aPull, aRun, aUser, type Dispatch } from "../support/github-api/server.ts";
import { commentEvent, workflowRunEvent } from "../support/github-api/webhooks.ts";

const NUMBER = 7;
const DONE = { files: { "done.txt": "done\n" }, lastMessage: "<promise>TASK_COMPLETE</promise>" };
const CI =
  "name: CI\non: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: npm test\n";
const LOG = [
  "2026-11-20T03:00:00.1234567Z ##[group]Run npm test",
  "2026-11-20T03:00:00.2234567Z not ok 7 done.txt is there",
  "2026-11-20T03:00:00.3234567Z ##[error]Process completed with exit code 1.",
].join("\n");

/** CI that is started by the loop: job `test` is green on it. */
function judgedByCi({ ci: { api } }: ExampleRepository): readonly Dispatch[] {
  const { world } = api;
  const judged: Dispatch[] = [];
  world.workflows.push({ path: ".github/workflows/ci.yml", inputs: [] });
  world.onDispatch = (dispatch) => {
    if (!dispatch.workflow.endsWith("/ci.yml")) return;
    judged.push(dispatch);
    const at = world.runs.findIndex(({ id }) => id === dispatch.runId);
    const run = world.runs[at];
    if (run === undefined) throw new Error("there is no such run");
    world.runs[at] = { ...run, status: "completed", conclusion: "success" };
    world.jobs.push(aJob({ id: dispatch.runId + 100_000, runId: dispatch.runId, name: "test", conclusion: "success" }));
  };
  return judged;
}

const START = "/smithers start Write done.txt.";

/** A pull request of alice's, who has pushed to its branch some time ago. */
async function withPullRequest({ ci }: ExampleRepository): Promise<string> {
  const { world } = ci.api;
  const identity = ["-c", "user.name=Alice", "-c", "user.email=alice@example.invalid"];
  const tip = await ci.remote.git(...identity, "commit-tree", "-p", "main", "-m", "Begin", "main^{tree}");
  await ci.remote.git(...identity, "update-ref", "refs/heads/feature", tip);
  world.issues.push(aPull({ number: NUMBER, headBranch: "feature" }));
  world.users.set("mallory", aUser({ login: "mallory", role: "read" }));
  world.now = () => new Date(Date.now() + 2_000);
  return tip;
}

async function comment(github: ExampleRepository, login: string, body: string) {
  const { world } = github.ci.api;
  const row = addComment(world, NUMBER, login, body);
  const ran = await github.happens(commentEvent(world, row));
  return { ran, reactions: row.reactions.map(({ content }) => content) };
}

describe.concurrent(
  "each example that people and failing checks ask, asked by its own event [C25]",
  { timeout: 120_000 },
  () => {
    test("a failed run of CI is repaired from its log, and that very job is green on the branch [W-11, C100, C101, C102]", async () => {
      const turn = { files: { ...DONE.files, "told.txt": "{{prompt}}" }, lastMessage: DONE.lastMessage };
      await using github = await repositoryWith(["fix-failed-ci.yml"], [turn], { ".github/workflows/ci.yml": CI });
      const { api, remote } = github.ci;
      const tip = await withPullRequest(github);
      const judged = judgedByCi(github);
      const steps = { "Run npm test": "failure" };
      api.world.jobs.push(aJob({ id: 40, runId: 300, name: "test", conclusion: "failure", steps, log: LOG }));
      const failed = { path: ".github/workflows/ci.yml", branch: "feature", sha: tip, conclusion: "failure" };
      const run = aRun({ id: 300, event: "pull_request", ...failed });
      api.world.runs.push(run);
      const ran = await github.happens(workflowRunEvent(api.world, run, [NUMBER]));
      expect(ran.map(({ lacks }) => lacks)).toEqual([[], []]);
      expect(ran.map(({ outputs }) => outputs["status"])).toEqual([undefined, "completed"]);
      expect(await remote.git("show", "--name-only", "--format=%P", "feature")).toBe(`${tip}\n\ndone.txt\ntold.txt`);
      const head = await remote.git("rev-parse", "feature");
      expect(judged).toMatchObject([{ workflow: ".github/workflows/ci.yml", ref: "feature" }]);
      expect(api.world.statuses.map(({ sha, context, state }) => [sha, context, state])).toEqual(
        expect.arrayContaining([
          [head, "smithers/ci", "success"],
          [head, "smithers/loop", "success"],
        ]),
      );
      const prompt = await remote.git("show", "feature:told.txt");
      expect(prompt).toContain("<log>\nRun npm test\nnot ok 7 done.txt is there");
      expect(prompt).toContain("The failure shows here as well.");
      expect(prompt).toContain("- CI: .github/workflows/ci.yml");
      const unasked = { ...run, id: 302, branch: "other", sha: head };
      await remote.git("update-ref", "refs/heads/other", head);
      const [left, ...others] = await github.happens(workflowRunEvent(api.world, unasked, []));
      expect(others).toEqual([]);
      expect(left?.log).toContain("not the default one and has no pull request");
      const green = { ...run, id: 301, conclusion: "success" };
      expect(await github.happens(workflowRunEvent(api.world, green, [NUMBER]))).toEqual([]);
      expect(api.problems).toEqual([]);
    });

    test("a command on a pull request is heard from whom may write, and from nobody else", async () => {
      await using github = await repositoryWith(["pull-request-commands.yml"], [DONE]);
      const { api, remote } = github.ci;
      const tip = await withPullRequest(github);
      expect((await comment(github, "alice", "Looks good.")).ran).toEqual([]);
      const stranger = await comment(github, "mallory", START);
      expect(stranger).toMatchObject({ ran: [{ conclusion: "success", lacks: [] }], reactions: [] });
      const { ran, reactions } = await comment(github, "alice", START);
      expect(reactions).toEqual(["eyes", "rocket"]);
      expect(ran.map(({ lacks }) => lacks)).toEqual([[], []]);
      expect(ran.map(({ outputs }) => outputs["status"])).toEqual([undefined, "completed"]);
      expect(await remote.git("show", "--name-only", "--format=%P", "feature")).toBe(`${tip}\n\ndone.txt`);
      expect(api.problems).toEqual([]);
    });

    test("a relay of its own hands on to the worker's file, and to the run that is under way", async () => {
      await using github = await repositoryWith(["relay.yml", "worker.yml"], [{ delayMs: 40_000 }, DONE]);
      const { api, remote } = github.ci;
      const { world } = api;
      await withPullRequest(github);
      const inputs = { smithers: JSON.stringify({ command: "start", pr: NUMBER }) };
      // In its first turn: one that comes to it again would wait again.
      const vanishWhen = (log: string): boolean =>
        log.includes("session scripted-1") && world.comments.some(({ author }) => author === "github-actions[bot]");
      const [gone] = await github.happens(byHand(world, "worker.yml", inputs), { vanishWhen });
      expect(gone?.conclusion).toBe("vanished");

      const stop = await comment(github, "alice", "/smithers stop");
      expect(stop).toMatchObject({ ran: [{ file: "relay.yml", lacks: [] }], reactions: ["eyes", "rocket"] });
      const asked = await remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-control");
      expect(asked).toMatch(/^refs\/smithers-control\/r-worker-loop-pr-7-[^/]+\/stop\/alice-\d+$/u);

      const [at] = world.runs.flatMap((run, index) => (run.status === "in_progress" ? [index] : []));
      if (at === undefined) throw new Error("no run is under way");
      world.runs[at] = { ...(world.runs[at] ?? aRun({ id: 1 })), status: "completed", conclusion: "failure" };
      const { ran, reactions } = await comment(github, "alice", "/smithers continue");
      expect(reactions).toEqual(["eyes", "rocket"]);
      expect(ran.map(({ file }) => file)).toEqual(["relay.yml", "worker.yml"]);
      // What was asked of the run that died is not asked of the one that a person has begun since.
      expect(ran.at(-1)?.outputs).toMatchObject({ status: "completed" });
      expect(ran.flatMap(({ lacks }) => lacks)).toEqual([]);
      expect(await remote.git("for-each-ref", "refs/smithers-control")).toBe("");
      expect(api.problems).toEqual([]);
    });
  },
);
