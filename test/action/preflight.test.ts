import { afterEach, beforeAll, afterAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Token } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ files: { "done.txt": "done\n" } }]);
const TOKEN = "token-that-writes";
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
  ci = await startCi({ ...TASK, byRef: true, files: { ...TASK.files, ".github/workflows/asks.yml": ASKS } });
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
      /GAP +push to smithers\/loop-\d+ and refs\/smithers\/loop-\d+: .+ → permissions: contents: write/u,
    );
    expect(error).toMatch(/GAP +open the pull request .+ → permissions: pull-requests: write/u);
    expect(error).toContain(
      "    permissions:\n      actions: read\n      contents: write\n      pull-requests: write\n",
    );
    expect(job.log).not.toMatch(/iteration 1\b/u);
    expect(await ci.remote.git("for-each-ref", `refs/smithers/loop-${loops}`)).toBe("");
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
    const { job } = await run();
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(said(job, "notice")).toContain("GitHub has not said whether this run may open the pull request");
    expect(said(job, "warning")).toBe("");
  });

  test.for<[what: string, required: string, inputs: Record<string, string>, log: string]>([
    ["jobs that pushes of ours do not start", "build", {}, "requires: main requires build; pushes"],
    ["jobs that ci-workflow runs", "build", { "ci-workflow": "ci.yml" }, ""],
    ["jobs, which pushes of a person start", "build", { "github-token": "ghp_person" }, ""],
    ["a status of ours", "smithers/loop", {}, "requires smithers/loop, which people's own"],
  ])(
    "what the default branch requires is asked once, before the first turn: %s [C146, C96]",
    async ([, context, inputs, log]) => {
      const { requiredChecks, tokens } = ci.api.world;
      tokens.set("ghp_person", { ...all, login: "octocat" });
      requiredChecks.push({ branch: "main", context, app: null });
      const { job, probes } = await run({ "success-sh": "test -f done.txt", ...inputs });
      requiredChecks.splice(0);
      expect(probes.filter((operation) => operation === "repos/get-branch-rules")).toHaveLength(1);
      const at = job.log.indexOf("the checks that the default branch requires");
      expect(at > 0).toBe(log !== "");
      expect(job.log).toContain(log);
      expect(said(job, "warning").includes(log)).toBe(log === "" || context === "smithers/loop");
      if (log === "") return;
      expect(job.outputs).toMatchObject({ status: "completed" });
      expect(at).toBeLessThan(job.log.search(/iteration 1\b/u));
    },
  );

  test.for(["drop", "hang"] as const)(
    "rules that GitHub does not tell (%s) cost the run nothing [C146]",
    async (how) => {
      ci.api.fail("repos/get-branch-rules", how);
      const { job } = await run();
      expect(job.outputs).toMatchObject({ status: "completed" });
      expect([said(job, "warning"), said(job, "notice"), said(job, "error")].join("")).toBe("");
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
