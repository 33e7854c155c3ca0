import { expect, test } from "vitest";
import { iterationFacts } from "../../../src/core/progress/iteration-facts.ts";
import { aBlock, aClaim, aFailure, aLastTurn, aState } from "../../support/builders.ts";

const turn = (block: Parameters<typeof aBlock>[0]) => aLastTurn({ claim: aClaim({ block: aBlock(block) }) });

test("section 4.4: the tree of the work decides, not the commit over it", () => {
  const snapshot = { id: "commit-1/tree-1", tree: "tree-1", head: "commit-1" };
  expect(iterationFacts(aState({ snapshot })).tree).toBe("tree-1");
  expect(iterationFacts(aState()).tree).toBeNull();
});

test("section 4.4: what the agent says of its work is a hint", () => {
  const last_turn = turn({ files_modified: 3, work_type: "tests" });
  expect(iterationFacts(aState({ last_turn }))).toMatchObject({ filesModified: 3, onlyTests: true });
  expect(iterationFacts(aState())).toMatchObject({ filesModified: null, onlyTests: false });
});

test.each([
  ["a turn that failed", aLastTurn({ failure: aFailure("timed_out") }), "agent timed_out"],
  ["section 4.3: STATUS: ERROR", turn({ status: "ERROR", summary: "no disk" }), "agent ERROR: no disk"],
  ["STATUS: ERROR without a word", turn({ status: "ERROR" }), "agent ERROR: "],
  ["nothing", turn({ status: "IN_PROGRESS" }), null],
])("the failure of an iteration is named after %s", (_title, last_turn, signature) => {
  expect(iterationFacts(aState({ last_turn })).signature).toBe(signature);
});

const failing = { failing: ["a"], failing_count: 3, failing_digest: "", early: false };

test("section 4.4: what the checks say goes before what the agent says", () => {
  const state = aState({ last_turn: turn({ status: "ERROR" }), failing, failure_signature: "checks" });
  expect(iterationFacts(state)).toMatchObject({ signature: "checks", failures: 3 });
});

test("C23: a run that stopped at a failure does not know how many there are", () => {
  expect(iterationFacts(aState({ failing: { ...failing, early: true } })).failures).toBeNull();
});

test("section 4.4: what was changed goes before what the agent says of it", () => {
  const change = { files: 1, added: 1, removed: 0, stat: "", only_tests: false };
  const last_turn = { ...turn({ work_type: "tests" }), change };
  expect(iterationFacts(aState({ last_turn })).onlyTests).toBe(false);
  expect(
    iterationFacts(aState({ last_turn: { ...last_turn, change: { ...change, only_tests: true } } })).onlyTests,
  ).toBe(true);
});
