import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTPUTS } from "../../src/config/action.ts";
import { type Ci, type CiJob, type CiMachine, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ lastMessage: "Not yet.", usage: { input: 900, output: 100 } }]);
const OTHER_SCRIPTS = {
  "refused.json": JSON.stringify({ turns: [{ failure: { kind: "auth", message: "no key" } }] }),
  "waits.json": JSON.stringify({
    turns: [{ failure: { kind: "usage_limit", message: "come back later", resetsInMs: 7_200_000 } }],
  }),
};

let ci: Ci;
let machine: CiMachine;
beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: { ...TASK.files, ...OTHER_SCRIPTS } });
  machine = await ci.machine();
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await ci[Symbol.asyncDispose]();
});

let loops = 0;

const IN_PROCESS = { inProcess: true } as const;
/** One for each ending is the Action as it is shipped. */
const SHIPPED = {};

/** One job with a loop of its own, which nobody carries; in this process, unless said. */
async function jobWith(
  inputs: Record<string, string>,
  more: Pick<CiJob, "env" | "inProcess"> = IN_PROCESS,
): Promise<Job> {
  loops += 1;
  const job = await machine.run({
    ...more,
    inputs: { ...TASK.inputs, "max-iterations": "1", carriers: "none", "loop-id": `loop-${loops}`, ...inputs },
  });
  // Whatever is said to people is said in the words of a workflow.
  expect([job.log, job.main.summary].join("\n")).not.toMatch(/(?<![\w-])--[a-z]/u);
  expect(Object.keys(job.outputs).toSorted()).toEqual(OUTPUTS.map(({ name }) => name).toSorted());
  return job;
}

function said({ main }: Job, level: "error" | "warning" | "notice"): string {
  const texts = main.commands.filter(({ name }) => name === level).map(({ data }) => data);
  return texts.join("\n");
}

/** The first of each ending. */
const FIRST: ReadonlySet<string> = new Set([
  "the cap of iterations fails it",
  "the cap of tokens",
  "an error",
  "a limit waits",
  "done",
]);

describe("endings, and which of them fail the job [C9]", () => {
  test.each([
    ["the cap of iterations fails it", {}, "stopped_max_iterations", "max_iterations", "failure"],
    ["unless it is not asked for", { "fail-on": "error" }, "stopped_max_iterations", "max_iterations", "success"],
    ["nothing fails it", { "fail-on": "none" }, "stopped_max_iterations", "max_iterations", "success"],
    ["a stop reason is named", { "fail-on": "max_iterations" }, "stopped_max_iterations", "max_iterations", "failure"],
    ["the cap of tokens", { "max-tokens": "10", "max-iterations": "9" }, "stopped_budget", "tokens", "failure"],
    ["an error", { script: "refused.json" }, "error", "auth", "failure"],
    ["a limit waits", { script: "waits.json" }, "waiting", "usage_limit", "success"],
    ["a limit that is to fail", { script: "waits.json", "fail-on": "waiting" }, "waiting", "usage_limit", "failure"],
    ["done", { "success-sh": "true" }, "completed", "already_green", "success"],
  ] as const)("%s", async (name, inputs, status, reason, conclusion) => {
    const job = await jobWith(inputs, FIRST.has(name) ? SHIPPED : IN_PROCESS);
    expect(job.outputs).toMatchObject({ status, "stop-reason": reason });
    expect(job.conclusion).toBe(conclusion);
    expect(job.main.summary).toContain(`## ${status}`);
  });
});

describe("mistakes are told as inputs, all at once, and every output is set [C9]", () => {
  test.each([
    ["no prompt", { prompt: "" }, [/prompt/u]],
    ["an unknown value", { sandbox: "everything" }, [/sandbox/u, /read-only, workspace-write/u]],
    ["two mistakes", { "max-iterations": "none", provider: "gpt" }, [/max-iterations/u, /provider/u]],
    ["an unknown ending", { "fail-on": "tired" }, [/fail-on/u]],
    ["a folder that is not there", { cd: "nowhere" }, [/nowhere/u]],
    ["a bad script", { script: "nowhere.json" }, [/nowhere\.json/u]],
  ])("%s", async (_name, inputs, told) => {
    const job = await jobWith(inputs);
    expect([job.conclusion, job.main.exitCode, job.outputs["status"]]).toEqual(["failure", 1, "error"]);
    for (const words of told) expect(said(job, "error")).toMatch(words);
    expect(said(job, "error")).toContain("Next: ");
    expect(job.outputs).toMatchObject({ "stop-reason": "config", resumable: "false", "loop-id": "" });
    expect(job.main.summary).toMatch(/^## error: .*begun no loop.*\*\*Next:\*\*/su);
    expect(job.posts[0]?.result).toBe("success");
  });

  test("no agent's program, and it may not be installed", async () => {
    const job = await jobWith({ provider: "codex", install: "never" }, { env: { PATH: "/usr/bin:/bin" } });
    expect(job.outputs).toMatchObject({ status: "error" });
    expect(said(job, "error")).toMatch(/install/u);
  });
});

test("a state-file in the checkout; what the token goes through lies outside of it all the same [C11, W-18]", async () => {
  const job = await jobWith({ "state-file": "state/loop.json", carriers: "ref" }, SHIPPED);
  expect(job.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
  expect((await readdir(path.join(machine.workspace, "state"))).toSorted()).toEqual([`loop-${loops}`, "loop.json"]);
});

test("a job without a checkout is told what is missing [W-25]", async () => {
  const job = await machine.run({
    inputs: { ...TASK.inputs, provider: "command", "provider-command": `["true"]` },
    github: { workspace: "/" },
  });
  expect(said(job, "error")).toMatch(/is no git repository.*actions\/checkout/su);
});

test("why no iteration can begin is told in the summary too [section 9]", async () => {
  const job = await jobWith({ "job-timeout-minutes": "10", "reserve-minutes": "20" });
  expect([job.conclusion, job.outputs["status"]]).toEqual(["success", "paused_time_budget"]);
  expect(said(job, "warning")).toContain("No iteration can begin");
  expect(job.main.summary).toContain("No iteration can begin");
});

describe("danger-full-access [T1]", () => {
  test("is told by a warning and at the top of the summary, and only when it was asked for", async () => {
    const danger = await jobWith({ sandbox: "danger-full-access" });
    expect(said(danger, "warning")).toContain("danger-full-access");
    expect(danger.main.summary.split("###")[0]).toMatch(/WARNING|CAUTION/u);
    expect(danger.main.summary.split("###")[0]).toContain("danger-full-access");
    const usual = await jobWith({});
    expect(said(usual, "warning")).not.toContain("danger");
    expect(usual.main.summary).not.toContain("danger");
  });
});
