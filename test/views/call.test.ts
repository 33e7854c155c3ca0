import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { callOf, mentionBlocks } from "../../src/views/github/call.ts";
import type { PublicationFacts } from "../../src/views/github/facts.ts";
import { markdown } from "../../src/views/github/markdown.ts";
import { publicationOf } from "../../src/views/github/publication.ts";
import { aFailure } from "../support/builders.ts";
import { aView } from "./a-state.ts";
import { aPullRequest, COMPLETED, ended, PAUSED, PENDING, someFacts } from "./publication-facts.ts";

const BLOCKED = ended({ kind: "question", question: "Which port?" });
const BROKEN = ended({ kind: "auth", failure: aFailure("auth") });

function call(state: Partial<LoopState>, facts: Partial<PublicationFacts> = {}) {
  return callOf(aView(state), someFacts({ mention: ["alice"], ...facts }));
}

describe("the comment that calls people [C87]", () => {
  test("is another one for each ending, step and commit, and the same for the same", () => {
    const markers = [
      ...[call(BLOCKED), call({ ...BLOCKED, iteration: 4 }), call(BLOCKED, { head: "f".repeat(40) })],
      ...[call(BLOCKED, { head: null }), call(ended({ kind: "max_iterations", max: 3 }))],
    ].map((one) => one?.marker);
    expect(new Set(markers).size).toBe(5);
    expect(call(BLOCKED)).toEqual(call(BLOCKED));
    expect(call(BLOCKED)?.body).toContain("Which port?");
    expect(call(BROKEN)?.marker).toBe(call({ ...BROKEN, iteration: 9 })?.marker);
  });

  test.each<[what: string, made: unknown]>([
    ["nobody is to be mentioned", call(BLOCKED, { mention: [] })],
    ["the loop runs", call({})],
    ["it goes on by itself", call(ended({ kind: "time_budget" }))],
  ])("none: %s", (_, made) => {
    expect(made).toBeNull();
  });

  test("the review of a HARD STOP calls instead of it", () => {
    const pullRequest = aPullRequest();
    const facts = someFacts({ mention: ["alice"], pullRequest });
    const { call: made, review } = publicationOf(aView(ended(PAUSED)), facts);
    expect([made, review?.body.includes("@alice: the loop waits for a person.")]).toEqual([null, true]);
    expect(publicationOf(aView(BLOCKED), facts).call?.body).toContain("@alice");
    const nowhere = { ...facts, wanted: "never", pullRequest: null } as const;
    expect(publicationOf(aView(BLOCKED), nowhere).call).toBeNull();
    const link = { branch: "b", head: null, pull_request: null, authorised_by: "a", obeyed: null, continuations: 0 };
    const onIssue = { ...BLOCKED, github: { ...link, issue: 12 } };
    expect(publicationOf(aView(onIssue), nowhere).call?.body).toContain("@alice");
    const another = ended({ kind: "superseded", by: "another run" });
    expect(publicationOf(aView({ ...onIssue, ...another }), nowhere).call).toBeNull();
  });
});

test.each<[what: string, state: Partial<LoopState>, mention: string[], words: string]>([
  ["several, and a team", BLOCKED, ["alice", "o/devs"], "@alice @o/devs: the loop waits for a person.\n"],
  ["at the end", ended(COMPLETED), ["alice"], "@alice: the work is done; please look at it.\n"],
  ["at the end, past a HARD STOP", PENDING, ["alice"], "@alice: the loop waits for a person.\n"],
  ["what is no name mentions nobody", BLOCKED, ["a b", "x](y", "<!--"], ""],
])("a mention: %s [C87]", (_, state, mention, words) => {
  expect(markdown(mentionBlocks(aView(state), { mention }))).toBe(words);
});
