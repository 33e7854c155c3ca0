import { expect, test } from "vitest";
import type { FailingSet, Verdict } from "../../../src/core/verdict.ts";
import { feedback, FEEDBACK_LIMIT } from "../../../src/core/prompt/feedback.ts";
import type { LoopState } from "../../../src/core/state.ts";
import {
  aBlock,
  aBrief,
  aCheck,
  aClaim,
  aDoneClaim,
  aFailure,
  aHit,
  aLastTurn,
  aRedCheck,
  aState,
  aTodo,
  aVerdict,
} from "../../support/builders.ts";

function told(overrides: Partial<LoopState>): string {
  return feedback(aBrief({ state: aState({ iteration: 2, ...overrides }) }));
}

const change = { files: 2, added: 3, removed: 1, stat: "a.ts | 3 +++\nb.ts | 1 -", only_tests: false };

test.each<[string, Partial<LoopState>, readonly string[]]>([
  [
    "a red check: command, exit code and the end of its output [D-24]",
    { last_turn: aLastTurn(), verdict: aVerdict("failed", [aRedCheck({ exitCode: 2, tail: "boom\n" })]) },
    ["`npm test` failed with exit code 2", "<output>\nboom\n</output>"],
  ],
  [
    "a check that timed out [D-24]",
    { last_turn: aLastTurn(), verdict: aVerdict("failed", [aRedCheck({ exitCode: null, timedOut: true })]) },
    ["`npm test` timed out"],
  ],
  [
    "a check that was killed [D-24]",
    { last_turn: aLastTurn(), verdict: aVerdict("failed", [aRedCheck({ exitCode: null })]) },
    ["`npm test` was killed by a signal"],
  ],
  [
    "a red check that printed nothing [D-24]",
    { last_turn: aLastTurn(), verdict: aVerdict("failed", [aRedCheck({ tail: " \n" })]) },
    ["<output>\nIt printed nothing.\n</output>"],
  ],
  [
    "files that it may not change, by name, and what to do [T17]",
    {
      boundary: {
        begun: null,
        refused: { kind: "protected_paths", count: 2, paths: [".github/workflows/ci.yml", "CODEOWNERS"] },
        turns: 1,
      },
    },
    [
      "changes 2 files that you may not change:\n- .github/workflows/ci.yml\n- CODEOWNERS",
      "Undo exactly these changes",
    ],
  ],
  [
    "one such file, where the last run has left it [T17]",
    { boundary: { begun: null, refused: { kind: "protected_paths", count: 1, paths: ["CODEOWNERS"] }, turns: 0 } },
    ["changes a file that you may not change:\n- CODEOWNERS"],
  ],
  [
    "work that is too large, in numbers [T17]",
    {
      boundary: {
        begun: null,
        refused: { kind: "too_large", files: 101, bytes: 9, max_files: 100, max_bytes: null },
        turns: 1,
      },
    },
    ["has become too large: 101 files changed, 100 allowed (max-changed-files).", "Undo what does not belong"],
  ],
  [
    "BLOCKED, and nobody has answered [POST 10, W-51]",
    { last_turn: aLastTurn(), appeals: { blocked: 1, why: "no key", questions: 0 } },
    ["You said that you are BLOCKED", "a person is asked"],
  ],
  [
    "a question, and nobody has answered [section 4.5]",
    { last_turn: aLastTurn(), appeals: { blocked: 0, why: null, questions: 1 } },
    ["ended in a question", "choose the conservative default"],
  ],
  [
    "before the first turn the first check speaks [PRE 6]",
    { first_check: aVerdict("failed", [aRedCheck({ tail: "red from the start" })]) },
    ["red from the start"],
  ],
  [
    "a claim that the checks refused [C7]",
    { last_turn: aLastTurn({ claim: aDoneClaim() }), verdict: aVerdict("failed") },
    ["the claim was refused"],
  ],
  ["why a promise did not count [C22]", { last_turn: aLastTurn({ claim: aClaim({ hint: "Not so." }) }) }, ["Not so."]],
  [
    "a turn that was cut",
    { last_turn: aLastTurn({ failure: aFailure("timed_out", { message: "15 minutes" }) }) },
    ["The last turn was cut: timed_out: 15 minutes"],
  ],
  ["what changed", { last_turn: aLastTurn({ change }) }, ["It changed:\n<changes>\na.ts | 3 +++"]],
  [
    "that nothing changed [P14]",
    { last_turn: aLastTurn({ change: { ...change, files: 0 } }) },
    ["The last iteration changed no file."],
  ],
  [
    "the agent's own last words",
    { last_turn: aLastTurn({ summary: "I did a." }) },
    ["ended with:\n<last-message>\nI did a.\n</last-message>"],
  ],
  [
    "what a person has confirmed [C10]",
    {
      last_turn: aLastTurn(),
      todo: aTodo({
        seen: [aHit({ id: "a#1", text: "HARD STOP: a" }), aHit({ id: "b#1", text: "HARD STOP: b" })],
        acknowledged: ["a#1"],
      }),
    },
    ["A person has reviewed", "- HARD STOP: a"],
  ],
])("prompt 4 tells %s", (_title, state, parts) => {
  const text = told(state);
  expect(text.startsWith("## Last iteration\n")).toBe(true);
  for (const part of parts) expect(text).toContain(part);
});

