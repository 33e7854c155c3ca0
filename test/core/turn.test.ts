import { describe, expect, test } from "vitest";
import type { AgentEvent, TurnRequest } from "../../src/core/agent.ts";
import { runLoop } from "../../src/core/loop.ts";
import { committer } from "../../src/core/transition.ts";
import { takeTurn } from "../../src/core/turn.ts";
import { aFailure, aState, aTask, aTurn, aUsage, NOW, THE_ITEM } from "../support/builders.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { never, run } from "./run.ts";
import { OLD, taken } from "./taken.ts";

const FULL_PROMPT = "Make the tests pass.";

test("what the agent said, used and changed is in the event [W-37]", async () => {
  const usage = aUsage({ input: 100, output: 10 });
  const { ports, ended } = await taken({
    turns: [
      aTurn({
        message: "  NOTES:\n- fixed\n<promise>DONE</promise>\n",
        usage,
        sessionUsage: usage,
        changes: ["a.ts"],
      }),
    ],
  });
  expect(ended).toEqual({
    type: "turn_ended",
    at: "2026-03-01T12:00:00.000+00:00",
    iteration: 4,
    failure: null,
    exit_code: 0,
    usage,
    session_usage: usage,
    session_full: false,
    claim: {
      detected: true,
      done: true,
      token_done: false,
      hint: null,
      unfinished: null,
      blocked: null,
      notes: ["- fixed"],
      block: null,
    },
    summary: "NOTES:\n- fixed\n<promise>DONE</promise>",
    snapshot: { id: "commit-0/tree-1", tree: "tree-1", head: "commit-0" },
    change: { files: 1, added: 2, removed: 1, stat: "1 trees", only_tests: false },
    tally: null,
    denied: [],
    duration_ms: 0,
  });
  expect(ports.observed.map((event) => event.type)).toEqual([
    "session.started",
    "files.changed",
    "message",
    "turn.completed",
  ]);
});

test.each([
  ["of a turn", undefined, 40, 40],
  ["of both sessions of a turn", 2, 40, 42],
  ["of none, where that of one is not known", 2, undefined, undefined],
])("the cost %s is in the event [C14]", async (_, first, second, cost) => {
  const costs = (known: number | undefined) => (known === undefined ? {} : { cost: known });
  const lost = aTurn({ sessionId: null, failure: aFailure("session_lost"), ...costs(first) });
  const turns = [...(first === undefined ? [] : [lost]), aTurn({ message: "done", ...costs(second) })];
  const { ended } = await taken({ turns, state: { codex: OLD } });
  expect(ended.cost).toBe(cost);
});

test("what other loops use is asked for where a day has a cap, and ends the loop [C14]", async () => {
  const { reason } = await run({ turns: [], tokensOfOthers: 100 }, { limits: { maxTokensPerDay: 100, maxWaitMs: 0 } });
  expect(reason).toMatchObject({ kind: "tokens_per_day", max: 100 });
});

describe("a turn whose tokens are told while it runs [C14]", () => {
  const used = (input: number): AgentEvent => ({ type: "usage", usage: aUsage({ input }) });
  /** An agent that goes on until it is ended. */
  async function* going(_request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    let input = 0;
    while (!signal.aborted) yield used((input += 40));
    const failure = { kind: "cancelled", message: "ended on request", retryable: false } as const;
    yield* aTurn({ sessionId: null, failure, usage: aUsage({ input }) });
  }

  test.each([
    ["max-tokens", { maxTokens: 1100 }, 100],
    ["max-tokens-per-day, with what other loops have used", { maxTokensPerDay: 500 }, 0],
  ])("is ended when %s is reached, and its work is kept", async (_, limits, spent) => {
    const state = aState({ iteration: 4, phase: "turn", spent: { ...aState().spent, tokens: 900 + spent } });
    const { ended } = await taken({ turns: [going], state, task: { limits }, tokensOfOthers: 400 });
    expect(ended).toMatchObject({
      failure: {
        kind: "token_limit",
        message: "The turn was ended after 120 tokens, which is all that the token limits left.",
      },
      usage: aUsage({ input: 120 }),
      change: expect.objectContaining({}),
    });
  });

  test("has what its first session left, where it needs a second one", async () => {
    const lost = aTurn({ sessionId: null, failure: aFailure("session_lost"), usage: aUsage({ input: 60 }) });
    const { ended } = await taken({
      turns: [lost, going],
      state: { codex: OLD },
      task: { limits: { maxTokens: 100 } },
    });
    expect(ended).toMatchObject({ failure: { kind: "token_limit" }, usage: aUsage({ input: 100 }) });
  });

  test("is not cut short where it comes to its own end first", async () => {
    const turn = [used(140), ...aTurn({ message: "done", usage: aUsage({ input: 140 }) })];
    const { ended } = await taken({ turns: [turn], task: { limits: { maxTokens: 100 } } });
    expect(ended.failure).toBeNull();
  });

  test("comes to its own end below its limits, and where there are none", async () => {
    const turn = [used(40), used(99), ...aTurn({ message: "done", usage: aUsage({ input: 99 }) })];
    for (const maxTokens of [100, null]) {
      const { ended } = await taken({ turns: [turn], task: { limits: { maxTokens } } });
      expect(ended).toMatchObject({ failure: null, usage: aUsage({ input: 99 }) });
    }
  });
});

