import { describe, expect, test } from "vitest";
import type { Claim } from "../../../src/core/claim/claim.ts";
import { contradictionOf } from "../../../src/core/claim/contradictions/contradiction.ts";
import { admittedIn, effectiveClaim, objectionToClaim } from "../../../src/core/claim/effective-claim.ts";
import { canVouch, objectionTo, objectionWords } from "../../../src/core/claim/objections.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { aRecord, someStories } from "../../support/stories.ts";
import {
  aBlock,
  aClaim,
  aDoneClaim,
  aFailure,
  aLastTurn,
  aState,
  anIterationRecord,
  aTask,
  type TaskOverrides,
} from "../../support/builders.ts";

const CHECKED: TaskOverrides = { identity: { checks: { quality: ["npm test"] } } };
const CODE: TaskOverrides = { identity: { ...CHECKED.identity, promise: { guard: "code" } } };

function began(began: LoopState["strength"]["began"]): Partial<LoopState> {
  return { strength: { ...aState().strength, began } };
}

function claimed(task: TaskOverrides, claim: Claim, state: Partial<LoopState> = {}) {
  const change = { files: 1, added: 1, removed: 0, stat: "", only_tests: false };
  const whole = aState({ last_turn: aLastTurn({ claim, change }), ...state }, aTask(task));
  return { kind: effectiveClaim(aTask(task), whole), objection: objectionToClaim(aTask(task), whole) };
}

describe("a promise among other words", () => {
  const mention = aDoneClaim({ mention: true });

  test("counts with a check that was red, or not asked, before the first turn [C35]", () => {
    for (const before of ["failed", null] as const) expect(claimed(CODE, mention, began(before)).kind).toBe("promise");
  });

  test("does not with one that was green [C35]", () => {
    expect(claimed(CODE, mention, began("passed"))).toEqual({ kind: null, objection: { kind: "mention" } });
    const token = aClaim({ token_done: true, mention: true });
    expect(claimed(CODE, token, began("passed")).kind).toBeNull();
    expect(claimed(CODE, aDoneClaim(), began("passed")).kind).toBe("promise");
  });

  test("does where a person set the guard, and where CI is asked [C35]", () => {
    const set: TaskOverrides = { identity: { ...CHECKED.identity, promise: { guard: "code", isGuardSet: true } } };
    expect(claimed(set, mention, began("passed")).kind).toBe("promise");
    expect(claimed(CHECKED, mention, began("passed")).kind).toBe("promise");
    const ci: TaskOverrides = { identity: { checks: { quality: ["x"], ci: "ci.yml" }, promise: { guard: "code" } } };
    expect(claimed(ci, mention, began("passed")).kind).toBe("promise");
  });

  test("leaves the plan its say [C35, R-27]", () => {
    const plan = { path: "PLAN.md", agent_file: "A.md", items: 1, ticked: 1, most_items: 1 };
    expect(claimed(CODE, mention, { ...began("passed"), plan })).toEqual({ kind: "plan_complete", objection: null });
  });
});

test.each([
  ["one signal is not enough with a check that was green [C35, C5]", "passed", 1, null],
  ["two are [C35, C5]", "passed", 2, "dual_gate"],
  ["one is with a check that was red [C5]", "failed", 1, "dual_gate"],
] as const)("%s", (_title, before, done, kind) => {
  const claim = aClaim({ block: aBlock({ status: "COMPLETE", exit_signal: true }) });
  expect(claimed(CHECKED, claim, { ...began(before), signals: { done, missing: 0 } }).kind).toBe(kind);
});

describe("a claim that admits that something is left", () => {
  const left = aDoneClaim({ unfinished: "The docs are left for later." });
  const broken = { ...left, broken: true };

  test.each([
    ["without a check", {}, null, true],
    ["with a check that was green", CHECKED, "passed", true],
    ["with a check that was red", CHECKED, "failed", false],
    ["with a check that nobody asked before", CHECKED, null, false],
  ] as const)("is refused once, and then taken: %s [C36, P14]", (_title, task, before, isRefused) => {
    const first = claimed(task, left, { ...began(before), admissions: 1 });
    expect(first.kind).toBe(isRefused ? null : "promise");
    expect(first.objection === null).toBe(!isRefused);
    expect(claimed(task, left, { ...began(before), admissions: 2 }).kind).toBe("promise");
  });

  test("is never taken if it is a stub, or does not work [C36]", () => {
    const told = { kind: "leftover", said: "The docs are left for later.", isBroken: true };
    expect(claimed({}, broken, { admissions: 1 })).toEqual({ kind: null, objection: { ...told, isFinal: false } });
    expect(claimed({}, broken, { admissions: 2 })).toEqual({ kind: null, objection: { ...told, isFinal: true } });
  });

  test("hears of it also from a status block that is no claim yet [C36, C5]", () => {
    const claim = aClaim({ unfinished: "x", block: aBlock({ status: "COMPLETE", exit_signal: true }) });
    const state = { admissions: 1, signals: { done: 1, missing: 0 } };
    expect(claimed({}, claim, state).objection).toMatchObject({ kind: "leftover", isFinal: false });
  });

  test("admits nothing where it claims nothing, or its turn failed [C36]", () => {
    expect(admittedIn(aClaim({ unfinished: "x" }), null)).toBeNull();
    expect(admittedIn(left, null)).toBe("The docs are left for later.");
    expect(claimed({}, aClaim({ unfinished: "x" })).objection).toBeNull();
    const failed = aState({ last_turn: aLastTurn({ claim: left, failure: aFailure() }) });
    expect(objectionToClaim(aTask(), failed)).toBeNull();
    expect(objectionToClaim(aTask(), aState())).toBeNull();
  });
});

