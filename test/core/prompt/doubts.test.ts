import { expect, test } from "vitest";
import { feedback } from "../../../src/core/prompt/feedback.ts";
import { aBrief, aDoneClaim, aLastTurn, aState, aTask, aVerdict } from "../../support/builders.ts";

const QUALITY = aTask({ identity: { checks: { quality: ["npm test"] } } });
const hedged = aLastTurn({ claim: aDoneClaim({ unfinished: "The docs are still missing." }) });
const strength = {
  ...aState().strength,
  weaknesses: [{ kind: "tests_deleted", fewer: 0, count: 1, paths: ["test/a.test.ts"] }] as const,
};

test("an agent hears why its proof is weak, and what to do [C21]", () => {
  const state = aState({ last_turn: aLastTurn(), verdict: aVerdict("passed"), strength }, QUALITY);
  const said = feedback(aBrief({ task: QUALITY, state }));
  expect(said).toContain("proves little");
  expect(said).toContain("- 1 test file was deleted: test/a.test.ts");
  expect(said).toContain("Restore the tests");
  expect(said).toContain("BLOCKED");
  expect(said).toContain("only a person can accept it, with weak-proof: flag");
  expect(said).not.toContain("When it happens again");
  const refused = { ...state, strength: { ...strength, refused: 1 } };
  expect(feedback(aBrief({ task: QUALITY, state: refused }))).toContain("When it happens again, the loop stops");
});

test("an agent that changed what judges its work hears of it only where that is refused [C21, T17]", () => {
  const found = [{ kind: "scripts_changed", flagged: true, count: 1, paths: ["check.sh"] }] as const;
  const state = aState({
    last_turn: aLastTurn(),
    verdict: aVerdict("passed"),
    strength: { ...strength, weaknesses: found },
  });
  expect(feedback(aBrief({ task: QUALITY, state }))).not.toContain("proves little");
  const strict = { ...QUALITY, runtime: { ...QUALITY.runtime, weakProof: "strict" as const } };
  const said = feedback(aBrief({ task: strict, state }));
  expect(said).toContain("- what judges the work was changed: check.sh");
  expect(said).toContain("Put the files that judge the work back as they were");
  expect(said).not.toContain("Restore the tests");
});

test("so does an agent that has had no turn yet [C21]", () => {
  expect(feedback(aBrief({ state: aState({ first_check: aVerdict("passed"), strength }) }))).toContain("proves little");
});

test("an agent hears why its promise does not count where no check can vouch for it [C22, C36]", () => {
  const said = feedback(aBrief({ state: aState({ last_turn: hedged }) }));
  expect(said).toContain('admitted that something is left: "The docs are still missing."');
  expect(said).toContain("claim again and say why");
  const checked = feedback(aBrief({ task: QUALITY, state: aState({ last_turn: hedged }, QUALITY) }));
  expect(checked).not.toContain("something is left");
  const green = aState({ last_turn: hedged, strength: { ...aState().strength, began: "passed" } }, QUALITY);
  expect(feedback(aBrief({ task: QUALITY, state: green }))).toContain("something is left");
  const broken = { ...hedged, claim: { ...hedged.claim, broken: true } };
  expect(feedback(aBrief({ state: aState({ last_turn: broken }) }))).toContain("a person is asked");
});

test("an agent that bent what judges it hears to put it back [C40]", () => {
  const bend = { kind: "rule_off", path: "a.ts", line: 1, was: null, now: "x" } as const;
  const found = [{ kind: "judges_bent", count: 1, bends: [bend] }] as const;
  const bent = { ...strength, weaknesses: found };
  const state = aState({ last_turn: aLastTurn(), verdict: aVerdict("passed"), strength: bent }, QUALITY);
  const said = feedback(aBrief({ task: QUALITY, state }));
  expect(said).toContain("Put each of these places back to what it was, and make the code pass with it.");
  expect(said).not.toContain("Restore the tests");
});