test("a turn that was ended while it was written down asks no agent, and costs nothing [C42]", async () => {
  const { ports, ended } = await taken({ turns: [aTurn({ changes: ["a.ts"] })], signal: AbortSignal.abort() });
  expect(ports.turns).toEqual([]);
  expect(ended).toMatchObject({ failure: { kind: "cancelled", retryable: false }, usage: aUsage(), exit_code: null });
});

test("what the agent does is shown while it works, not when its turn is over [D-18]", async () => {
  const seen: number[] = [];
  const turn = aTurn({ message: "<promise>DONE</promise>", changes: ["a.ts"] });
  const ports: FakePorts = fakePorts({
    turns: [
      function* () {
        for (const event of turn) {
          yield event;
          seen.push(ports.observed.length);
        }
      },
    ],
  });
  await runLoop(aTask({ identity: { checks: {} } }), ports, never);
  expect(seen).toEqual(turn.slice(0, -1).map((_event, index) => index + 1));
});

test("what the agent was not allowed to do is in the event, and not more than fits [POST 8]", async () => {
  const denial = { what: "x".repeat(300), allow: "--network on opens it." };
  const denied = Array.from({ length: 10 }, () => ({ type: "permission.denied" as const, ...denial }));
  const { ended } = await taken({ turns: [[...denied, ...aTurn()]] });
  expect(ended.denied).toEqual(Array.from({ length: 8 }, () => ({ ...denial, what: "x".repeat(200) })));
});

test.each([
  ["back", -3_600_000, 0],
  ["forward by days", 48 * 3_600_000, 60_000],
  ["not at all", 5_000, 5_000],
])("a turn during which the clock is set %s takes a time that it can take [C60]", async (_how, by, took) => {
  const ports = fakePorts({
    turns: [
      function* () {
        ports.clockAt += by;
        yield* aTurn({ message: "Working." });
      },
    ],
    verdicts: [],
  });
  const task = aTask({ limits: { maxIterations: 1, iterationTimeoutMs: 60_000 }, identity: { checks: {} } });
  await runLoop(task, ports, never);
  expect(ports.state.spent.turn_ms).toBe(took);
});

test("a turn that changed nothing says so, without asking what changed [P14]", async () => {
  const { ended } = await taken({ turns: [aTurn()] });
  expect(ended.change).toEqual({ files: 0, added: 0, removed: 0, stat: "", only_tests: false });
});

test.each([
  ["there is no git repository", { git: false }],
  ["there was none", { state: { snapshot: null }, git: false }],
])("the change is unknown where %s [W-25]", async (_title, given) => {
  expect((await taken({ ...given, turns: [aTurn({ changes: ["a"] })] })).ended.change).toBeNull();
});

test("the promise in an earlier message, a command or the reasoning does not count [P7]", async () => {
  const text = "<promise>DONE</promise>";
  const [started, ...rest] = aTurn({ message: "Not yet." });
  const { ended } = await taken({
    turns: [
      [
        ...(started === undefined ? [] : [started]),
        { type: "message", text },
        { type: "reasoning", text },
        { type: "command.ended", command: "cat prompt", exitCode: 0, output: text },
        ...rest,
      ],
    ],
  });
  expect(ended.claim).toMatchObject({ detected: false, done: false });
});

