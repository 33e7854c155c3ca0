import { expect, test } from "vitest";
import { withCost, withRetry } from "../../src/agents/with-retry.ts";
import { type AgentEvent, NO_USAGE, type TurnRequest, type Usage } from "../../src/core/agent.ts";
import type { Provider } from "../../src/core/ports.ts";
import { systemClock } from "../../src/os/clock.ts";
import { aTurnRequest } from "../contract/provider-contract.ts";

const USAGE: Usage = { ...NO_USAGE, input: 10 };
const FAILED = { kind: "transport", message: "cut", retryable: true } as const;

function completed(cost?: number): AgentEvent {
  const end = { exitCode: 0, lastMessage: "", usage: USAGE, sessionUsage: null };
  return { type: "turn.completed", ...end, ...(cost === undefined ? {} : { cost }) };
}

function failedWith(cost?: number): AgentEvent {
  const end = { exitCode: 1, lastMessage: "", usage: USAGE, sessionUsage: null };
  return { type: "turn.failed", failure: FAILED, ...end, ...(cost === undefined ? {} : { cost }) };
}

/** A provider whose attempts have these events. */
function playing(...attempts: readonly (readonly AgentEvent[])[]): Provider {
  let next = 0;
  return {
    name: "played",
    preflight: async () => undefined,
    async *runTurn() {
      yield* attempts[next++] ?? [];
    },
  };
}

/** What the end of a turn says that it cost. */
async function costOf(provider: Provider, request: Partial<TurnRequest> = {}): Promise<number | undefined> {
  let cost: number | undefined;
  for await (const event of provider.runTurn(aTurnRequest(request), new AbortController().signal))
    if (event.type === "turn.completed" || event.type === "turn.failed") cost = event.cost;
  return cost;
}

const priced = (agent: string | null, { input }: Usage): number | undefined =>
  agent === "free" ? undefined : input * 2;

test("what a turn used is priced, and an agent that says its cost is believed [C14]", async () => {
  expect(await costOf(withCost(playing([completed()]), priced))).toBe(20);
  expect(await costOf(withCost(playing([completed(7)]), priced))).toBe(7);
  expect(await costOf(withCost(playing([completed(0)]), priced))).toBe(0);
  expect(await costOf(withCost(playing([completed()]), priced), { provider: "free" })).toBeUndefined();
});

test("attempts that failed are paid as well, and one of an unknown cost makes the turn's unknown [C14]", async () => {
  const retrying = (...attempts: readonly (readonly AgentEvent[])[]) =>
    withRetry(withCost(playing(...attempts), priced), { delaysMs: [0, 0], clock: systemClock });
  expect(await costOf(retrying([failedWith()], [completed(5)]))).toBe(25);
  expect(await costOf(retrying([failedWith()], [completed()]), { provider: "free" })).toBeUndefined();
  expect(await withCost(playing(), priced).preflight(new AbortController().signal)).toBeUndefined();
});
