import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { OlderCache } from "../support/results/older-cache.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ files: { "a.txt": "a\n" } }, { files: { "b.txt": "b\n" } }]);

let ci: Ci;
beforeAll(async () => {
  const workflow = { ".github/workflows/smithers.yml": "name: fix until green\non: workflow_dispatch\n" };
  ci = await startCi({ publishes: false, files: { ...TASK.files, ...workflow } });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** What none of them says, as far as it is said at all. */
const LEFT_OUT = {
  ...{ GITHUB_WORKFLOW_REF: "", GITHUB_WORKFLOW_SHA: "", GITHUB_REPOSITORY_ID: "", GITHUB_REPOSITORY_OWNER_ID: "" },
  ...{ GITHUB_RUN_ATTEMPT: "", GITHUB_ACTOR_ID: "", GITHUB_RETENTION_DAYS: "", GITHUB_TRIGGERING_ACTOR: "" },
  ...{ RUNNER_ENVIRONMENT: "", RUNNER_TRACKING_ID: "" },
};

test.each<[string, Record<string, string>]>([
  ["act", { ACT: "true", GITHUB_WORKFLOW: "fix until green", GITHUB_ACTION: "0" }],
  ["act_runner of Gitea", { GITEA_ACTIONS: "true", GITHUB_WORKFLOW: "smithers.yml", GITHUB_ACTION: "3" }],
  [
    "forgejo-runner",
    { FORGEJO_ACTIONS: "true", GITEA_ACTIONS: "true", GITHUB_WORKFLOW: ".github/workflows/smithers.yml" },
  ],
])("a loop is carried from job to job on %s", async (name, own) => {
  const run = async (inputs: Record<string, string>): Promise<Job> => {
    await using machine = await ci.machine();
    const task = { "success-sh": "test -f a.txt && test -f b.txt", "job-timeout-minutes": "60" };
    const loop = { "loop-id": `on-${name.split(" ")[0]}`, ...inputs };
    return await machine.run({ env: { ...LEFT_OUT, ...own }, inputs: { ...TASK.inputs, ...task, ...loop } });
  };
  const first = await run({ "max-iterations": "1" });
  expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
  expect(first.log).not.toContain("does not say which file");
  for (const carrier of ["git ref", "artifact", "cache"]) expect(first.log).toContain(`carried away by ${carrier}: `);
  const second = await run({});
  expect(second.log).toContain("brought back from");
  expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
});

test.each<[string, Record<string, string>]>([
  ["the ref and a cache service of the first form", {}],
  ["that cache alone", { carriers: "cache" }],
])("without a results service a loop is carried by %s [C53, C55]", async (name, inputs) => {
  await using older = await OlderCache.start();
  const run = async (more: Record<string, string>): Promise<Job> => {
    await using machine = await ci.machine();
    const task = { "success-sh": "test -f a.txt && test -f b.txt", "job-timeout-minutes": "60" };
    const loop = { "loop-id": name.replaceAll(" ", "-"), "state-key": "a long and random text that nobody guesses" };
    const env = { ...LEFT_OUT, ACT: "true", GITHUB_WORKFLOW: "fix until green", ...older.environment };
    return await machine.run({ env, inputs: { ...TASK.inputs, ...task, ...loop, ...inputs, ...more } });
  };
  const first = await run({ "max-iterations": "1" });
  expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
  expect(first.log).toContain("carried away by cache: ");
  const second = await run({});
  expect(second.log).toContain("brought back from");
  expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
});
