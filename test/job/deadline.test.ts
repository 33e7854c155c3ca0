import { expect, test } from "vitest";
import { deadlineOf, type JobTime } from "../../src/job/deadline.ts";
import { done, failed } from "../../src/core/result.ts";
import { workUntil } from "../../src/core/task.ts";
import { aTask } from "../support/builders.ts";

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
    ...change,
  });
}

test.for([
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
