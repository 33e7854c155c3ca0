import type { LoopState } from "./state.ts";
import { AFTER, UNPROVED } from "./stop/after.ts";
import { BEFORE } from "./stop/before.ts";
import { evidenceOf } from "./stop/prove.ts";
import type { Facts, Move, StopRule } from "./stop/rule.ts";
import type { Task } from "./task.ts";

/**
 * What the loop does next: the first rule that matches wins, and the order of the rules is policy. Pure.
 *
 * @see docs/decisions/0002-phases.md
 */
export function decide(task: Task, state: LoopState, facts: Facts): Move {
  const first = (rules: readonly StopRule[]): Move | undefined => {
    for (const rule of rules) {
      const move = rule(task, state, facts);
      if (move !== undefined) return move;
    }
    return undefined;
  };
  switch (state.phase) {
    case "ready":
      return first(BEFORE) ?? nextTurn(facts);
    case "turn":
      throw new Error("A turn is in flight; openLoop has to record it as abandoned first.");
    case "unproved": {
      const evidence = evidenceOf(task, state);
      if (evidence === undefined) return settling(task, facts);
      return first(UNPROVED) ?? { do: "prove", evidence };
    }
    case "unsettled":
      return settling(task, facts);
    case "settled":
      return first(AFTER) ?? first(BEFORE) ?? nextTurn(facts);
  }
}

/** A loop that is cancelled, or that another run has, leaves the work tree as the agent left it. */
function settling(task: Task, { request }: Facts): Move {
  const leaves = request?.kind === "cancel" || request?.kind === "supersede";
  return { do: "settle", commits: task.runtime.commit === "iteration" && !leaves };
}

/** A backlog with nothing left and no rule that ends the loop is a bug of the backlog. */
function nextTurn(facts: Facts): Move {
  if (facts.item === null) throw new Error("The backlog has nothing left, yet no stop rule ends the loop.");
  return { do: "turn", item: facts.item };
}
