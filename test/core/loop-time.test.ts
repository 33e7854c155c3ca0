import { describe, expect, test } from "vitest";
import { runLoop } from "../../src/core/loop.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aFailure, aTask, aTurn, aVerdict, NOW } from "../support/builders.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { DONE, never, run, SUCCESS } from "./run.ts";

const MINUTE = 60_000;

describe("limits of the provider [POST 3]", () => {
  const limited = (resetsAt: number) => aTurn({ failure: aFailure("rate_limited", { resetsAt }) });

  test("a short one is waited for and costs no iteration", async () => {
    const turns = [limited(NOW + 5 * MINUTE), aTurn({ message: DONE })];
    const { ports, reason } = await run({ turns }, { limits: { maxIterations: 1 } });
    expect(reason.kind).toBe("promise");
    expect(ports.sleeps).toEqual([NOW + 5 * MINUTE]);
    expect(ports.turns.map(({ iteration }) => iteration)).toEqual([1, 1]);
  });

  test("a long one parks the loop [C12]", async () => {
    const { ports, reason } = await run({ turns: [limited(NOW + 60 * MINUTE)] });
    expect(reason).toMatchObject({ kind: "rate_limit", message: "the provider said rate_limited" });
    expect(ports.state).toMatchObject({ status: "waiting", iteration: 0, iterations: [] });
    expect(ports.sleeps).toEqual([]);
  });

  test("one that should be over already does not make the loop ask without end", async () => {
    const { ports } = await run({ turns: [limited(NOW - 1), limited(NOW), aTurn({ message: DONE })] });
    expect(ports.sleeps).toEqual([NOW + MINUTE, NOW + 2 * MINUTE]);
  });
});

describe("time", () => {
  test("the loop waits between iterations, not before the first and not after the last [S-14, S-20]", async () => {
    const { ports } = await run({ turns: [aTurn(), aTurn({ message: DONE })] }, { limits: { intervalMs: MINUTE } });
    expect(ports.sleeps).toEqual([NOW + MINUTE]);
  });

  test("without time the first check is not asked again and again [PRE 6, PRE 10]", async () => {
    const ports: FakePorts = fakePorts({
      verdicts: [
        () => {
          ports.clockAt = NOW + 10 * MINUTE;
          return aVerdict("cut_off");
        },
      ],
    });
    const reason = await runLoop(aTask({ ...SUCCESS, limits: { deadline: NOW + 10 * MINUTE } }), ports, never);
    expect(reason.kind).toBe("time_budget");
  });

  test("checks that the deadline cut off run first when the loop is resumed, and no turn is spent", async () => {
    const limits = { deadline: NOW + 10 * MINUTE };
    const task = aTask({ ...SUCCESS, limits, runtime: { checkFirst: false } });
    const ports: FakePorts = fakePorts({
      turns: [aTurn()],
      verdicts: [
        () => {
          ports.clockAt = NOW + 10 * MINUTE;
          return aVerdict("cut_off");
        },
      ],
    });
    expect((await runLoop(task, ports, never)).kind).toBe("time_budget");
    expect(ports.state.phase).toBe("unproved");

    const { ports: later, reason } = await run({ stored: ports.state, verdicts: [aVerdict("passed")] }, SUCCESS);
    expect(reason).toEqual({ kind: "success_command", command: "npm test" });
    expect([later.turns.length, later.state.iterations.length]).toEqual([0, 1]);
  });

  test("red checks on resume are not asked twice before the next turn", async () => {
    const { ports: before } = await run({ turns: [aTurn()] }, { limits: { maxIterations: 1 } });
    const stored: LoopState = { ...before.state, phase: "unproved" };
    const verdicts = [aVerdict("failed"), aVerdict("passed")];
    const { ports } = await run({ stored, turns: [aTurn()], verdicts }, SUCCESS);
    expect(ports.evidence.map(({ occasion }) => occasion)).toEqual(["turn", "turn"]);
  });
});
