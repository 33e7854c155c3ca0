import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { commandOf, deploys, isDispatchable } from "../../../src/core/repair/workflow-command.ts";
import { FAILED, HERE, STEP, workflow } from "./a-workflow.ts";

describe("the command of a failed step", () => {
  test.each([
    ["one plain command stays as it is", STEP, {}, FAILED, "npm test"],
    ["a named step", '- { name: Unit tests, run: "npm test" }', {}, { ...FAILED, steps: ["Unit tests"] }, "npm test"],
    [
      "several lines, as GitHub starts them",
      "- run: |\n    npm test\n    echo ok",
      {},
      FAILED,
      "set -e\nnpm test\necho ok",
    ],
    [
      "bash, as GitHub starts it",
      '- { run: "npm test | cat", shell: bash }',
      {},
      { ...FAILED, steps: ["Run npm test | cat"] },
      "set -eo pipefail\nnpm test | cat",
    ],
    ["its folder", '- { run: npm test, working-directory: "a b" }', {}, FAILED, "set -e\ncd -- 'a b'\nnpm test"],
    [
      "the workflow's folder and shell",
      STEP,
      { top: "defaults: { run: { working-directory: ./lib, shell: bash } }" },
      FAILED,
      "set -eo pipefail\ncd -- './lib'\nnpm test",
    ],
    [
      "variables, the nearest first",
      '- { run: npm test, env: { B: "it\'s" } }',
      { top: "env: { A: 1, B: 2 }", job: "env: { C: true, D: }" },
      FAILED,
      "set -e\nexport A='1'\nexport B='it'\\''s'\nexport C='true'\nexport D=''\nnpm test",
    ],
    [
      "a leg of a matrix",
      STEP,
      { job: "strategy: { matrix: { node: [20, 24] } }" },
      { ...FAILED, job: "test (20)" },
      "npm test",
    ],
    [
      "a leg with a name of its own",
      STEP,
      { job: "name: unit on ${{ matrix.node }}\nstrategy: { matrix: { node: [20] } }" },
      { ...FAILED, job: "unit on 20" },
      "npm test",
    ],
    ["what stands behind a step of no kind", `- { shell: bash }\n${STEP}`, {}, FAILED, "npm test"],
    [
      "the tree that the checkout names in no other way",
      `- { uses: actions/checkout@v7, with: { ref: "", path: . } }\n${STEP}`,
      {},
      FAILED,
      "npm test",
    ],
    [
      "an empty container, no services and no environment",
      STEP,
      { job: 'container: ""\nservices: {}\nenvironment: ""' },
      FAILED,
      "npm test",
    ],
  ])("%s [C101]", (_name, steps, more, failure, run) => {
    const found = commandOf(workflow(steps, more), failure, HERE);
    expect(found).toMatchObject({ ok: true, value: { run } });
  });

  test.each([
    ["no workflow", null, FAILED, "cannot be read"],
    ["another job", workflow(STEP), { ...FAILED, job: "lint" }, "no job “lint”"],
    ["another step", workflow(STEP), { ...FAILED, steps: ["Run curl evil"] }, "no step “Run curl evil”"],
    ["a job without steps", parse("on: push\njobs: { test: { env: {} } }"), FAILED, "no step “Run npm test”"],
    ["a job that is no object", parse("on: push\njobs: { test: 3 }"), FAILED, "no job “test”"],
    ["two jobs of one name", parse("on: push\njobs: { a: { name: test }, b: { name: test } }"), FAILED, "several jobs"],
    [
      "a workflow that is called",
      parse("on: push\njobs: { test: { uses: ./.github/workflows/x.yml } }"),
      { ...FAILED, job: "test / unit" },
      "calls another workflow",
    ],
    ["a container", workflow(STEP, { job: "container: node:24" }), FAILED, "runs in a container"],
    ["services", workflow(STEP, { job: "services: { db: { image: postgres } }" }), FAILED, "service containers"],
    [
      "an environment",
      workflow(STEP, { job: "environment: production" }),
      FAILED,
      "deploys to an environment (“production”)",
    ],
    [
      "an environment with an address",
      workflow(STEP, { job: 'environment: { name: "to ${{ github.ref_name }}", url: "https://x" }' }),
      FAILED,
      "deploys to an environment (“to ${{ github.ref_name }}”)",
    ],
    ["Windows", workflow(STEP), { ...FAILED, labels: ["windows-2025"] }, "ran on Windows"],
    ["macOS", workflow(STEP), { ...FAILED, labels: ["macos-15"] }, "ran on macOS"],
    ["another processor", workflow(STEP), { ...FAILED, labels: ["ubuntu-24.04-arm"] }, "another kind of processor"],
    [
      "a machine of somebody's own",
      workflow(STEP),
      { ...FAILED, labels: ["self-hosted", "linux"] },
      "machine of your own",
    ],
    ["a machine that nobody knows", workflow(STEP), { ...FAILED, labels: ["big"] }, "not known (“big”)"],
    ["no step that failed", workflow(STEP), { ...FAILED, steps: [] }, "no step of the job failed"],
    ["an action", workflow("- uses: a/b@v1"), { ...FAILED, steps: ["Run a/b@v1"] }, "is an action (“a/b@v1”)"],
    ["no command", workflow("- { name: x }"), { ...FAILED, steps: ["x"] }, "has no command"],
    ["another shell", workflow("- { run: npm test, shell: pwsh }"), FAILED, "runs in “pwsh”"],
    ["a secret", workflow('- { run: npm test, env: { T: "${{ secrets.TOKEN }}" } }'), FAILED, "needs a secret"],
    ["the job's token", workflow('- { run: npm test, env: { T: "${{ github.token }}" } }'), FAILED, "needs a secret"],
    [
      "a value of the matrix",
      workflow("- run: npm test ${{ matrix.node }}"),
      { ...FAILED, steps: ["Run npm test ${{ matrix.node }}"] },
      "value of the job's matrix",
    ],
    [
      "what GitHub knows",
      workflow('- { run: npm test, working-directory: "${{ inputs.x }}" }'),
      FAILED,
      "which only GitHub knows",
    ],
    [
      "an expression without an end",
      workflow('- { run: npm test, working-directory: "${{ oops" }'),
      FAILED,
      "which only GitHub knows",
    ],
    ["a folder outside", workflow("- { run: npm test, working-directory: ../x }"), FAILED, "outside of the repository"],
    [
      "an absolute folder",
      workflow("- { run: npm test, working-directory: /etc }"),
      FAILED,
      "outside of the repository",
    ],
    [
      "a variable that no shell can set",
      workflow('- { run: npm test, env: { "A;rm -rf .": 1 } }'),
      FAILED,
      "no shell can set",
    ],
  ])("cannot be run here: %s [C101]", (_name, file, failure, why) => {
    const found = commandOf(file, failure, HERE);
    expect(found.ok ? "found" : found.trouble.because).toContain(why);
  });

  test("what a person has to know of it is told: the matrix, what ran before, artifacts [C101]", () => {
    const steps = "- uses: actions/download-artifact@v7\n- run: npm ci\n- uses: a/b@v1\n- run: npm test";
    const found = commandOf(
      workflow(steps, { job: "strategy: { matrix: { node: [20] } }" }),
      { ...FAILED, job: "test (20)" },
      HERE,
    );
    expect(found.ok && found.value.notes.join("\n")).toMatch(/matrix[^]*“npm ci”[^]*artifacts/u);
    const many = commandOf(workflow([STEP, ...["a", "b", "c", "d", "e", "f", "g"]].join("\n- run: ")), FAILED, HERE);
    expect(many.ok && many.value.notes.join("\n")).toMatch(/after it is not asked here[^]*“e” and 2 more\./u);
    const due = commandOf(workflow(STEP, { job: "if: github.ref == 'refs/heads/main'" }), FAILED, HERE);
    expect(due.ok && due.value.notes).toEqual([expect.stringContaining("only if “github.ref == 'refs/heads/main'”")]);
    const alone = commandOf(workflow(STEP), FAILED, { platform: "linux", arch: "x64" });
    expect(alone.ok && alone.value.notes).toEqual([]);
  });

  test("a machine of Apple is one kind, whatever its processor [C101]", () => {
    const failure = { ...FAILED, labels: ["macos-15"] };
    expect(commandOf(workflow(STEP), failure, { platform: "darwin", arch: "arm64" }).ok).toBe(true);
    expect(
      commandOf(workflow(STEP), { ...FAILED, labels: ["ubuntu-24.04-arm"] }, { platform: "linux", arch: "arm64" }).ok,
    ).toBe(true);
  });
});

test.each([
  ["on: workflow_dispatch", true],
  ["on: [push, workflow_dispatch]", true],
  ["on: { push: , workflow_dispatch: }", true],
  ["on: { workflow_dispatch: { inputs: { a: { required: true, default: x }, b: { required: false }, c: } } }", true],
  ["on: { workflow_dispatch: { inputs: { a: { required: true } } } }", false],
  ["on: push", false],
  ["on: [push]", false],
  ["on: { push: }", false],
  ["on: 3", false],
])("whether a workflow can be started by hand: %s [C102]", (on, can) => {
  expect(isDispatchable(parse(`${on}\njobs: {}`))).toBe(can);
});

test.each([
  ["{ a: { environment: production } }", true],
  ["{ a: {}, b: { environment: { name: x } } }", true],
  ["{ a: { environment: { url: x } } }", true],
  ["{ a: 3 }", true],
  ["[a]", false],
  ["{ a: {}, b: { environment: , steps: [{ run: ./deploy }] } }", false],
])("whether a workflow deploys: %s [C181]", (jobs, does) => {
  expect(deploys(parse(`on: push\njobs: ${jobs}`))).toBe(does);
});

test("what is no workflow cannot be started [C102]", () => {
  expect(isDispatchable("")).toBe(false);
});
