import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vetoOf } from "../../../src/core/claim/claim.ts";
import { effectiveClaim } from "../../../src/core/claim/effective-claim.ts";
import { CLOSED, type LoopState } from "../../../src/core/state.ts";
import { NOTHING_JUDGED } from "../../../src/core/verdict.ts";
import { decide } from "../../../src/core/decide.ts";
import { outcomeOf } from "../../../src/core/outcome.ts";
import type { Facts, Move } from "../../../src/core/stop/rule.ts";
import { hasChecks, successCheck, type Task } from "../../../src/core/task.ts";
import {
  aDoneClaim,
  aFacts,
  aLastTurn,
  aTask,
  aVerdict,
  NOW,
  THE_ITEM,
  type TaskOverrides,
} from "../../support/builders.ts";
import { hits, moments } from "./parts.ts";
import { possibleEvent, starts, steps, walk } from "./walk.ts";

const requests = fc.option(
  fc.record({ kind: fc.constantFrom("pause", "stop", "cancel", "supersede"), by: fc.constant("me") }),
);

const limit = (most: number) => fc.option(fc.nat(most));

const tasks: fc.Arbitrary<Task> = fc
  .record({
    checks: fc.constantFrom<NonNullable<NonNullable<TaskOverrides["identity"]>["checks"]>>(
      {},
      { successCommand: ["npm", "test"] },
      { successShell: "make check" },
      { quality: ["npm run lint"] },
      { ci: "ci.yml" },
      { successCommand: ["npm", "test"], ci: "ci.yml" },
    ),
    checkFirst: fc.boolean(),
    checkWhen: fc.constantFrom("auto", "claim", "change"),
    exitGate: fc.constantFrom("dual", "signal"),
    weakProof: fc.constantFrom("refuse", "flag", "strict"),
    commit: fc.constantFrom("never", "end", "iteration"),
    limits: fc.record({
      maxIterations: fc.integer({ min: 1, max: 12 }),
      maxTokens: limit(5000),
      maxTotalMs: limit(200_000),
      maxCallsPerHour: fc.option(fc.integer({ min: 1, max: 4 })),
      deadline: fc.option(moments),
      reserveMs: fc.nat(60_000),
      maxWaitMs: fc.nat(3_600_000),
      doneSignals: fc.integer({ min: 1, max: 3 }),
    }),
  })
  .map(({ checks, limits, ...runtime }) => aTask({ identity: { checks }, runtime, limits }));

/** A moment at which the engine decides: a state that can be, in the phase that it is looked at in, and the facts. */
interface Moment {
  readonly task: Task;
  readonly state: LoopState;
  readonly facts: Facts;
}

const anyMoment: fc.Arbitrary<Moment> = fc
  .record({
    start: starts,
    path: fc.array(steps, { minLength: 1, maxLength: 25 }),
    plan: fc.option(fc.record({ items: fc.nat(2), ticked: fc.nat(2) })),
    task: tasks,
    now: fc.oneof(fc.constant(NOW), moments),
    request: requests,
    item: fc.constantFrom(THE_ITEM, null),
    hardStops: hits,
    first: fc.constantFrom(null, aVerdict("passed"), aVerdict("passed"), aVerdict("failed"), aVerdict("unrunnable")),
  })
  .map(({ start, path, plan, task, item, first, ...facts }) => {
    const last = walk(start, path, possibleEvent).findLast(({ after }) => after.phase !== "turn");
    const reached = last?.after ?? walk(start, path.slice(0, 1), (_state, step) => step.resumed).at(-1)?.after;
    if (reached === undefined) throw new Error("A path has a step.");
    const state: LoopState = {
      ...reached,
      plan: plan && { path: "PLAN.md", agent_file: "AGENT.md", most_items: plan.items, ...plan },
      first_check: first,
    };
    // Only a plan can have nothing left.
    return { task, state, facts: aFacts({ ...facts, item: state.plan === null ? THE_ITEM : item }) };
  });

/** The same behind a settled turn, where no limit and nobody has a say. */
function unhurried({ task, state, facts }: Moment): Moment {
  return {
    task: { ...task, limits: aTask().limits },
    state: { ...state, phase: state.last_turn === null ? "ready" : "settled", iteration: 1, circuit: CLOSED },
    facts: { ...facts, request: null, hardStops: [] },
  };
}

