import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { committer } from "../../src/core/transition.ts";
import { sessionFor } from "../../src/core/session.ts";
import { takeTurn } from "../../src/core/turn.ts";
import { aFailure, aState, aTask, aTurn, aUsage, THE_ITEM, type TaskOverrides } from "../support/builders.ts";
import { fakePorts, type FakePorts, type FakeTurn } from "../support/fake-ports.ts";
import { never } from "./run.ts";
import { NEW, OLD, taken } from "./taken.ts";

test("the session is written down as soon as it is known [W-64]", async () => {
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

describe("a lost session [C2]", () => {
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

  test("is told as what it is: a fresh session, where another was to be resumed [C57]", async () => {
    const fresh = aTurn({ sessionId: "new", message: "Hello." });
    const { ports } = await taken({ turns: [lost, fresh], state: { codex: OLD } });
    expect(ports.events).toContainEqual(expect.objectContaining({ type: "session_opened", replaces: "old" }));
    expect(ports.observed).toContainEqual({ type: "notice", text: expect.stringContaining("in a fresh session") });
  });

  test.each([
    ["one that is resumed", { codex: OLD }, "old"],
    ["the first of a turn that begins one", {}, "new"],
  ])("nothing is said of %s [C57]", async (_name, state, sessionId) => {
    const { ports } = await taken({ turns: [aTurn({ sessionId, message: "Hello." })], state });
    const opened = ports.events.filter(({ type }) => type === "session_opened");
    expect(opened).toEqual([{ type: "session_opened", session_id: sessionId, at: expect.any(String) }]);
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

  test("another failure is not a lost session", async () => {
    const { ports } = await taken({ turns: [aTurn({ failure: aFailure("crashed") })], state: { codex: OLD } });
    expect(ports.turns).toHaveLength(1);
  });
});

describe("a session that is full [C2, W-66]", () => {
  const full = aTurn({ sessionId: "old", failure: aFailure("context_full") });

  test("is replaced within the turn, with the whole prompt, the notes and what is left of the turn's time", async () => {
    const task = aTask();
    const stored = aState({ phase: "turn", iteration: 4, codex: OLD }, task);
    const slowly: FakeTurn = function* () {
      ports.clockAt += 300_000;
      yield* full;
    };
    const turns = [slowly, aTurn({ sessionId: "new" })];
    const ports: FakePorts = fakePorts({ turns, stored, progress: "- notes" });
    const ended = await takeTurn(
      { task, state: stored, item: THE_ITEM, ports, commit: committer(ports, stored) },
      never,
    );
    expect(ended).toMatchObject({ failure: null, session_full: false, iteration: 4 });
    expect(ports.turns.map(({ sessionId, timeoutMs }) => [sessionId, timeoutMs])).toEqual([
      ["old", 900_000],
      [null, 600_000],
    ]);
    expect(ports.turns[1]?.prompt).toMatch(/Make the tests pass\.[^]*- notes/u);
    expect(ports.observed).toContainEqual({ type: "notice", text: expect.stringContaining("session is full") });
  });

  test("is not replaced when it was a fresh one: the failure counts", async () => {
    const { ports, ended } = await taken({ turns: [aTurn({ failure: aFailure("context_full") })] });
    expect(ports.turns).toHaveLength(1);
    expect(ended).toMatchObject({ failure: { kind: "context_full" }, session_full: true });
  });

  test("is given up after a turn that a retry has saved", async () => {
    const retried = { type: "turn.retrying", failure: aFailure("context_full"), attempt: 2, delayMs: 0 } as const;
    const { ended } = await taken({ turns: [[retried, ...aTurn({ message: "Went on." })]], state: { codex: OLD } });
    expect(ended).toMatchObject({ failure: null, session_full: true });
  });

  test("does not count as another retry", async () => {
    const retried = { type: "turn.retrying", failure: aFailure("transport"), attempt: 2, delayMs: 0 } as const;
    const { ended } = await taken({ turns: [[retried, ...aTurn()]] });
    expect(ended.session_full).toBe(false);
  });
});

test.each<[string, TaskOverrides, LoopState["codex"], "fresh" | "resumed"]>([
  ["the first turn", {}, NEW, "fresh"],
  ["the next turn [W-02]", {}, OLD, "resumed"],
  ["session: fresh [C2]", { runtime: { session: "fresh" } }, OLD, "fresh"],
  ["one below the maximum [C2, W-66]", { runtime: { sessionMaxIterations: 4 } }, OLD, "resumed"],
  ["a session that has had its iterations [C2, W-66]", { runtime: { sessionMaxIterations: 3 } }, OLD, "fresh"],
])("%s", (_title, task, codex, expected) => {
  expect(sessionFor(aTask(task), aState({ codex }))).toBe(expected);
});
