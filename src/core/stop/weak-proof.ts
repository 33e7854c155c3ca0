import { isAccepted, WEAK_PROOFS_THAT_STOP } from "../progress/strength.ts";
import { stop, type StopRule } from "./rule.ts";

/** POST 7a: green for the second time, and the proof is weak (C21). */
export const weakProof: StopRule = (task, state) => {
  const { weaknesses, refused } = state.strength;
  return isAccepted(task, state) || refused < WEAK_PROOFS_THAT_STOP
    ? undefined
    : stop({ kind: "weak_proof", weaknesses });
};
