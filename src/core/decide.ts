import type { Item, Task } from "./task.ts";
import type { LoopState } from "./state.ts";
import { AFTER, UNPROVED, BEFORE } from "./stop/order.ts";
import { evidenceOf } from "./stop/completion.ts";
import type { Facts, Move, StopRule } from "./stop/rule.ts";

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
      return first(BEFORE) ?? nextTurn(state, facts);
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
      return first(AFTER) ?? first(BEFORE) ?? nextTurn(state, facts);
  }
}

/** A loop that is cancelled, or that another run has, leaves the work tree as the agent left it. */
function settling(task: Task, { request }: Facts): Move {
  const leaves = request?.kind === "cancel" || request?.kind === "supersede";
  return { do: "settle", commits: task.runtime.commit === "iteration" && !leaves };
}

/** What there is to do for an agent that has ticked everything off, and is not believed. */
const UNPROVED_PLAN: Item = {
  id: "proof",
  title: "Every item of the plan is ticked, but the work is not taken as done yet.",
  text: "Look at what the last iteration came to, and mend what is missing. Untick an item that is not done after all.",
};

/** A backlog with nothing left and no rule that ends the loop is a bug of the backlog, unless the proof is missing. */
function nextTurn({ plan }: LoopState, { item }: Facts): Move {
  if (item !== null) return { do: "turn", item };
  if (plan === null) throw new Error("The backlog has nothing left, yet no stop rule ends the loop.");
  return { do: "turn", item: UNPROVED_PLAN };
}
