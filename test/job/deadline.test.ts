import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { deadlineOf, findJobTimeout, type JobTime, restoreTime, type WrittenWhere } from "../../src/job/deadline.ts";
import { done, failed } from "../../src/core/result.ts";
import { workUntil } from "../../src/core/task.ts";
import { aTask } from "../support/builders.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-11-20T03:10:00Z");

/** The step began ten minutes into a job of an hour. */
function hours(change: Partial<JobTime> = {}) {
  return deadlineOf({
    startedAt: NOW,
    jobStart: done(NOW - 10 * MINUTE),
    jobTimeoutMinutes: 60,
    timeBudgetMinutes: null,
    reserveMinutes: null,
    tokenOf: null,
    ...change,
  });
}

test.for([
  {
    name: "ends with an App's token that the job was given [C92]",
    change: { jobTimeoutMinutes: 180, tokenOf: "app" as const },
    deadline: 50,
    reserve: 6,
  },
  {
    name: "ends with the job where that is before the token [C92]",
    change: { jobTimeoutMinutes: 40, tokenOf: "app" as const },
    deadline: 30,
    reserve: 5,
  },
  { name: "counts from the job's start", change: {}, deadline: 50, reserve: 6 },
  {
    name: "counts from the step's start where the job's is not known",
    change: { jobStart: failed({ because: "x" }) },
    deadline: 60,
    reserve: 6,
  },
  { name: "is never later than the time budget", change: { timeBudgetMinutes: 20 }, deadline: 20, reserve: 5 },
  { name: "is never later than the job", change: { timeBudgetMinutes: 200 }, deadline: 50, reserve: 6 },
  { name: "keeps five minutes at least", change: { jobTimeoutMinutes: 30 }, deadline: 20, reserve: 5 },
  { name: "keeps a tenth of long jobs", change: { jobTimeoutMinutes: 360 }, deadline: 350, reserve: 36 },
  {
    name: "keeps a tenth of what ends first",
    change: { jobTimeoutMinutes: 360, timeBudgetMinutes: 120 },
    deadline: 120,
    reserve: 12,
  },
  { name: "keeps what is set", change: { reserveMinutes: 0.5 }, deadline: 50, reserve: 0.5 },
  {
    name: "does not believe in a job that begins after its step",
    change: { jobStart: done(NOW + MINUTE) },
    deadline: 60,
    reserve: 6,
  },
  {
    name: "ends with the job's own token, a day after its job began [C92]",
    change: { jobTimeoutMinutes: 3_000, tokenOf: "job" as const },
    deadline: 1_430,
    reserve: 144,
  },
])("the deadline $name", ({ change, deadline, reserve }) => {
  const { hours: working } = hours(change);
  expect(working).toEqual({ deadline: NOW + deadline * MINUTE, reserveMs: reserve * MINUTE });
});

test("the engine stops working when the reserve is left", () => {
  expect(workUntil({ ...aTask().limits, ...hours().hours })).toBe(NOW + 44 * MINUTE);
});

test("an unknown start is said, with what to do about it", () => {
  expect(hours().remarks).toEqual([]);
  expect(hours({ jobStart: failed({ because: "the token may not do this" }) }).remarks).toEqual([
    { level: "notice", text: expect.stringContaining("the token may not do this") },
  ]);
});

test("too little time for any iteration is a warning", () => {
  expect(hours({ jobTimeoutMinutes: 15.5 }).remarks).toEqual([
    { level: "warning", text: expect.stringContaining("this run has 5 min, and 5 min are kept") },
  ]);
  expect(hours({ jobTimeoutMinutes: 5 }).remarks[0]?.text).toContain("this run has 0 min");
});

const FILE = ".github/workflows/smithers.yml";

async function checkout(workflow: string): Promise<TempFolder> {
  const folder = await tempFolder();
  await mkdir(path.join(folder.path, ".github/workflows"), { recursive: true });
  await writeFile(path.join(folder.path, FILE), workflow);
  return folder;
}

interface Question extends Partial<WrittenWhere> {
  readonly set?: number | null;
}

function ask(workspace: string, { set = null, ...where }: Question = {}) {
  return findJobTimeout(set, {
    ...{ workspace, workflow: { path: FILE }, job: "loop", environment: "github-hosted" },
    ...where,
  });
}

test("the job's own timeout-minutes is found", async () => {
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
])("with $name 60 minutes are assumed, and that is said", async ({ workflow, why }) => {
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

test("a checkout that is not there, a path out of it and a file without end are not read", async () => {
  await using folder = await checkout("jobs: { loop: { timeout-minutes: 3 } }");
  await symlink("/dev/zero", path.join(folder.path, ".github/workflows/zero.yml"));
  await promisify(execFile)("mkfifo", [path.join(folder.path, ".github/workflows/pipe.yml")]);
  const inside = path.join(folder.path, "inside");
  await mkdir(inside);
  const questions = [
    ask(path.join(folder.path, "gone")),
    ask(inside, { workflow: { path: `../${FILE}` } }),
    ask(folder.path, { workflow: { path: ".github/workflows/zero.yml" } }),
    ask(folder.path, { workflow: { path: ".github/workflows/pipe.yml" } }),
    ask(folder.path, { workflow: { path: ".github/workflows" } }),
  ];
  for (const { minutes, remarks } of await Promise.all(questions)) {
    expect(minutes).toBe(60);
    expect(remarks[0]?.text).toContain("cannot be read in the checkout");
  }
});

test("a setting wins; where the file disagrees there is a warning", async () => {
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

test.for([
  { minutes: 60, reserve: 6, seconds: 60 },
  { minutes: 5, reserve: 2, seconds: 30 },
  { minutes: 3, reserve: 2, seconds: 10 },
  { minutes: 2, reserve: 2, seconds: 5 },
  { minutes: 0, reserve: 2, seconds: 5 },
])(
  "of $minutes min, $reserve of them kept, a carrier has $seconds s to answer, so that the run can say that none did [C55]",
  ({ minutes, reserve, seconds }) => {
    const found = restoreTime({ deadline: NOW + minutes * MINUTE, reserveMs: reserve * MINUTE }, NOW);
    expect(found).toBe(seconds * 1000);
  },
);

/** Nine levels of ten references each. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? "x" : Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
    return `a${level}: &a${level} [${items}]`;
  });
  return [...levels, "jobs: *a8"].join("\n");
}
