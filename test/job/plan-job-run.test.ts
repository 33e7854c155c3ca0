import path from "node:path";
import { mkdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { RunRequest } from "../../src/requests/run-request.ts";
import { planJobRun } from "../../src/job/plan-job-run.ts";
import { taskDigest } from "../../src/core/task.ts";
import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { sha256 } from "../../src/os/digest.ts";
import { writeState } from "../../src/store/state-file.ts";
import { aFailure } from "../support/builders.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState } from "../views/a-state.ts";
import { COMPLETED, HEAD, PAUSED } from "../views/publication-facts.ts";
import { NOBODY } from "../requests/run-request-stage.ts";
import {
  BRANCH,
  type JobOnStage,
  LOOP,
  type PublishStage,
  publishStage,
  refusalOf,
  type StageJob,
} from "../publish/publish-stage.ts";

const CAPPED: StopReason = { kind: "max_iterations", max: 3 };
const OTHER_TASK = { prompt: "Do the other thing." };

function aRunRequest(overrides: Partial<RunRequest> = {}): RunRequest {
  return { ...NOBODY, by: "person", asker: "alice", ...overrides };
}

/** Stores a loop that ended so, with the workflow's task or with its own. */
async function stored(
  { place, settings }: JobOnStage,
  reason: StopReason,
  { prompt = settings.identity.prompt, ...overrides }: Partial<LoopState> = {},
): Promise<void> {
  await mkdir(path.dirname(place.stateFile), { recursive: true });
  const identity = { ...settings.identity, prompt };
  const { checks, promise } = identity;
  const { successCommand, successShell, quality, ci } = checks;
  const task = {
    ...{ prompt, prompt_digest: sha256(prompt), task_digest: taskDigest(identity, sha256) },
    checks: { success_cmd: successCommand, success_sh: successShell, quality_commands: quality, ci_workflow: ci },
    ...{ completion_promise: promise.text, promise_mode: promise.mode, promise_guard: promise.guard },
  };
  const ended = { status: outcomeOf(reason).status, stop_reason: reason, iteration: 3 };
  await writeState(place.stateFile, aState({ loop_id: LOOP, ...task, ...ended, ...overrides }), Promise.resolve());
}

const NO_FILES = {
  readOriginal: async () => undefined,
  read: async () => undefined,
  readTracked: async () => undefined,
};

function begin(at: PublishStage, job: JobOnStage, request: RunRequest) {
  const { context, place, settings, teller } = job;
  const { notice } = teller;
  const branches = at.branches(job);
  return planJobRun({ context, place, settings, branches, github: at.github, notice, committed: NO_FILES }, request);
}

/** What a run of a loop that ended so is going to do, or why it does nothing. */
async function planned(reason: StopReason, request: RunRequest, state: Partial<LoopState> = {}, job?: StageJob) {
  await using at = await publishStage();
  const knows = await at.job(job);
  await stored(knows, reason, state);
  const doing = begin(at, knows, request).then(({ plan }) => ({
    opening: plan.opening.do,
    prompt: plan.settings.identity.prompt,
    cap: plan.settings.config.maxIterations,
  }));
  return await doing.catch(() => refusalOf(doing));
}

describe.concurrent("how a run begins [C25]", () => {
  test("a new loop begins on its branch, at what is checked out; nobody is named", async () => {
    await using at = await publishStage();
    const head = await at.git("rev-parse", "HEAD");
    const { plan, branch } = await begin(at, await at.job(), NOBODY);
    expect(plan).toMatchObject({ opening: { do: "begin" }, taskRequest: { by: "trigger", guidance: null } });
    expect(plan.taskRequest.github).toMatchObject({ branch: BRANCH, pullRequest: null, askedBy: null });
    expect(branch).toMatchObject({ name: BRANCH, tip: null, head });
    expect(await at.git("symbolic-ref", "HEAD")).toBe(`refs/heads/${BRANCH}`);
  });

  test("a person's branch that has the loop's name in its own is never taken for an empty one, and stays [C81]", async () => {
    await using at = await publishStage();
    const theirs = `${LOOP}-of-a-person`;
    const tip = await at.push(theirs);
    at.api.world.issues.push(aPull({ number: 7, headBranch: theirs }));
    // As actions/checkout does for the event of a pull request.
    await at.git("fetch", "-q", at.remote.folder, theirs);
    await at.git("merge", "-q", "--no-ff", "-m", "merge", "FETCH_HEAD");
    const { branch } = await begin(at, await at.job(), aRunRequest({ pullRequest: 7 }));
    expect(branch).toMatchObject({ name: theirs, tip });
    expect(await branch?.end(20_000)).toEqual({ ok: true, value: false });
    expect(await at.tip(theirs)).toBe(tip);
  });

  test("without a token nothing is asked of GitHub, and nothing is published", async () => {
    await using at = await publishStage();
    const { plan, branch } = await begin(at, await at.job({ inputs: { "github-token": "" } }), NOBODY);
    expect([plan.taskRequest.github, branch]).toEqual([null, undefined]);
    expect(at.remote.requests).toEqual([]);
  });

  test.for([{ "pull-request": "never" }, { commit: "never" }])(
    "who wants nothing published is told nothing: %o",
    async (inputs) => {
      await using at = await publishStage();
      const job = await at.job({ inputs });
      const { plan, branch } = await begin(at, job, NOBODY);
      expect(branch).toBeUndefined();
      expect(plan.taskRequest.github).toMatchObject({ branch: BRANCH });
      expect(job.notices).toEqual([]);
    },
  );

  test("a branch that cannot be checked out costs no work: it is said, and the loop works", async () => {
    await using at = await publishStage();
    await at.push(BRANCH, "README.md");
    const job = await at.job();
    await at.git("rm", "-q", "README.md");
    const { plan, branch } = await begin(at, job, NOBODY);
    expect([plan.opening.do, branch]).toEqual(["begin", undefined]);
    expect(job.notices.join("\n")).toMatch(/cannot be checked out: .*README\.md.* it is kept for the next one\./u);
  });

  test("a pull request that was pushed to after it was asked on: nothing is done [T6]", async () => {
    await using at = await publishStage();
    const head = await at.push("feature");
    at.api.world.issues.push(aPull({ number: 8, headBranch: "feature" }));
    const request = aRunRequest({ command: "start", pullRequest: 8, headBranch: "feature", head });
    expect((await begin(at, await at.job(), request)).branch).toMatchObject({ name: "feature", tip: head });
    await at.push("feature", "later.txt");
    expect(await refusalOf(begin(at, await at.job(), request))).toMatch(
      new RegExp(`^REQUEST_STALE: This was asked for commit ${head}`, "u"),
    );
  });

  test("a branch that somebody has renamed is followed; one that is gone with its pull request begins again", async () => {
    await using at = await publishStage();
    const pull = aPull({ number: 7, headBranch: "renamed" });
    at.api.world.issues.push(pull);
    const own = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
    const link = { branch: BRANCH, head: HEAD, pull_request: own, authorised_by: null, obeyed: null, continuations: 0 };
    const head = await at.push("renamed");
    const job = await at.job();
    await stored(job, PAUSED, { github: link });
    const { plan, branch } = await begin(at, job, aRunRequest({ command: "continue" }));
    expect(plan.taskRequest.github).toMatchObject({ branch: "renamed", pullRequest: own });
    expect(branch).toMatchObject({ name: "renamed", tip: head });
    expect(job.notices).toEqual([`The branch ${BRANCH} is called renamed now: the loop goes on there.`]);
    const moved = aRunRequest({ command: "continue", pullRequest: 7, headBranch: "renamed", head: HEAD });
    expect(await refusalOf(begin(at, job, moved))).toMatch(/^REQUEST_STALE/u);
    Object.assign(pull, { state: "closed" });
    expect((await begin(at, job, aRunRequest({ command: "continue" }))).branch).toMatchObject({
      name: BRANCH,
      tip: null,
    });
  });

  test("who starts it with a task of their own gets that one done; guidance is not a task", async () => {
    await using at = await publishStage();
    const started = await begin(at, await at.job(), aRunRequest({ command: "start", guidance: "Write docs." }));
    expect(started.plan.settings.identity.prompt).toBe("Write docs.");
    expect(started.plan.taskRequest).toMatchObject({ guidance: null, github: { askedBy: "alice" } });
    const guided = await begin(at, await at.job(), aRunRequest({ command: "continue", guidance: "Use v2." }));
    expect(guided.plan.settings.identity.prompt).toBe("Fix it.");
    expect(guided.plan.taskRequest).toMatchObject({ guidance: "Use v2." });
  });
});

describe.concurrent("what is asked of a loop that there is [C25]", () => {
  const CONTINUE = aRunRequest({ command: "continue", loopId: LOOP });
  const RESUMES = { opening: "resume", prompt: OTHER_TASK.prompt };

  test.for([
    ["to go on by name: with its own task", PAUSED, CONTINUE, RESUMES],
    ["to forget its circuit by name: with its own task", PAUSED, { ...CONTINUE, command: "reset-circuit" }, RESUMES],
    ["to accept its proof by name: with its own task", PAUSED, { ...CONTINUE, command: "accept" }, RESUMES],
    ["by nobody: with the workflow's task, which is another", PAUSED, NOBODY, { opening: "renew", prompt: "Fix it." }],
    [
      "by hand, unnamed: the workflow's",
      PAUSED,
      { ...CONTINUE, loopId: null },
      { opening: "renew", prompt: "Fix it." },
    ],
    [
      "to start with a new task when it is over",
      COMPLETED,
      aRunRequest({ command: "start", guidance: "New." }),
      { opening: "renew", prompt: "New." },
    ],
  ] as const)("it was started with a task of its own, and is asked %s", async ([, reason, request, plan]) => {
    expect(await planned(reason, request, OTHER_TASK)).toMatchObject(plan);
  });

  test("who may accept a weak proof does so under their own name, and nobody else does [C43]", async () => {
    await using at = await publishStage();
    const asked = async (request: Partial<RunRequest>) => {
      const job = await at.job();
      await stored(job, PAUSED);
      return (await begin(at, job, { ...CONTINUE, ...request })).plan.taskRequest.acceptsProof;
    };
    expect(await asked({ command: "accept" })).toBe("alice");
    expect(await asked({ command: "accept", asker: null })).toBe("a person");
    expect(await asked({ command: "accept", by: "trigger" })).toBeUndefined();
    expect(await asked({ command: "continue" })).toBeUndefined();
  });

  test("its own task is another than the workflow's by now: which one goes on is said, and how to begin the other", async () => {
    await using at = await publishStage();
    const job = await at.job();
    await stored(job, PAUSED, OTHER_TASK);
    await begin(at, job, CONTINUE);
    await begin(at, job, { ...CONTINUE, command: "cancel" });
    const said = /goes on with .*“Do the other thing\.”, not with .* comment \/smithers start, or .*`start`\./u;
    expect(job.notices).toEqual([expect.stringMatching(said)]);
    const same = await at.job();
    await stored(same, PAUSED);
    await begin(at, same, CONTINUE);
    expect(same.notices).toEqual([]);
  });

  test("a task that is too long for the state and not here any more is not made up", async () => {
    const lost = { ...OTHER_TASK, prompt_path: "prompt.txt" };
    expect(await planned(PAUSED, CONTINUE, lost)).toMatch(/^PROMPT_MISSING/u);
  });

  const CANCEL = aRunRequest({ command: "cancel", loopId: LOOP });
  const AT_CAP = { "max-iterations": "3" };

  test.for<[what: string, reason: StopReason, state: Partial<LoopState>]>([
    ["waits for a person", PAUSED, {}],
    ["has reached its cap", CAPPED, {}],
    ["has used its tokens", { kind: "tokens", max: 5, spent: 9 }, { spent: { ...aState().spent, tokens: 9 } }],
    [
      "has worked too long",
      { kind: "total_time", max: 600, spent: 601 },
      { spent: { ...aState().spent, turn_ms: 601 } },
    ],
    ["has failed too often", { kind: "provider", failure: aFailure() }, { error_resumes: 3 }],
  ])("to be cancelled: it is entered, whatever limit it has reached: %s", async ([, reason, state]) => {
    const job = { inputs: { ...AT_CAP, "max-tokens": "5", "max-total-minutes": "0.01" } };
    expect(await planned(reason, CANCEL, state, job)).toMatchObject({ opening: "resume" });
  });

  test("to be cancelled when there is nothing to cancel, or to start when it could go on: nothing is done", async () => {
    expect(await planned(COMPLETED, CANCEL)).toBe(
      `NOTHING_TO_CANCEL: Loop ${LOOP} is over: it is completed. Nothing was done.`,
    );
    const start = aRunRequest({ command: "start", guidance: "New." });
    expect(await planned(PAUSED, start)).toBe(
      `LOOP_THERE: There is a loop already: ${LOOP} is paused_hard_stop. Nothing was done.`,
    );
    await using at = await publishStage();
    expect(await refusalOf(begin(at, await at.job(), CANCEL))).toBe(
      `NOTHING_TO_CANCEL: There is no loop ${LOOP}. Nothing was done.`,
    );
  });

  test("a cap does not hold for a loop that is only cancelled", async () => {
    const job = { inputs: AT_CAP };
    expect(await planned(CAPPED, CONTINUE, {}, job)).toMatchObject({ opening: "leave", cap: 3 });
    expect(await planned(CAPPED, CANCEL, {}, job)).toMatchObject({ opening: "resume", cap: 4 });
  });
});
