import { expect, test } from "vitest";
import { iterationFacts, treeName, withBeginning } from "../../../src/core/progress/counters.ts";
import type { LoopState } from "../../../src/core/state.ts";
import {
  aBlock,
  aCheck,
  aClaim,
  aFailure,
  aLastTurn,
  aRedCheck,
  aState,
  aVerdict,
  someFailing,
} from "../../support/builders.ts";

/** A digest that is easy to read. */
const digest = (name: string) => `${name}-in-many-digits`;
const factsOf = (state: LoopState) => iterationFacts(state, digest);

const turn = (block: Parameters<typeof aBlock>[0]) => aLastTurn({ claim: aClaim({ block: aBlock(block) }) });

test("the tree of the work decides, not the commit over it [section 4.4]", () => {
  const snapshot = { id: "commit-1/tree-1", tree: "tree-1", head: "commit-1" };
  expect(factsOf(aState({ snapshot })).tree).toBe("tree-1");
  expect(factsOf(aState()).tree).toBeNull();
});

test("what the agent says of its work is a hint [section 4.4]", () => {
  const last_turn = turn({ files_modified: 3, work_type: "tests" });
  expect(factsOf(aState({ last_turn }))).toMatchObject({ filesModified: 3, onlyTests: true });
  expect(factsOf(aState())).toMatchObject({ filesModified: null, onlyTests: false });
});

test.each([
  ["a turn that failed", aLastTurn({ failure: aFailure("timed_out") }), "agent timed_out"],
  ["STATUS: ERROR [section 4.3]", turn({ status: "ERROR", summary: "no disk" }), "agent ERROR: no disk"],
  ["STATUS: ERROR without a word", turn({ status: "ERROR" }), "agent ERROR: "],
  ["nothing", turn({ status: "IN_PROGRESS" }), null],
])("the failure of an iteration is named after %s", (_title, last_turn, signature) => {
  expect(factsOf(aState({ last_turn })).signature).toBe(signature);
});

const failing = { failing: ["a"], failing_count: 3, failing_digest: "", early: false };

test("the tests that fail are known by digests, when all of them are [C23]", () => {
  const set = { failing: ["a", "some name"], failing_count: 2, failing_digest: "", early: false };
  expect(factsOf(aState({ failing: set }))).toMatchObject({ failures: 2, failing: ["a-in-man", "some nam"] });
  expect(factsOf(aState({ failing }))).toMatchObject({ failures: 3, failing: null });
  expect(factsOf(aState({ failing: null }))).toMatchObject({ failures: null, failing: null });
});

test("what the checks say goes before what the agent says [section 4.4]", () => {
  const state = aState({ last_turn: turn({ status: "ERROR" }), failing, failure_signature: "checks" });
  expect(factsOf(state)).toMatchObject({ signature: "checks", failures: 3 });
});

test("a run that stopped at a failure does not know how many there are [C23]", () => {
  expect(factsOf(aState({ failing: { ...failing, early: true } })).failures).toBeNull();
});

test("what was changed goes before what the agent says of it [section 4.4]", () => {
  const change = { files: 1, added: 1, removed: 0, stat: "", only_tests: false };
  const last_turn = { ...turn({ work_type: "tests" }), change };
  expect(factsOf(aState({ last_turn })).onlyTests).toBe(false);
  expect(factsOf(aState({ last_turn: { ...last_turn, change: { ...change, only_tests: true } } })).onlyTests).toBe(
    true,
  );
});

const between = { ...aVerdict("failed"), occasion: "change" } as const;

test("what nobody claimed to pass is told apart from what was, and from the agent's own failure [C30]", () => {
  const red = { failure_signature: "checks", last_turn: turn({}) };
  expect(factsOf(aState({ ...red, verdict: between }))).toMatchObject({ signature: null, unclaimed: "checks" });
  expect(factsOf(aState({ ...red, verdict: aVerdict("failed") }))).toMatchObject({
    signature: "checks",
    unclaimed: null,
  });
  const cut = { ...red, last_turn: aLastTurn({ failure: aFailure("timed_out") }) };
  expect(factsOf(aState({ ...cut, verdict: between }))).toMatchObject({
    signature: "agent timed_out",
    unclaimed: "checks",
  });
});

test("a failure is named by the number of tests, else by its signature, in few characters [C33]", () => {
  expect(factsOf(aState({ failing, failure_signature: "checks" })).failure).toBe("3 failing");
  expect(factsOf(aState({ failing: { ...failing, failing_count: 0 }, failure_signature: "checks" })).failure).toBe(
    "checks-i",
  );
  expect(factsOf(aState({ failure_signature: "checks", verdict: between })).failure).toBe("checks-i");
  expect(factsOf(aState()).failure).toBeNull();
});

test("what the checks come to is known when they were asked [C31, C33]", () => {
  const verdict = aVerdict("passed", [aCheck({ coverage: 50, stages: 3 })]);
  expect(factsOf(aState({ verdict }))).toMatchObject({ green: true, figures: expect.any(String), reached: 4 });
  expect(factsOf(aState())).toMatchObject({ green: false, figures: null, reached: null });
});

test("what was denied is known by digests, whatever surrounds it [C32]", () => {
  const denied = [{ what: " npm install\n", allow: "a" }];
  expect(factsOf(aState({ last_turn: aLastTurn({ denied }) })).denied).toEqual(["npm inst"]);
});

test("files of tests that are new are work [C31]", () => {
  const change = { files: 1, added: 1, removed: 0, stat: "", only_tests: true };
  const adds = (more: object) =>
    factsOf(aState({ last_turn: aLastTurn({ change: { ...change, ...more } }) })).addsTests;
  expect([adds({}), adds({ added_tests: 2 })]).toEqual([false, true]);
});

test("work in nested repositories is another tree [C34]", () => {
  const tree = "a".repeat(40);
  expect(treeName({ tree })).toBe(tree);
  expect(treeName({ tree, nested: "b".repeat(64) })).toBe("bbbbbbbbaaaaaaaa");
});

test("what the checks said before the first turn is where the counters begin [C23]", () => {
  const first_check = aVerdict("failed", [aRedCheck({ stages: 2, tests: someFailing(["a"]) })]);
  const baseline = { failing: ["a"], failing_count: 1, failing_digest: "", early: false };
  const state = aState({ first_check, baseline });
  const begun = withBeginning(state, digest);
  expect(begun).toMatchObject({ fewest_failures: 1, last_failing: ["a-in-man"], furthest: 3 });
  expect(begun.figures).toHaveLength(1);
  const later = { ...begun, furthest: 5 };
  expect(withBeginning({ ...state, progress: later }, digest)).toEqual(later);
  const known = { ...begun, figures: ["x"], furthest: null };
  expect(withBeginning({ ...state, progress: known }, digest)).toEqual(known);
  expect(withBeginning(aState(), digest)).toEqual(aState().progress);
});
