import { expect, test } from "vitest";
import type { Gate } from "../../src/core/ports.ts";
import type { Evidence } from "../../src/core/verdict.ts";

export interface GateFixture extends AsyncDisposable {
  /** proves at once */
  readonly green: Gate;
  /** disproves at once, and says why */
  readonly red: Gate;
  /** cannot begin to prove */
  readonly unrunnable: Gate;
  /** never ends by itself */
  readonly hanging: Gate;
}

const EVIDENCE: Evidence = { iteration: 1, occasion: "turn", deadline: null };

/** What every gate has to keep. */
export function gateContract(name: string, make: () => Promise<GateFixture>): void {
  const never = new AbortController().signal;

  test(`${name}: green is passed, on every occasion and every time`, async () => {
    await using gates = await make();
    for (const occasion of ["first", "turn", "turn", "claim"] as const)
      expect(await gates.green.judge({ ...EVIDENCE, occasion }, never)).toMatchObject({ result: "passed" });
  });

  test(`${name}: red is a verdict with its reason`, async () => {
    await using gates = await make();
    const verdict = await gates.red.judge(EVIDENCE, never);
    expect(verdict.result).toBe("failed");
    expect(verdict.checks.map((check) => check.tail).join("")).not.toBe("");
  });

  test(`${name}: what cannot be run is not red, and says what to do`, async () => {
    await using gates = await make();
    expect(await gates.unrunnable.judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      problem: { code: expect.stringMatching(/^[A-Z_]+$/u), what: expect.any(String), next: expect.any(String) },
    });
  });

  test(`${name}: an abort cuts the proof off, before and while it runs`, async () => {
    await using gates = await make();
    expect(await gates.green.judge(EVIDENCE, AbortSignal.abort())).toEqual({ result: "cut_off", checks: [] });
    expect(await gates.hanging.judge(EVIDENCE, AbortSignal.timeout(100))).toMatchObject({ result: "cut_off" });
  });

  test(`${name}: the deadline cuts the proof off, before and while it runs`, async () => {
    await using gates = await make();
    expect(await gates.green.judge({ ...EVIDENCE, deadline: 1 }, never)).toEqual({ result: "cut_off", checks: [] });
    const deadline = Date.now() + 100;
    expect(await gates.hanging.judge({ ...EVIDENCE, deadline }, never)).toMatchObject({ result: "cut_off" });
  });
}