const kindOf = (move: Move): string => (move.do === "stop" ? move.reason.kind : move.do);

/** Whether the last turn's work is done, told without the rules: proved, or claimed where nothing can prove it. */
function isDone({ task, state }: Moment): boolean {
  const { last_turn: turn, verdict } = state;
  const { checks } = task.identity;
  const proved = verdict?.result === "passed" && isStrong(task, state);
  if (successCheck(checks) !== null) return proved;
  if (turn === null || turn.failure !== null) return false;
  const claimed = effectiveClaim(task, state) !== null && vetoOf(turn.claim) === null;
  return claimed && (!hasChecks(checks) || proved);
}

/** Whether nothing is known against the newest proof, or a person accepts it anyway (C21). */
function isStrong({ runtime }: Task, { strength }: LoopState): boolean {
  const found = strength.weaknesses.filter(({ kind }) => runtime.weakProof === "strict" || kind !== "scripts_changed");
  return found.length === 0 || runtime.weakProof === "flag";
}

describe("the rules", () => {
  it("there is one move for every state and all facts, and always the same [sections 4.1 and 4.2]", () => {
    fc.assert(
      fc.property(anyMoment, ({ task, state, facts }) => {
        const move = decide(task, state, facts);
        expect(["stop", "wait", "turn", "prove", "settle"]).toContain(move.do);
        expect(decide(task, structuredClone(state), facts)).toEqual(move);
      }),
      { numRuns: 150 },
    );
  });

  it("a cancel, and another run that has the loop, come before everything else [PRE 1, PRE 2, POST 1]", () => {
    fc.assert(
      fc.property(anyMoment, fc.constantFrom("cancel", "supersede"), ({ task, state, facts }, kind) => {
        const move = decide(task, state, { ...facts, request: { kind, by: "me" } });
        const ending = kind === "cancel" ? "canceled" : "superseded";
        // What is at hand is closed first, without a commit.
        expect([ending, "settle"]).toContain(kindOf(move));
        expect(move).not.toMatchObject({ do: "settle", commits: true });
        expect(kindOf(move) === "settle").toBe(closesFirst(task, state, facts));
      }),
      { numRuns: 150 },
    );
  });

  it("what is done is completed, whatever limit is reached besides [section 4.2, W-60, W-38]", () => {
    fc.assert(
      fc.property(anyMoment, ({ task, state, facts }) => {
        const exhausted: Task = {
          ...task,
          limits: { ...task.limits, maxIterations: 1, maxTokens: 0, maxTotalMs: 0, deadline: 0, maxCallsPerHour: 0 },
        };
        const open: LoopState = {
          ...state,
          phase: "settled",
          last_turn: aLastTurn({ claim: aDoneClaim() }),
          verdict: aVerdict("passed"),
          strength: NOTHING_JUDGED,
          circuit: { state: "OPEN", trigger: "no_progress", count: 3 },
          todo: state.todo === null ? null : { ...state.todo, seen: facts.hardStops },
        };
        const move = decide(exhausted, open, { ...facts, request: null });
        expect(move.do === "stop" && outcomeOf(move.reason).status).toBe("completed");
      }),
      { numRuns: 100 },
    );
  });

  it("nothing is completed that is not done, or that was not green before [W-58, C21]", () => {
    fc.assert(
      fc.property(anyMoment, (moment) => {
        const completes = [moment, unhurried(moment)].filter(({ task, state, facts }) => {
          const move = decide(task, state, facts);
          return move.do === "stop" && outcomeOf(move.reason).status === "completed";
        });
        expect(completes.every((moment) => isDone(moment) || isGreenBefore(moment))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

/** Work that waits to be settled. */
function closesFirst(task: Task, state: LoopState, facts: Facts): boolean {
  if (state.phase === "unsettled") return true;
  return state.phase === "unproved" && kindOf(decide(task, state, { ...facts, request: null })) === "settle";
}

/** PRE 6: before a turn the first check of the run decides, or a plan that nothing can prove. */
function isGreenBefore({ task, state, facts }: Moment): boolean {
  if (state.phase !== "ready") return false;
  const unprovable = facts.item === null && !hasChecks(task.identity.checks);
  return unprovable || (state.first_check?.result === "passed" && isStrong(task, state));
}
