import { describe, expect, test } from "vitest";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { decide } from "../../../src/core/decide.ts";
import { holdReview } from "../../../src/core/review/hold-review.ts";
import { question } from "../../../src/core/review/question.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { judgeStory } from "../../../src/core/story/judge.ts";
import { transition } from "../../../src/core/transition.ts";
import { runLoop } from "../../../src/core/loop.ts";
import {
  AT,
  aDoneClaim,
  aFacts,
  aLastTurn,
  aState,
  aTask,
  aTurn,
  aVerdict,
  type TaskOverrides,
} from "../../support/builders.ts";
import { aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { clearAnswer, reviewSaying, vetoAnswer } from "../../support/fake-reviewer.ts";

const never = new AbortController().signal;
const USAGE = { input: 100, cachedInput: 40, output: 10, reasoning: 0 };
const work = aTurn({ changes: ["a.ts"], usage: USAGE });
const idle = aTurn();
const FAILED = { kind: "auth", message: "no\nkey", retryable: false } as const;
const failed = { ...reviewSaying(""), type: "turn.failed", failure: FAILED } as const;

async function run(options: FakeOptions, over: TaskOverrides = {}) {
  const ports = fakePorts({ verdicts: [aVerdict("failed"), aVerdict("passed"), aVerdict("passed")], ...options });
  const checks = { successCommand: ["npm", "test"] };
  const task = aTask({
    ...over,
    identity: { checks },
    runtime: { reviewer: "always", commit: "iteration", ...over.runtime },
  });
  const reason = await runLoop(task, ports, never);
  const notices = ports.observed.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  return {
    ports,
    reason,
    state: ports.state,
    notices,
    reviewed: ports.events.filter(({ type }) => type === "reviewed"),
  };
}

test("work that is vetoed is no done commit, and the reasons are in the next prompt [C50]", async () => {
  const { ports, reason, state, notices } = await run({
    turns: [work, work],
    reviews: [reviewSaying(vetoAnswer(), USAGE), reviewSaying(clearAnswer(), USAGE)],
  });
  expect(reason.kind).toBe("success_command");
  expect(ports.commits.map(({ message }) => message.split(":")[0])).toEqual(["wip(smithers)", "smithers"]);
  expect(ports.turns[1]?.prompt).toMatch(
    /<review>\nsrc\/total\.ts:12: answered by heart: It returns 42 [^]*<\/review>/u,
  );
  expect(ports.turns[1]?.prompt).toContain("When it vetoes again, the loop stops");
  expect(notices.filter((text) => text.startsWith("The reviewer"))).toEqual([
    "The reviewer vetoes: src/total.ts:12: answered by heart: It returns 42 whatever it gets.",
    "The reviewer holds nothing against the work.",
  ]);
  // Apart from what the turns have used.
  expect(state.spent.tokens).toBe(220);
  expect(state.review).toMatchObject({
    answer: "clear",
    vetoes: 1,
    spent: { reviews: 2, tokens: 220, output_tokens: 20 },
  });
});

test("a veto that is not the last but one warns of no end [C50]", async () => {
  const reviews = [reviewSaying(vetoAnswer(), USAGE), reviewSaying(clearAnswer(), USAGE)];
  const { ports } = await run({ turns: [work, work], reviews }, { limits: { reviewerVetoes: 3 } });
  expect(ports.turns[1]?.prompt).toContain("Leave what is right, and say why in your message.\n");
  expect(ports.turns[1]?.prompt).not.toContain("When it vetoes again");
});

test("the same work claimed again is not paid again, counts, and ends with a person [C51, POST 7c]", async () => {
  const { reason, state, reviewed, notices } = await run({ turns: [work, idle], reviews: [vetoAnswer()] });
  expect(reason).toMatchObject({ kind: "reviewer_vetoes", vetoes: 2, objections: [{ about: "by_heart" }] });
  expect([state.status, state.review.spent.reviews]).toEqual(["blocked", 1]);
  expect(reviewed.map((event) => "usage" in event && event.usage === null)).toEqual([false, true]);
  expect(notices.at(-1)).toContain("claimed again");
});

test("a provider that fails and an answer without form are no veto, and are told [C50]", async () => {
  for (const [review, why] of [
    [failed, "auth: no key"],
    ["No.", "it does not end with the answer that it was asked for"],
  ] as const) {
    const { reason, state, notices } = await run({ turns: [work], reviews: [review] });
    expect(reason.kind).toBe("success_command");
    expect(state.review).toMatchObject({ why, vetoes: 0 });
    expect(notices.at(-1)).toBe(`The reviewer gave no answer that counts, so there is no veto: ${why}.`);
  }
});

test("a review that is cut off is paid, says nothing, and is asked again on resume [C51]", async () => {
  const turns = [work];
  const ports = fakePorts({
    turns,
    verdicts: [aVerdict("failed"), aVerdict("passed")],
    reviews: [
      () => {
        void ports.request("stop");
        return { ...reviewSaying("", USAGE), type: "turn.failed", failure: { ...FAILED, kind: "cancelled" } };
      },
    ],
  });
  const overrides = {
    identity: { checks: { successCommand: ["npm", "test"] } },
    runtime: { reviewer: "always" },
  } as const;
  expect((await runLoop(aTask(overrides), ports, never)).kind).toBe("stopped");
  expect(ports.state.review).toMatchObject({ answer: null, spent: { reviews: 0, tokens: 110 } });
});

test("without git each turn's work is looked at by itself [W-25, C50]", async () => {
  const { reason, state } = await run({ git: false, turns: [idle, idle], reviews: [vetoAnswer(), clearAnswer()] });
  expect(reason.kind).toBe("success_command");
  expect(state.review).toMatchObject({ of: ["/iteration 2"], tree: null });
});

test("what reviews cost is counted, and their tokens are of the iteration that they looked at [C14]", async () => {
  const priced = { ...reviewSaying(vetoAnswer(), USAGE), cost: 500 };
  const { state } = await run({ turns: [work, work], reviews: [priced, reviewSaying(clearAnswer(), USAGE)] });
  expect(state.review).toMatchObject({ spent: { tokens: 220, cost: 500, unpriced: 1 }, open_tokens: 0 });
  expect(state.iterations.map(({ review_tokens: tokens }) => tokens)).toEqual([110, 110]);
});

test("reviews count towards max-tokens [C51, C14]", async () => {
  const { reason } = await run(
    { turns: [work], reviews: [reviewSaying(vetoAnswer(), USAGE)] },
    { limits: { maxTokens: 200 } },
  );
  expect(reason).toEqual({ kind: "tokens", spent: 220, max: 200 });
});

test("work of a turn that died with its run is looked at as its iteration's [C50]", async () => {
  const ports = fakePorts({ git: false, reviews: [clearAnswer()] });
  const state = aState({ iteration: 3, last_turn: null });
  const event = await holdReview({ task: aTask(), state, ports }, never);
  expect(event).toMatchObject({ iteration: 3, of: ["/iteration 0"], answer: "clear" });
});

describe("a story [C51, POST 6]", () => {
  const STORY = aStory("US-001", { checks: [{ criterion: 0, run: "one", timeoutMs: null }] });
  const record = aRecord("US-001", { state: "in_progress", attempts: 1 });
  const given = (review: Partial<LoopState["review"]> = {}, attempts = 1) => {
    const task = aPrdTask(aPrd([STORY]), { runtime: { reviewer: "always", commit: "story" } });
    const state = aState(
      {
        phase: "unsettled",
        iteration: 1,
        spent: { ...aState().spent, turns: 1 },
        stories: someStories([{ ...record, attempts }], { active: "US-001" }),
        last_turn: aLastTurn({ item: "US-001", pending: 1, claim: aDoneClaim() }),
        verdict: aVerdict("passed"),
        snapshot: { id: "s", tree: "t", head: "h" },
        review: { ...aState().review, iteration: 1, of: ["US-001/t"], objections: [OBJECTION], ...review },
      },
      task,
    );
    return [task, state] as const;
  };
  const OBJECTION = { about: "missing", why: "No test.", where: null } as const;

  test("is looked at before it passes, and a stop comes first", () => {
    expect(decide(...given(), aFacts())).toEqual({ do: "review" });
    expect(decide(...given(), aFacts({ request: { kind: "stop", by: "me" } }))).toMatchObject({ do: "stop" });
    expect(decide(...given({ answer: "clear" }), aFacts())).toMatchObject({ do: "settle", story: { ends: "passed" } });
  });

  test("goes on after a veto, and is blocked by the last one or by its last attempt", () => {
    expect(decide(...given({ answer: "veto", vetoes: 1 }), aFacts())).toMatchObject({ do: "settle", story: null });
    const why = "asked for, and missing: No test.";
    expect(judgeStory(...given({ answer: "veto", vetoes: 2 }))).toMatchObject({ kind: "vetoed", why });
    expect(judgeStory(...given({ answer: "veto", vetoes: 1 }, 2))).toMatchObject({
      kind: "attempts",
      why: `The reviewer vetoes: ${why}`,
    });
  });

  test("is asked about by its own words", () => {
    expect(question(...given(), null)).toContain("Only this story of it is looked at: US-001 Story US-001\n");
  });

  test("gives all vetoes to the next one", () => {
    const [task, state] = given({ answer: "clear", vetoes: 1 });
    const story = judgeStory(task, state);
    const settled = { commit: null, snapshot: null, hard_stops: [], progress: state.progress, circuit: state.circuit };
    const event = {
      type: "settled",
      at: AT,
      iteration: 1,
      ...settled,
      next_at: null,
      ...(story && { story }),
    } as const;
    expect(transition(state, event).review.vetoes).toBe(0);
  });
});
