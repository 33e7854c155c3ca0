import { expect, test } from "vitest";
import { blockedBecause, countBlocked, questionOf } from "../../../src/core/claim/blocked-streak.ts";
import { NOT_BLOCKED_YET, type LastTurn } from "../../../src/core/state.ts";
import { readBlocked } from "../../../src/core/claim/read-claim.ts";
import { aBlock, aClaim, aFailure, aLastTurn } from "../../support/builders.ts";

function counted(...turns: readonly Partial<LastTurn>[]) {
  return turns.map((turn) => aLastTurn(turn)).reduce(countBlocked, NOT_BLOCKED_YET);
}

const blocked = (message: string): Partial<LastTurn> => ({ claim: aClaim({ blocked: readBlocked(message) }) });
const unchanged = { files: 0, added: 0, removed: 0, stat: "", only_tests: false };
const asks: Partial<LastTurn> = { summary: "Which of them?", change: unchanged };

test.each<[string, string, string, number]>([
  ["word for word", "BLOCKED: no key.", "BLOCKED: no key.", 2],
  ["with other marks, numbers and case", "## BLOCKED\n\n- No key (try 1)", "**BLOCKED**: no `key` - try 2!", 2],
  ["below a heading", "BLOCKED\n### Reason:\nno key\nTried a.", "BLOCKED:\n**Why:**\nNo key.\nTried b.", 2],
  ["without a word of reason", "BLOCKED", "BLOCKED", 2],
  ["for another reason", "BLOCKED: no key", "BLOCKED: no network", 1],
  ["and then not", "BLOCKED: no key", "Working.", 0],
  ["and then says that it is not", "BLOCKED: none", "## BLOCKED\nNothing.\n\nMore.", 0],
  ["by nothing that would be no more than a word", "BLOCKED: no", "BLOCKED: no access to the server", 1],
])("an agent that is blocked %s [POST 10, W-51]", (_how, first, second, count) => {
  expect(counted(blocked(first), blocked(second)).blocked).toBe(count);
});

test.each([
  ["the summary is the reason", "no key", "No key!", 2],
  ["another summary is another reason", "no key", "no network", 1],
  ["without a summary there is one reason", null, null, 2],
])("STATUS: BLOCKED in the block: %s [POST 10]", (_how, first, second, count) => {
  const turns = [first, second].map((summary) => ({
    claim: aClaim({ block: aBlock({ status: "BLOCKED", summary }) }),
  }));
  expect(counted(...turns).blocked).toBe(count);
});

test("the section says more than the block [POST 10]", () => {
  const block = aBlock({ status: "BLOCKED", summary: "stuck" });
  expect(blockedBecause(aClaim({ blocked: "BLOCKED: no key", block }))).toBe("BLOCKED: no key");
  expect(blockedBecause(aClaim({ block: aBlock({ status: "ERROR" }) }))).toBeNull();
});

test("a turn that failed begins the counts anew [POST 10]", () => {
  const failed = { ...blocked("BLOCKED: no key"), ...asks, failure: aFailure("timed_out") };
  expect(counted(blocked("BLOCKED: no key"), asks, failed)).toEqual(NOT_BLOCKED_YET);
});

test.each<[string, Partial<LastTurn>, number]>([
  ["again", asks, 2],
  ["and then something is changed", { ...asks, change: { ...unchanged, files: 1 } }, 0],
  ["and then something is said", { ...asks, summary: "I see." }, 0],
  ["and then nobody knows what is changed", { summary: "Which?" }, 0],
  [
    "and its own word is that nothing is changed",
    { summary: "Which?", claim: aClaim({ block: aBlock({ files_modified: 0 }) }) },
    2,
  ],
])("a message that ends in a question, without a change: %s [section 4.5]", (_how, second, count) => {
  expect(counted(asks, second).questions).toBe(count);
});

test.each<[string, string, string | null]>([
  ["at the end", "Well.\nShall I go on?", "Shall I go on?"],
  ["in marks", "> **Shall I go on?**  \n", "> **Shall I go on?"],
  ["before notes", "Shall I go on?\n\nNOTES:\n- nothing done", "Shall I go on?"],
  ["behind notes", "NOTES:\n- nothing done\n\nShall I go on?", "Shall I go on?"],
  ["before a status block", "Go on?\n---LOOPR_STATUS---\nSTATUS: BLOCKED\n---END_LOOPR_STATUS---", "Go on?"],
  ["in wide letters", "続けますか？", "続けますか？"],
  ["in the middle", "Why? Because.", null],
  ["of nothing", "", null],
])("a question %s [section 4.5]", (_where, message, question) => {
  expect(questionOf(message)).toBe(question);
});
