import { committer } from "../../src/core/transition.ts";
import type { TurnEnded } from "../../src/core/events.ts";
import type { LoopState } from "../../src/core/state.ts";
import { takeTurn } from "../../src/core/turn.ts";
import { aState, aTask, aUsage, THE_ITEM, type TaskOverrides } from "../support/builders.ts";
import { fakePorts, type FakeOptions, type FakePorts } from "../support/fake-ports.ts";
import { never } from "./run.ts";

/** The session of a loop that has had none. */
export const NEW = aState().codex;

/** A session that has had three iterations. */
export const OLD = { ...NEW, session_id: "old", session_iterations: 3, session_usage: aUsage({ input: 9 }) };

export interface Given extends FakeOptions {
  readonly state?: Partial<LoopState>;
  readonly task?: TaskOverrides;
  readonly signal?: AbortSignal;
}

/** Takes the turn of iteration 4. */
export async function taken(given: Given): Promise<{ ports: FakePorts; ended: TurnEnded }> {
  const task = aTask(given.task);
  const stored = aState({ phase: "turn", iteration: 4, ...given.state }, task);
  const ports = fakePorts({ ...given, stored });
  const state = { ...stored, snapshot: stored.snapshot ?? (await ports.workspace.snapshot()) };
  const turn = { task, state, item: THE_ITEM, ports, commit: committer(ports, stored) };
  const ended = await takeTurn(turn, given.signal ?? never);
  return { ports, ended };
}
