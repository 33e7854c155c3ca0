import { expect, test } from "vitest";
import { iterationFacts } from "../../../src/core/progress/counters.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { aBlock, aClaim, aFailure, aLastTurn, aState } from "../../support/builders.ts";

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
