import { describe, expect, test } from "vitest";
import { judgeStory, provedCriteria, storyEvidence, withoutAttempts } from "../../../src/core/story/judge.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import type { PrdTask } from "../../../src/core/task.ts";
import {
  AT,
  aCheck,
  aClaim,
  aDoneClaim,
  aFailure,
  aLastTurn,
  aRedCheck,
  aState,
  aTask,
  aVerdict,
  someFailing,
} from "../../support/builders.ts";
import { aPassedRecord, aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";

const checkOf = (run: string, criterion = 0) => ({ criterion, run, timeoutMs: null });
const PRD = aPrd([
  aStory("US-001", { checks: [checkOf("one")] }),
  aStory("US-002", { checks: [checkOf("two")] }),
  aStory("US-003", { checks: [checkOf("three")] }),
  aStory("US-004", { checks: [checkOf("four")] }),
]);
const RECORDS = [
  aPassedRecord("US-001"),
  aRecord("US-002", { state: "in_progress", attempts: 1 }),
  aPassedRecord("US-003", { how: "accepted" }),
  aPassedRecord("US-004", { how: "taken_over", commit: null }),
];
const KNOWN = someStories(RECORDS, { active: "US-002" });
const turn = aLastTurn({ item: "US-002", pending: 1, claim: aDoneClaim() });
const PASSED = { id: "US-002", ends: "passed", proved: 0, criteria: 1 };

function given(state: Partial<LoopState> = {}, prd: Partial<PrdTask> = {}, weakProof: "flag" | "refuse" = "refuse") {
  const task = aPrdTask({ ...PRD, ...prd }, { runtime: { weakProof, commit: "story", session: "fresh" } });
  return [task, aState({ phase: "unproved", iteration: 3, stories: KNOWN, last_turn: turn, ...state }, task)] as const;
}

describe("what is asked after a story's turn (POST 6)", () => {
  const asked = (state: Partial<LoopState>, prd: Partial<PrdTask> = {}) =>
    storyEvidence(...given(state, prd))?.commands?.map(({ run }) => run);

  test("of a claim: its own commands, then those of the stories that have passed, however they did", () => {
    expect(asked({})).toEqual(["two", "one", "three", "four"]);
  });

  test("not what was red before it, nor of a story that has come to count as passed since", () => {
    const known = { story: "US-002", tree: null, red: ["one"], unasked: ["US-003"] };
    expect(asked({ stories: { ...KNOWN, asked: known } })).toEqual(["two", "four"]);
  });

  test("in a wave also of those that have landed: they were proved on the branch", () => {
    const known = { story: null, tree: null, red: [], unasked: ["US-003", "US-004"] };
    const handed = { attempts: 0, words: null, feedback: null, notes: "", proved: ["US-004"] };
    expect(asked({ stories: { ...KNOWN, asked: known } }, { handed })).toEqual(["two", "one", "four"]);
  });

  test("of work that is not claimed: its own alone", () => {
    expect(asked({ last_turn: { ...turn, claim: aClaim() } })).toEqual(["two"]);
  });

  test.each<[string, Partial<LoopState>]>([
    ["nothing changed and nothing claimed", { last_turn: { ...turn, claim: aClaim(), pending: 0 } }],
    [
      "work that may go nowhere [T17]",
      { boundary: { begun: null, refused: { kind: "protected_paths", count: 1, paths: ["x"] }, turns: 1 } },
    ],
    ["a turn that left no word of its files", { last_turn: aLastTurn({ item: "US-002" }) }],
    ["no turn yet", { last_turn: null }],
    ["a story that is gone", { stories: someStories(RECORDS, { active: "US-009" }) }],
    ["no story at work", { stories: someStories(RECORDS) }],
    ["a story without a record", { stories: someStories([], { active: "US-002" }) }],
  ])("of %s: nothing", (_what, state) => {
    expect(asked(state)).toBeUndefined();
  });
});

describe("when a story passes [D-23]", () => {
  const green = { verdict: aVerdict("passed") };
  const weak = { ...aState().strength, weaknesses: [{ kind: "no_tests_ran" as const }], refused: 1 };

  test("claimed, changed, green and not weak", () => {
    expect(judgeStory(...given(green))).toEqual(PASSED);
  });

  test.each<[string, Partial<LoopState>]>([
    ["not claimed", { ...green, last_turn: { ...turn, claim: aClaim() } }],
    ["red", { verdict: aVerdict("failed") }],
    ["weak", { ...green, strength: weak }],
    ["nothing was asked", {}],
    ["cut off by somebody", { ...green, last_turn: { ...turn, failure: aFailure("cancelled") } }],
    ["what ended the turn says nothing of the work", { last_turn: { ...turn, failure: aFailure("transport") } }],
    ["before any turn", { ...green, last_turn: null }],
  ])("%s: it goes on", (_why, state) => {
    expect(judgeStory(...given(state))).toBeNull();
  });

  test("weak, where that is only flagged", () => {
    expect(judgeStory(...given({ ...green, strength: weak }, {}, "flag"))).toEqual(PASSED);
  });

  test("a task without stories has none that could pass", () => {
    expect(judgeStory(aTask(), aState({ last_turn: turn, ...green }))).toBeNull();
  });
});

const GREEN_BEFORE = { strength: { ...aState().strength, began: "passed" as const } };
const STUB = aDoneClaim({ unfinished: "It is a stub.", broken: true });

describe("a story whose agent admits that something is left [C36]", () => {
  const before = (green: boolean) =>
    someStories([aRecord("US-002", { state: "in_progress", before: [{ run: "two", green }] })], { active: "US-002" });
  const said = (green: boolean, admissions: number) =>
    given({
      ...GREEN_BEFORE,
      verdict: aVerdict("passed"),
      last_turn: { ...turn, claim: STUB },
      admissions,
      stories: before(green),
    });

  test("goes on once, and is blocked with the sentence the second time", () => {
    expect(judgeStory(...said(true, 1))).toBeNull();
    expect(judgeStory(...said(true, 2))).toEqual({
      id: "US-002",
      ends: "blocked",
      kind: "unfinished",
      why: "It is a stub.",
    });
  });

  test("passes where one of its commands was red before it", () => {
    expect(judgeStory(...said(false, 1))).toMatchObject({ ends: "passed" });
  });
});

describe("what is said of the last attempt", () => {
  const why = (state: Partial<LoopState>) => judgeStory(...given(state, { storyAttempts: 1 }));
  const timedOut = aRedCheck({ role: "story", story: "US-001", command: "one", exitCode: null, timedOut: true });

  test.each<[Partial<LoopState>, string]>([
    [
      { last_turn: { ...turn, failure: aFailure("idle", { message: "no word" }) } },
      "The last turn failed: idle: no word",
    ],
    [
      { boundary: { begun: null, refused: { kind: "protected_paths", count: 1, paths: ["x"] }, turns: 1 } },
      "The work changes what it may not change.",
    ],
    [{ verdict: aVerdict("failed", [{ ...timedOut, tail: "" }]) }, "The check one (a criterion of US-001) timed out."],
    [
      { verdict: aVerdict("failed", [aRedCheck({ exitCode: null })]) },
      "The check npm test failed with exit code unknown. It says: 1 test failed",
    ],
    [
      {
        verdict: aVerdict("failed", [
          aRedCheck({ name: "e2e", exitCode: 127, tail: "a\nbash: \u202Ex: not found\n\n" }),
        ]),
      },
      "The check e2e (npm test) failed with exit code 127. It says: bash: x: not found",
    ],
    [
      { verdict: aVerdict("failed", [aRedCheck({ tests: someFailing(["a", "b"]) })]) },
      "The check npm test failed with exit code 1. It says: 2 tests failed: a, b",
    ],
    [
      { verdict: aVerdict("failed", [aRedCheck({ tests: someFailing([], 2) })]) },
      "The check npm test failed with exit code 1. It says: 2 tests failed",
    ],
    [
      {
        verdict: aVerdict("failed", [aRedCheck({ tests: someFailing(["a"]) })]),
        baseline: { failing: ["a", "b"], failing_count: 2, failing_digest: "", early: false },
        failing: { failing: ["a"], failing_count: 1, failing_digest: "", early: false },
      },
      "The check npm test failed with exit code 1. It says: 1 test failed: a. All of that failed before the loop began as well.",
    ],
    [
      { verdict: aVerdict("passed"), strength: { ...aState().strength, weaknesses: [{ kind: "no_tests_ran" }] } },
      "The checks are green, but that proves little: no test ran.",
    ],
    [
      { last_turn: { ...turn, claim: aClaim(), pending: 0 } },
      "The agent has changed nothing, and does not say that the story is done.",
    ],
    [
      { verdict: aVerdict("passed"), last_turn: { ...turn, claim: aClaim() } },
      "The checks are green, but the agent does not say that the story is done.",
    ],
    [
      { ...GREEN_BEFORE, last_turn: { ...turn, claim: STUB }, admissions: 1 },
      "The agent says that it is done, and admits: It is a stub.",
    ],
  ])("%#: %s", (state, said) => {
    expect(why(state)).toEqual({ id: "US-002", ends: "blocked", kind: "attempts", why: said });
  });

  test("at most 1,024 characters of it", () => {
    const long = { ...turn, failure: aFailure("idle", { message: "x".repeat(5_000) }) };
    expect(why({ last_turn: long })).toMatchObject({ why: expect.stringMatching(/^.{1000,1024}$/su) });
  });
});

describe("a story whose attempts are used up before its turn begins", () => {
  const known = someStories([aRecord("US-002", { attempts: 2 })], { active: "US-002" });
  const cut = transition(aState({ phase: "turn" }), { type: "turn_abandoned", at: AT, iteration: 1 });
  const whyOf = (iterations: LoopState["iterations"], active: string | null = "US-002") =>
    withoutAttempts(aPrd([]), { ...known, active }, { iterations }, "US-002")?.why;

  test("may have fewer now", () => {
    expect(whyOf([])).toBe("It has had 2 of 2 attempts.");
    expect(withoutAttempts(aPrd([], { storyAttempts: 3 }), known, { iterations: [] }, "US-002")).toBeUndefined();
    expect(withoutAttempts(aPrd([]), known, { iterations: [] }, "US-009")).toBeUndefined();
  });

  test("is told when it was cut short, and not when another one was", () => {
    const said = "It has had 2 of 2 attempts. The last one was cut short when its run died.";
    expect([whyOf(cut.iterations), whyOf(cut.iterations, "US-003")]).toEqual([said, "It has had 2 of 2 attempts."]);
  });
});

describe("what is proved: red before, green after", () => {
  const story = aStory("US-001", { criteria: ["a", "b", "c"], checks: [checkOf("x"), checkOf("y"), checkOf("z", 2)] });
  const greens = (...runs: readonly string[]) =>
    aVerdict(
      "passed",
      runs.map((command) => aCheck({ command })),
    );
  const before = [
    { run: "x", green: true },
    { run: "y", green: false },
    { run: "z", green: true },
  ];
  test.each([
    ["all green, one of them red before", before, greens("x", "y", "z"), 1],
    ["one is red", before, greens("x", "z"), 0],
    ["never asked before", null, greens("x", "y", "z"), 0],
    ["not asked", before, null, 0],
  ])("%s", (_title, before, verdict, proved) => {
    expect(provedCriteria(story, { before }, verdict, new Set())).toEqual({ withCommand: 2, proved });
  });

  test("by a check whose own script the story has changed it counts apart; another red one would do", () => {
    const changed = (...runs: readonly string[]) =>
      provedCriteria(
        story,
        { before: before.map(({ run }) => ({ run, green: false })) },
        greens("x", "y", "z"),
        new Set(runs),
      );
    expect(changed("z")).toEqual({ withCommand: 2, proved: 1, by_changed: 1 });
    expect(changed("y")).toEqual({ withCommand: 2, proved: 2 });
    expect(changed("x", "y", "z")).toEqual({ withCommand: 2, proved: 0, by_changed: 2 });
  });

  test("as is known of the scripts of all commands [C21]", () => {
    const checks = [checkOf("sh check.sh"), checkOf("sh other.sh", 1)];
    const prd = aPrd([
      aStory("US-002", { criteria: ["a", "b"], checks }),
      aStory("US-003", { checks: [checkOf("sh third.sh")] }),
    ]);
    const red = checks.map(({ run }) => ({ run, green: false }));
    const stories = someStories([aRecord("US-002", { state: "in_progress", before: red })], { active: "US-002" });
    const proof = (...paths: readonly string[]) => {
      const tampering = {
        since: 0,
        changed: { count: 0, paths: [] },
        scripts: { count: paths.length, paths: [...paths] },
      };
      const state = {
        stories,
        verdict: greens("sh check.sh", "sh other.sh"),
        strength: { ...aState().strength, tampering },
      };
      return judgeStory(...given(state, prd));
    };
    expect(proof()).toEqual({ ...PASSED, proved: 2, criteria: 2 });
    expect(proof("third.sh", "yarn.lock")).toEqual({ ...PASSED, proved: 2, criteria: 2 });
    expect(proof("check.sh")).toEqual({ ...PASSED, proved: 1, by_changed: 1, criteria: 2 });
    // Nobody knows whose helper it is.
    expect(proof("lib.sh")).toEqual({ ...PASSED, proved: 0, by_changed: 2, criteria: 2 });
  });
});
