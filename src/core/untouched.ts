import type { LoopState } from "./state.ts";

/** Whether no turn has begun yet, not even one that died with its run: the work tree is as the person left it. */
export function isUntouched({ spent, iterations }: Pick<LoopState, "spent" | "iterations">): boolean {
  return spent.turns === 0 && iterations.length === 0;
}
