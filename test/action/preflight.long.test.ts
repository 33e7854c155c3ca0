import { afterEach, beforeAll, afterAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Token } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ files: { "done.txt": "done\n" } }]);
const TOKEN = "token-that-writes";
const PERSON = { "github-token": "ghp_person" };
const PROBES = ["pulls/list", "actions/get-workflow", "repos/get-branch-rules"];

/** A workflow that repairs, without the rights and the queue for it. */
const ASKS = `name: asks
on: { workflow_dispatch: { inputs: { smithers: {} } }, workflow_run: { workflows: [asks] } }
permissions: { actions: write, contents: write, pull-requests: write, statuses: write }
concurrency: "g-\${{ github.run_id }}"
jobs:
  loop: { env: { DB: "\${{ secrets.DB }}" }, steps: [{ uses: smithers/loop@v1, with: { success-sh: "true" } }] }
`;

let ci: Ci;
let all: Token;
beforeAll(async () => {
  ci = await startCi({
    ...TASK,
    byRef: true,
    files: {
      ...{ ...TASK.files, "TODO.md": "- [x] all\n" },
      ...{
        ".github/workflows/asks.yml": ASKS,
        ".github/workflows/ci.yml": "on: workflow_dispatch\njobs: { build: {} }\n",
      },
    },
  });
  const known = ci.api.world.tokens.get(TOKEN);
  if (known === undefined) throw new Error("CI has no token.");
  all = known;
});
afterAll(() => ci[Symbol.asyncDispose]());
afterEach(() => {
  ci.remote.fault = undefined;
  for (const operation of PROBES) ci.api.fail(operation, "drop", 0);
  ci.api.world.tokens.set(TOKEN, all);
});

let loops = 0;

/** A run of its own loop, which finds its work done, in this process; and which of the preflight's requests it has made. */
async function run(more: Record<string, string> = {}, job: CiJob = {}): Promise<{ job: Job; probes: string[] }> {
  await using machine = await ci.machine();
  const before = ci.api.requests.length;
  const inputs = {
    ...TASK.inputs,
    "job-timeout-minutes": "60",
    "success-sh": "true",
    "loop-id": `loop-${++loops}`,
    ...more,
  };
  const done = await machine.run({ inProcess: true, ...job, inputs });
  const asked = ci.api.requests.slice(before).map(({ operation }) => operation);
  return { job: done, probes: asked.filter((operation) => PROBES.includes(operation)) };
}

function may(permissions: Token["permissions"]): void {
  ci.api.world.tokens.set(TOKEN, { ...all, permissions });
}

/** As for a job whose permissions lack `contents: write`. */
function readOnly(): void {
  ci.remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: 403, text: "no" } : undefined);
}

function said({ main }: Job, level: "error" | "warning" | "notice"): string {
  return main.commands
    .filter(({ name }) => name === level)
    .map(({ data }) => data)
    .join("\n");
}

