import { describe, expect, test } from "vitest";
import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { proofOf } from "../../src/views/proof.ts";
import { resultOf } from "../../src/views/result.ts";
import { shownStatus } from "../../src/views/run-view.ts";
import { summary } from "../../src/views/summary.ts";
import { aCheck, aState, aView } from "./a-state.ts";

const ended = (reason: StopReason, overrides: Partial<LoopState> = {}): Partial<LoopState> => ({
  status: outcomeOf(reason).status,
  stop_reason: reason,
  ...overrides,
});
const CHECKED: LoopState["checks"] = {
  success_cmd: ["npm", "test"],
  success_sh: null,
  quality_commands: [],
  ci_workflow: null,
};
const PROBLEM = { code: "GATE", what: "No such command.", next: "Install it." };
const text = (...args: Parameters<typeof aView>): string =>
  summary(aView(...args))
    .map((line) => line.text)
    .join("\n");

describe("the summary of an ending [W-38, W-39]", () => {
  test("a proved completion: outcome, proof, counters, change, places, next step", () => {
    const state = ended(
      { kind: "success_command", command: "npm test" },
      { checks: CHECKED, iteration: 3, verdict: { result: "passed", checks: [aCheck()] } },
    );
    expect(text(state)).toBe(
      [
        "repo-1: completed (success_command). The success command is green: the work is done.",
        "  Command: npm test",
        "Verified: `npm test` passed.",
        "Iterations: 3 of 30. Tokens: 0 (0 in, of which 0 cached; 0 out).",
        "Time: 0.0 s in 0 turns, 0.0 s in checks.",
        "Progress: no iteration is over yet.",
        "Calls of the agent: 0.",
        "Circuit: CLOSED.",
        "Since the loop began: 2 files changed (+5 -1).",
        "  a.ts | 5 +",
        "  b.ts | 1 -",
        "State: .codex/repo-1.json",
        "Logs and messages: .codex/repo-1",
        "Next: Review the changes.",
      ].join("\n"),
    );
  });

  test("a promise without any check says that nothing was verified", () => {
    const shown = text(ended({ kind: "promise", verified: false }), { change: null });
    expect(shown).toContain("NOTHING was verified");
    expect(shown).toContain("nobody but the agent says so");
    expect(shown).toContain("changes not measured");
  });

  test.each<[string, StopReason, number, boolean]>([
    ["a promise without a change", { kind: "promise", verified: true }, 0, true],
    ["a promise with a change", { kind: "promise", verified: true }, 1, false],
    ["a plan that was ticked off before [R-27]", { kind: "plan_complete", verified: false }, 0, false],
    ["no promise at all", { kind: "success_command", command: "x" }, 0, false],
  ])("%s [P14]", (_, reason, count, flagged) => {
    const change = { files: count, added: 0, removed: 0, stat: "", only_tests: false };
    const flag = "The agent claimed to be done, but nothing was changed in the tree.";
    expect(text(ended(reason), { change }).includes(flag)).toBe(flagged);
  });

  test("where changes are not measured nothing is claimed about them [P14]", () => {
    expect(text(ended({ kind: "promise", verified: true }), { change: null })).not.toContain("nothing was changed");
  });

  test("the cap: the last failing check's end and the command that goes on", () => {
    const verdict = {
      result: "failed",
      checks: [aCheck({ exitCode: 1, tail: "one\n\u001B[31mtwo\u001B[0m\n" })],
    } as const;
    const shown = text(ended({ kind: "max_iterations", max: 30 }, { checks: CHECKED, verdict }));
    expect(shown).toContain("Not verified: `npm test` failed (exit 1).");
    expect(shown).toContain("Last lines of `npm test`:\n  | one\n  | two\n");
    expect(shown).toContain("raise --max-iterations, then go on with: smithers resume --loop-id repo-1");
  });

  test("a HARD STOP that completion ran past is pending [C17]", () => {
    const hit = { id: "h#1", line: 4, text: "HARD STOP: review", reached: true };
    const todo: LoopState["todo"] = {
      path: "TODO.md",
      hard_stop_token: "HARD STOP",
      hard_stop_mode: "pause",
      hard_stop_when: "reached",
      paused_for_hard_stop: false,
      seen: [hit],
      acknowledged: [],
    };
    const done = ended({ kind: "promise", verified: true }, { todo });
    expect(text(done)).toContain("hard_stop_pending: line 4 still wants a person: HARD STOP: review");
    expect(resultOf(aView(done)).hard_stop_pending).toEqual(["h#1"]);
    expect(text({ ...done, todo: { ...todo, acknowledged: ["h#1"] } })).not.toContain("hard_stop_pending");
  });

  test("a dangerous run has its banner here, too [W-56]", () => {
    expect(text({}, { protection: { sandbox: "danger-full-access", providerArgs: [] } })).toContain("WARNING");
  });

  test.each([
    [1, "; resumed once."],
    [3, "; resumed 3 times."],
  ])("%i resumes are counted", (resumes, said) => {
    expect(text({ spent: { ...aState().spent, resumes } })).toContain(said);
  });

  test("a check without output has no tail", () => {
    const verdict = { result: "failed", checks: [aCheck({ exitCode: 1 })] } as const;
    expect(text({ checks: CHECKED, verdict })).not.toContain("Last lines");
  });
});

