import { describe, expect, test } from "vitest";
import { commandOf, mayFail } from "../../../src/core/repair/workflow-command.ts";
import { expressionsIn, literalsIn } from "../../../src/core/repair/expressions.ts";
import { FAILED, HERE, STEP, workflow } from "./a-workflow.ts";

/** Each would be green here where the job itself could be red, or is told with another reason than its own. */
describe("what could fool a derived command", () => {
  const LEG = { ...FAILED, job: "test (20)" };
  const MATRIX = "strategy: { matrix: { node: [20, 24], os: [ubuntu-24.04] } }";
  test.each([
    [
      "a step that may fail",
      "- { run: npm test, continue-on-error: true }",
      {},
      FAILED,
      "may fail (continue-on-error)",
    ],
    [
      "a step that may fail by an expression",
      '- { run: npm test, continue-on-error: "${{ matrix.new }}" }',
      { job: MATRIX },
      LEG,
      "may fail (continue-on-error)",
    ],
    [
      "two steps that failed",
      `${STEP}\n- { run: npm run e2e, if: always() }`,
      {},
      { ...FAILED, steps: ["Run npm test", "Run npm run e2e"] },
      "several of its steps failed (“Run npm test”, “Run npm run e2e”)",
    ],
    [
      "one command in two folders",
      "- { run: npm test, working-directory: a }\n- { run: npm test, working-directory: b }",
      {},
      FAILED,
      "several steps of this job could be called “Run npm test”",
    ],
    [
      "a name that another step could have",
      '- { name: Unit, run: npm test }\n- { name: "${{ matrix.what }}", run: npm run lint }',
      { job: MATRIX },
      { ...LEG, steps: ["Unit"] },
      "several steps of this job could be called “Unit”",
    ],
    [
      "a command with a value of the matrix, as GitHub shows it",
      "- run: npm test -- ${{ matrix.node }}",
      { job: MATRIX },
      { ...LEG, steps: ["Run npm test -- 20"] },
      "value of the job's matrix",
    ],
    [
      "a leg of the matrix that is set up by its values",
      `- { uses: actions/setup-node@v6, with: { node-version: "\${{ matrix.node }}" } }\n${STEP}`,
      { job: MATRIX },
      LEG,
      "a step before it (“Run actions/setup-node@v6”) uses a value of the job's matrix",
    ],
    [
      "a leg of the matrix that alone has a step before it",
      `- { run: npm run database, if: matrix.node == 20 }\n${STEP}`,
      { job: MATRIX },
      LEG,
      "a step before it (“Run npm run database”) uses a value of the job's matrix",
    ],
    ["a shell by an expression", '- { run: npm test, shell: "${{ matrix.shell }}" }', { job: MATRIX }, LEG, "matrix"],
    [
      "a shell with options of its own",
      "- { run: npm test, shell: 'bash -l {0}' }",
      {},
      FAILED,
      "runs in “bash -l {0}”",
    ],
    ["the workflow's shell", STEP, { top: "defaults: { run: { shell: pwsh } }" }, FAILED, "runs in “pwsh”"],
    [
      "what the runner says of the event",
      "- run: |\n    if [ $GITHUB_EVENT_NAME = push ]; then\n    npm test\n    fi",
      {},
      { ...FAILED, steps: ["Run if [ $GITHUB_EVENT_NAME = push ]; then"] },
      "reads $GITHUB_EVENT_NAME",
    ],
    [
      "its temporary folder",
      "- { name: t, run: 'npm test > ${RUNNER_TEMP}/log' }",
      {},
      { ...FAILED, steps: ["t"] },
      "reads $RUNNER_TEMP",
    ],
    [
      "variables of a step before",
      `- run: echo "ALL=1" >> "$GITHUB_ENV"\n${STEP}`,
      {},
      FAILED,
      'a step before it (“Run echo "ALL=1" >> "$GITHUB_ENV"”) sets variables or the PATH',
    ],
    [
      "another folder that is checked out",
      `- { uses: actions/checkout@v7, with: { path: app } }\n${STEP}`,
      {},
      FAILED,
      "checks out something else (path: “app”)",
    ],
    [
      "another repository",
      `- { uses: actions/checkout@v7, with: { repository: a/b } }\n${STEP}`,
      {},
      FAILED,
      "checks out something else (repository: “a/b”)",
    ],
    [
      "another commit",
      `- { uses: actions/checkout@v7, with: { ref: main } }\n${STEP}`,
      {},
      FAILED,
      "checks out something else (ref: “main”)",
    ],
    [
      "a step that runs only behind a failure",
      "- { run: npm test, if: failure() }",
      {},
      FAILED,
      "runs only when another one has failed",
    ],
    [
      "an action of the repository",
      "- uses: ./.github/actions/test",
      {},
      { ...FAILED, steps: ["Run ./.github/actions/test"] },
      "is an action",
    ],
    [
      "a container by an expression",
      STEP,
      { job: "container: ${{ matrix.image }}\n" + MATRIX },
      LEG,
      "runs in a container",
    ],
    [
      "what the runner does behind the steps",
      STEP,
      {},
      { ...FAILED, steps: ["Post Run actions/checkout@v7"] },
      "no step “Post Run",
    ],
  ])("proved by CI alone: %s [C101, C117]", (_name, steps, more, failure, why) => {
    const found = commandOf(workflow(steps, more), failure, HERE);
    expect(found.ok ? `found: ${found.value.run}` : found.trouble.because).toContain(why);
  });

  test.each([
    [
      "a name with an expression",
      '- { name: "Tests of ${{ runner.os }} (unit)", run: npm test }\n- { name: "Tests of ${{ runner.os }} (e2e)", run: x }',
      {},
      { ...FAILED, steps: ["Tests of Linux (unit)"] },
      "npm test",
    ],
    [
      "a name with two expressions, and another one that lacks what stands between them",
      '- { name: "${{ matrix.a }} on ${{ matrix.b }}", run: npm test }\n- { name: "${{ matrix.a }} of ${{ matrix.b }}", run: x }',
      { job: MATRIX },
      { ...LEG, steps: ["unit on linux"] },
      "npm test",
    ],
    [
      "a job with an expression",
      STEP,
      { job: "name: unit of ${{ github.ref_name }}" },
      { ...FAILED, job: "unit of main" },
      "npm test",
    ],
    [
      "sh, which is not bash",
      "- { run: 'npm test && echo \"it is\"', shell: sh, working-directory: a }",
      {},
      { ...FAILED, steps: ['Run npm test && echo "it is"'] },
      "set -e\ncd -- 'a'\nsh -e -c 'npm test && echo \"it is\"'",
    ],
    [
      "a plain command in sh, which bash may read otherwise",
      "- { run: '[ a == a ]', shell: sh }",
      {},
      { ...FAILED, steps: ["Run [ a == a ]"] },
      "set -e\nsh -e -c '[ a == a ]'",
    ],
    [
      "what swallows failures does so here too",
      "- run: |\n    set +e\n    npm run lint || true\n    npm test",
      {},
      { ...FAILED, steps: ["Run set +e"] },
      "set -e\nset +e\nnpm run lint || true\nnpm test",
    ],
    [
      "one that failed only because another did",
      `${STEP}\n- { name: Report, run: ./report, if: failure() }`,
      {},
      { ...FAILED, steps: ["Run npm test", "Report"] },
      "npm test",
    ],
    [
      "one beside another that may fail",
      `- { run: npm audit, continue-on-error: true }\n${STEP}`,
      {},
      { ...FAILED, steps: ["Run npm audit", "Run npm test"] },
      "npm test",
    ],
    [
      "a leg whose values only choose the machine",
      `- uses: actions/checkout@v7\n${STEP}`,
      { job: `runs-on: \${{ matrix.os }}\n${MATRIX}` },
      { ...FAILED, job: "test (20, ubuntu-24.04)" },
      "npm test",
    ],
    [
      "the pull request's own head is checked out",
      `- { uses: actions/checkout@v7, with: { ref: "\${{ github.event.pull_request.head.sha }}", fetch-depth: 0 } }\n${STEP}`,
      {},
      FAILED,
      "npm test",
    ],
  ])("is run here as the job runs it: %s [C101, C117]", (_name, steps, more, failure, run) => {
    const found = commandOf(workflow(steps, more), failure, HERE);
    expect(found).toMatchObject({ ok: true, value: { run } });
  });

  test("what is not asked here is told: its condition, its time, what is set up before and what comes behind [C117]", () => {
    const steps = `- uses: actions/setup-node@v6\n- { run: npm test, if: "!cancelled()", timeout-minutes: 5 }\n- run: npm run e2e\n- { run: ./tell, if: failure() }`;
    const found = commandOf(workflow(steps), FAILED, HERE);
    const notes = found.ok ? found.value.notes.join("\n") : found.trouble.because;
    expect(notes).toMatch(/“actions\/setup-node@v6”[^]*“!cancelled\(\)”[^]*5 minutes[^]*after it[^]*“npm run e2e”/u);
    expect(notes).not.toContain("tell");
  });

  test.each([
    ["continue-on-error: true", "test", "always"],
    ["continue-on-error: ${{ matrix.new }}", "test", "perhaps"],
    ["continue-on-error: false", "test", "never"],
    ["env: {}", "test", "never"],
    ["continue-on-error: true", "other", "never"],
  ])("whether a job may fail: %s, job %s [C117]", (line, job, may) => {
    expect(mayFail(workflow(STEP, { job: line }), job)).toBe(may);
    expect(mayFail("no workflow", job)).toBe("never");
  });
});

/** Others write workflow files: what takes a minute in one of them would stop everything else. */
test("a file of nothing but beginnings of expressions is read in no time [C101]", { timeout: 10_000 }, () => {
  const open = "${{".repeat(80_000);
  const before = commandOf(workflow(`- run: "${open}"\n${STEP}`), FAILED, HERE);
  expect(before).toMatchObject({ ok: true, value: { run: "npm test" } });
  expect(commandOf(workflow(STEP, { job: `name: "${open}"` }), FAILED, HERE).ok).toBe(false);
  expect(commandOf(workflow(STEP, { job: `name: "${open}}}"` }), { ...FAILED, job: "" }, HERE).ok).toBe(true);
});

test.each([
  ["test", ["test"], []],
  ["a ${{ b }} c ${{ d }}", ["a ", " c ", ""], [" b ", " d "]],
  ["a ${{ b", ["a ${{ b"], [" b"]],
  ["${{ a ${{ b }} c }}", ["", " c }}"], [" a ", " b "]],
  ["}} ${{}}", ["}} ", ""], [""]],
])("what is written in %s, and its expressions", (text, literals, expressions) => {
  expect(literalsIn(text)).toEqual(literals);
  expect(expressionsIn(text)).toEqual(expressions);
});
