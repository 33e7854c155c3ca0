import { expect, test } from "vitest";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { ciGateOf, liveComment } from "../../src/job/on-github.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState, turnEnded } from "../views/a-state.ts";
import { BOT, BRANCH, commitOn, LOOP, publishStage } from "../publish/publish-stage.ts";

/** The base in it is the pull request's own. */
const SAID = expect.stringMatching(/What you can say now[^]*`smithers\/a-loop` → `release`/u);

test.each([
  { whose: "this run's", isOurs: true, comments: [SAID], told: [] },
  { whose: "another run's", isOurs: false, comments: [], told: [/another run goes on with this loop/u] },
])("the comment of a loop that is $whose [W-46]", async ({ isOurs, comments, told }) => {
  await using at = await publishStage();
  const { world } = at.api;
  world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH, base: "release" }));
  const lines: string[] = [];
  const job = await at.job();
  const { context, place, settings, host } = job;
  const pullRequest = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
  const github = { branch: BRANCH, pullRequest, askedBy: null, resetsCircuit: false, request: null, continuations: 0 };
  const reporter = await liveComment(
    { place, settings, taskRequest: { by: "trigger", guidance: null, github }, stored: undefined, prd: null },
    {
      ...{ context, github: at.github, startedAt: host.startedAt },
      checkpoints: { isOurs: async () => isOurs },
      log: { foreign: (line) => lines.push(line) },
    },
    () => null,
  );
  if (reporter === undefined) throw new Error("there is no comment");
  reporter.report(turnEnded(), aState({ loop_id: LOOP, status: "running", stop_reason: null }));
  await reporter.flush(Date.now() + 20_000);
  expect(world.comments.map(({ body }) => body)).toEqual(comments);
  expect(lines).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
});

const CI = {
  ".github/workflows/ci.yml": "jobs: { test: { steps: [{ uses: ./tools/setup }] } }\n",
  "tools/setup/action.yml": "runs: { using: composite, steps: [{ run: ./setup.sh, shell: bash }] }\n",
  "tools/setup/setup.sh": "npm ci\n",
};
/** What CI runs before the tests is the loop's own. */
const BENT = { "tools/setup/setup.sh": "rm -r test\n" };

const NAMED = { number: 7, url: "https://github.com/o/r/pull/7", own: false };
const UNLIKE = /tools\/setup is not as in main, and what a branch says itself proves nothing/u;

test.each<{
  readonly title: string;
  /** the branch that the run is of */
  readonly ref: string;
  readonly named?: typeof NAMED;
  readonly stored?: typeof NAMED;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly unread?: boolean;
  readonly why: RegExp;
}>([
  { title: "a run of the loop's own branch is not compared with itself", ref: BRANCH, why: UNLIKE },
  {
    title: "nor where that is named as the base",
    ...{ ref: BRANCH, inputs: { base: BRANCH } },
    why: UNLIKE,
  },
  {
    title: "a pull request that cannot be read says so, and nothing stands in for its base",
    ...{ ref: BRANCH, named: NAMED, unread: true },
    why: /pull request #7, which says what the base is, cannot be read: the token may not do this; give the job permissions: pull-requests: read/u,
  },
  { title: "the base is the pull request's", ref: "main", named: NAMED, why: /is not as in release/u },
  {
    title: "also that of a pull request that only the loop's record names",
    ...{ ref: "main", stored: NAMED },
    why: /is not as in release/u,
  },
])("whose workflow judges: $title [C118]", async ({ ref, named, stored, inputs = {}, unread = false, why }) => {
  await using at = await publishStage();
  const { world } = at.api;
  const file = "ci.yml";
  world.workflows.push({ path: `.github/workflows/${file}`, inputs: [] });
  world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH, base: "release" }));
  // Nobody may wait for a run that must not be started.
  world.onDispatch = ({ runId }) => {
    const index = world.runs.findIndex(({ id }) => id === runId);
    const run = world.runs[index];
    if (run !== undefined) world.runs[index] = { ...run, status: "completed", conclusion: "success" };
  };
  await commitOn(at, "main", "origin/main", CI);
  await commitOn(at, "release", "main", { "notes.txt": "of the release\n" });
  await commitOn(at, BRANCH, "release", BENT);
  const { context, place, settings, teller } = await at.job({
    inputs: { "ci-workflow": file, ...inputs },
    env: { GITHUB_REF: `refs/heads/${ref}` },
  });
  const branch = await at.checkOut(await at.job());
  if (unread) {
    const refused = { message: "Resource not accessible by integration", documentation_url: "" };
    at.api.fail("pulls/get", { status: 403, body: refused }, 9);
  }
  const github = {
    ...{ branch: BRANCH, head: null, pull_request: stored ?? null, authorised_by: null, obeyed: null },
    continuations: 0,
  };
  const task = { branch: BRANCH, askedBy: null, resetsCircuit: false, request: null, continuations: 0 };
  const plan = {
    ...{ place, settings, opening: { do: "resume" } as const, stored: aState({ loop_id: LOOP, github }) },
    taskRequest: { by: "trigger", guidance: null, github: { ...task, pullRequest: named ?? null } } as const,
  };
  const gate = ciGateOf(plan, { context, github: at.github, branch, teller })({
    ...{ file, workspace: await createGitWorkspace({ ...place, excluded: [] }), observe: () => undefined },
  });
  const verdict = await gate.judge({ iteration: 1, occasion: "claim", deadline: null }, new AbortController().signal);
  expect(verdict).toMatchObject({ result: "unrunnable", problem: { what: expect.stringMatching(why) } });
  expect(world.runs).toEqual([]);
});
