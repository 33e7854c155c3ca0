import { describe, expect, test } from "vitest";
import type { LoopState, Phase } from "../../../src/core/state.ts";
import { isThin } from "../../../src/core/review/due.ts";
import {
  aCheck,
  aDoneClaim,
  aLastTurn,
  aState,
  aVerdict,
  someFailing,
  NOW,
  THE_ITEM,
  type TaskOverrides,
} from "../../support/builders.ts";
import { moveIn, QUALITY, request, stop, SUCCESS } from "../stop/row.ts";

const SNAPSHOT = { id: "s", tree: "t", head: "h" };
const OBJECTIONS = [{ about: "missing", why: "It is not there.", where: "a.ts:1" }] as const;
const REVIEW = { do: "review" };
const TURN = { do: "turn", item: THE_ITEM };
const THREE = { ...someFailing([]), ran: 3, passed: 3 };
const counted = aVerdict("passed", [aCheck({ tests: THREE })]);

const always = (task: TaskOverrides = SUCCESS): TaskOverrides => ({ ...task, runtime: { reviewer: "always" } });
const worked: Partial<LoopState> = {
  snapshot: SNAPSHOT,
  verdict: aVerdict("passed"),
  spent: { ...aState().spent, turns: 1 },
};
function answered(answer: LoopState["review"]["answer"], over: Partial<LoopState["review"]> = {}): Partial<LoopState> {
  const objections = answer === "veto" ? OBJECTIONS : [];
  return {
    ...worked,
    review: { ...aState().review, answer, objections, iteration: 1, of: ["/t"], tree: "t", vetoes: 1, ...over },
  };
}
const claim = { last_turn: aLastTurn({ claim: aDoneClaim() }) };
const accepted = { ...aState().strength, accepted: { by: "me", at: "2026-03-01T12:00:00.000+00:00", tree: "t" } };

describe("before work counts as done, the reviewer is asked [C50]", () => {
  test.each<[string, Phase, TaskOverrides, Partial<LoopState>]>([
    ["a success command", "unsettled", always(), worked],
    ["a claim that the checks agree with", "unsettled", always(QUALITY), { ...worked, ...claim }],
    ["a claim without any check", "unproved", always({}), { ...worked, ...claim, verdict: null }],
    ["work of a run that died after its turn was settled", "settled", always(), worked],
    ["a success command that is green on resume", "ready", always(), { ...worked, first_check: counted }],
    ["work that is other than what was vetoed", "unsettled", always(), answered("veto", { of: ["/other"] })],
    ["work of another story", "unsettled", always(), answered("clear", { of: ["US-001/t"] })],
    [
      "work that is claimed again as it was vetoed",
      "unsettled",
      always(),
      { ...answered("veto"), last_turn: aLastTurn({ iteration: 2 }) },
    ],
    ["where nothing is measured, of another turn", "unsettled", always(), answered("clear", { of: ["/iteration 0"] })],
  ])("%s", (_what, phase, task, state) => expect(moveIn(phase, { title: "", task, state })).toEqual(REVIEW));
});

describe("nobody is asked [C50]", () => {
  test.each<[string, TaskOverrides, Partial<LoopState>]>([
    ["with reviewer off", SUCCESS, worked],
    ["where the proof is not thin", { ...SUCCESS, runtime: { reviewer: "thin" } }, { ...worked, verdict: counted }],
    ["about the same work twice", always(), answered("clear")],
    ["again after a review that failed", always(), answered("failed")],
    ["about work that a person has taken", always(), { ...worked, strength: accepted }],
    ["about a veto in the iteration that it is of", always(), answered("veto")],
    ["while the checks are red", always(), { ...worked, verdict: aVerdict("failed") }],
    ["of a turn that claims nothing", always(QUALITY), { ...worked, verdict: null }],
  ])("%s", (_what, task, state) =>
    expect(moveIn("unsettled", { title: "", task, state })).toMatchObject({ do: "settle" }),
  );

  test("before the first turn, where work is green already [PRE 6]", () => {
    const state = { first_check: aVerdict("passed"), last_turn: null, iteration: 0 };
    expect(moveIn("ready", { title: "", task: always(), state })).toEqual(stop({ kind: "already_green" }));
  });
});

