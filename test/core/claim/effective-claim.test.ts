import { expect, test } from "vitest";
import { countSignals, saysDone, effectiveClaim } from "../../../src/core/claim/effective-claim.ts";
import { NO_SIGNALS, type Signals } from "../../../src/core/state.ts";
import { type StatusBlock, vetoOf } from "../../../src/core/claim/claim.ts";
import {
  aBlock,
  aClaim,
  aDoneClaim,
  aFailure,
  aLastTurn,
  aState,
  aTask,
  type TaskOverrides,
} from "../../support/builders.ts";

const CHECKED: TaskOverrides = { identity: { checks: { quality: ["npm test"] } } };
const SIGNAL: TaskOverrides = { runtime: { exitGate: "signal" } };
const EXIT: Partial<StatusBlock> = { exit_signal: true };
const COMPLETE: Partial<StatusBlock> = { status: "COMPLETE", exit_signal: true };

test.each<[string, TaskOverrides, Partial<StatusBlock>, number, string | null]>([
  ["one indicator is not enough without checks [L-23]", {}, COMPLETE, 1, null],
  ["two in a row are [L-23, R-18, R-31]", {}, COMPLETE, 2, "dual_gate"],
  ["with checks the proof is the second indicator [C5]", CHECKED, COMPLETE, 1, "dual_gate"],
  ["with checks an exit signal without an indicator is none [C5]", CHECKED, EXIT, 0, null],
  ["as many as are asked for [L-17]", { limits: { doneSignals: 3 } }, COMPLETE, 2, null],
  ["as many as are asked for, reached [L-17]", { limits: { doneSignals: 3 } }, COMPLETE, 3, "dual_gate"],
  ["one alone with checks still needs its indicator [L-17]", { ...CHECKED, limits: { doneSignals: 1 } }, EXIT, 0, null],
  ["the signal alone, where the gate asks for no more [R-28]", SIGNAL, EXIT, 0, "exit_signal"],
  ["no signal, no claim [R-28]", SIGNAL, { status: "COMPLETE", exit_signal: false }, 0, null],
  ["COMPLETE without an exit signal is worth a proof [section 5.1]", CHECKED, { status: "COMPLETE" }, 0, "dual_gate"],
  ["and nothing where there is no proof [section 5.1]", {}, { status: "COMPLETE" }, 2, null],
  ["IN_PROGRESS without an exit signal [section 5.1]", CHECKED, { status: "IN_PROGRESS" }, 0, null],
])("%s", (_title, overrides, block, done, kind) => {
  const task = aTask(overrides);
  const turn = aLastTurn({ claim: aClaim({ block: aBlock(block) }) });
  expect(effectiveClaim(task, aState({ last_turn: turn, signals: { done, missing: 0 } }, task))).toBe(kind);
});

test.each<[string, Partial<StatusBlock>, string | null]>([
  ["EXIT_SIGNAL: false [P9]", { exit_signal: false }, "EXIT_SIGNAL: false"],
  ["STATUS: BLOCKED [P10]", { status: "BLOCKED" }, "STATUS: BLOCKED"],
  ["STATUS: ERROR [section 4.3]", { status: "ERROR", exit_signal: true }, "STATUS: ERROR"],
  ["TESTS_STATUS: FAILING [section 4.3]", { status: "COMPLETE", tests_status: "FAILING" }, "TESTS_STATUS: FAILING"],
  ["no EXIT_SIGNAL is no veto [section 5.1]", { status: "IN_PROGRESS" }, null],
  ["ERRORS above 0 [C39]", { status: "COMPLETE", exit_signal: true, errors: 2 }, "ERRORS: 2"],
  ["ERRORS: 0 is none [C39]", { status: "COMPLETE", errors: 0 }, null],
  ["tests that pass are none", { exit_signal: true, tests_status: "PASSING" }, null],
])("a promise is vetoed by its block: %s", (_title, block, veto) => {
  const claim = aDoneClaim({ block: aBlock(block) });
  expect(vetoOf(claim)).toBe(veto);
  expect(effectiveClaim(aTask(), aState({ last_turn: aLastTurn({ claim }) }))).toBe(veto === null ? "promise" : null);
  expect(saysDone(claim, null)).toBe(veto === null);
});

