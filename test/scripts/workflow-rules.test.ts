import { expect, test } from "vitest";
import { checkSecurity } from "../../scripts/lint-workflows/security.ts";

interface Shape {
  readonly on?: string;
  readonly top?: string;
  readonly job?: string;
  readonly steps?: string;
}

/** A workflow without mistakes, but for what it is told to hold. */
function workflow({ on = "push", top = "permissions: {}", job = "", steps = "- run: npm test" }: Shape): string {
  const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gmu, " ".repeat(by));
  return `on: ${on}\n${top}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n${indented(job, 4)}\n    steps:\n${indented(steps, 6)}\n`;
}

function names(shape: Shape): readonly string[] {
  const document = { kind: "workflow", file: "w.yml", line: 1, indent: 0, text: workflow(shape) } as const;
  return checkSecurity(document).map(({ message }) => message.replace(/:.*$/u, ""));
}

const HEAD = "${{ github.event.pull_request.head.sha }}";
const CHECKOUT = "- uses: actions/checkout@0123 # v7\n  with:\n    persist-credentials: false";

const WRONG: readonly (readonly [rule: string, shape: Shape])[] = [
  ["template-injection", { steps: '- run: echo "${{ github.event.issue.title }}"' }],
  ["template-injection", { steps: "- run: |\n    x\n    echo ${{ inputs.a }}" }],
  [
    "template-injection",
    { steps: "- uses: actions/github-script@0\n  with:\n    script: f(`${{ github.head_ref }}`)" },
  ],
  ["dangerous-triggers", { on: "pull_request_target" }],
  ["dangerous-triggers", { on: "[push, pull_request_target]" }],
  ["dangerous-triggers", { on: "\n  pull_request_target:\n    types: [opened]" }],
  ["dangerous-triggers", { on: "{ workflow_run: { workflows: [a] } }", steps: "- uses: actions/download-artifact@0" }],
  ["foreign-checkout", { on: "issue_comment", steps: `${CHECKOUT}\n    ref: ${HEAD}` }],
  [
    "foreign-checkout",
    { on: "workflow_run", steps: `${CHECKOUT}\n    ref: \${{ github.event.workflow_run.head_branch }}` },
  ],
  [
    "foreign-checkout",
    { on: "issue_comment", steps: `${CHECKOUT}\n    ref: refs/pull/\${{ github.event.issue.number }}/head` },
  ],
  ["artipacked", { steps: "- uses: actions/checkout@0123 # v7" }],
  ["artipacked", { steps: "- uses: actions/checkout@0123\n  with: { persist-credentials: true }" }],
  ["cache-poisoning", { on: "release", steps: "- uses: actions/cache@0" }],
  [
    "cache-poisoning",
    { on: "{ push: { tags: ['v*'] } }", steps: "- uses: actions/setup-node@0\n  with: { cache: npm }" },
  ],
  ["bot-conditions", { job: "if: github.actor == 'dependabot[bot]'" }],
  ["bot-conditions", { steps: "- run: x\n  if: \"'renovate[bot]' == github.triggering_actor\"" }],
  ["github-env", { steps: '- run: echo "A=b" >> "$GITHUB_ENV"' }],
  ["github-env", { steps: "- run: echo bin >> $GITHUB_PATH" }],
  ["secrets-inherit", { job: "secrets: inherit" }],
  ["insecure-commands", { steps: "- run: x\n  env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }" }],
  ["insecure-commands", { steps: "- run: echo '::set-output name=a::b'" }],
  ["overprovisioned-secrets", { steps: "- run: x\n  env: { ALL: '${{ toJSON(secrets) }}' }" }],
  ["overprovisioned-secrets", { steps: "- run: x\n  env: { ONE: '${{ secrets[inputs.name] }}' }" }],
  ["overprovisioned-secrets", { top: "permissions: {}\nenv: { KEY: '${{ secrets.KEY }}' }" }],
  ["unredacted-secrets", { steps: "- run: x\n  env: { A: '${{ fromJSON(secrets.ALL).a }}' }" }],
  ["hardcoded-credentials", { job: "container:\n  image: x\n  credentials: { username: u, password: hunter2 }" }],
  ["unsound-condition", { steps: "- run: x\n  if: |\n    ${{ github.ref == 'refs/heads/main' }}" }],
  ["concurrency-queue", { job: "concurrency: { group: g, queue: 5 }" }],
  ["concurrency-queue", { job: "concurrency: { group: g, queue: max, cancel-in-progress: true }" }],
  ["unsound-contains", { job: "if: contains('main release', github.ref_name)" }],
];

test.each(WRONG)("a workflow that gives itself away is refused: %s %j [T9, T21]", (rule, shape) => {
  expect(names(shape)).toContain(rule);
});

test.each([
  ["excessive-permissions", "on: push\njobs:\n  a:\n    runs-on: x\n"],
  ["excessive-permissions", "on: push\npermissions: write-all\njobs:\n  a:\n    runs-on: x\n"],
  ["excessive-permissions", "on: push\npermissions: {}\njobs:\n  a:\n    permissions: read-all\n"],
  [
    "excessive-permissions",
    "on: push\npermissions: { contents: write }\njobs:\n  a:\n    runs-on: x\n  b:\n    runs-on: x\n",
  ],
  ["self-hosted-runner", "on: push\npermissions: {}\njobs:\n  a:\n    runs-on: [self-hosted, linux]\n"],
  ["self-hosted-runner", "on: push\npermissions: {}\njobs:\n  a:\n    runs-on: self-hosted\n"],
])("rights and machines of a whole workflow: %s %j [T20, T21]", (rule, text) => {
  const found = checkSecurity({ kind: "workflow", file: "w.yml", line: 1, indent: 0, text });
  expect(found.map(({ message }) => message.replace(/:.*$/u, ""))).toContain(rule);
});

test.each<[string, Shape]>([
  ["a variable instead of an expression", { steps: '- run: echo "$A"\n  env: { A: "${{ github.head_ref }}" }' }],
  ["the default branch, after another run", { on: "workflow_run", steps: CHECKOUT }],
  ["a pull request's head without secrets", { on: "pull_request", steps: `${CHECKOUT}\n    ref: ${HEAD}` }],
  ["one job that may write", { top: "permissions: { contents: write }" }],
  ["a cache where nothing is released", { steps: "- uses: actions/setup-node@0\n  with: { cache: npm }" }],
  ["the author of a pull request", { job: "if: github.event.pull_request.user.login == 'dependabot[bot]'" }],
  ["a queue", { job: "concurrency: { group: g, queue: max, cancel-in-progress: false }" }],
  ["one that waits", { job: "concurrency: { group: g, queue: single, cancel-in-progress: true }" }],
  ["outputs", { steps: '- run: echo "a=b" >> "$GITHUB_OUTPUT"' }],
  ["a secret by its name", { steps: "- run: x\n  env: { KEY: '${{ secrets.KEY }}' }" }],
  ["a list of words", { job: "if: contains(fromJSON('[\"main\"]'), github.ref_name)" }],
])("a workflow that is written well is left alone: %s", (_title, shape) => {
  expect(names(shape)).toEqual([]);
});

test("a mistake is told with its place", () => {
  const text = workflow({ job: "secrets: inherit" });
  const [found] = checkSecurity({ kind: "workflow", file: "w.yml", line: 1, indent: 0, text });
  expect(found).toEqual({
    line: 6,
    column: 5,
    message: "secrets-inherit: name the secrets that the called workflow needs",
  });
});
