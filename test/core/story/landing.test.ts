import { NOTHING_JUDGED } from "../../../src/core/verdict.ts";
import { describe, expect, test } from "vitest";
import type { StopReason } from "../../../src/core/outcome.ts";
import { outcomeOf } from "../../../src/core/outcome.ts";
import type { LoopState } from "../../../src/core/state.ts";
import {
  bestFirst,
  claimOf,
  claimOfLoop,
  isGenerated,
  strongestFirst,
  together,
  type Unclaimed,
  whyAfter,
  whyNoNext,
  type NextQuestion,
} from "../../../src/core/story/landing.ts";
import { accepted, beginWave, blocked, emptyLedger, landed, sentBack } from "../../../src/core/story/ledger.ts";
import type { StoryRecord } from "../../../src/core/story/stories.ts";
import type { Story } from "../../../src/core/story/story.ts";
import { aState, AT } from "../../support/builders.ts";

const ID = "US-001";
const COMMIT = "a".repeat(40);

function recorded(record: Partial<StoryRecord> | null, state: Partial<LoopState> = {}): LoopState {
  const whole: StoryRecord = {
    ...{ id: ID, title: "", state: "in_progress", digest: "", attempts: 2, blocked: null, passing: null, before: null },
    ...{ words: null, patch: null, changed: false, gone: false },
    ...record,
  };
  const records = record === null ? [] : [whole];
  return aState({ stories: { prd: "shop", total: 1, active: ID, passed_in_run: 0, records }, ...state });
}

const ended = (stop_reason: StopReason): Partial<LoopState> => ({
  stop_reason,
  status: outcomeOf(stop_reason).status,
});

describe("what a loop's record says of its story", () => {
  const blockedMark = { kind: "question", why: "Which colour?", at: AT } as const;
  const weak = { ...NOTHING_JUDGED, weaknesses: [{ kind: "no_tests_ran" } as const] };
  test.each<[string, LoopState | null, object]>([
    ["nothing at all goes on", null, { kind: "cut_off" }],
    ["a loop that still seems to run goes on", recorded({}), { kind: "cut_off" }],
    ["a loop without stories goes on", aState(), { kind: "cut_off" }],
    ["passed is claimed", recorded({ state: "passed" }), { kind: "claimed", attempts: 2, tokens: 0, isWeak: false }],
    ["a weak proof is told", recorded({ state: "passed" }, { strength: weak }), { kind: "claimed", isWeak: true }],
    [
      "blocked is blocked, with its words",
      recorded({ blocked: blockedMark }),
      { kind: "blocked", why: "Which colour?" },
    ],
    ["a cut-off loop goes on", recorded({}, ended({ kind: "time_budget" })), { kind: "cut_off" }],
    ["one that waits for a limit goes on", recorded({}, ended({ kind: "paused", by: "x" })), { kind: "cut_off" }],
    [
      "one at its cap has ended",
      recorded({}, ended({ kind: "max_iterations", max: 3 })),
      { kind: "ended", attempts: 2 },
    ],
    [
      "an open circuit has ended",
      recorded(null, ended({ kind: "same_error", count: 3 })),
      { kind: "ended", attempts: 1 },
    ],
    ["an agent that asks is blocked", recorded({}, ended({ kind: "question", question: "?" })), { kind: "blocked" }],
    ["more attempts than anybody allows", recorded({ attempts: 9e9, state: "passed" }), { attempts: 1_000 }],
  ])("%s", (_what, state, claim) => {
    expect(claimOf(state, ID)).toMatchObject(claim);
  });
});

describe("what a loop's record says of a whole task", () => {
  const weak = { ...NOTHING_JUDGED, weaknesses: [{ kind: "no_tests_ran" } as const] };
  const promise = ended({ kind: "promise", verified: true });
  test.each<[string, LoopState | null, object]>([
    ["nothing at all was cut off", null, { trouble: { kind: "cut_off" } }],
    ["a loop that still seems to run was cut off", aState(), { trouble: { kind: "cut_off" } }],
    ["one out of time was cut off", aState(ended({ kind: "time_budget" })), { trouble: { kind: "cut_off" } }],
    ["one at its cap has ended", aState(ended({ kind: "max_iterations", max: 3 })), { trouble: { kind: "ended" } }],
    ["one that asks has ended", aState(ended({ kind: "question", question: "?" })), { trouble: { kind: "ended" } }],
    ["completed is claimed", aState(promise), { value: { tokens: 0, isWeak: false } }],
    ["a weak proof is told", aState({ ...promise, strength: weak }), { value: { isWeak: true } }],
  ])("%s", (_what, state, claim) => {
    expect(claimOfLoop(state)).toMatchObject(claim);
  });
});

