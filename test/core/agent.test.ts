import { expect, test } from "vitest";
import { addUsage, NO_USAGE, totalTokens } from "../../src/core/agent.ts";
import { EVENTS_FILE, lastMessageName, rawEventsName } from "../../src/core/names.ts";
import { OperationalError, UsageError } from "../../src/core/errors.ts";
import { aTask } from "../support/builders.ts";
import { workUntil } from "../../src/core/task.ts";

const usage = { input: 100, cachedInput: 60, output: 10, reasoning: 4 };

test("usages add up part by part", () => {
  expect(addUsage(usage, usage)).toEqual({ input: 200, cachedInput: 120, output: 20, reasoning: 8 });
  expect(addUsage(usage, NO_USAGE)).toEqual(usage);
});

test("cached input and reasoning are not counted twice [C14]", () => {
  expect(totalTokens(usage)).toBe(110);
});

test("the names of an iteration's files are the seed's [W-48]", () => {
  expect([EVENTS_FILE, rawEventsName(7), lastMessageName(7)]).toEqual([
    "events.jsonl",
    "events_iter_7.jsonl",
    "last_message_iter_7.txt",
  ]);
});

test("the reserve is kept free before the deadline", () => {
  expect(workUntil(aTask({ limits: { deadline: 1000, reserveMs: 300 } }).limits)).toBe(700);
  expect(workUntil(aTask({ limits: { reserveMs: 300 } }).limits)).toBeNull();
});

test("an expected error says what happened and what to do next, and keeps its cause", () => {
  const cause = new Error("EACCES");
  const error = new OperationalError({ code: "STATE_DAMAGED", what: "It is damaged.", next: "Restore it." }, { cause });
  expect(error).toMatchObject({ name: "OperationalError", message: "It is damaged.", code: "STATE_DAMAGED", cause });
  expect(error.next).toBe("Restore it.");
});

test("a usage error tells every problem", () => {
  const problems = ["a", "b"].map((what) => ({ code: "BAD", what, next: "" }));
  const error = new UsageError(problems);
  expect(error).toMatchObject({ name: "UsageError", message: "a\nb", problems });
});
