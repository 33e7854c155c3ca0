import { describe, expect, test } from "vitest";
import { ciTail, jobsOf, wordOf } from "../../../src/checks/ci/ci-verdict.ts";
import { aFailedRun } from "../../support/builders.ts";

describe("what a run of CI says [C7]", () => {
  test.each([
    ["success", { says: "passed", exitCode: 0, timedOut: false }],
    ["neutral", { says: "passed", exitCode: 0, timedOut: false }],
    ["skipped", { says: "nothing", why: "skipped all of its jobs" }],
    ["failure", { says: "failed", exitCode: 1, timedOut: false }],
    ["startup_failure", { says: "failed", exitCode: 1, timedOut: false }],
    ["timed_out", { says: "failed", exitCode: null, timedOut: true }],
    ["cancelled", { says: "nothing", why: "was cancelled" }],
    ["stale", { says: "nothing", why: expect.stringContaining("given up") }],
    ["action_required", { says: "nothing", next: expect.stringContaining("Approve") }],
    ["invented", { says: "nothing", why: "ended as invented" }],
    [null, { says: "nothing", why: "ended as nothing" }],
  ])("%s", (conclusion, word) => {
    expect(wordOf({ conclusion })).toMatchObject(word);
  });
});

test("what was red before speaks against no work, also where it is one of many that are only counted [C102]", () => {
  const red = ["test", "lint", "docs", "e2e", "bench"];
  expect(jobsOf(aFailedRun({ more_jobs: 4, red }))).toEqual({
    wanted: [{ name: "test", step: "Run npm test", number: 3 }],
    redBefore: expect.arrayContaining(red),
  });
});

describe("what the agent reads of it", () => {
  const run = { conclusion: "failure" };

  test("the jobs, and the end of the log", () => {
    const log = { job: "test", text: "not ok 7\nError: exit code 1." };
    expect(ciTail(run, { jobs: ['job "test", step "npm test"', 'job "lint"'], log })).toBe(
      [
        'Failed: job "test", step "npm test"',
        'Failed: job "lint"',
        'The end of the log of job "test":',
        "not ok 7",
        "Error: exit code 1.",
      ].join("\n"),
    );
  });

  test("a long log and a long name leave room for each other", () => {
    const lines = Array.from({ length: 900 }, (_, index) => `line ${index}`).join("\n");
    const tail = ciTail(run, { jobs: ["j".repeat(5_000)], log: { job: "n".repeat(5_000), text: lines } });
    expect(tail.length).toBeLessThanOrEqual(3_000);
    expect(tail).toMatch(/^Failed: j+\n[^]*":\nline \d+\n[^]*\nline 899$/u);
  });

  test("what is not known is said; so is that a file is not valid", () => {
    expect(ciTail(run, { jobs: [], log: null })).toBe("GitHub does not tell which of its jobs failed.");
    expect(ciTail({ conclusion: "startup_failure" }, { jobs: [], log: null })).toContain("file that is not valid.");
  });
});
