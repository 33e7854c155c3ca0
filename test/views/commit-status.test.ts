import { describe, expect, test } from "vitest";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { commitStatusOf } from "../../src/views/github/commit-status.ts";
import { aCheck, aView } from "./a-state.ts";
import { CHECKED, COMPLETED, ended, PAUSED, PENDING, someFacts } from "./publication-facts.ts";

const statusOf = (state: Partial<LoopState>, alive = false) => commitStatusOf(aView(state, { alive }), someFacts());

describe("what the branch's head says [C10]", () => {
  test.each<[what: string, state: Partial<LoopState>, says: string]>([
    ["completed", ended(COMPLETED), "success"],
    ["a promise", ended({ kind: "promise", verified: false }), "success"],
    ["completed past a HARD STOP [C17]", PENDING, "pending"],
    ["a HARD STOP waits for a person [C87]", ended(PAUSED), "pending"],
    ["blocked waits for a person [C87]", ended({ kind: "question", question: "Which?" }), "pending"],
    ["paused by a person", ended({ kind: "paused", by: "octocat" }), "pending"],
    ["no time left", ended({ kind: "time_budget" }), "pending"],
    ["a limit of the provider", ended({ kind: "usage_limit", until: "x", message: "x" }), "pending"],
    ["the cap", ended({ kind: "max_iterations", max: 3 }), "failure"],
    ["cancelled", ended({ kind: "canceled", by: "octocat" }), "failure"],
    ["a run that died", {}, "failure"],
  ])("$2: $0", (_, state, says) => {
    expect(statusOf(state)).toMatchObject({
      context: "smithers/loop",
      state: says,
      url: "https://github.com/o/r/actions/runs/1",
    });
  });

  test("a loop at work is pending", () => {
    expect(statusOf({}, true).state).toBe("pending");
  });
});

test("what is completed but not verified says so", () => {
  const verdict: LoopState["verdict"] = { result: "passed", checks: [aCheck()] };
  expect(statusOf(ended(COMPLETED, { checks: CHECKED, verdict })).description).toBe(
    "The success command is green: the work is done. 3 iterations.",
  );
  expect(statusOf(ended({ kind: "promise", verified: false })).description).toContain("Nothing was verified.");
  const unasked = ended({ kind: "promise", verified: false }, { checks: CHECKED, verdict: null });
  expect(statusOf(unasked).description).toContain("Nothing was verified.");
});

test("a HARD STOP that completion ran past is named [C17]", () => {
  expect(statusOf(PENDING).description).toContain("past a HARD STOP");
});

describe("GitHub takes 140 characters", () => {
  test.each<StopReason>([
    COMPLETED,
    { kind: "promise", verified: false },
    { kind: "superseded", by: "x" },
    { kind: "hard_stop", mode: "pause", hits: [] },
  ])("$kind", (reason) => {
    const { description } = statusOf(ended(reason, { iteration: 10 ** 15 }));
    expect(description.length).toBeLessThanOrEqual(140);
    expect(description.length).toBeGreaterThan(20);
  });
});
