import { describe, expect, test } from "vitest";
import { feedback } from "../../../src/core/prompt/feedback.ts";
import { NEVER_ASKED, type SinceAsked } from "../../../src/core/stop/check-when.ts";
import type { LoopState } from "../../../src/core/state.ts";
import type { Evidence, Verdict } from "../../../src/core/verdict.ts";
import { transition } from "../../../src/core/transition.ts";
import {
  aBlock,
  aBrief,
  aCheck,
  aClaim,
  aDoneClaim,
  aLastTurn,
  aProved,
  aRedCheck,
  aState,
  aTask,
  aTurn,
  aVerdict,
  NOW,
  type TaskOverrides,
} from "../../support/builders.ts";
import { DONE, run } from "../run.ts";
import { moveIn, QUALITY, request, SUCCESS, type Row } from "./row.ts";

const change = (files: number) => ({ files, added: files, removed: 0, stat: "", only_tests: false });
const busy = aLastTurn({ change: change(1) });
const idle = aLastTurn({ change: change(0) });
const since = (overrides: Partial<SinceAsked>) => ({ since_asked: { ...NEVER_ASKED, turns: 1, ...overrides } });
const when = (checkWhen: "auto" | "claim" | "change"): TaskOverrides => ({ ...QUALITY, runtime: { checkWhen } });
const COSTLY = since({ worked_ms: 399_999, check_ms: 100_000 });

const asked = (occasion: Evidence["occasion"]) => ({
  do: "prove",
  evidence: { iteration: 1, occasion, deadline: null },
});
const settled = { do: "settle", commits: false, story: null };
const settling = expect.objectContaining({ do: "settle" });

test.each<Row>([
  { title: "a duration that nobody knows is small", task: QUALITY, state: since({}), move: asked("change") },
  {
    title: "at most a quarter of the turns' time is small",
    task: QUALITY,
    state: since({ worked_ms: 400_000, check_ms: 100_000 }),
    move: asked("change"),
  },
  { title: "more is not", task: QUALITY, state: COSTLY, move: settled },
  {
    title: "the third such turn is always followed by them",
    task: QUALITY,
    state: since({ turns: 3, worked_ms: 1, check_ms: 100_000 }),
    move: asked("change"),
  },
  { title: "change asks whatever it costs", task: when("change"), state: COSTLY, move: asked("change") },
  { title: "claim never asks", task: when("claim"), state: since({ turns: 9 }), move: settled },
  { title: "a turn that changed nothing is not asked about", task: QUALITY, state: { last_turn: idle }, move: settled },
  {
    title: "where nothing is measured, the agent's word counts",
    task: QUALITY,
    state: { last_turn: aLastTurn({ claim: aClaim({ block: aBlock({ files_modified: 0 }) }) }) },
    move: settled,
  },
  {
    title: "and where nobody knows, something changed",
    task: QUALITY,
    state: { last_turn: aLastTurn() },
    move: asked("change"),
  },
  {
    title: "a claim is asked for proof",
    task: QUALITY,
    state: { last_turn: { ...busy, claim: aDoneClaim() } },
    move: asked("claim"),
  },
  {
    title: "a turn that was cut short may have worked",
    task: QUALITY,
    state: { last_turn: { ...busy, failure: { kind: "timed_out", message: "", retryable: false } } },
    move: asked("change"),
  },
  { title: "a success command is asked as ever [S-18]", task: SUCCESS, state: since({}), move: asked("turn") },
  { title: "CI is not asked", task: { identity: { checks: { ci: "ci.yml" } } }, move: settled },
  {
    title: "work that goes nowhere is not asked about [T17]",
    task: QUALITY,
    state: { boundary: { begun: null, refused: { kind: "protected_paths", count: 1, paths: ["a"] }, turns: 1 } },
    move: settling,
  },
  {
    title: "nothing waits for them when the time is up",
    task: { ...QUALITY, limits: { deadline: NOW } },
    move: settled,
  },
  {
    title: "a stop is a stop",
    task: QUALITY,
    facts: request("stop"),
    move: { do: "stop", reason: { kind: "stopped", by: "me" } },
  },
])("quality commands between claims: $title [C30]", (row) => {
  expect(moveIn("unproved", { ...row, state: { last_turn: busy, ...row.state } })).toEqual(row.move);
});

const RUN = "npm run lint";
const lint = (durationMs: number, overrides = {}) =>
  aCheck({ role: "quality", command: RUN, durationMs, ...overrides });

