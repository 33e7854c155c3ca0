import { describe, expect, test } from "vitest";
import type { Strength, Weakness } from "../../src/core/verdict.ts";
import type { LoopState } from "../../src/core/state.ts";
import { eventLines } from "../../src/views/event-lines.ts";
import { commitStatusOf } from "../../src/views/github/commit-status.ts";
import { jobSummary } from "../../src/views/github/job-summary.ts";
import { planDoubt, proofOf } from "../../src/views/proof.ts";
import { pullRequestText } from "../../src/views/github/pull-request.ts";
import { resultOf } from "../../src/views/result.ts";
import { summary } from "../../src/views/summary.ts";
import { aDoneClaim, aLastTurn, aProved, aVerdict } from "../support/builders.ts";
import { aCheck, aState, aView, turnEnded } from "./a-state.ts";
import { CHECKED, COMPLETED, ended, someFacts } from "./publication-facts.ts";

const DELETED: Weakness = { kind: "tests_deleted", fewer: 0, count: 22, paths: ["test/a.test.ts", "test/b.test.ts"] };
const WEAK: readonly Weakness[] = [
  { kind: "no_tests_ran" },
  DELETED,
  { kind: "tests_emptied", count: 1, paths: ["test/c.test.ts"] },
  { kind: "newly_skipped", count: 2, skips: [1, 2].map(() => ({ path: "test/d.test.ts", marker: "it.skip" })) },
];
const TAMPERING: Strength["tampering"] = {
  since: 0,
  changed: { count: 21, paths: ["test/d.test.ts", "test/e.test.ts"] },
  scripts: { count: 1, paths: ["package.json"] },
};
const JOB = { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] };
const REFUSED = "Not verified: `npm test` passed, and that proves little.";
const SAID = 'As it claimed to be done, the agent named unfinished work: "The docs are still missing."';

function weak(strength: Partial<Strength> = {}, overrides: Partial<LoopState> = {}): Partial<LoopState> {
  const verdict = aVerdict("passed", [aCheck()]);
  const all = { ...aState().strength, weaknesses: WEAK, tampering: TAMPERING, ...strength };
  return { checks: CHECKED, verdict, strength: all, ...overrides };
}

const flagged = ended(COMPLETED, weak());
const blocked = ended({ kind: "weak_proof", weaknesses: [DELETED] }, weak());
const hedged = { last_turn: aLastTurn({ claim: aDoneClaim({ unfinished: "The docs are still missing." }) }) };

test("green between claims verifies nothing [C30]", () => {
  const verdict = { ...aVerdict("passed", [aCheck()]), occasion: "change" } as const;
  const state = aState(ended({ kind: "max_iterations", max: 3 }, { checks: CHECKED, verdict }));
  const sentence = "Not verified: `npm test` passed between claims, and the agent has not said that the work is done.";
  expect(proofOf(state)).toEqual({ result: "not_verified", sentence, failing: null });
});

function lines(state: Partial<LoopState>): string {
  return summary(aView(state))
    .map(({ text }) => text)
    .join("\n");
}

