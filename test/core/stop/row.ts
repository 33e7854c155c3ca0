import { expect } from "vitest";
import { decide } from "../../../src/core/decide.ts";
import type { ControlRequest } from "../../../src/core/ports.ts";
import type { LoopState, Phase } from "../../../src/core/state.ts";
import type { Facts, Move } from "../../../src/core/stop/rule.ts";
import { aFacts, aLastTurn, aState, aTask, type TaskOverrides } from "../../support/builders.ts";

/** One case of a stop rule. */
export interface Row {
  readonly title: string;
  readonly task?: TaskOverrides;
  readonly state?: Partial<LoopState>;
  readonly facts?: Partial<Facts>;
  readonly move: unknown;
}

export const SUCCESS: TaskOverrides = { identity: { checks: { successCommand: ["npm", "test"] } } };
export const SHELL: TaskOverrides = { identity: { checks: { successShell: "make && make check" } } };
export const QUALITY: TaskOverrides = { identity: { checks: { quality: ["npm run lint"] } } };

/** Matches a stop whose reason holds at least this. */
export function stop(reason: object) {
  return { do: "stop", reason: expect.objectContaining(reason) };
}

export function request(kind: ControlRequest["kind"]): Partial<Facts> {
  return { request: { kind, by: "me" } };
}

/** What is decided before the first turn. */
export function moveBefore({ task, state, facts }: Row): Move {
  const built = aTask(task);
  return decide(built, aState(state, built), aFacts(facts));
}

/** What is decided in `phase` of the first iteration. */
export function moveIn(phase: Phase, { task, state, facts }: Omit<Row, "move">): Move {
  const built = aTask(task);
  return decide(built, aState({ phase, iteration: 1, last_turn: aLastTurn(), ...state }, built), aFacts(facts));
}