describe("a bare promise", () => {
  const bare = aDoneClaim({ bare: true });
  const still = {
    last_turn: aLastTurn({ claim: bare, change: { files: 0, added: 0, removed: 0, stat: "", only_tests: false } }),
  };

  test("is no claim where nothing changed and nothing could show it [C38, P14]", () => {
    expect(claimed({}, bare, still)).toEqual({ kind: null, objection: { kind: "bare" } });
  });

  test("counts after a change of an earlier turn [C38]", () => {
    const change = (files_changed: number) => ({ ...still, iterations: [anIterationRecord({ files_changed })] });
    expect(claimed({}, bare, change(0)).kind).toBeNull();
    expect(claimed({}, bare, change(2)).kind).toBe("promise");
    const token = aClaim({ token_done: true, bare: true });
    expect(claimed({}, token, { last_turn: { ...still.last_turn, claim: token } }).kind).toBeNull();
  });

  test("is one with a check, after a change, and where changes are not measured [C38]", () => {
    expect(claimed(CHECKED, bare, still).kind).toBe("promise");
    expect(claimed({}, bare).kind).toBe("promise");
    expect(claimed({}, bare, { last_turn: aLastTurn({ claim: bare, change: null }) }).kind).toBe("promise");
  });
});

test("before the first turn nothing speaks against a claim", () => {
  for (const kind of ["promise", "done_token", "plan_complete"] as const)
    expect(objectionTo(aTask(), aState(), kind)).toBeNull();
});

test("each objection says what to do", () => {
  const left = { kind: "leftover", said: "a\nb", isFinal: false } as const;
  expect(objectionWords({ kind: "mention" })).toContain("alone on the last line");
  expect(objectionWords({ kind: "bare" })).toContain("say why before the promise");
  expect(objectionWords({ ...left, isBroken: false })).toContain('"a b"');
  expect(objectionWords({ ...left, isBroken: true })).toContain("stops the loop");
});

test("without a check nothing vouches for the work", () => {
  expect(canVouch(aTask(), aState())).toBe(false);
  const green = { strength: { ...aState().strength, began: "passed" as const } };
  const at = (active: string | null) => someStories([aRecord("US-001", { before: null })], { active });
  for (const active of [null, "US-001", "US-009"])
    expect(canVouch(aTask(CHECKED), aState({ ...green, stories: at(active) }))).toBe(false);
});

describe("a claim that something contradicts", () => {
  const found = [contradictionOf("open_items", "PLAN.md", ["a"])];
  const objection = { kind: "contradiction", found };
  const contradicted = (task: TaskOverrides, times: number, state: Partial<LoopState> = {}) => {
    const last = { last_turn: { ...aLastTurn({ claim: aDoneClaim() }), contradictions: found } };
    return claimed(task, aDoneClaim(), { contradicted: { times, by: "a" }, ...state, ...last });
  };

  test("is none, and the agent is told what it is [C46]", () => {
    expect(contradicted({}, 1)).toEqual({ kind: null, objection });
    expect(objectionWords({ kind: "contradiction", found })).toContain('- an item of PLAN.md stands open: "a"\n');
  });

  test("is none however often it comes, where no check can outweigh it [C46]", () => {
    for (const task of [{}, CHECKED]) expect(contradicted(task, 9).objection).toEqual(objection);
    expect(contradicted(CHECKED, 9, began("passed")).objection).toEqual(objection);
    expect(contradicted(CHECKED, 9, began(null)).objection).toEqual(objection);
  });

  test("is taken the third time, where checks that were red before the first turn are asked [C46]", () => {
    expect(contradicted(CHECKED, 2, began("failed")).objection).toEqual(objection);
    expect(contradicted(CHECKED, 3, began("failed"))).toEqual({ kind: "promise", objection: null });
  });
});