test("candidates of a take count together, as the one that counted most; one that goes on keeps the take", () => {
  const end = (attempts: number): Unclaimed => ({ kind: "ended", attempts, why: `${attempts}` });
  const stuck: Unclaimed = { kind: "blocked", attempts: 1, why: "asks" };
  expect(together([end(1), end(3)])).toEqual({ kind: "ended", attempts: 3, why: "1" });
  expect(together([end(3), stuck])).toEqual({ kind: "blocked", attempts: 3, why: "asks" });
  expect(together([end(3), { kind: "cut_off" }])).toEqual({ kind: "cut_off" });
  expect(together([])).toEqual({ kind: "cut_off" });
});

describe("best of N", () => {
  const one = (number: number, lines: number, tokens: number) => ({ number, lines, tokens });
  test.each([
    ["the fewest changed lines", [one(1, 9, 1), one(2, 3, 9), one(3, 5, 1)], [2, 3, 1]],
    ["then the fewest tokens", [one(1, 3, 9), one(2, 3, 2)], [2, 1]],
    ["then the lowest number", [one(2, 3, 2), one(1, 3, 2)], [1, 2]],
  ])("the best one has %s", (_why, candidates, order) => {
    expect(bestFirst(candidates).map(({ number }) => number)).toEqual(order);
  });

  test("what proves little or changes nothing that counts comes later, and what is not taken last", () => {
    const looked = (number: number, lines: number, isWeak: boolean, work: object | null) => ({
      ...one(number, lines, 0),
      ...{ isWeak, work },
    });
    const all = [looked(1, 1, true, {}), looked(2, 0, false, {}), looked(3, 0, false, null), looked(4, 9, false, {})];
    expect(strongestFirst(all).map(({ number }) => number)).toEqual([4, 2, 1, 3]);
  });

  test.each([
    ["its proof says little", { isWeak: true }],
    ["it changes nothing", { lines: 0 }],
    ["it changes 9 lines, and the one that has landed 3", { lines: 9 }],
    ["it changes as many lines as the one that has landed, with 8 tokens instead of 5", { tokens: 8 }],
    ["the one that has landed is as good, and has the lower number", {}],
  ])("a candidate that has lost hears why: %s", (why, more) => {
    const winner = { ...one(1, 3, 5), isWeak: false };
    expect(whyAfter({ ...winner, number: 2, ...more }, winner)).toBe(why);
  });

  test.each([
    ["dist/index.js", true],
    ["packages/a/build/x.css", true],
    ["src/app.min.js", true],
    ["src/__snapshots__/a.test.ts.snap", true],
    ["api_pb2.py", true],
    ["src/distance.ts", false],
    ["src/build.ts", false],
  ])("whether %s is usually generated: %s", (path, is) => {
    expect(isGenerated(path)).toBe(is);
  });
});

describe("whether there is a next wave", () => {
  const story = (number: number, more: Partial<Story> = {}): Story => ({
    ...{ id: `US-00${number}`, title: "", description: "", criteria: ["a"], checks: [], priority: number },
    ...{ dependsOn: [], paths: null, provider: null, attempts: 1, pauseAfter: false, passes: false },
    ...more,
  });
  const prdOf = (...stories: Story[]) => ({
    ...{ name: "shop", folder: "", project: "", description: "", branchName: null, provider: null },
    stories,
  });
  const at = { commit: COMMIT, run: 1, begun_at: AT };
  const begun = beginWave(emptyLedger("shop"), [{ id: "US-001", candidates: 1 }], at);
  const ASKED = /^it is asked for$/u;
  const back = { attempts: 1, most: 3, feedback: "", paths: [] };
  const two = prdOf(story(1), story(2, { dependsOn: ["US-001"] }));
  test.each<[string, Partial<NextQuestion>, RegExp]>([
    ["a story that is left is asked for", { ledger: landed(begun, ID, COMMIT) }, ASKED],
    ["every story has passed", { ledger: accepted(landed(begun, ID, COMMIT), "US-002", "me", "d") }, /Every story/u],
    [
      "a person looks first",
      { ledger: landed(begun, ID, COMMIT), prd: prdOf(story(1, { pauseAfter: true }), story(2)) },
      /a person looks at it/u,
    ],
    ["blocked, and it is to stop", { ledger: blocked(begun, ID, 1, "?"), onBlocked: "stop" }, /on-blocked-story/u],
    ["blocked, and nothing else can begin", { ledger: blocked(begun, ID, 1, "?") }, /No story is left/u],
    ["somebody has switched it off", { ledger: sentBack(begun, ID, back), isOff: true }, /SMITHERS_DISABLED/u],
    ["nothing happens for three waves", { ledger: { ...begun, idle_waves: 3 } }, /3 waves in a row/u],
    ["one that was sent back is asked for", { ledger: sentBack(begun, ID, back) }, ASKED],
    ["without a wave as well", { ledger: emptyLedger("shop") }, ASKED],
  ])("%s", (_what, question, why) => {
    const said = whyNoNext({
      ...{ ledger: begun, prd: two, waveSize: 4, onBlocked: "continue", isOff: false },
      ...question,
    });
    expect(said ?? "it is asked for").toMatch(why);
  });
});