describe("a loop that has not ended [W-32]", () => {
  test("runs while somebody holds it", () => {
    const view = aView({}, { alive: true });
    expect(shownStatus(view)).toBe("running");
    expect(text({}, { alive: true })).toContain("repo-1: running. The loop is running.");
    expect(resultOf(view)).toMatchObject({ status: "running", resumable_by: "nobody", resume: null, exit_code: null });
  });

  test("has crashed when nobody does, and can be resumed", () => {
    expect(text()).toContain("repo-1: crashed.");
    expect(text()).toContain("Go on with: smithers resume --loop-id repo-1");
    expect(resultOf(aView())).toMatchObject({ status: "crashed", resumable_by: "anybody" });
  });
});

test("a circuit that was reset is open no more, and anybody may go on [R-08]", () => {
  const open = ended(
    { kind: "no_progress", count: 3 },
    { circuit: { state: "OPEN", trigger: "no_progress", count: 3 } },
  );
  expect(text(open)).toContain("circuit_open (no_progress). The circuit is open:");
  const reset: Partial<LoopState> = { ...open, circuit: { state: "CLOSED", trigger: null, count: 0 } };
  expect(text(reset)).toContain("circuit_open (no_progress). The circuit was open; it has been reset");
  expect(text(reset)).toContain("Next: Go on with: smithers resume --loop-id repo-1");
  expect(resultOf(aView(reset))).toMatchObject({ resumable_by: "anybody", circuit: { state: "CLOSED" } });
});

test("the result names ending, proof and the way on [D-34]", () => {
  const view = aView(ended({ kind: "max_iterations", max: 30 }, { iteration: 30 }));
  expect(resultOf(view)).toMatchObject({
    schema: 1,
    loop_id: "repo-1",
    status: "stopped_max_iterations",
    stop_reason: { kind: "max_iterations", max: 30 },
    exit_code: 2,
    iteration: 30,
    proof: { result: "unchecked" },
    last_iteration: null,
    resumable_by: "higher_cap",
    resume: "smithers resume --loop-id repo-1",
  });
});

describe("what is proved", () => {
  test.each<[string, Partial<LoopState>, string, string]>([
    ["no check", {}, "unchecked", "NOTHING was verified"],
    [
      "a shell check that has not run",
      { checks: { ...CHECKED, success_cmd: null, success_sh: "x" } },
      "not_verified",
      "have not run",
    ],
    [
      "quality commands",
      {
        checks: { success_cmd: null, success_sh: null, quality_commands: ["a", "b"], ci_workflow: null },
        verdict: { result: "passed", checks: [aCheck({ command: "a" }), aCheck({ command: "b" })] },
      },
      "verified",
      "Verified: `a`, `b` passed.",
    ],
    [
      "CI that has not run",
      { checks: { ...CHECKED, success_cmd: null, ci_workflow: "ci.yml" } },
      "not_verified",
      "have not run",
    ],
    [
      "green before a turn",
      ended(
        { kind: "already_green", command: "npm test" },
        { checks: CHECKED, first_check: { result: "passed", checks: [aCheck()] } },
      ),
      "verified",
      "Verified: `npm test` passed.",
    ],
    ...(["failed", null] as const).map((before): [string, Partial<LoopState>, string, string] => [
      `a plan ticked off before the turn, checks before: ${before} [R-27]`,
      ended(
        { kind: "plan_complete", verified: true },
        {
          checks: { ...CHECKED, success_cmd: null, quality_commands: ["npm test"] },
          first_check: { result: "passed", checks: [aCheck()] },
          verdict: before && { result: before, checks: [aCheck({ exitCode: 1 })] },
        },
      ),
      "verified",
      "Verified: `npm test` passed.",
    ]),
    ["a cut", { checks: CHECKED, verdict: { result: "cut_off", checks: [] } }, "not_verified", "cut off"],
    [
      "an unrunnable check",
      { checks: CHECKED, verdict: { result: "unrunnable", checks: [], problem: PROBLEM } },
      "not_verified",
      "could not be started: No such command.",
    ],
    [
      "a time-out",
      { checks: CHECKED, verdict: { result: "failed", checks: [aCheck({ timedOut: true })] } },
      "not_verified",
      "`npm test` failed (timed out).",
    ],
    [
      "a killed check",
      { checks: CHECKED, verdict: { result: "failed", checks: [aCheck({ exitCode: null })] } },
      "not_verified",
      "`npm test` failed (killed).",
    ],
    [
      "a red verdict without a red check",
      { checks: CHECKED, verdict: { result: "failed", checks: [] } },
      "not_verified",
      "a check failed.",
    ],
  ])("%s", (_, state, result, sentence) => {
    const proof = proofOf(aState(state));
    expect(proof.result).toBe(result);
    expect(proof.sentence).toContain(sentence);
  });
});