describe("a weak proof [C21]", () => {
  test("that was refused is not proof, and the ending tells why [POST 7a]", () => {
    expect(proofOf(aState(blocked))).toMatchObject({ result: "not_verified", sentence: REFUSED });
    expect(lines(blocked)).toContain("repo-1: blocked (weak_proof). ");
    expect(lines(blocked)).toContain("  22 test files were deleted: test/a.test.ts, test/b.test.ts and 20 more.");
  });

  test("that was taken is one, and flagged", () => {
    expect(proofOf(aState(flagged)).result).toBe("verified");
    const text = lines(flagged);
    expect(text).toContain("The proof is weak: no test ran; 22 test files were deleted: test/a.test.ts, ");
    expect(text).toContain("2 tests or groups of tests are newly kept from running: test/d.test.ts (it.skip), ");
  });

  test("is told as it is found", () => {
    const event = { ...aProved(), weaknesses: WEAK };
    const told = eventLines(event, aState()).map(({ text }) => text);
    expect(told).toContain("weak proof: no test ran");
    expect(told).toContain("weak proof: 1 test file was emptied: test/c.test.ts");
  });

  test("by a changed check script is told, and counts where it was only flagged", () => {
    const told = "The proof is weak: what judges the work was changed: check.sh.";
    const by = (flagged: boolean) => {
      const found: Weakness = { kind: "scripts_changed", flagged, count: 1, paths: ["check.sh"] };
      return ended({ kind: "max_iterations", max: 3 }, weak({ weaknesses: [found] }));
    };
    expect(lines(by(true))).toContain(told);
    expect(pullRequestText(aView(by(true)), someFacts({})).body).toContain(told.slice(0, -1));
    expect(proofOf(aState(by(true))).result).toBe("verified");
    const accepted = { by: "Ada", at: "2026-03-01T12:00:00.000+00:00", tree: "tree-1" };
    const snapshot = { id: "1", tree: "tree-1", head: null };
    const taken = aState({ ...by(true), snapshot });
    expect(proofOf({ ...taken, strength: { ...taken.strength, accepted } }).result).toBe("verified");
    expect(proofOf(aState(by(false)))).toMatchObject({ result: "not_verified", sentence: REFUSED });
  });

  test("by bent judges tells each place on top, in a pull request first of all [C40]", () => {
    const bends = [
      { kind: "fewer_assertions", path: "test/a.test.ts", line: 12, was: "expect(a).toBe(1);", now: null },
      { kind: "snapshot_replaced", path: "test/a.snap", line: null, was: null, now: "2" },
      { kind: "rule_off", path: ".eslintrc", line: 1, was: "", now: "" },
    ] as const;
    const bent = weak({ weaknesses: [{ kind: "judges_bent", count: 22, bends }], tampering: null });
    const told =
      "The proof is weak: what judges the work was bent: test/a.test.ts:12: a test asks for less (was: expect(a).toBe(1);), test/a.snap: what tests compare with was replaced (now: 2), .eslintrc:1: a rule is off and 19 more.";
    for (const state of [ended(COMPLETED, bent), ended({ kind: "weak_proof", weaknesses: [] }, bent)]) {
      const text = lines(state);
      expect(text).toContain(told);
      expect(text.indexOf(told)).toBeLessThan(text.indexOf("Iterations:"));
    }
    const { body } = pullRequestText(aView(ended(COMPLETED, bent)), someFacts({}));
    const row = "- Bent, a test asks for less: `test/a.test.ts:12`";
    expect(body).toContain(row);
    expect(body).toContain("Bent, what tests compare with was replaced: `test/a.snap`");
    expect(body.indexOf(row)).toBeLessThan(body.indexOf("Task"));
  });

  test("that a person has accepted is told with name and time, and stays weak [C43]", () => {
    const accepted = { by: "Ada <ada@example.org>", at: "2026-03-01T12:00:00.000+00:00", tree: "tree-1" };
    const snapshot = { id: "1", tree: "tree-1", head: null };
    const taken = ended({ kind: "proof_accepted", ...accepted, weaknesses: WEAK }, weak({ accepted }, { snapshot }));
    const text = lines(taken);
    expect(text).toContain("Ada <ada@example.org> has accepted the weak proof, on 2026-03-01T12:00:00.000+00:00.");
    expect(text).toContain("The proof is weak: no test ran;");
    const sentence = "Accepted, not proved: `npm test` passed; the proof is weak.";
    expect(resultOf(aView(taken)).proof).toEqual({ result: "accepted", sentence, failing: null });
    expect(text).toContain(sentence);
    expect(text).not.toContain("Verified:");
    const { description } = commitStatusOf(aView(taken), someFacts());
    expect(description).toContain("it is taken as done. Accepted, not proved. ");
    expect(proofOf(aState({ ...taken, ...weak({ accepted, weaknesses: [] }) })).result).toBe("verified");
    expect(text).toContain("completed (proof_accepted). A person has accepted the work with a weak proof");
    expect(pullRequestText(aView(taken), someFacts({})).body).toContain("has accepted the weak proof");
    expect(resultOf(aView(taken))).toMatchObject({ strength: { accepted, unread: { count: 0 } } });
    const other = ended(COMPLETED, weak({ accepted }, { snapshot: { ...snapshot, tree: "tree-2" } }));
    expect(lines(other)).not.toContain("has accepted");
    expect(proofOf(aState(other)).result).toBe("verified");
  });

  test("is not known where what judges the work could not be read [C40]", () => {
    const unread = { count: 22, paths: ["test/a.bin"] };
    expect(lines(weak({ unread }))).toContain(
      "Whether the agent has bent these is not known, because they are not text, ",
    );
    expect(lines(weak({ unread }))).toContain("test/a.bin and 21 more.");
    expect(lines(weak({ unread: null }))).toContain("is not known: what was there when the loop began is lost.");
    expect(lines(weak({ unread: null }, { verdict: aVerdict("failed") }))).not.toContain("is not known");
  });

  test("is not mentioned without a green verdict", () => {
    expect(lines(weak({}, { verdict: null }))).not.toContain("The proof is weak");
  });
});

