import path from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import type { AgentEvent, TurnCompleted, TurnFailed, TurnRequest } from "../../src/core/agent.ts";
import { lastMessageName, rawEventsName } from "../../src/core/names.ts";
import type { Provider } from "../../src/core/ports.ts";
import { ProcessTree } from "../../src/os/process-tree.ts";

/** What an agent that says something says last. */
export const LAST_MESSAGE = "All done: <promise>DONE</promise>";

/**
 * What the agent of a case does.
 *
 * - `completes`: its last message is `LAST_MESSAGE`
 * - `fails`: the turn fails by itself, without a last message
 * - `hangs`: has a process running and says nothing more
 * - `missing`: could not run at all, and preflight tells
 */
export type Behaviour = "completes" | "fails" | "hangs" | "missing";

/** A provider and where it leaves its traces. */
export interface ProviderCase extends AsyncDisposable {
  readonly provider: Provider;
  /** the loop's folder, where the turn's files are expected */
  readonly folder: string;
  /** carried by every process that the provider starts */
  readonly mark: string;
}

const never = new AbortController().signal;

/** A request for a fresh session with times that a test never reaches. */
export function aTurnRequest(overrides: Partial<TurnRequest> = {}): TurnRequest {
  return {
    iteration: 1,
    prompt: "Do the work.",
    sessionId: null,
    sessionUsage: null,
    timeoutMs: 50_000,
    idleTimeoutMs: 50_000,
    ...overrides,
  };
}

/** Plays a turn to its end. */
export async function collect(
  provider: Provider,
  request: TurnRequest,
  signal: AbortSignal = never,
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of provider.runTurn(request, signal)) events.push(event);
  return events;
}

/** The one event that ends a turn; fails unless it is there once, and last. */
export function theEnd(events: readonly AgentEvent[]): TurnCompleted | TurnFailed {
  const ends = events.filter((event) => event.type === "turn.completed" || event.type === "turn.failed");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toBe(ends[0]);
  const [end] = ends;
  if (end === undefined) throw new Error("unreachable");
  return end;
}

/** How a turn that has to fail has failed. */
export function theFailure(events: readonly AgentEvent[]): TurnFailed["failure"] {
  const end = theEnd(events);
  if (end.type !== "turn.failed") throw new Error("the turn has not failed");
  return end.failure;
}

/** What every provider has to keep (docs of the port `Provider`). */
export function providerContract(name: string, make: (behaviour: Behaviour) => Promise<ProviderCase>): void {
  describe(`provider contract: ${name} [D-40, D-48]`, () => {
    test("a completed turn ends once and leaves raw stream and last message [W-26, W-27]", async () => {
      await using it = await make("completes");
      const end = theEnd(await collect(it.provider, aTurnRequest({ iteration: 7 })));
      expect(end).toMatchObject({ type: "turn.completed", lastMessage: LAST_MESSAGE });
      expect(await readFile(path.join(it.folder, rawEventsName(7)), "utf8")).not.toBe("");
      expect(await readFile(path.join(it.folder, lastMessageName(7)), "utf8")).toBe(LAST_MESSAGE);
      expect(running(it)).toEqual([]);
    });

    test("a failed turn ends once, and no older last message survives it [W-36]", async () => {
      await using it = await make("fails");
      await mkdir(it.folder, { recursive: true });
      await writeFile(path.join(it.folder, lastMessageName(1)), LAST_MESSAGE);
      const events = await collect(it.provider, aTurnRequest());
      expect(theFailure(events).message).toMatch(/^\S.*$/u);
      expect(theEnd(events).lastMessage).toBe("");
      expect(lastMessage(it)).toBe("");
      expect(running(it)).toEqual([]);
    });

    test("what cleans the loop's folder away in a turn does not take the last message with it [W-27]", async () => {
      await using it = await make("completes");
      for await (const event of it.provider.runTurn(aTurnRequest(), never)) {
        const written = existsSync(path.join(it.folder, lastMessageName(1)));
        if (event.type === "message" && !written) await rm(it.folder, { recursive: true });
      }
      expect(lastMessage(it)).toBe(LAST_MESSAGE);
    });

    test("an abort ends the turn as cancelled and leaves nothing running", async () => {
      await using it = await make("hangs");
      const stop = new AbortController();
      const events = collect(it.provider, aTurnRequest(), stop.signal);
      await vi.waitUntil(() => running(it).length > 0, { timeout: 20_000 });
      stop.abort();
      expect(theFailure(await events)).toMatchObject({ kind: "cancelled", retryable: false });
      expect(running(it)).toEqual([]);
    });

    test("a signal that has aborted already starts nothing", async () => {
      await using it = await make("completes");
      expect(theFailure(await collect(it.provider, aTurnRequest(), AbortSignal.abort())).kind).toBe("cancelled");
    });

    test.each([
      ["idle", { idleTimeoutMs: 700 }],
      ["timed_out", { timeoutMs: 700 }],
    ])("a turn that takes too long fails as %s and leaves nothing running", async (kind, times) => {
      await using it = await make("hangs");
      expect(theFailure(await collect(it.provider, aTurnRequest(times))).kind).toBe(kind);
      expect(running(it)).toEqual([]);
    });

    test("preflight finds nothing wrong with an agent that can run", async () => {
      await using it = await make("completes");
      expect(await it.provider.preflight(never)).toBeUndefined();
    });

    test("preflight tells what is missing", async () => {
      await using it = await make("missing");
      expect(await it.provider.preflight(never)).toMatchObject({ kind: "not_installed", retryable: false });
    });
  });
}

function running({ mark }: ProviderCase): readonly number[] {
  return new ProcessTree(mark).alive();
}

function lastMessage({ folder }: ProviderCase): string {
  const file = path.join(folder, lastMessageName(1));
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