test.each<[string, Partial<LoopState>, string]>([
  ["a checkpoint that nobody confirmed", { todo: aTodo({ seen: [aHit()] }) }, "HARD STOP"],
  [
    "a green check",
    { last_turn: aLastTurn(), verdict: aVerdict("failed", [aCheck({ command: "npm run build" }), aRedCheck()]) },
    "npm run build",
  ],
  [
    "the first check of the run once a turn has ended",
    {
      last_turn: aLastTurn({ summary: "x" }),
      verdict: null,
      first_check: aVerdict("failed", [aRedCheck({ tail: "stale" })]),
    },
    "stale",
  ],
  ["a refusal of a claim that was not made", { last_turn: aLastTurn(), verdict: aVerdict("failed") }, "refused"],
])("prompt 4 does not tell %s", (_title, state, part) => {
  expect(told(state)).not.toContain(part);
});

test("prompt 4 is left out when nothing is known", () => {
  expect(told({})).toBe("");
  expect(told({ last_turn: aLastTurn() })).toBe("");
});

test("prompt 4: what a person confirmed earlier does not hide that nothing else is known", () => {
  expect(told({ todo: aTodo({ seen: [], acknowledged: [] }) })).toBe("");
});

test("prompt 4 is at most 6 KB, whatever happened", () => {
  const huge = "é\n".repeat(20_000);
  const text = told({
    last_turn: aLastTurn({
      failure: aFailure("timed_out", { message: huge }),
      claim: aDoneClaim({ hint: huge }),
      summary: huge,
      change: { ...change, stat: huge, only_tests: false },
    }),
    verdict: aVerdict("failed", [aRedCheck({ tail: huge }), aRedCheck({ tail: huge })]),
  });
  expect(text.length).toBeLessThanOrEqual(FEEDBACK_LIMIT);
});

test("prompt 4: several red checks share the room, and each keeps its end", () => {
  const checks = ["one", "two", "three"].map((name) =>
    aRedCheck({ command: name, tail: `${"x".repeat(5000)} end of ${name}` }),
  );
  const text = told({ last_turn: aLastTurn(), verdict: aVerdict("failed", checks) });
  for (const name of ["one", "two", "three"]) expect(text).toContain(`end of ${name}`);
  expect(text.length).toBeLessThan(4096);
});

test("an agent whose block speaks against its promise is told so [P9]", () => {
  const claim = aDoneClaim({ block: aBlock({ exit_signal: false }) });
  const text = told({ last_turn: aLastTurn({ claim }), verdict: aVerdict("failed") });
  expect(text).toContain("your status block says EXIT_SIGNAL: false, so the claim does not count");
  expect(text).not.toContain("The checks disagree");
  const token = { ...claim, done: false, token_done: true };
  expect(told({ last_turn: aLastTurn({ claim: token }) })).toContain("so the claim does not count");
});