test.each<[string, Parameters<typeof moveIn>[1]["facts"], unknown]>([
  ["a cancel", request("cancel"), { do: "settle", commits: false, story: null }],
  ["a stop", request("stop"), { do: "settle", commits: false, story: null }],
])("%s comes before the reviewer [POST 1]", (_what, facts, move) => {
  expect(moveIn("unsettled", { title: "", task: always(), state: worked, facts: facts ?? {} })).toEqual(move);
});

test("without time for a review the loop pauses, and it comes first on resume [C51]", () => {
  const task = { ...always(), limits: { deadline: NOW + 90_000, reserveMs: 60_000 } };
  expect(moveIn("unsettled", { title: "", task, state: worked })).toEqual(stop({ kind: "time_budget" }));
  const later = { ...always(), limits: { deadline: NOW + 150_000, reserveMs: 60_000 } };
  expect(moveIn("unsettled", { title: "", task: later, state: worked })).toEqual(REVIEW);
});

describe("a veto [C50, C51]", () => {
  test.each<[string, Phase, TaskOverrides, Partial<LoopState>, unknown]>([
    [
      "keeps a green command from completing",
      "settled",
      always(),
      { ...answered("veto"), first_check: aVerdict("failed") },
      TURN,
    ],
    ["keeps a claim from completing", "settled", always(QUALITY), { ...answered("veto"), ...claim }, TURN],
    [
      "keeps a claim without checks from completing",
      "settled",
      always({}),
      { ...answered("veto"), ...claim, verdict: null },
      TURN,
    ],
    [
      "keeps a run from completing at its beginning",
      "ready",
      always(),
      { ...answered("veto"), first_check: counted },
      TURN,
    ],
    [
      "ends the loop for a person when it is the last",
      "settled",
      always(),
      answered("veto", { vetoes: 2 }),
      stop({ kind: "reviewer_vetoes", vetoes: 2, objections: OBJECTIONS }),
    ],
    [
      "counts no more when the reviewer is off",
      "settled",
      SUCCESS,
      answered("veto", { vetoes: 2 }),
      stop({ kind: "success_command" }),
    ],
    ["of other work counts no more", "settled", always(), answered("veto", { of: ["/other"] }), REVIEW],
    [
      "that a person has overruled completes",
      "ready",
      always(),
      { ...answered("veto"), strength: accepted },
      stop({ kind: "proof_accepted", by: "me" }),
    ],
  ])("%s", (_what, phase, task, state, move) => expect(moveIn(phase, { title: "", task, state })).toEqual(move));

  test("nothing but a veto keeps work from completing", () => {
    for (const answer of ["clear", "unreadable", "failed"] as const)
      expect(moveIn("settled", { title: "", task: always(), state: answered(answer) })).toEqual(
        stop({ kind: "success_command" }),
      );
  });
});

test("a proof is thin where little is known of it [C50]", () => {
  const strength = { ...aState().strength, began: "failed" as const };
  const firm = aState({ verdict: counted, strength });
  const paths = { count: 1, paths: ["a.test.ts"] };
  const bend = { kind: "rule_off", path: "a", line: null, was: null, now: null } as const;
  expect(isThin(firm)).toBe(false);
  expect(isThin(aState({ first_check: counted, strength }))).toBe(false);
  const thin: Partial<LoopState>[] = [
    { strength: { ...strength, began: "passed" } },
    { strength: { ...strength, weaknesses: [{ kind: "no_tests_ran" }] } },
    { strength: { ...strength, bends: [bend] } },
    { strength: { ...strength, tampering: { since: 0, changed: paths, scripts: { count: 0, paths: [] } } } },
    { strength: { ...strength, unread: null } },
    { strength: { ...strength, unread: paths } },
    { verdict: aVerdict("passed") },
    { verdict: null },
  ];
  expect(thin.filter((over) => !isThin({ ...firm, ...over }))).toEqual([]);
});
