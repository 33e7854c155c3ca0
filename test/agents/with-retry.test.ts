import { randomUUID } from "node:crypto";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type AgentEvent, NO_USAGE, type ProviderFailure, type TurnRequest, type Usage } from "../../src/core/agent.ts";
import type { Clock, Provider } from "../../src/core/ports.ts";
import { systemClock } from "../../src/os/clock.ts";
import { failure } from "../../src/agents/agent.ts";
import { createScriptedProvider } from "../../src/agents/scripted/provider.ts";
import { retryDelays, withRetry } from "../../src/agents/with-retry.ts";
import {
  aTurnRequest,
  type Behaviour,
  collect,
  LAST_MESSAGE,
  providerContract,
  theEnd,
  theFailure,
} from "../contract/provider-contract.ts";
import { resolve } from "../config/support.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const DELAYS = [0, 5000, 15_000];

providerContract("scripted with retries", async (behaviour) => {
  const folder = await tempFolder();
  const mark = `test-${randomUUID()}`;
  const turns: Record<Behaviour, object> = {
    completes: { attempts: [{ failure: { kind: "transport" } }, { lastMessage: LAST_MESSAGE }] },
    fails: { failure: { kind: "overloaded" } },
    hangs: { commands: ["sleep 300"] },
    missing: {},
  };
  const scripted = createScriptedProvider({
    script: {
      turns: [turns[behaviour]],
      ...(behaviour === "missing" && { preflight: { kind: "not_installed" } }),
    },
    workspaceRoot: folder.path,
    folder: path.join(folder.path, "loop"),
    mark,
    env: { PATH: process.env["PATH"] ?? "" },
    clock: systemClock,
  });
  return {
    provider: withRetry(scripted, { delaysMs: [0], clock: systemClock }),
    folder: path.join(folder.path, "loop"),
    mark,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test.each([
  ["the usual ones", {}, [0, 5000, 15_000]],
  ["more retries than pauses", { retries: "5" }, [0, 5000, 15_000, 15_000, 15_000]],
  ["fewer", { retries: "1" }, [0]],
  ["no retry", { retries: "0" }, []],
  ["one pause for all", { "retry-delay-seconds": "2.5" }, [2500, 2500, 2500]],
])("the pauses that the settings say: %s [D-36, D-41]", (_, flags, delays) => {
  expect(retryDelays(resolve({ flags }).config)).toEqual(delays);
});

/** A clock that only moves when somebody sleeps or works. */
function handClock() {
  let now = NOW;
  const naps: number[] = [];
  const clock: Clock = {
    now: () => now,
    async sleepUntil(at) {
      naps.push(at - now);
      now = Math.max(now, at);
    },
  };
  const work = (ms: number) => void (now += ms);
  return { clock, naps, work };
}

interface Outcome {
  readonly failed?: ProviderFailure;
  readonly sessionId?: string;
  readonly usage?: Usage;
  readonly sessionUsage?: Usage;
  readonly silent?: true;
  readonly takesMs?: number;
}

/** An agent whose attempts end one after the other as told, and which notes what it was asked. */
function agent(outcomes: readonly Outcome[]) {
  const { clock, naps, work } = handClock();
  const requests: TurnRequest[] = [];
  const provider: Provider = {
    name: "fake",
    preflight: async () => undefined,
    async *runTurn(request): AsyncGenerator<AgentEvent> {
      const outcome = outcomes[requests.push(request) - 1] ?? {};
      work(outcome.takesMs ?? 0);
      if (outcome.sessionId !== undefined) yield { type: "session.started", sessionId: outcome.sessionId };
      if (outcome.silent === true) return;
      const { usage = NO_USAGE, sessionUsage = null, failed } = outcome;
      const end = { exitCode: 0, lastMessage: `attempt ${requests.length}`, usage, sessionUsage };
      yield failed === undefined
        ? { type: "turn.completed", ...end }
        : { type: "turn.failed", failure: failed, ...end };
    },
  };
  return { provider: withRetry(provider, { delaysMs: DELAYS, clock }), bare: provider, naps, requests };
}

const tokens = (input: number): Usage => ({ input, cachedInput: 0, output: 1, reasoning: 0 });
const overloaded = failure("overloaded", "busy");

describe("bounded retries with backoff [D-36]", () => {
  test("three retries after the first failure, after 0 s, 5 s and 15 s", async () => {
    const it = agent(Array.from({ length: 9 }, () => ({ failed: overloaded })));
    const events = await collect(it.provider, aTurnRequest());
    expect(it.requests).toHaveLength(4);
    expect(it.naps).toEqual(DELAYS);
    expect(theFailure(events)).toEqual(overloaded);
    expect(events.slice(0, -1)).toEqual(
      DELAYS.map((delayMs, index) => ({ type: "turn.retrying", failure: overloaded, attempt: index + 2, delayMs })),
    );
  });

  test("a turn that succeeds is not tried again", async () => {
    const it = agent([{ failed: overloaded }, {}]);
    expect(theEnd(await collect(it.provider, aTurnRequest()))).toMatchObject({
      type: "turn.completed",
      lastMessage: "attempt 2",
    });
    expect(it.requests).toHaveLength(2);
  });

  test.each([
    ["one that is not retryable", failure("auth", "no key"), 1, []],
    ["a limit that ends after the delays", failure("rate_limited", "slow down", { resetsAt: NOW + 15_001 }), 1, []],
    ["a limit that ends before", failure("rate_limited", "slow down", { resetsAt: NOW + 15_000 }), 2, [15_000]],
    ["a limit that is over", failure("rate_limited", "slow down", { resetsAt: NOW - 1 }), 2, [0]],
  ])("%s", async (_name, failed, requests, naps) => {
    const it = agent([{ failed }, {}]);
    theEnd(await collect(it.provider, aTurnRequest()));
    expect(it.requests).toHaveLength(requests);
    expect(it.naps).toEqual(naps);
  });

  test("a provider that does not say how its turn ended breaks the protocol", async () => {
    const it = agent([{ silent: true }]);
    expect(theFailure(await collect(it.provider, aTurnRequest()))).toMatchObject({
      kind: "protocol",
      retryable: false,
    });
  });
});

describe("the session", () => {
  test("that the failed attempt opened is resumed with one line", async () => {
    const it = agent([{ failed: overloaded, sessionId: "s" }, { failed: overloaded }, { sessionId: "s" }]);
    await collect(it.provider, aTurnRequest({ prompt: "A long prompt." }));
    expect(it.requests.map(({ sessionId }) => sessionId)).toEqual([null, "s", "s"]);
    expect(it.requests[1]?.prompt).toMatch(/^The last turn was cut off .*\(overloaded\).*$/u);
    expect(it.requests[2]?.prompt).toBe(it.requests[1]?.prompt);
  });

  test("that was never opened leaves the request as it was", async () => {
    const it = agent([{ failed: overloaded }, {}]);
    const request = aTurnRequest({ sessionId: "old", sessionUsage: tokens(7) });
    await collect(it.provider, request);
    expect(it.requests).toEqual([request, request]);
  });
});

describe("usage", () => {
  test("of failed attempts counts", async () => {
    const it = agent([
      { failed: overloaded, sessionId: "s", usage: tokens(100), sessionUsage: tokens(1100) },
      { sessionId: "s", usage: tokens(30), sessionUsage: tokens(1130) },
    ]);
    const request = aTurnRequest({ sessionId: "s", sessionUsage: tokens(1000) });
    const end = theEnd(await collect(it.provider, request));
    expect(end.usage).toEqual({ ...tokens(130), output: 2 });
    expect(end.sessionUsage).toEqual(tokens(1130));
    expect(it.requests[1]?.sessionUsage).toEqual(tokens(1100));
  });

  test.each([
    ["of a fresh session", null, null, tokens(100)],
    ["of a resumed session", "s", tokens(1000), { ...tokens(1100), output: 2 }],
    ["of a resumed session of unknown usage", "s", null, null],
  ])("%s is worked out when the failed attempt does not tell the total", async (_name, sessionId, before, handedOn) => {
    const it = agent([{ failed: overloaded, sessionId: "s", usage: tokens(100) }, {}]);
    await collect(it.provider, aTurnRequest({ sessionId, sessionUsage: before }));
    expect(it.requests[1]?.sessionUsage).toEqual(handedOn);
  });

  test("the total that an earlier attempt told is not lost", async () => {
    const it = agent([{ failed: overloaded, sessionUsage: tokens(5) }, { failed: failure("auth", "no") }]);
    expect(theEnd(await collect(it.provider, aTurnRequest())).sessionUsage).toEqual(tokens(5));
  });
});

describe("time", () => {
  test("the total time-out holds for all attempts", async () => {
    const it = agent(Array.from({ length: 9 }, () => ({ failed: overloaded, takesMs: 1000 })));
    theFailure(await collect(it.provider, aTurnRequest({ timeoutMs: 20_000 })));
    expect(it.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 19_000, 13_000]);
  });

  test("an abort cuts the wait, and the turn is cancelled", async () => {
    const stop = new AbortController();
    const it = agent([{ failed: overloaded, usage: tokens(3) }]);
    const provider = withRetry(it.bare, { delaysMs: [60_000], clock: systemClock });
    const events: AgentEvent[] = [];
    for await (const event of provider.runTurn(aTurnRequest({ timeoutMs: 100_000 }), stop.signal)) {
      events.push(event);
      if (event.type === "turn.retrying") setTimeout(() => stop.abort());
    }
    expect(theFailure(events).kind).toBe("cancelled");
    expect(theEnd(events).usage.input).toBe(3);
  });
});
