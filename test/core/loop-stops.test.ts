import { describe, expect, test } from "vitest";
import type { HardStopHit } from "../../src/core/hard-stop.ts";
import { runLoop } from "../../src/core/loop.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aFailure, aHit, aState, aTask, aTodo, aTurn, aVerdict, type TaskOverrides } from "../support/builders.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { DONE, never, run, SUCCESS, types } from "./run.ts";

const MINUTE = 60_000;

describe("requests of people", () => {
  test.each([
    ["stop", "stopped", "paused_user_interrupt"],
    ["cancel", "canceled", "canceled"],
  ] as const)("%s ends the turn now and keeps the session [W-46]", async (kind, ending, status) => {
    const ports: FakePorts = fakePorts({
      turns: [
        async function* (_request, signal) {
          yield { type: "session.started", sessionId: "s-1" };
          await ports.request(kind, "SIGINT");
          const failure = aFailure(signal.aborted ? "cancelled" : "crashed");
          yield* aTurn({ sessionId: null, failure });
        },
      ],
    });
    expect(await runLoop(aTask(), ports, never)).toEqual({ kind: ending, by: "SIGINT" });
    expect(ports.state).toMatchObject({ status, iteration: 1, codex: { session_id: "s-1" } });
  });

  test("a pause lets the turn and its checks end [section 4.5]", async () => {
    const ports: FakePorts = fakePorts({
      turns: [
        async function* (_request, signal) {
          await ports.request("pause", "smithers pause");
          yield* aTurn(signal.aborted ? { failure: aFailure("cancelled") } : {});
        },
      ],
      verdicts: [aVerdict("failed")],
    });
    const task = aTask({ ...SUCCESS, runtime: { checkFirst: false } });
    expect(await runLoop(task, ports, never)).toEqual({ kind: "paused", by: "smithers pause" });
    expect(ports.state.iterations[0]).toMatchObject({ agent: "ok", checks: "failed" });
  });

  test("the caller's abort before the first turn [W-46]", async () => {
    const ports = fakePorts();
    expect(await runLoop(aTask(), ports, AbortSignal.abort())).toEqual({ kind: "stopped", by: "the caller" });
    expect(types(ports)).toEqual(["loop_started", "loop_stopped"]);
  });

  test("any request ends a wait", async () => {
    const ports: FakePorts = fakePorts({ turns: [aTurn()], whileAsleep: async () => ports.request("pause") });
    expect((await runLoop(aTask({ limits: { intervalMs: MINUTE } }), ports, never)).kind).toBe("paused");
  });
});

describe("HARD STOP", () => {
  const todo: TaskOverrides = { identity: { todo: {} } };
  const hit = aHit({ reached: false });

  test.each([
    ["W-43, W-44", "pause"],
    ["W-31, W-45", "exit"],
  ] as const)("mode $1 stops after the iteration that reached it [$0]", async (_rows, mode) => {
    let worked = false;
    const work = function* () {
      worked = true;
      yield* aTurn();
    };
    const options = { turns: [work], hardStops: () => [aHit({ reached: worked })] };
    const { ports, reason } = await run(options, { identity: { todo: { mode } } });
    expect(reason).toEqual({ kind: "hard_stop", mode, hits: [aHit()] });
    expect(ports.state).toMatchObject({ status: "paused_hard_stop", todo: { paused_for_hard_stop: true } });
  });

  test("deleting the line does not get past it [C10]", async () => {
    let lines = [hit];
    const remove = function* () {
      lines = [];
      yield* aTurn({ message: "Tidied up." });
    };
    const { reason } = await run({ turns: [remove], hardStops: () => lines }, todo);
    expect(reason).toMatchObject({ kind: "hard_stop", hits: [{ ...hit, reached: true, vanished: true }] });
  });

  test("after a person's resume it does not fire again [C10]", async () => {
    const stored = pausedAt(aHit());
    const { ports, reason } = await run(
      { stored, hardStops: [aHit()], turns: [aTurn(), aTurn({ message: DONE })] },
      todo,
    );
    expect(reason.kind).toBe("promise");
    expect(ports.turns[0]?.prompt).toContain("A person has reviewed");
  });

  test("a trigger gets no further, and spends no turn [PRE 5]", async () => {
    const stored = pausedAt(aHit());
    const { ports, reason } = await run({ stored, hardStops: [aHit()] }, { ...todo, by: "trigger" });
    expect(reason.kind).toBe("hard_stop");
    expect(ports.turns).toEqual([]);
  });
});

describe("failures of the agent", () => {
  test.each([
    ["POST 2", "auth", "auth", 1],
    ["POST 2", "sandbox_broken", "sandbox_broken", 0],
    ["POST 4", "transport", "provider", 1],
  ] as const)("$1 ends the loop as $2 after $3 iterations [$0]", async (_row, kind, ending, iterations) => {
    const { ports, reason } = await run({ turns: [aTurn({ failure: aFailure(kind) })] });
    expect(reason).toMatchObject({ kind: ending });
    expect(ports.state).toMatchObject({ status: "error", iteration: iterations });
  });

  test("a resume tries again, and a good turn ends the row of errors [C25]", async () => {
    const first = await run({ turns: [aTurn({ failure: aFailure("transport") })] });
    const second = await run({ stored: first.ports.state, turns: [aTurn({ message: DONE })] });
    expect(second.reason.kind).toBe("promise");
    expect(second.ports.state).toMatchObject({ iteration: 2, error_resumes: 0, spent: { resumes: 1 } });
  });

  test("a check that could not be started is asked again on resume, for the same turn", async () => {
    const options = { ...SUCCESS, runtime: { checkFirst: false } };
    const first = await run({ turns: [aTurn()], verdicts: [aVerdict("unrunnable")] }, options);
    expect(first.reason.kind).toBe("gate_unrunnable");
    const second = await run({ stored: first.ports.state, verdicts: [aVerdict("passed")] }, options);
    expect(second.reason.kind).toBe("success_command");
    expect(second.ports.turns).toEqual([]);
  });
});

function pausedAt(hit: HardStopHit): LoopState {
  return aState({
    phase: "settled",
    iteration: 1,
    status: "paused_hard_stop",
    stop_reason: { kind: "hard_stop", mode: "pause", hits: [hit] },
    todo: aTodo({ seen: [hit], paused_for_hard_stop: true }),
  });
}