test("the summary is the end of a long message, the event says how long the turn took", async () => {
  const { ended } = await taken({ turns: [aTurn({ message: `${"x".repeat(5000)}end` })] });
  expect(ended.summary).toHaveLength(2048);
  expect(ended.summary.endsWith("end")).toBe(true);
});

test("a stream without an end is a failed turn [D-19]", async () => {
  const { ended } = await taken({ turns: [[{ type: "message", text: "<promise>DONE</promise>" }]] });
  expect(ended).toMatchObject({ failure: { kind: "protocol" }, exit_code: null, claim: { done: false } });
});

describe("what the provider is asked", () => {
  test("a fresh session gets the whole prompt and the notes [W-35, W-66]", async () => {
    const { ports } = await taken({ turns: [aTurn()], progress: "- learned: x" });
    expect(ports.turns).toEqual([
      {
        iteration: 4,
        prompt: expect.stringMatching(/Make the tests pass\.[^]*- learned: x/u),
        sessionId: null,
        sessionUsage: null,
        timeoutMs: 900_000,
        idleTimeoutMs: 300_000,
      },
    ]);
  });

  test("a session goes on with the continue prompt [W-02, W-35]", async () => {
    const { ports } = await taken({ turns: [aTurn()], state: { codex: OLD } });
    expect(ports.turns[0]).toMatchObject({ sessionId: "old", sessionUsage: { input: 9 } });
    expect(ports.turns[0]?.prompt).toContain("Continue the Smithers loop.");
    expect(ports.turns[0]?.prompt).not.toContain(FULL_PROMPT);
  });

  test("a session whose first turn never ended gets the whole prompt again [W-64]", async () => {
    const { ports } = await taken({ turns: [aTurn()], state: { codex: { ...OLD, session_iterations: 0 } } });
    expect(ports.turns[0]?.sessionId).toBe("old");
    expect(ports.turns[0]?.prompt).toContain(FULL_PROMPT);
  });

  test.each([
    ["its own limit", { deadline: null }, 900_000],
    ["what is left before the reserve", { deadline: NOW + 500_000, reserveMs: 100_000 }, 400_000],
    ["its own limit where more is left", { deadline: NOW + 5_000_000 }, 900_000],
    ["at least a moment", { deadline: NOW - 1 }, 1],
  ])("a turn has %s [section 8]", async (_title, limits, timeoutMs) => {
    const { ports } = await taken({ turns: [aTurn()], task: { limits } });
    expect(ports.turns[0]?.timeoutMs).toBe(timeoutMs);
  });
});

test("a status block in an earlier message of the turn is read [B13]", async () => {
  const [session, ...end] = aTurn({ message: "Bye." });
  if (session === undefined) throw new Error("a turn has events");
  const told = { type: "message", text: "---LOOPR_STATUS---\nSTATUS: BLOCKED\n---END_LOOPR_STATUS---" } as const;
  const { ended } = await taken({ turns: [[session, told, ...end]] });
  expect(ended.claim.block?.status).toBe("BLOCKED");
});

test.each<[string, string, number]>([
  ["work inside a nested repository counts as one file, as a submodule does", "other", 2],
  ["a nested repository that stays as it is does not", "first", 1],
])("%s [C34]", async (_title, nested, files) => {
  const task = aTask();
  const stored = aState({
    phase: "turn",
    iteration: 1,
    snapshot: { id: "a", tree: "tree-0", head: null, nested: "first" },
  });
  const ports = fakePorts({ stored, turns: [aTurn({ changes: ["a.txt"] })] });
  const snapshot = async () => ({ id: "b", tree: "tree-1", head: null, nested });
  Object.assign(ports.workspace, { snapshot });
  const turn = {
    task,
    state: stored,
    item: THE_ITEM,
    ports,
    commit: committer(ports, stored),
  };
  const { change } = await takeTurn(turn, never);
  expect(change?.files).toBe(files);
  expect(change?.stat.includes("inside a submodule or a nested repository")).toBe(files === 2);
});