describe("preflight: what publishing takes is looked at before anything is spent", () => {
  test("where nothing is missing nobody is bothered", async () => {
    const { job, probes } = await run();
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(probes.filter((operation) => operation === "actions/get-workflow")).toEqual([]);
    expect(said(job, "warning")).toBe("");
    expect(job.log).toContain("preflight: nothing is missing on GitHub");
  });

  test("every gap at once, with the lines that close it; no turn is taken", async () => {
    readOnly();
    may({ actions: "read", contents: "read" });
    const { job } = await run({ "success-sh": "test -f done.txt" });
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "error", "stop-reason": "config" } });
    expect(job.main.exitCode).toBe(1);
    const error = said(job, "error");
    expect(error).toContain("No turn was taken and nothing was spent.");
    expect(error).toMatch(
      /GAP +push to smithers\/loop-\d+ and refs\/smithers-loops\/loop-\d+: .+ → permissions: contents: write/u,
    );
    expect(error).toMatch(/GAP +open the pull request .+ → permissions: pull-requests: write/u);
    expect(error).toContain(
      "    permissions:\n      actions: read\n      contents: write\n      pull-requests: write\n",
    );
    expect(job.log).not.toMatch(/iteration 1\b/u);
    expect(await ci.remote.git("for-each-ref", `refs/smithers-loops/loop-${loops}`)).toBe("");
  });

  test("preflight: warn tells the same and runs", async () => {
    may({ actions: "read", contents: "write" });
    const { job } = await run({ preflight: "warn", "success-sh": "test -f done.txt" });
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "warning")).toMatch(/GAP +open the pull request .+ → permissions: pull-requests: write/u);
  });

  test.each([
    ["pull-request: never", { "pull-request": "never" }],
    ["commit: never", { commit: "never" }],
    ["no token", { "github-token": "" }],
  ])("%s: nothing is needed, so nothing is asked", async (_name, inputs: Record<string, string>) => {
    readOnly();
    may({});
    const { job, probes } = await run(inputs);
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(probes).toEqual([]);
    expect(job.log).not.toContain("preflight");
  });

  test("self-continue: auto needs to start the workflow, without which the loop still works; a clock that is wrong is told", async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    ci.api.fail("pulls/list", { status: 200, body: [], headers: { date } });
    may({ contents: "write", "pull-requests": "write" });
    const { job, probes } = await run({ "self-continue": "auto" });
    expect(probes.filter((operation) => operation === "actions/get-workflow")).toHaveLength(1);
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "warning")).toMatch(/GAP +start the next run of \S+\.yml .+ → permissions: actions: write/u);
    expect(said(job, "warning")).toMatch(/this machine's clock: it is 1 h\b.* ahead of GitHub's/u);
  });

  test("what GitHub does not say within 5 s is a notice and no gap", async () => {
    ci.api.fail("pulls/list", "hang");
    ci.api.fail("repos/get-branch-rules", "hang");
    const { job } = await run();
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "notice")).toContain("GitHub has not said whether this run may open the pull request");
    expect(said(job, "warning")).toBe("");
  });

  test("what only costs a feature is a line before the first turn, and rules cost one request [C146, C96, C86]", async () => {
    ci.api.world.requiredChecks.push({ branch: "main", context: "build", app: null });
    const { job, probes } = await run({ "success-sh": "test -f done.txt", "todo-file": "TODO.md" });
    ci.api.world.requiredChecks.splice(0);
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "warning")).toBe("");
    expect(probes.filter((operation) => operation === "repos/get-branch-rules")).toHaveLength(1);
    const began = job.log.search(/iteration 1\b/u);
    for (const line of [
      "preflight: the checks that the base branch requires: main requires build; pushes of a job's own token",
      "preflight: the labels of a loop: smithers",
    ]) {
      expect(job.log).toContain(line);
      expect(job.log.indexOf(line)).toBeLessThan(began);
    }
    expect(job.log).toContain("the first HARD STOP makes them if the job has permissions: issues: write");
  });

  const CHECKS = "the checks that the base branch requires";
  const KEEP = "keep work that GitHub does not take";
  const FILES = "push workflow files (protected-paths opens them)";
  const LABELS = "the labels of a loop";
  const OPENED = { "protected-paths": "!.github/workflows/**" };
  interface Stands {
    readonly inputs?: Record<string, string>;
    readonly isPublic?: true;
    readonly required?: string;
    /** whose rules they are; main's */
    readonly branch?: string;
  }

  test.for<[what: string, subject: string, state: "GAP" | "unknown" | "ok" | null, stands: Stands, words?: string]>([
    ["a required job", CHECKS, "unknown", { required: "build" }, "set ci-workflow:"],
    [
      "a required job, and a ci-workflow that is not here",
      CHECKS,
      null,
      { required: "build", inputs: { "ci-workflow": "x.yml" } },
    ],
    ["a required job that ci-workflow runs", CHECKS, null, { required: "build", inputs: { "ci-workflow": "ci.yml" } }],
    [
      "a required job that ci-workflow has not",
      CHECKS,
      "unknown",
      { required: "lint", inputs: { "ci-workflow": "ci.yml" } },
      "main requires lint, and ci.yml has no job of that name",
    ],
    ["a required job, which a person's pushes start", CHECKS, null, { required: "build", inputs: PERSON }],
    ["a required status of ours", CHECKS, "GAP", { required: "smithers/loop" }, "Take it out of the branch's rules"],
    ["the same beside ci-workflow", CHECKS, "GAP", { required: "smithers/ci", inputs: { "ci-workflow": "ci.yml" } }],
    ["no rules", CHECKS, null, {}],
    ["rules of another branch", CHECKS, null, { required: "build", branch: "release" }],
    [
      "rules of the base that is named",
      CHECKS,
      "unknown",
      { required: "build", branch: "release", inputs: { base: "release" } },
      "release requires build",
    ],
    ["refused work in public", KEEP, "GAP", { isPublic: true }, "Add artifact to carriers:"],
    ["the same with the artifact", KEEP, null, { isPublic: true, inputs: { carriers: "ref, artifact" } }],
    ["the same sealed", KEEP, null, { isPublic: true, inputs: { "state-key": "correct horse battery staple" } }],
    ["the same in private", KEEP, null, {}],
    ["nothing is to be kept", KEEP, null, { isPublic: true, inputs: { carriers: "none" } }],
    ["workflow files", FILES, "GAP", { inputs: OPENED }, "“Workflows: read and write”"],
    ["workflow files, by a person's token", FILES, "unknown", { inputs: { ...OPENED, ...PERSON } }],
    ["no workflow files", FILES, null, {}],
    ["labels", LABELS, "unknown", { inputs: { "todo-file": "TODO.md" } }],
    ["no labels", LABELS, null, {}],
  ])(
    "what is looked at beside the push: %s [C84, C86, C89, C96, C146]",
    async ([, subject, state, stands, words = ""]) => {
      const { inputs = {}, isPublic = false, required, branch = "main" } = stands;
      const { requiredChecks, tokens } = ci.api.world;
      tokens.set(PERSON["github-token"], { ...all, login: "octocat" });
      if (required !== undefined) requiredChecks.push({ branch, context: required, app: null });
      // That ends the run before anything else, with all that was looked at.
      readOnly();
      const event = { name: "schedule", payload: { repository: { private: !isPublic } } };
      const { job } = await run(inputs, { event });
      requiredChecks.splice(0);
      const rows = said(job, "error")
        .split("\n")
        .filter((line) => line.includes(` ${subject}`));
      expect(rows.map((line) => line.trim().split(/\s+/u)[0])).toEqual(state === null ? [] : [state]);
      expect(rows.join("")).toContain(words);
    },
  );

  test("what the job's own workflow lacks is told before the first turn, with its line, and ends nothing [C111]", async () => {
    const github = { workflow_ref: "o/r/.github/workflows/asks.yml@refs/heads/main", job: "loop" };
    const { job } = await run({ "success-sh": "test -f done.txt", notify: "nobody-here" }, { github });
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "warning")).toMatch(/GAP +the workflow asks\.yml: .+ → permissions: checks: read/u);
    expect(said(job, "warning")).toMatch(/GAP +the workflow asks\.yml: .+ Add concurrency: queue: max/u);
    expect(said(job, "warning")).toMatch(/GAP +tell those that reviewers and notify name: .+nobody-here/u);
    expect(job.log).toContain("add with: pass-env: DB");
    expect(job.log.indexOf("checks: read")).toBeLessThan(job.log.search(/iteration 1\b/u));
  });
});
