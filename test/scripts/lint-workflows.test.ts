import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");

const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";

/** A workflow without mistakes that uses the Action. */
const WORKFLOW = `name: w
on: workflow_dispatch
permissions: {}
jobs:
  loop:
    runs-on: ubuntu-24.04
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - id: loop
        uses: ./
        with:
          prompt: Fix it.
`;

const EXAMPLE = WORKFLOW.replace("uses: ./", "uses: smithers/loop@v1");

interface Linted {
  readonly status: number;
  readonly output: string;
}

/** A project with a small README and one workflow, where `files` give nothing else. */
async function lint(files: Readonly<Record<string, string>>): Promise<Linted> {
  await using project = await tempFolder("lint-");
  const action = await readFile(path.join(ROOT, "action.yml"), "utf8");
  const workflows = { ".github/workflows/w.yml": WORKFLOW, "examples/e.yml": EXAMPLE };
  const all = { "action.yml": action, "README.md": "# R\n", "docs/a.md": "# A\n", ...workflows };
  for (const [name, text] of Object.entries({ ...all, ...files })) {
    const file = path.join(project.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return await run(project.path);
}

function run(root: string): Promise<Linted> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["scripts/lint-workflows.ts", root], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
    });
  });
}

function fenced(text: string, mark = ""): string {
  return `# Title\n\n\`\`\`yaml${mark}\n${text}\`\`\`\n`;
}

const STEPS = `- uses: smithers/loop@v1\n  with:\n    prompt: Fix it.\n`;

describe.concurrent("scripts/lint-workflows.ts", () => {
  test("what is committed is without mistakes", async () => {
    const { status, output } = await run(ROOT);
    expect(output).toMatch(/^\d+ documents, 0 mistakes$/mu);
    expect(status).toBe(0);
  });

  test("what GitHub knows and the linters do not is not a mistake", async () => {
    const newer = WORKFLOW.replace("permissions: {}", "permissions: {}\ncache-mode: none").replace(
      "    steps:",
      "    cache-mode: read\n    concurrency:\n      group: g\n      queue: max\n    steps:",
    );
    const found = await lint({
      ".github/workflows/w.yml": newer,
      "docs/a.md": fenced(newer) + fenced(STEPS, " steps"),
    });
    expect(found).toEqual({ status: 0, output: "5 documents, 0 mistakes\n" });
  });

  test("a mistake in each kind of file is found, with its place", async () => {
    const action = await readFile(path.join(ROOT, "action.yml"), "utf8");
    const using = action.split("\n").findIndex((text) => text.includes("using:")) + 1;
    const { status, output } = await lint({
      "action.yml": action.replace("using: node24", "using: node25"),
      ".github/workflows/input.yml": WORKFLOW.replace("prompt:", "promt:"),
      ".github/workflows/permission.yml": WORKFLOW.replace("permissions: {}", "permissions: { contnts: read }"),
      ".github/workflows/step.yml": `${WORKFLOW}      - run: echo "\${{ steps.loooop.outputs.status }}"\n`,
      ".github/workflows/unpinned.yaml": WORKFLOW.replace(CHECKOUT, "actions/checkout@v7"),
      ".github/workflows/injected.yml": `${WORKFLOW}      - run: echo "\${{ github.ref_name }}"\n`,
      "examples/e.yml": EXAMPLE.replace("prompt:", "promt:"),
      "examples/deep/unpinned.yml": EXAMPLE.replace(CHECKOUT, "actions/checkout@v7"),
      "README.md": fenced(WORKFLOW.replace("workflow_dispatch", "workflow_dispatched")),
      "docs/deep/steps.md": fenced(STEPS.replace("prompt:", "prommpt:"), " steps"),
      "docs/indented.md": fenced(WORKFLOW.replace("prompt:", "promt:")).replaceAll(/^(?=.)/gmu, "  "),
      "docs/inherit.md": fenced(
        "on: push\npermissions: {}\njobs:\n  a:\n    uses: ./.github/workflows/w.yml\n    secrets: inherit\n",
      ),
      "docs/unpinned.md": fenced("- uses: actions/setup-node@v6\n", " steps"),
      "docs/unmarked.md": fenced(STEPS),
      "docs/mark.md": fenced("a: b\n", " whatever"),
    });
    const wanted = [
      new RegExp(`^action\\.yml:${using}:\\d+: Unexpected value .node25.$`, "mu"),
      /^\.github\/workflows\/input\.yml:14:11: Invalid action input 'promt'$/mu,
      /^\.github\/workflows\/permission\.yml:3:16: unknown permission scope "contnts"/mu,
      /^\.github\/workflows\/step\.yml:15:\d+: .*loooop/mu,
      /^\.github\/workflows\/unpinned\.yaml:8:15: "actions\/checkout@v7" is not pinned/mu,
      /^\.github\/workflows\/injected\.yml:15:9: template-injection: an expression becomes a part of the script/mu,
      /^examples\/e\.yml:14:11: Invalid action input 'promt'$/mu,
      /^examples\/deep\/unpinned\.yml:8:15: "actions\/checkout@v7" is not pinned/mu,
      /^README\.md:5:5: .*workflow_dispatched/mu,
      /^docs\/deep\/steps\.md:6:5: Invalid action input 'prommpt'$/mu,
      /^docs\/indented\.md:17:13: Invalid action input 'promt'$/mu,
      /^docs\/inherit\.md:9:5: secrets-inherit: name the secrets/mu,
      /^docs\/unpinned\.md:4:9: "actions\/setup-node@v6" is not pinned/mu,
      /^docs\/unmarked\.md:4:1: /mu,
      /^docs\/mark\.md:3:1: "yaml whatever" is not checked/mu,
    ];
    expect(wanted.filter((message) => !message.test(output))).toEqual([]);
    expect(status).toBe(1);
  });
});