test("an agent whose block speaks against a plan that is all ticked is told so [R-27]", () => {
  const claim = aClaim({ block: aBlock({ exit_signal: false }) });
  const plan = { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 2, ticked: 2, most_items: 2 };
  const said = "Every item of the plan is ticked, but your status block says EXIT_SIGNAL: false";
  expect(told({ last_turn: aLastTurn({ claim }), plan })).toContain(said);
  expect(told({ last_turn: aLastTurn({ claim }), plan: { ...plan, ticked: 1 } })).not.toContain("Every item");
});

test("a block that is missing is asked for again, where one is asked for [L-08]", () => {
  const missing = { last_turn: aLastTurn(), signals: { done: 0, missing: 1 } };
  expect(told({ ...missing, status_block: "loopr" })).toContain("held no status block");
  expect(told({ ...missing, status_block: "off" })).not.toContain("status block");
});

const failing = (names: readonly string[], count = names.length): FailingSet => ({
  failing: names,
  failing_count: count,
  failing_digest: "",
  early: false,
});

test("what fails since the loop began is told apart from what failed before [section 6]", () => {
  const text = told({ last_turn: aLastTurn(), failing: failing(["a", "b"]), baseline: failing(["b", "c"]) });
  expect(text).toContain(`2 tests fail; before the loop began it was 2.
<tests>
Failing since the loop began, and not before it:
- a
Failing already before the loop began:
- b
</tests>`);
});

test("where nobody knows what failed before, the failing tests are named [section 6]", () => {
  expect(told({ last_turn: aLastTurn(), failing: failing(["a"]) })).toContain(
    "1 test fails.\n<tests>\nThey are:\n- a\n</tests>",
  );
  expect(told({ last_turn: aLastTurn(), failing: failing([]) })).not.toContain("tests fail");
  expect(told({ last_turn: aLastTurn(), failing: failing([], 3) })).toMatch(/3 tests fail\.\n?(?!<tests>)/u);
});

test("of many failing tests some are named [section 6]", () => {
  const names = Array.from({ length: 14 }, (_, index) => `t${index}`);
  const text = told({ last_turn: aLastTurn(), failing: failing(names, 300) });
  expect(text).toContain("300 tests fail.");
  expect(text).toContain("- t9\n- … and 4 more");
});

test("a session that goes on is not told again what a check says, and a fresh one is [C66]", () => {
  const verdict = aVerdict("failed", [aRedCheck({ tail: "boom\n" })]);
  const after = (same_error: number, more: Partial<LoopState> = {}): LoopState =>
    aState({ iteration: 3, last_turn: aLastTurn(), verdict, ...more, progress: { ...aState().progress, same_error } });
  const again = feedback(aBrief({ state: after(2) }), "resumed");
  expect(again).toContain("failed with exit code 1. It says the same as last time, apart from times and places.");
  expect(again).not.toContain("boom");
  expect(feedback(aBrief({ state: after(2) }), "fresh")).toContain("boom");
  expect(feedback(aBrief({ state: after(1) }), "resumed")).toContain("boom");
  // Asked between claims, the counter may be of something else.
  const between: Verdict = { ...verdict, occasion: "change" };
  expect(feedback(aBrief({ state: after(2, { verdict: between }) }), "resumed")).toContain("boom");
});

test("without outputs it stays as short as with them [C66]", () => {
  const names = Array.from({ length: 10 }, (_, index) => `${index} ${"x".repeat(190)}`);
  const failing = { failing: names, failing_count: 10, failing_digest: "", early: false };
  const change = { files: 2, added: 3, removed: 1, stat: "s".repeat(2_000), only_tests: false };
  const commands = Array.from({ length: 30 }, (_, index) => aRedCheck({ command: `${index} ${"c".repeat(150)}` }));
  const state = aState({
    ...{ iteration: 3, last_turn: aLastTurn({ change, summary: "w".repeat(2_000) }), failing },
    ...{ verdict: aVerdict("failed", commands), progress: { ...aState().progress, same_error: 2 } },
  });
  expect(feedback(aBrief({ state }), "resumed").length).toBeLessThanOrEqual(FEEDBACK_LIMIT);
});