describe("what was changed of tests and check scripts [C21]", () => {
  test("is in the summary of a run", () => {
    const told =
      "of what the work is judged by: check scripts: package.json; tests: test/d.test.ts, test/e.test.ts and 19";
    expect(lines(flagged)).toContain(`Changed since the loop began, ${told} more.`);
    const later = { since: 4, changed: { count: 0, paths: [] }, scripts: { count: 1, paths: ["check.sh"] } };
    expect(lines(weak({ tampering: later }))).toContain(
      "Changed since iteration 4, of what the work is judged by: check",
    );
    const tests = { since: 4, changed: { count: 1, paths: ["a"] }, scripts: { count: 0, paths: [] } };
    expect(lines(weak({ tampering: tests }))).toContain("judged by: tests: a.");
    expect(lines(weak({ tampering: null }))).not.toContain("Changed since");
  });

  test("is in summary.json", () => {
    expect(resultOf(aView(flagged))).toMatchObject({
      strength: { weaknesses: WEAK, tampering: TAMPERING },
      unfinished: null,
    });
  });

  test.each([
    ["the summary of a job", jobSummary(aView(flagged), JOB)],
    ["a pull request", pullRequestText(aView(flagged), someFacts({ changedTests: ["test/e.test.ts"] })).body],
  ])("is listed once in %s, the worst first", (_where, body) => {
    const rows = [
      ...["Test, deleted: `test/a.test.ts`", "Test, deleted: `test/b.test.ts`", "Test, emptied: `test/c.test.ts`"],
      ...["Test, newly skipped: `test/d.test.ts`", "Check script: `package.json`", "Test: `test/e.test.ts`"],
    ];
    expect(body).toContain(`[!IMPORTANT]`);
    expect(body).toContain(rows.map((row) => `- ${row}`).join("\n"));
    expect(body.split("test/e.test.ts")).toHaveLength(2);
    expect(body).toContain("**The proof is weak: no test ran; 22 test files were deleted");
  });
});

describe("unfinished work that the agent named as it claimed to be done [C22]", () => {
  test("is quoted when the loop is completed all the same", () => {
    const state = ended(COMPLETED, { ...weak({ weaknesses: [], tampering: null }), ...hedged });
    expect(lines(state)).toContain(SAID);
    expect(jobSummary(aView(state), JOB)).toContain(SAID);
    expect(resultOf(aView(state)).unfinished).toBe("The docs are still missing.");
  });

  test("is told as it is said, and by no other ending", () => {
    expect(lines({ ...blocked, ...hedged })).not.toContain("named unfinished work");
    const told = eventLines(turnEnded({ claim: hedged.last_turn.claim }), aState()).map(({ text }) => text);
    expect(told).toContain("claim names unfinished work: The docs are still missing.");
  });
});

test.each<[string, object, string | undefined]>([
  ["all of it is done", { items: 3, ticked: 3, most_items: 3 }, undefined],
  ["it has grown", { items: 4, ticked: 4, most_items: 4 }, undefined],
  ["items are open", { items: 3, ticked: 1, most_items: 3 }, "The plan has open items: 2 of 3 are not ticked."],
  [
    "items are gone",
    { items: 1, ticked: 1, most_items: 3 },
    "The plan holds fewer items than it did, 1 of 3: look for what was taken out.",
  ],
])("a plan behind a loop that is completed: %s [R-27]", (_title, counts, doubt) => {
  const plan = { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 0, ticked: 0, most_items: 0, ...counts };
  const state = aState(ended({ kind: "dual_gate", verified: false }, { plan }));
  expect(planDoubt(state)).toBe(doubt);
  expect(planDoubt({ ...state, status: "blocked" })).toBeUndefined();
  expect(lines(state).includes(doubt ?? "The plan ")).toBe(doubt !== undefined);
});
