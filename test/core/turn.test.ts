import { describe, expect, test } from "vitest";
import type { TurnEnded } from "../../src/core/events.ts";
import { committer } from "../../src/core/commit.ts";
import type { LoopState } from "../../src/core/state.ts";
import { sessionFor, takeTurn } from "../../src/core/turn.ts";
import { aFailure, aState, aTask, aTurn, aUsage, NOW, THE_ITEM, type TaskOverrides } from "../support/builders.ts";
import { fakePorts, type FakeOptions, type FakePorts } from "../support/fake-ports.ts";

const never = new AbortController().signal;
const NEW = aState().codex;
const OLD = { ...NEW, session_id: "old", session_iterations: 3, session_usage: aUsage({ input: 9 }) };
const FULL_PROMPT = "Make the tests pass.";

interface Given extends FakeOptions {
  readonly state?: Partial<LoopState>;
  readonly task?: TaskOverrides;
}

async function taken(given: Given): Promise<{ ports: FakePorts; ended: TurnEnded }> {
  const task = aTask(given.task);
  const stored = aState({ phase: "turn", iteration: 4, ...given.state }, task);
  const ports = fakePorts({ ...given, stored });
  const state = { ...stored, snapshot: stored.snapshot ?? (await ports.workspace.snapshot()) };
  const ended = await takeTurn({ task, state, item: THE_ITEM, ports, commit: committer(ports, stored) }, never);
  return { ports, ended };
}

