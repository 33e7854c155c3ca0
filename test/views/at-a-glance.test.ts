import { describe, expect, test } from "vitest";
import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { atAGlance } from "../../src/views/at-a-glance.ts";
import { summary } from "../../src/views/summary.ts";
import { aLastTurn, aRedCheck, anIterationRecord, someFailing } from "../support/builders.ts";
import { aCheck, aState, aView } from "./a-state.ts";
import { known } from "./some-stories.ts";

const CHECKED: LoopState["checks"] = {
  success_cmd: ["npm", "test"],
  success_sh: null,
  quality_commands: [],
  ci_workflow: null,
};
const PASSED = { result: "passed", checks: [aCheck()] } as const;
const SPENT = { turn_ms: 240_000, check_ms: 12_000, tokens: 12_345 };

function ended(reason: StopReason, overrides: Partial<LoopState> = {}): Partial<LoopState> {
  const spent = { ...aState().spent, ...SPENT };
  return { status: outcomeOf(reason).status, stop_reason: reason, checks: CHECKED, iteration: 3, spent, ...overrides };
}

function glance(...args: Parameters<typeof aView>): readonly string[] {
  return atAGlance(aView(...args)).map(({ text }) => text);
}

/** The state of a loop at its cap whose check is red. */
function capped(names: readonly string[], failed = names.length): Partial<LoopState> {
  const check = aRedCheck({
    command: "npm test",
    tests: failed === 0 ? null : someFailing(names, failed),
    tail: "boom\n",
  });
  const failing = { failing: [...names], failing_count: failed, failing_digest: "", early: false };
  const more = failed === 0 ? {} : { failing, baseline: { ...failing, failing_count: 7 } };
  return ended({ kind: "max_iterations", max: 3 }, { verdict: { result: "failed", checks: [check] }, ...more });
}

describe("the end of a loop in six lines [C71]", () => {
  test("what is proved", () => {
    const state = ended(
      { kind: "success_command", command: "npm test" },
      {
        verdict: PASSED,
        last_turn: aLastTurn({
          summary: "I corrected the parser.\n\nNOTES:\n- learned: run it all\n<promise>DONE</promise>\n",
        }),
        iterations: [anIterationRecord({ commit: "0123456789abcdef0123456789abcdef01234567" })],
      },
    );
    expect(glance(state, { branch: "fix" })).toEqual([
      "✓ repo-1: completed (success_command). The success command is green: the work is done. Verified: `npm test` passed.",
      "Changed: 2 files changed (+5 -1): a.ts, b.ts, on fix, last commit 0123456789ab",
      'Agent: "I corrected the parser."',
      "Took: 3 of 30 iterations, 4 min 12 s, 12,345 tokens",
      "Next: Review the changes.",
    ]);
  });

  test("what is not: failing tests by name, against the start, and one command that goes on", () => {
    const lines = glance(capped(["a", "b\u001B[31m"], 2));
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      "✗ repo-1: stopped_max_iterations (max_iterations). The iteration cap is reached and the work is not proved. 3 iterations. Not verified: `npm test` failed (exit 1).",
    );
    expect(lines[1]).toBe("Failing: 2 tests (7 at the start): a, b");
    expect(lines.at(-1)).toContain("go on with: smithers resume --loop-id repo-1");
  });

  test.each<[string, Partial<LoopState>, string]>([
    [
      "more than five",
      capped(["a", "b", "c", "d", "e", "f"], 9),
      "Failing: 9 tests (7 at the start): a, b, c, d, e and 4 more",
    ],
    ["none by name", capped([], 4), "Failing: 4 tests (7 at the start): 4 tests failed"],
    ["not counted", capped([], 0), "Failing: npm test: boom"],
    [
      "and nothing said",
      ended(
        { kind: "max_iterations", max: 3 },
        { verdict: { result: "failed", checks: [aRedCheck({ command: "x", tail: "" })] } },
      ),
      "Failing: x",
    ],
  ])("failing tests: %s", (_what, state, line) => {
    expect(glance(state)).toContain(line);
  });

  test("an agent's claim alone is no tick, and a change without files says so", () => {
    const change = {
      files: 7,
      added: 1,
      removed: 0,
      stat: "a | +1\nb | +1\nc | +1\nd | +1\ne | +1\nf | +1",
      only_tests: false,
    };
    const state = ended({ kind: "promise", verified: false }, { checks: { ...CHECKED, success_cmd: null } });
    const lines = glance(state, { change });
    expect(lines[0]).toMatch(
      /^– repo-1: completed \(promise\)\. .*nobody but the agent says so\. NOTHING was verified/u,
    );
    expect(lines[1]).toBe("Changed: 7 files changed (+1 -0): a, b, c, d, e and 2 more");
    expect(glance(state, { change: null })).toContain("Changed: changes not measured");
  });

  test.each<[StopReason, string]>([
    [{ kind: "stopped", by: "SIGINT" }, "–"],
    [{ kind: "calls_per_hour", until: "2026-01-06T21:10:00.000Z", max: 1 }, "–"],
    [{ kind: "canceled", by: "a person" }, "–"],
    [{ kind: "no_progress", count: 3 }, "✗"],
  ])("%j is told with %s", (reason, mark) => {
    expect(glance(ended(reason))[0]?.charAt(0)).toBe(mark);
  });

  test("a loop that runs, and one that was killed", () => {
    expect(glance({}, { alive: true })[0]).toBe("– repo-1: running. It is running.");
    const copy = glance({}, { isRecorded: true });
    expect(copy[0]).toMatch(/^– repo-1: running\. It was running when it was recorded\./u);
    expect(copy.at(-1)).toMatch(/^Next: What came of it is in the artifact/u);
    expect(glance({ checks: CHECKED })[0]).toMatch(/^– repo-1: crashed\. Its run was killed.* Not verified:/u);
  });

  test.each<[string, Partial<LoopState>]>([
    ["that runs", {}],
    ["at its end", ended({ kind: "max_iterations", max: 3 })],
  ])("the id of a loop %s cannot write to the terminal, in short or in full [T14]", (_, state) => {
    const view = aView({ ...state, loop_id: "a\u001B[2J\u202Eb\nc" });
    for (const [first] of [atAGlance(view), summary(view)]) expect(first?.text).toMatch(/^(?:[–✓✗] )?ab c: /u);
  });

  test("doubts, danger and a PRD have lines of their own", () => {
    const weak = ended(
      { kind: "weak_proof", weaknesses: [{ kind: "no_tests_ran" }] },
      {
        verdict: PASSED,
        stories: known([], { prd: "shop", total: 4 }),
        strength: { ...aState().strength, weaknesses: [{ kind: "no_tests_ran" }] },
      },
    );
    const lines = glance(weak, { protection: { sandbox: "danger-full-access", providerArgs: [] } });
    expect(lines[0]).toContain("WARNING");
    expect(lines).toContainEqual(expect.stringMatching(/^PRD shop: /u));
    expect(lines).toContainEqual(expect.stringMatching(/^The proof is weak: /u));
  });
});
