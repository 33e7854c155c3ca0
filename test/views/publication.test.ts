import { describe, expect, test } from "vitest";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { ALL_LABELS } from "../../src/views/github/labels.ts";
import { labelsWanted, publicationOf, type Publication } from "../../src/views/github/publication.ts";
import type { PublicationFacts } from "../../src/views/github/facts.ts";
import { aFailure } from "../support/builders.ts";
import { aView } from "./a-state.ts";
import {
  aPullRequest,
  COMPLETED,
  ended,
  HEAD,
  PAUSED,
  PENDING,
  selfContinuation,
  someFacts,
} from "./publication-facts.ts";

const TIME_UP: StopReason = { kind: "time_budget" };
const EXITED: StopReason = { kind: "hard_stop", mode: "exit", hits: [] };
const CANCELED: StopReason = { kind: "canceled", by: "octocat" };
const OWN = aPullRequest();
const THEIRS = aPullRequest({ own: false, draft: false });

function publish(state: Partial<LoopState>, facts: Partial<PublicationFacts> = {}): Publication {
  return publicationOf(aView(state), someFacts(facts));
}

/** What happens to the pull request, in a word. */
function pullRequest({ pullRequest: wanted }: Publication): "ready" | "draft" | "none" {
  if (wanted === null) return "none";
  return wanted.draft ? "draft" : "ready";
}

describe("what goes to the branch and into which pull request [C13]", () => {
  type Row = [
    what: string,
    state: Partial<LoopState>,
    facts: Partial<PublicationFacts>,
    pushes: boolean,
    wanted: "ready" | "draft" | "none",
  ];
  test.each<Row>([
    ["completed [W-38]", ended(COMPLETED), {}, true, "ready"],
    ["completed, with a pull request [W-38]", ended(COMPLETED), { pullRequest: OWN }, true, "ready"],
    ["completed, only drafts wanted", ended(COMPLETED), { wanted: "draft" }, true, "draft"],
    ["completed, no pull request wanted", ended(COMPLETED), { wanted: "never", pullRequest: OWN }, true, "none"],
    ["completed past a HARD STOP [C17]", PENDING, {}, true, "draft"],
    ["completed without any work", ended(COMPLETED), { ahead: false }, false, "none"],
    ["a HARD STOP", ended(PAUSED), {}, true, "draft"],
    ["the cap [W-39]", ended({ kind: "max_iterations", max: 3 }), {}, true, "draft"],
    ["no time left", ended(TIME_UP), {}, true, "draft"],
    ["an error after some work", ended({ kind: "provider", failure: aFailure() }), {}, true, "draft"],
    ["an error before any work", ended({ kind: "auth", failure: aFailure("auth") }), { ahead: false }, false, "none"],
    ["on a person's pull request", ended(COMPLETED), { pullRequest: THEIRS }, true, "none"],
    ["cancelled", ended(CANCELED), {}, false, "none"],
    ["cancelled, with a pull request", ended(CANCELED), { pullRequest: OWN }, false, "draft"],
    ["a run that died", {}, {}, false, "none"],
    ["a run that died, with a pull request", {}, { pullRequest: OWN }, false, "draft"],
    ["another run has the loop", ended({ kind: "superseded", by: "run 2" }), { pullRequest: OWN }, false, "none"],
    ["pull requests are forbidden", ended(COMPLETED), { creationForbidden: true }, true, "none"],
    ["forbidden, but there is one", ended(COMPLETED), { creationForbidden: true, pullRequest: OWN }, true, "ready"],
  ])("%s", (_, state, facts, pushes, wanted) => {
    const publication = publish(state, facts);
    expect({ pushes: publication.pushes, wanted: pullRequest(publication) }).toEqual({ pushes, wanted });
  });

  test("a pull request says from where and to where", () => {
    expect(publish(ended(COMPLETED)).pullRequest).toMatchObject({ branch: "smithers/repo-1", base: "main" });
  });
});

describe("the status of the head [C10]", () => {
  test.each<[what: string, state: Partial<LoopState>, facts: Partial<PublicationFacts>, says: string | undefined]>([
    ["of the work", ended(PAUSED), {}, "pending"],
    ["of a pull request without new work", ended(PAUSED), { ahead: false, pullRequest: THEIRS }, "pending"],
    ["not of somebody's base", ended(COMPLETED), { ahead: false }, undefined],
    ["not without a commit", ended(COMPLETED), { head: null }, undefined],
    ["not of what another run has", ended({ kind: "superseded", by: "x" }), { pullRequest: OWN }, undefined],
  ])("%s", (_, state, facts, says) => {
    expect(publish(state, facts).status?.state).toBe(says);
  });
});

describe("labels [C10]", () => {
  test.each<[what: string, state: Partial<LoopState>, add: string[], remove: string[]]>([
    ["a HARD STOP is shown", ended(PAUSED), ["smithers:paused"], ["smithers:continue"]],
    ["mode exit shows none", ended(EXITED), [], ["smithers:paused", "smithers:continue"]],
    ["what was paused goes on", ended(COMPLETED), [], ["smithers:paused", "smithers:continue"]],
    ["a used label goes", ended(CANCELED), [], ["smithers:paused", "smithers:continue", "smithers:cancel"]],
    ["another run's are left", ended({ kind: "superseded", by: "x" }), [], []],
  ])("%s", (_, state, add, remove) => {
    expect(publish(state).labels).toEqual({ add, remove });
    const missing = publish(state, { missingLabels: ["smithers:paused"] });
    expect(missing.labels).toEqual({ add: [], remove });
  });
});

const link = { branch: "b", head: null, pull_request: null, authorised_by: "a", obeyed: null, continuations: 0 };
const onIssue = { github: { ...link, issue: 12 } };

