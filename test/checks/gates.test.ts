import { expect, test } from "vitest";
import type { Gate } from "../../src/core/ports.ts";
import type { CheckResult, Verdict } from "../../src/core/verdict.ts";
import { allOf } from "../../src/checks/gates.ts";
import { createCommandGate } from "../../src/checks/command-gate.ts";
import { systemClock } from "../../src/os/clock.ts";
import { gateContract } from "../contract/gate-contract.ts";
import { aCheck } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

const EVIDENCE = { iteration: 1, occasion: "turn", deadline: null } as const;
const never = new AbortController().signal;
const problem = { code: "X", what: "what", next: "next" };

let marks = 0;

gateContract("all gates", async () => {
  const folder = await tempFolder();
  const gate = (successShell: string): Gate =>
    createCommandGate({
      checks: { successCommand: null, successShell, quality: [], ci: null },
      workspaceRoot: folder.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" },
      mark: `all-of-test-${process.pid}-${marks++}`,
      timeoutMs: 20_000,
      observe: () => {},
      clock: systemClock,
    });
  const after = (last: string): Gate => allOf([gate("true"), gate(last)]);
  return {
    green: after("true"),
    red: after("echo broken; exit 3"),
    unrunnable: after("no-such-program"),
    hanging: after("sleep 600"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

const [A, B] = [aCheck({ command: "a" }), aCheck({ command: "b" })];
const passed = (...checks: CheckResult[]): Verdict => ({ result: "passed", checks });

test.each<[string, readonly Verdict[], Verdict, number]>([
  ["all are green", [passed(A), passed(B)], passed(A, B), 2],
  [
    "the first was asked again, and stays so",
    [{ ...passed(A), repeated: 2 }, passed(B)],
    { ...passed(A, B), repeated: 2 },
    2,
  ],
  ["one has nothing to say", [passed(), passed(B)], passed(B), 2],
  [
    "the second is red",
    [passed(A), { result: "failed", checks: [B] }, passed()],
    { result: "failed", checks: [A, B] },
    2,
  ],
  ["the first is red", [{ result: "failed", checks: [A] }, passed(B)], { result: "failed", checks: [A] }, 1],
  ["the second is cut off", [passed(A), { result: "cut_off", checks: [] }], { result: "cut_off", checks: [A] }, 2],
  [
    "the second cannot be run",
    [passed(A), { result: "unrunnable", checks: [], problem }],
    { result: "unrunnable", checks: [A], problem },
    2,
  ],
])("%s [C7]", async (_title, verdicts, wanted, asked) => {
  let count = 0;
  const gates = verdicts.map((verdict) => ({
    judge: async () => {
      count += 1;
      return verdict;
    },
  }));
  expect(await allOf(gates).judge(EVIDENCE, never)).toEqual(wanted);
  expect(count).toBe(asked);
});