describe("what the engine knows of the cost [C30]", () => {
  const task = aTask(QUALITY);
  const state = aState(
    { phase: "unproved", iteration: 1, last_turn: busy, ...since({ worked_ms: 9, check_ms: 5 }) },
    task,
  );
  const after = (verdict: Verdict): SinceAsked => transition(state, aProved(verdict)).since_asked;

  test.each<[string, Verdict, SinceAsked]>([
    ["asked", aVerdict("passed", [lint(100)]), { turns: 0, worked_ms: 0, check_ms: 100 }],
    [
      "asked, and CI besides",
      aVerdict("passed", [lint(100), lint(9000, { command: "ci.yml" })]),
      { turns: 0, worked_ms: 0, check_ms: 100 },
    ],
    ["cut off: they take at least as long", aVerdict("cut_off", [lint(7)]), { turns: 1, worked_ms: 9, check_ms: 7 }],
    ["cut off at once", aVerdict("cut_off", [lint(2)]), { turns: 1, worked_ms: 9, check_ms: 5 }],
    ["others were asked", aVerdict("failed", [aRedCheck()]), { turns: 1, worked_ms: 9, check_ms: 5 }],
  ])("%s", (_title, verdict, expected) => {
    expect(after(verdict)).toEqual(expected);
  });

  test("checks that were cut off have no duration before", () => {
    const first = { ...state, since_asked: NEVER_ASKED };
    expect(transition(first, aProved(aVerdict("cut_off", [lint(7)]))).since_asked.check_ms).toBe(7);
  });

  test("a turn is counted with its time, and one that changed nothing with its time alone", async () => {
    const turns = [aTurn({ changes: ["a"] }), aTurn(), aTurn({ message: DONE })];
    const green = aVerdict("passed", [lint(5)]);
    const { ports } = await run({ turns, verdicts: [green, green] }, when("claim"));
    const counts = ports.states.filter((_state, at) => ports.events[at]?.type === "turn_ended");
    expect(counts.map(({ since_asked }) => since_asked.turns)).toEqual([1, 1, 1]);
  });
});

describe("a green check between claims [C30]", () => {
  const green = aVerdict("passed", [lint(0)]);
  const busyTurn = aTurn({ changes: ["a"] });

  test("completes nothing, tells the agent to say so, and a claim is asked again", async () => {
    const verdicts = [aVerdict("failed", [lint(0, { exitCode: 1 })]), green, green];
    const { ports, reason } = await run({ turns: [busyTurn, aTurn({ message: DONE })], verdicts }, QUALITY);
    expect(ports.evidence.map(({ occasion }) => occasion)).toEqual(["first", "change", "claim"]);
    expect(reason).toEqual({ kind: "promise", verified: true });
    expect(ports.state.iteration).toBe(2);
    expect(ports.turns[1]?.prompt).toMatch(/asked meanwhile[^]*green, which proves nothing by itself/u);
  });

  test("is not weighed, so that no weak proof is counted against the loop", async () => {
    const none = { count: 0, paths: [] };
    const testChanges = {
      since: 0,
      deleted: { count: 1, paths: ["a.test.ts"] },
      emptied: none,
      changed: none,
      scripts: none,
      skipped: { count: 0, skips: [] },
    };
    const { ports } = await run(
      { turns: [busyTurn, busyTurn], verdicts: [green, green, green], testChanges },
      { ...QUALITY, limits: { maxIterations: 2 } },
    );
    expect(ports.state.strength).toMatchObject({ refused: 0, weaknesses: [] });
    expect(ports.state.verdict).toMatchObject({ result: "passed", occasion: "change" });
  });

  test("leaves a commit unfinished", async () => {
    const { ports } = await run(
      { turns: [busyTurn], verdicts: [green, green] },
      { ...QUALITY, limits: { maxIterations: 1 }, runtime: { commit: "iteration" } },
    );
    expect(ports.commits[0]?.message).toBe("wip(smithers): iteration 1, checks green");
  });

  test("is not what a plan that is ticked off later is completed by", () => {
    const state = aState({ phase: "unproved", iteration: 1, last_turn: busy }, aTask(QUALITY));
    expect(transition(state, aProved({ ...green, occasion: "change" })).first_check).toBeNull();
    expect(transition(state, aProved(green)).first_check).not.toBeNull();
  });
});

describe("a red check between claims [C30]", () => {
  const red = {
    ...aVerdict("failed", [lint(0, { exitCode: 1, tail: "no-unused-vars" })]),
    occasion: "change",
  } as const;
  const state: LoopState = aState({
    last_turn: { ...busy, claim: aClaim({ block: aBlock({ exit_signal: true, status: null }) }) },
    verdict: red,
  });

  test("is in the next prompt, and refuses nothing", () => {
    const said = feedback(aBrief({ task: aTask(QUALITY), state }));
    expect(said).toContain("asked meanwhile. They are red");
    expect(said).toContain("no-unused-vars");
    expect(said).not.toContain("was refused");
  });
});