test("W-37: what the agent said, used and changed is in the event", async () => {
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
    claim: {
      detected: true,
      done: true,
      token_done: false,
      hint: null,
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

test("POST 8: what the agent was not allowed to do is in the event, and not more than fits", async () => {
  const denial = { what: "x".repeat(300), allow: "--network on opens it." };
  const denied = Array.from({ length: 10 }, () => ({ type: "permission.denied" as const, ...denial }));
  const { ended } = await taken({ turns: [[...denied, ...aTurn()]] });
  expect(ended.denied).toEqual(Array.from({ length: 8 }, () => ({ ...denial, what: "x".repeat(200) })));
});

test("P14: a turn that changed nothing says so, without asking what changed", async () => {
  const { ended } = await taken({ turns: [aTurn()] });
  expect(ended.change).toEqual({ files: 0, added: 0, removed: 0, stat: "", only_tests: false });
});

test.each([
  ["there is no git repository", { git: false }],
  ["there was none", { state: { snapshot: null }, git: false }],
])("W-25: the change is unknown where %s", async (_title, given) => {
  expect((await taken({ ...given, turns: [aTurn({ changes: ["a"] })] })).ended.change).toBeNull();
});

test("P7: the promise in an earlier message, a command or the reasoning is none", async () => {
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

test("W-64: the session is written down as soon as it is known", async () => {
  const ports = fakePorts({
    stored: aState({ phase: "turn", iteration: 1 }),
    turns: [
      function* () {
        yield { type: "session.started", sessionId: "s-1" };
        throw new Error("the machine died");
      },
    ],
  });
  const state = aState({ phase: "turn", iteration: 1 });
  const turn = { task: aTask(), state, item: THE_ITEM, ports, commit: committer(ports, state) };
  await expect(takeTurn(turn, never)).rejects.toThrow("the machine died");
  expect(ports.state).toMatchObject({ phase: "turn", codex: { session_id: "s-1" } });
});

test("D-19: a stream without an end is a failed turn", async () => {
  const { ended } = await taken({ turns: [[{ type: "message", text: "<promise>DONE</promise>" }]] });
  expect(ended).toMatchObject({ failure: { kind: "protocol" }, exit_code: null, claim: { done: false } });
});

describe("what the provider is asked", () => {
  test("W-35: a fresh session gets the whole prompt and the notes (W-66)", async () => {
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

  test("W-02, W-35: a session goes on with the continue prompt", async () => {
    const { ports } = await taken({ turns: [aTurn()], state: { codex: OLD } });
    expect(ports.turns[0]).toMatchObject({ sessionId: "old", sessionUsage: { input: 9 } });
    expect(ports.turns[0]?.prompt).toContain("Continue the Smithers loop.");
    expect(ports.turns[0]?.prompt).not.toContain(FULL_PROMPT);
  });

  test("W-64: a session whose first turn never ended gets the whole prompt again", async () => {
    const { ports } = await taken({ turns: [aTurn()], state: { codex: { ...OLD, session_iterations: 0 } } });
    expect(ports.turns[0]?.sessionId).toBe("old");
    expect(ports.turns[0]?.prompt).toContain(FULL_PROMPT);
  });

  test.each([
    ["its own limit", { deadline: null }, 900_000],
    ["what is left before the reserve", { deadline: NOW + 500_000, reserveMs: 100_000 }, 400_000],
    ["its own limit where more is left", { deadline: NOW + 5_000_000 }, 900_000],
    ["at least a moment", { deadline: NOW - 1 }, 1],
  ])("section 8: a turn has %s", async (_title, limits, timeoutMs) => {
    const { ports } = await taken({ turns: [aTurn()], task: { limits } });
    expect(ports.turns[0]?.timeoutMs).toBe(timeoutMs);
  });
});

describe("C2: a lost session", () => {
  const lost = aTurn({ sessionId: null, failure: aFailure("session_lost"), usage: aUsage({ input: 1 }) });

  test("is replaced within the turn, with the whole prompt and the notes", async () => {
    const fresh = aTurn({ sessionId: "new", message: "Hello.", usage: aUsage({ input: 10 }) });
    const { ports, ended } = await taken({ turns: [lost, fresh], state: { codex: OLD }, progress: "- notes" });
    expect(ended).toMatchObject({ failure: null, iteration: 4, usage: { input: 11 } });
    expect(ports.turns.map(({ sessionId, sessionUsage }) => [sessionId, sessionUsage])).toEqual([
      ["old", OLD.session_usage],
      [null, null],
    ]);
    expect(ports.turns[1]?.prompt).toMatch(/Make the tests pass\.[^]*- notes/u);
    expect(ports.state.codex.session_id).toBe("new");
    expect(ports.observed).toContainEqual({ type: "notice", text: expect.stringContaining("session is lost") });
  });

  test("is replaced once: what the fresh session says counts", async () => {
    const { ports, ended } = await taken({ turns: [lost, lost], state: { codex: OLD } });
    expect(ended.failure?.kind).toBe("session_lost");
    expect(ports.turns).toHaveLength(2);
  });

  test("may have begun in the same turn, when an attempt is repeated", async () => {
    const begun = aTurn({ sessionId: "begun", failure: aFailure("session_lost") });
    const { ports, ended } = await taken({ turns: [begun, aTurn({ sessionId: "new" })] });
    expect(ended.failure).toBeNull();
    expect(ports.turns.map(({ sessionId }) => sessionId)).toEqual([null, null]);
    expect(ports.state.codex.session_id).toBe("new");
  });

  test("another failure is no lost session", async () => {
    const { ports } = await taken({ turns: [aTurn({ failure: aFailure("crashed") })], state: { codex: OLD } });
    expect(ports.turns).toHaveLength(1);
  });
});

test.each<[string, TaskOverrides, LoopState["codex"], "fresh" | "resumed"]>([
  ["the first turn", {}, NEW, "fresh"],
  ["W-02: the next turn", {}, OLD, "resumed"],
  ["C2: session: fresh", { runtime: { session: "fresh" } }, OLD, "fresh"],
  ["C2, W-66: one below the maximum", { runtime: { sessionMaxIterations: 4 } }, OLD, "resumed"],
  ["C2, W-66: a session that has had its iterations", { runtime: { sessionMaxIterations: 3 } }, OLD, "fresh"],
])("%s", (_title, task, codex, expected) => {
  expect(sessionFor(aTask(task), aState({ codex }))).toBe(expected);
});

test("B13: a status block in an earlier message of the turn is read", async () => {
  const [session, ...end] = aTurn({ message: "Bye." });
  if (session === undefined) throw new Error("a turn has events");
  const told = { type: "message", text: "---LOOPR_STATUS---\nSTATUS: BLOCKED\n---END_LOOPR_STATUS---" } as const;
  const { ended } = await taken({ turns: [[session, told, ...end]] });
  expect(ended.claim.block?.status).toBe("BLOCKED");
});