test("a done token is a claim of its own, which a block can veto like a promise [S-02, P9]", () => {
  const claim = aClaim({ token_done: true });
  expect(effectiveClaim(aTask(), aState({ last_turn: aLastTurn({ claim }) }))).toBe("done_token");
  expect(saysDone(claim, null)).toBe(true);
  const vetoed = { ...claim, block: aBlock({ exit_signal: false }) };
  expect(effectiveClaim(aTask(), aState({ last_turn: aLastTurn({ claim: vetoed }) }))).toBeNull();
});

test("a promise beside a block that agrees is a promise [P15]", () => {
  const claim = aDoneClaim({ block: aBlock(COMPLETE) });
  expect(effectiveClaim(aTask(), aState({ last_turn: aLastTurn({ claim }) }))).toBe("promise");
});

test("a turn that failed claims nothing, whatever its block says [section 4.3]", () => {
  const last_turn = aLastTurn({ failure: aFailure("timed_out"), claim: aClaim({ block: aBlock(COMPLETE) }) });
  expect(effectiveClaim(aTask(), aState({ last_turn, signals: { done: 5, missing: 0 } }))).toBeNull();
});

test.each<[string, number, Partial<StatusBlock> | null, string | null]>([
  ["every item is ticked [R-27]", 3, null, "plan_complete"],
  ["one is not [R-27]", 2, null, null],
  ["every item is ticked, but EXIT_SIGNAL: false [R-27, section 4.3]", 3, { exit_signal: false }, null],
  ["every item is ticked, and one exit signal alone [R-27]", 3, COMPLETE, "plan_complete"],
])("a checklist: %s", (_title, ticked, block, kind) => {
  const plan = { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 3, ticked, most_items: 3 };
  const last_turn = aLastTurn({ claim: aClaim({ block: block && aBlock(block) }) });
  expect(effectiveClaim(aTask(), aState({ plan, last_turn }))).toBe(kind);
});

test("before the first turn nothing is claimed", () => {
  expect(effectiveClaim(aTask(), aState())).toBeNull();
});

const NONE: Signals = { done: 0, missing: 0 };

test.each<[string, Partial<StatusBlock> | null, boolean, Signals]>([
  ["EXIT_SIGNAL and COMPLETE are an indicator [C5]", COMPLETE, true, { done: 3, missing: 0 }],
  [
    "EXIT_SIGNAL and a word for it in the summary [C5]",
    { ...EXIT, summary: "All done." },
    true,
    { done: 3, missing: 0 },
  ],
  ["part of a word is none [C5]", { ...EXIT, summary: "incomplete" }, true, { done: 0, missing: 0 }],
  ["nor is one that is denied [C5]", { ...EXIT, summary: "It isn't quite ready, not done yet." }, true, NONE],
  ["EXIT_SIGNAL alone is none [C5]", EXIT, true, { done: 0, missing: 0 }],
  ["COMPLETE alone is none [C5]", { status: "COMPLETE" }, true, { done: 0, missing: 0 }],
  ["an indicator with a veto is none [C5]", { ...COMPLETE, tests_status: "FAILING" }, true, { done: 0, missing: 0 }],
  ["a missing block counts while one is asked for [L-21]", null, true, { done: 0, missing: 2 }],
  ["and not while none is [L-21, C1]", null, false, { done: 0, missing: 0 }],
  ["one that is there ends the count [L-21]", {}, true, { done: 0, missing: 0 }],
])("%s", (_title, block, asked, after) => {
  const claim = aClaim({ block: block === null ? null : aBlock(block) });
  expect(countSignals({ done: 2, missing: 1 }, claim, asked)).toEqual(after);
});

test.each([
  ["an exit signal", EXIT, true],
  ["COMPLETE", { status: "COMPLETE" }, true],
  ["IN_PROGRESS", { status: "IN_PROGRESS" }, false],
] as const)("a message says that the work is done: %s", (_title, block, says) => {
  expect(saysDone(aClaim({ block: aBlock(block) }), null)).toBe(says);
});

test("ticking off the last item says so too, unless a block contradicts it [R-27]", () => {
  expect(saysDone(aClaim(), { items: 2, ticked: 2 })).toBe(true);
  expect(saysDone(aClaim(), { items: 2, ticked: 1 })).toBe(false);
  expect(saysDone(aClaim({ block: aBlock({ exit_signal: false }) }), { items: 2, ticked: 2 })).toBe(false);
});

test("a loop that has just begun has no signals", () => {
  expect(aState().signals).toEqual(NO_SIGNALS);
});
