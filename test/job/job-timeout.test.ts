import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findJobTimeout, type JobTimeoutQuestion } from "../../src/job/job-timeout.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const FILE = ".github/workflows/smithers.yml";

async function checkout(workflow: string): Promise<TempFolder> {
  const folder = await tempFolder();
  await mkdir(path.join(folder.path, ".github/workflows"), { recursive: true });
  await writeFile(path.join(folder.path, FILE), workflow);
  return folder;
}

function ask(workspace: string, question: Partial<JobTimeoutQuestion> = {}) {
  return findJobTimeout({
    set: null,
    workspace,
    workflowPath: FILE,
    job: "loop",
    environment: "github-hosted",
    ...question,
  });
}

test("section 9: the job's own timeout-minutes is found", async () => {
  await using folder = await checkout("jobs:\n  other: { timeout-minutes: 5 }\n  loop:\n    timeout-minutes: 90\n");
  expect(await ask(folder.path)).toEqual({
    minutes: 90,
    remarks: [{ level: "info", text: `The job's time-out is 90 minutes, as ${FILE} says.` }],
  });
});

test.for([
  { name: "no timeout-minutes", workflow: "jobs:\n  loop: { steps: [] }\n", why: "has no timeout-minutes" },
  { name: "an expression", workflow: "jobs: { loop: { timeout-minutes: '${{ inputs.t }}' } }", why: "no plain number" },
  { name: "a text", workflow: "jobs: { loop: { timeout-minutes: '30' } }", why: "no plain number" },
  { name: "nonsense", workflow: "jobs: { loop: { timeout-minutes: -3 } }", why: "no plain number" },
  { name: "infinity", workflow: "jobs: { loop: { timeout-minutes: .inf } }", why: "no plain number" },
  { name: "another job", workflow: "jobs: { test: { timeout-minutes: 3 } }", why: "has no job loop" },
  { name: "a list of jobs", workflow: "jobs: [loop]", why: "has no job loop" },
  { name: "an empty file", workflow: "", why: "has no job loop" },
  { name: "a file that is no YAML", workflow: "jobs: {", why: "is not valid YAML" },
  { name: "a bomb of aliases", workflow: bomb(), why: "is not valid YAML" },
])("section 9: with $name 60 minutes are assumed, and that is said", async ({ workflow, why }) => {
  await using folder = await checkout(workflow);
  const { minutes, remarks } = await ask(folder.path);
  expect(minutes).toBe(60);
  expect(remarks).toEqual([{ level: "notice", text: expect.stringContaining(why) }]);
  expect(remarks[0]?.text).toContain("set job-timeout-minutes");
});

test.for([
  { name: "__proto__", job: "__proto__" },
  { name: "constructor", job: "constructor" },
])("a job called $name is a job like any other", async ({ job }) => {
  await using folder = await checkout("jobs: { loop: { timeout-minutes: 3 } }");
  expect((await ask(folder.path, { job })).minutes).toBe(60);
});

test("section 9: a checkout that is not there, a path out of it and a file without end are not read", async () => {
  await using folder = await checkout("jobs: { loop: { timeout-minutes: 3 } }");
  await symlink("/dev/zero", path.join(folder.path, ".github/workflows/zero.yml"));
  await promisify(execFile)("mkfifo", [path.join(folder.path, ".github/workflows/pipe.yml")]);
  const inside = path.join(folder.path, "inside");
  await mkdir(inside);
  const questions = [
    ask(path.join(folder.path, "gone")),
    ask(inside, { workflowPath: `../${FILE}` }),
    ask(folder.path, { workflowPath: ".github/workflows/zero.yml" }),
    ask(folder.path, { workflowPath: ".github/workflows/pipe.yml" }),
    ask(folder.path, { workflowPath: ".github/workflows" }),
  ];
  for (const { minutes, remarks } of await Promise.all(questions)) {
    expect(minutes).toBe(60);
    expect(remarks[0]?.text).toContain("cannot be read in the checkout");
  }
});

test("section 9: a setting wins; where the file disagrees there is a warning", async () => {
  await using folder = await checkout("jobs: { loop: { timeout-minutes: 90 } }");
  expect(await ask(folder.path, { set: 90 })).toEqual({ minutes: 90, remarks: [] });
  expect(await ask(folder.path, { set: 30, job: "unknown" })).toEqual({ minutes: 30, remarks: [] });
  const { minutes, remarks } = await ask(folder.path, { set: 120 });
  expect(minutes).toBe(120);
  expect(remarks).toEqual([{ level: "warning", text: expect.stringContaining("timeout-minutes: 90") }]);
});

test("a hosted runner never lets a job live longer than six hours", async () => {
  await using folder = await checkout("jobs: { loop: { timeout-minutes: 900 } }");
  const hosted = await ask(folder.path);
  expect(hosted.minutes).toBe(360);
  expect(hosted.remarks.at(-1)).toMatchObject({ level: "notice", text: expect.stringContaining("360") });
  expect((await ask(folder.path, { environment: "self-hosted" })).minutes).toBe(900);
});

/** Nine levels of ten references each. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? "x" : Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
    return `a${level}: &a${level} [${items}]`;
  });
  return [...levels, "jobs: *a8"].join("\n");
}
