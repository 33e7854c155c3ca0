import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { workflowFindings } from "../../src/app/workflows/findings.ts";
import { NEEDS } from "../../src/app/workflows/needs.ts";
import { findingLines, gapsIn } from "../../src/views/gaps.ts";
import { exampleNames } from "../examples/workflow-file.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { found, type Given, JOB, without, workflow } from "./workflow-stage.ts";

const EXAMPLES = await exampleNames();
const CI = "name: CI\non: { push: {}, workflow_dispatch: {} }\njobs: { test: { steps: [{ run: npm test }] } }\n";
/** Also calls itself, which GitHub refuses and nobody has to wait for. */
const DEPLOYING = {
  "a.yml":
    "on: workflow_call\njobs: { a: { uses: ./.github/workflows/a.yml }, b: { uses: ./.github/workflows/b.yml } }\n",
  "b.yml": "on: workflow_call\njobs: { deploy: { environment: production, steps: [{ run: ./deploy }] } }\n",
};
const CALLS = "uses: ./.github/workflows/a.yml";
const ASKED = "on: { workflow_dispatch: { inputs: { smithers: {} } }, ";
const REPAIR = `${ASKED}workflow_run: { workflows: [CI], types: [completed] } }`;

/** A row for each need: where it is missing, and its line. `run`: a running job is told by something else. */
const ROWS: readonly (readonly [what: string, line: string, given: Given, before?: "run"])[] = [
  ["1: the branch", "contents: write", { may: without("contents: write") }],
  [
    "1: a relay reaches a run",
    "contents: write",
    { may: without("contents: write"), with: "job: relay, relay-to: w.yml" },
  ],
  [
    "1: opened workflow files",
    "with: github-token:",
    { with: 'prompt: x, protected-paths: "!.github/workflows/a.yml"' },
    "run",
  ],
  ["1: refused work in public", "with: carriers: ref, artifact", { with: "prompt: x, carriers: ref" }, "run"],
  ["2: labels", "issues: write", { may: without("issues: write"), with: "prompt: x, todo-file: TODO.md" }],
  ["3: an App without its key", "with: app-private-key:", { with: "prompt: x, app-id: 123456" }, "run"],
  ["3: an App without its id", "with: app-id:", { with: "prompt: x, app-private-key: '${{ secrets.K }}'" }, "run"],
  [
    "3: a token that ends first",
    'app-id: "${{ vars.APP_ID }}", app-private-key:',
    {
      before: "{ id: app, uses: actions/create-github-app-token@v2 }",
      with: "prompt: x, github-token: '${{ steps.app.outputs.token }}'",
    },
    "run",
  ],
  ["4: a release", "uses: smithers/loop@v1", { uses: "main" }],
  ["5: statuses for required checks", "statuses: write", { may: without("statuses: write") }],
  [
    "5: CI is run",
    "actions: write",
    {
      may: `${without("actions: write")}, actions: read`,
      with: "prompt: x, ci-workflow: ci.yml",
      files: { "ci.yml": CI },
    },
  ],
  ["5: CI is not here", "with: ci-workflow:", { with: "prompt: x, ci-workflow: gone.yml" }, "run"],
  [
    "5: CI cannot be started",
    "on: workflow_dispatch: in ci.yml",
    { with: "prompt: x, ci-workflow: ci.yml", files: { "ci.yml": CI.replace("workflow_dispatch", "pull_request") } },
    "run",
  ],
  [
    "6: people are told",
    "pull-requests: write",
    { may: without("pull-requests: write"), with: "prompt: x, notify: octocat" },
  ],
  ["7: no group", "concurrency: { group: smithers, queue: max }", { concurrency: "" }],
  ["7: a queue of one", "concurrency: queue: max", { concurrency: "g" }],
  ["7: what kills", "cancel-in-progress: false", { concurrency: "{ group: g, cancel-in-progress: true }" }],
  [
    "7: one group for all",
    'group: "smithers-${{ github.run_id }}"',
    { on: `${ASKED}issue_comment: {} }`, concurrency: "{ group: g, queue: max }" },
  ],
  ["7: an answer on an issue", "issues: write", { on: `${ASKED}issue_comment: {} }`, may: without("issues: write") }],
  [
    "7: the relay starts",
    "actions: write",
    { on: `${ASKED}pull_request_review: {} }`, may: `${without("actions: write")}, actions: read` },
  ],
  ["7: its input", "inputs: { smithers", { on: "on: { issue_comment: {}, workflow_dispatch: {} }" }],
  [
    "7: a worker that is not here",
    "with: relay-to:",
    { on: "on: issue_comment", with: "job: relay, relay-to: gone.yml" },
  ],
  [
    "7: a PRD's that is not here",
    "with: relay-prd-to:",
    { on: "on: issue_comment", with: "job: relay, relay-to: w.yml, relay-prd-to: gone.yml" },
  ],
  [
    "7: going on by itself",
    "actions: write",
    {
      on: `${ASKED}schedule: [] }`,
      may: `${without("actions: write")}, actions: read`,
      with: "prompt: x, self-continue: auto",
    },
  ],
  ["7: what carries it", "actions: read", { may: without("actions: write") }],
  ["9: Windows", "runs-on: ubuntu-24.04", { job: "runs-on: windows-latest" }, "run"],
  [
    "9: Alpine on ARM",
    "container: an image with glibc",
    { job: "runs-on: ubuntu-24.04-arm\n    container: node:24-alpine" },
    "run",
  ],
  ["repair: annotations", "checks: read", { on: REPAIR, may: without("checks: read"), files: { "ci.yml": CI } }],
  [
    "repair: the very job",
    "actions: write",
    { on: REPAIR, may: `${without("actions: write")}, actions: read`, files: { "ci.yml": CI } },
  ],
  ["repair: no such workflow", "not CI", { on: REPAIR }],
  [
    "repair: nothing could prove it",
    "on: workflow_dispatch: in ci.yml",
    { on: REPAIR, files: { "ci.yml": CI.replace("workflow_dispatch", "pull_request") } },
  ],
  [
    "repair: what deploys proves nothing by itself",
    "with: ci-workflow: ci.yml",
    { on: REPAIR, files: { "ci.yml": CI.replace("test: {", "test: { environment: production,") } },
  ],
  [
    "repair: what calls something that deploys",
    "with: ci-workflow: ci.yml",
    { on: REPAIR, files: { "ci.yml": CI.replace("steps: [{ run: npm test }]", CALLS), ...DEPLOYING } },
  ],
  [
    "issues: the relay's answer",
    "issues: write",
    { on: `${ASKED}issues: { types: [labeled] } }`, may: without("issues: write") },
  ],
  [
    "issues: read by a job that only runs",
    "issues: read",
    { on: `${ASKED}issues: {} }`, may: without("issues: write"), with: "job: run, prompt: x" },
  ],
  [
    "reviews: the relay's answer",
    "pull-requests: write",
    { on: `${ASKED}pull_request_review: {} }`, may: without("pull-requests: write") },
  ],
  ["split: reads what was", "contents: read", { may: without("contents: write"), with: "job: run, prompt: x" }],
  [
    "split: reads the pull request",
    "pull-requests: read",
    { may: without("pull-requests: write"), with: "job: run, prompt: x" },
  ],
  [
    "waves: asked for on an issue",
    "issues: write",
    {
      on: ASKED.replace(/, $/u, " }"),
      may: without("issues: write"),
      with: "job: plan, prd: a",
      files: {
        "r.yml":
          "on: issue_comment\npermissions: write-all\njobs: { r: { steps: [{ uses: smithers/loop@v1, with: { job: relay, relay-to: r.yml, relay-prd-to: w.yml } }] } }\n",
      },
    },
  ],
  [
    "waves: the next one",
    "actions: write",
    { on: `${ASKED}schedule: [] }`, may: `${without("actions: write")}, actions: read`, with: "job: land, prd: a" },
  ],
];

