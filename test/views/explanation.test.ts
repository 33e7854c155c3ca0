import { expect, test } from "vitest";
import type { LoopEvent, Proved } from "../../src/core/events.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { explain } from "../../src/views/explanation.ts";
import { aDoneClaim, aFailure, aProved, aRedCheck, aVerdict, someFailing } from "../support/builders.ts";
import { settled, started, turnEnded, turnStarted } from "./a-state.ts";

const at = "2026-01-06T21:10:00.000+00:00";
const GREEN = aProved();
const WEAK: Proved = { ...GREEN, weaknesses: [{ kind: "no_tests_ran" }] };

function red(names: readonly string[], failed = names.length): Proved {
  return aProved(aVerdict("failed", [aRedCheck({ command: "npm test", tests: someFailing(names, failed) })]));
}

function stopped(reason: StopReason): LoopEvent {
  return { type: "loop_stopped", at, commit: null, reason };
}

async function told(...events: readonly LoopEvent[]): Promise<readonly string[]> {
  const all: string[] = [];
  const stream = async function* () {
    yield* events;
  };
  for await (const { iteration, lines } of explain(stream()))
    all.push(...lines.map(({ text }) => `${iteration} ${text}`));
  return all;
}

/** Why the loop went on after an iteration with these events. */
async function wentOn(...events: readonly LoopEvent[]): Promise<readonly string[]> {
  const lines = await told(started(), turnStarted(1), ...events, settled(1), turnStarted(2));
  return lines.filter((line) => line.includes("decided"));
}

test.each<[string, LoopEvent[], string]>([
  ["nothing was claimed", [turnEnded()], "the agent does not claim to be done, and no other rule ends it"],
  ["its turn failed", [turnEnded({ failure: aFailure("transport") })], "its turn failed (transport), and no rule ends"],
  ["a check is red", [turnEnded({ claim: aDoneClaim() }), red(["a"])], "npm test is red"],
  [
    "checks are red",
    [turnEnded(), aProved(aVerdict("failed", [aRedCheck({ command: "a" }), aRedCheck({ command: "b" })]))],
    "a, b are red",
  ],
  ["nothing was asked", [turnEnded({ claim: aDoneClaim() })], "its claim does not count, and no other"],
  ["the proof is weak", [turnEnded({ claim: aDoneClaim() }), WEAK], "the proof is weak"],
  ["the claim does not count", [turnEnded({ claim: aDoneClaim() }), GREEN], "its claim does not count, and no other"],
])("a loop goes on, and it is said why: %s [C69]", async (_why, events, because) => {
  expect(await wentOn(...events)).toEqual([expect.stringContaining(`1   decided: go on, because ${because}`)]);
});

test("what decided is told with its evidence: failing tests by name, progress, the rule [C69]", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const lines = await told(
    started(),
    turnStarted(1),
    turnEnded(),
    red(names, 20),
    settled(1),
    stopped({ kind: "tokens", spent: 1200, max: 1000 }),
  );
  expect(lines).toContain(`1 Iteration 1, ${at}`);
  expect(lines).toContainEqual(
    expect.stringContaining("20 tests failed: test 0, test 1, test 2, test 3, test 4 and 15 more"),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^1 {3}progress: .*failing tests: 20 now/u));
  expect(lines).toContainEqual(expect.stringMatching(/^1 {3}circuit: CLOSED/u));
  expect(lines.slice(-2)).toEqual([
    "1   decided: stop, by the rule tokens (PRE 9, POST 13)",
    "1   evidence: 1,200 of 1,000 tokens",
  ]);
});

test("advice in what an ending carries is as a person types it [C69]", async () => {
  const denied = [{ what: "curl", allow: "--network on opens it." }];
  const lines = await told(started(), turnStarted(1), turnEnded(), stopped({ kind: "permission_denied", denied }));
  expect(lines.at(-1)).toBe("1   evidence: curl: --network on opens it.");
});

test("an ending that needs no more evidence has none; a wait inside an iteration decides nothing [C69]", async () => {
  const waiting: LoopEvent = { type: "wait_started", at, until: at, why: "interval" };
  const lines = await told(started(), waiting, turnStarted(1), turnEnded(), waiting, stopped({ kind: "time_budget" }));
  expect(lines.filter((line) => line.includes("decided"))).toEqual([
    "1   decided: stop, by the rule time_budget (PRE 10, POST 13)",
  ]);
  expect(lines.filter((line) => line.includes("evidence"))).toEqual([]);
});