test.each<[what: string, state: Partial<LoopState>, facts: Partial<PublicationFacts>, wanted: string[]]>([
  ["all of them at a HARD STOP", ended(PAUSED), {}, ALL_LABELS.map(({ name }) => name)],
  ["none without a pull request", ended(PAUSED), { ahead: false }, []],
  ["on an issue as well", ended(TIME_UP, onIssue), { ahead: false }, ["smithers:continue", "smithers:cancel"]],
  ["those of which people are told", ended(TIME_UP), {}, ["smithers:continue", "smithers:cancel"]],
  ["none where nothing can be said", ended(COMPLETED), {}, []],
])("labels that have to be there: %s [C86]", (_, state, facts, wanted) => {
  expect(labelsWanted(aView(state), someFacts(facts)).map(({ name }) => name)).toEqual(wanted);
});

test("every label fits what GitHub takes, and is another one [C86]", () => {
  for (const { name, color, description } of ALL_LABELS) {
    expect([name.length <= 50, /^[0-9a-f]{6}$/u.test(color), description.length <= 100]).toEqual([true, true, true]);
    expect(name).toBe(name.toLowerCase());
  }
  expect(new Set(ALL_LABELS.map(({ color }) => color)).size).toBe(ALL_LABELS.length);
});

describe("the review of a HARD STOP [C10, W-44, W-45]", () => {
  test("is about the head", () => {
    expect(publish(ended(PAUSED)).review).toMatchObject({ head: HEAD });
  });

  test.each<[what: string, state: Partial<LoopState>, facts: Partial<PublicationFacts>]>([
    ["mode exit", ended(EXITED), {}],
    ["another ending", ended(TIME_UP), {}],
    ["no pull request", ended(PAUSED), { wanted: "never" }],
    ["no commit", ended(PAUSED), { head: null }],
  ])("there is none: %s", (_, state, facts) => {
    expect(publish(state, facts).review).toBeNull();
  });

  test("on a person's pull request there is one", () => {
    expect(publish(ended(PAUSED), { pullRequest: THEIRS, wanted: "never" }).review).not.toBeNull();
  });
});

describe("the status comment's last form", () => {
  test.each<[what: string, state: Partial<LoopState>, facts: Partial<PublicationFacts>, spoken: boolean]>([
    ["on a new pull request", ended(COMPLETED), {}, true],
    ["on a person's", ended(COMPLETED), { pullRequest: THEIRS }, true],
    ["where there is none", ended(COMPLETED), { wanted: "never" }, false],
    ["where none may be made", ended(COMPLETED), { creationForbidden: true }, false],
    ["of another run's loop", ended({ kind: "superseded", by: "x" }), { pullRequest: OWN }, false],
    ["of a run that died", {}, { pullRequest: OWN }, true],
  ])("%s: %s", (_, state, facts, spoken) => {
    expect(publish(state, facts).comment !== null).toBe(spoken);
  });
});

describe("going on by itself", () => {
  const github: LoopState["github"] = {
    branch: "smithers/repo-1",
    head: null,
    pull_request: null,
    authorised_by: "octocat",
    obeyed: null,
    continuations: 5,
  };
  const spent = { ...aView().state.spent, tokens: 1_000, turn_ms: 600, check_ms: 400 };

  type Bounds = Parameters<typeof selfContinuation>[0];
  const continuation = (state: Partial<LoopState>, bounds: Bounds): Publication["continuation"] =>
    publish(state, { selfContinue: selfContinuation(bounds) }).continuation;

  test.each<[what: string, state: Partial<LoopState>, bounds: Bounds]>([
    ["its time is up", ended(TIME_UP), {}],
    ["every bound has room", ended(TIME_UP, { github, spent }), { most: 6, mostMs: 1_001, mostTokens: 1_001 }],
  ])("%s", (_, state, bounds) => {
    expect(continuation(state, bounds)).toEqual({ goesOn: true });
  });

  test.each<[what: string, state: Partial<LoopState>, bounds: Bounds]>([
    ["nobody wants it", ended(TIME_UP), { setting: "never" }],
    ["another ending", ended(COMPLETED), {}],
  ])("not, and nobody would expect it: %s", (_, state, bounds) => {
    expect(continuation(state, bounds)).toEqual({ goesOn: false, why: null });
  });

  test.each<[why: string, state: Partial<LoopState>, bounds: Bounds]>([
    ["SMITHERS_DISABLED", ended(TIME_UP), { disabled: true }],
    ["no room", ended(TIME_UP), { refused: "there is no room" }],
    ["0 times", ended(TIME_UP), { most: 0 }],
    ["5 times", ended(TIME_UP, { github }), {}],
    ["may work 1 s in all", ended(TIME_UP, { spent }), { mostMs: 1_000 }],
    ["the tokens", ended(TIME_UP, { spent }), { mostTokens: 1_000 }],
  ])("not, because of %s [T20]", (why, state, bounds) => {
    expect(continuation(state, bounds)).toEqual({ goesOn: false, why: expect.stringContaining(why) });
  });
});

test("the issue of a loop is told how it ended, unless another run has the loop [C108]", () => {
  const told = (state: Partial<LoopState>, facts = {}) => publicationOf(aView(state), someFacts(facts)).issue;
  expect(told(ended(COMPLETED, onIssue))).toMatchObject({
    number: 12,
    comment: expect.stringContaining("**The work:**"),
  });
  // Nothing was pushed, so there is no branch to look at.
  expect(told(ended(COMPLETED, onIssue), { ahead: false })?.comment).not.toContain("/compare/");
  expect(told(ended({ kind: "superseded", by: "another run" }, onIssue))).toBeNull();
  expect(told(ended(COMPLETED, { github: link }))).toBeNull();
});