describe("what a workflow lacks, with the line to add [C89, C111]", () => {
  test.for(ROWS)("%s: %s", async ([, line, given, before]) => {
    const files = { ...given.files, "w.yml": workflow(given) };
    const gaps = findingLines(gapsIn(await found(files)));
    expect(gaps.filter((text) => text.includes(line))).toHaveLength(1);
    expect(gaps.every((text) => text.startsWith("GAP      the workflow w.yml: "))).toBe(true);
    const running = findingLines(gapsIn(await found(files, JOB)));
    expect(running.some((text) => text.includes(line))).toBe(before !== "run");
  });

  test("what is to be added is YAML", () => {
    const lines = NEEDS.flatMap(({ line }) => (typeof line === "string" ? [line] : []));
    const mappings = lines.flatMap((line) => /\{.*\}/u.exec(line)?.[0] ?? []);
    expect(mappings.length).toBeGreaterThan(3);
    for (const text of mappings) expect({ text, wrong: parseDocument(text).errors }).toEqual({ text, wrong: [] });
  });

  test("each need has a row of its own", () => {
    const lines = NEEDS.filter(({ isPerhaps }) => isPerhaps !== true).flatMap(({ line }) =>
      typeof line === "string" ? [line] : [],
    );
    const unasked = lines.filter((line) => !ROWS.some(([, told]) => line.includes(told)));
    expect(
      unasked.filter((line) => !/^(?:concurrency: \{ group: smithers-|on: workflow_dispatch)/u.test(line)),
    ).toEqual([]);
  });

  test.for<[what: string, given: Given]>([
    ["a schedule", {}],
    ["permissions of the settings are not known", { job: "permissions:" }],
    [
      "another token's rights are not in the file",
      { may: "contents: read", with: "prompt: x, github-token: '${{ secrets.PAT }}'" },
    ],
    ["an App's neither", { may: "contents: read", with: "prompt: x, app-id: 1, app-private-key: x" }],
    [
      "a pull request's usual events ask for nothing",
      { on: "on: pull_request", may: `${without("actions: write")}, actions: read` },
    ],
    ["CI that proves", { with: "prompt: x, ci-workflow: ci.yml", files: { "ci.yml": CI } }],
    ["a repair", { on: REPAIR, files: { "ci.yml": CI } }],
  ])("lacks nothing: %s", async ([, given]) => {
    const text = workflow(given).replace("    permissions:\n", "    timeout-minutes: 5\n");
    const files = {
      ...given.files,
      "w.yml":
        given.job === "permissions:"
          ? text.replace(/ {4}permissions: \{ .*\n/u, "").replace("permissions: {}\n", "")
          : text,
    };
    expect(findingLines(await found(files))).toEqual(["ok       the workflow w.yml"]);
    expect(await found(files, JOB)).toEqual([]);
  });

  test.for<[what: string, line: string, given: Given]>([
    [
      "8: a narrow environment",
      "add with: check-env: job",
      { before: "uses: actions/setup-java@v5", with: "prompt: x, check-env: minimal" },
    ],
    [
      "8: a secret",
      "add with: pass-env: DB",
      { job: "env: { DB: '${{ secrets.DB }}', OK: '1', SMITHERS_X: '${{ secrets.X }}' }" },
    ],
  ])("what only people can tell is said, and is no gap: %s", async ([, line, given]) => {
    const files = { "w.yml": workflow(given) };
    for (const running of [undefined, JOB]) {
      const all = await found(files, running);
      expect(gapsIn(all)).toEqual([]);
      expect(findingLines(all)).toEqual([expect.stringContaining(line)]);
    }
  });

  test("settings that the environment says count as well; what is passed is not withheld", async () => {
    const env = "env: { SMITHERS_TODO_FILE: TODO.md, DB_A: '${{ secrets.DB }}', SMITHERS_PASS_ENV: DB_* }";
    const gaps = findingLines(await found({ "w.yml": workflow({ job: env, may: without("issues: write") }) }));
    expect(gaps).toEqual([expect.stringContaining("issues: write")]);
  });

  test("a relay in another file decides what its worker needs", async () => {
    const relay = workflow({
      on: "on: { issues: { types: [labeled] }, workflow_run: { workflows: [CI] } }",
      with: "job: relay, relay-to: w.yml",
    });
    const worker = workflow({
      on: "on: workflow_dispatch",
      may: without("issues: write").replace("checks: read, ", ""),
    });
    const told = findingLines(gapsIn(await found({ "relay.yml": relay, "ci.yml": CI, "w.yml": worker })));
    for (const line of ["issues: write", "checks: read", "inputs: { smithers"]) expect(told.join("\n")).toContain(line);
  });

  test("another one's workflow is none of ours; what cannot be read is told to people, and to no running job", async () => {
    expect(await found({ "w.yml": "on: push\njobs: { a: { steps: [{ uses: octo/loop@v1 }] } }\n" })).toEqual([]);
    const broken = { "w.yml": "uses: smithers/loop@v1\n\tjobs: [" };
    expect(findingLines(await found(broken)).join()).toContain("page Actions");
    expect(await found(broken, JOB)).toEqual([]);
    // Of these a part could be read.
    for (const end of ["  more: [\n", "  loop: {}\n", "jobs: {}\n"])
      expect(findingLines(await found({ "w.yml": workflow({}) + end })).join()).toMatch(
        /cannot be read as a workflow/u,
      );
  });

  test("neither a link nor a large file is read, and a repository without workflows has none", async () => {
    await using repo = await tempFolder();
    expect(await workflowFindings(repo.path)).toEqual([]);
    const folder = path.join(repo.path, ".github", "workflows");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(repo.path, "out.yml"), workflow({ concurrency: "" }));
    await symlink(path.join(repo.path, "out.yml"), path.join(folder, "link.yml"));
    await mkdir(path.join(folder, "folder.yml"));
    await writeFile(path.join(folder, "large.yml"), `${workflow({ concurrency: "" })}#${"x".repeat(200_000)}`);
    expect(await workflowFindings(repo.path)).toEqual([]);
  });

  test("a job tells what those that depend on it lack, as long as it costs nothing; the jobs of stories only their own [C146]", async () => {
    const job = (name: string, said: string, may: string): string =>
      `  ${name}: { permissions: { ${may} }, steps: [{ uses: smithers/loop@v1, with: { job: ${said} } }] }\n`;
    const head = "on: schedule\njobs:\n";
    const run = job("loop", "run", "actions: read, contents: read, pull-requests: read");
    const publish = job("out", "publish", "actions: read, contents: write, pull-requests: write");
    const plan = job("plan", "plan, prd: a", "actions: read, contents: write, pull-requests: write");
    const land = job("land", "land, prd: a", "actions: write, contents: read, pull-requests: write");
    const split = { "w.yml": `${head}${run}${publish}` };
    const told = findingLines(await found(split, JOB));
    expect(told).toEqual([
      expect.stringMatching(/^GAP +the workflow w\.yml, its job out: .+ → permissions: statuses: write$/u),
    ]);
    expect(findingLines(await found(split, { file: "w.yml", job: "out" })).join()).toContain("the workflow w.yml: ");
    const waves = {
      "w.yml": `${head}${plan}${run}${publish}${land}`.replace(
        "schedule",
        "{ workflow_dispatch: { inputs: { smithers: {} } } }",
      ),
    };
    expect(await found(waves, JOB)).toEqual([]);
    const planned = findingLines(await found(waves, { file: "w.yml", job: "plan" }));
    expect(planned).toEqual([
      expect.stringContaining("its job out: "),
      expect.stringMatching(/its job land: .+ contents: write$/u),
    ]);
  });

  test.for(EXAMPLES)("the recipe %s lacks nothing", async (name) => {
    await using repo = await tempFolder();
    const folder = path.join(repo.path, ".github", "workflows");
    await cp(path.join(import.meta.dirname, "../../examples"), folder, { recursive: true });
    await writeFile(path.join(folder, "ci.yml"), CI);
    const all = await workflowFindings(repo.path);
    expect(findingLines(all.filter(({ subject }) => subject.endsWith(` ${name}`)))).toEqual([
      `ok       the workflow ${name}`,
    ]);
  });

  test.for(EXAMPLES)("the recipe %s has no permission that it does not need [C112]", async (name) => {
    await using repo = await tempFolder();
    const folder = path.join(repo.path, ".github", "workflows");
    await cp(path.join(import.meta.dirname, "../../examples"), folder, { recursive: true });
    await writeFile(path.join(folder, "ci.yml"), CI);
    const text = await readFile(path.join(folder, name), "utf8");
    if (name === "split-jobs.yml") {
      const relay = await readFile(path.join(folder, "relay.yml"), "utf8");
      await writeFile(path.join(folder, "relay.yml"), relay.replace("relay-to: worker.yml", `relay-to: ${name}`));
    }
    const granted = [...text.matchAll(/(?<=^ +permissions: \{.*?)(?<scope>[a-z-]+): (?<level>read|write)(?=.*\})/gmu)];
    expect(granted.length).toBeGreaterThan(2);
    for (const { index, 0: said, groups } of granted) {
      const less = groups?.["level"] === "write" ? said.replace("write", "read") : said.replace(/^/u, "x-");
      await writeFile(path.join(folder, name), text.slice(0, index) + less + text.slice(index + said.length));
      const gaps = gapsIn(await workflowFindings(repo.path)).filter(({ subject }) => subject.endsWith(` ${name}`));
      expect([said, gaps.map(({ permission }) => permission)]).toEqual([said, [said]]);
    }
  });
});
