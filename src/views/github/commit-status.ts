import { type Status, STATUSES } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { counted } from "../amounts.ts";
import { proofOf } from "../proof.ts";
import { hardStopPending, type RunView, shownStatus } from "../run-view.ts";
import type { CiSaid } from "./facts.ts";
import { cut } from "../plain-text.ts";
import { outcomeSentence } from "./outcome.ts";

export interface CommitStatus {
  /** no branch rule should require it: people's own pull requests never get it */
  readonly context: "smithers/loop";
  readonly state: "success" | "failure" | "pending";
  /** at most 140 characters */
  readonly description: string;
  readonly url: string;
}

/**
 * What a loop says on the head of its branch. What waits for a person is pending, not failed (C87): a rule that requires the
 * status keeps the branch from being merged all the same.
 */
export function commitStatusOf(view: RunView, place: { readonly runUrl: string }): CommitStatus {
  const { state } = view;
  const pending = hardStopPending(state).length > 0;
  const sentence = pending ? "Done, but past a HARD STOP that still wants a person." : outcomeSentence(view);
  return {
    context: "smithers/loop",
    state: pending ? "pending" : stateOf(shownStatus(view)),
    description: cut(`${sentence}${proofWords(state)} ${counted(state.iteration, "iteration")}.`, 139),
    url: place.runUrl,
  };
}

/** What a completed loop's sentence leaves out of its proof. */
function proofWords(state: LoopState): string {
  if (state.status !== "completed") return "";
  switch (proofOf(state).result) {
    case "verified":
      return "";
    case "accepted":
      return " Accepted, not proved.";
    case "not_verified":
    case "unchecked":
      return " Nothing was verified.";
  }
}

/** CI's result as a commit status. */
export function ciStatus(workflow: string, said: CiSaid) {
  const { state, words } = CI_STATES[said ?? "running"];
  return { state, description: `${workflow} ${words}.` };
}

function stateOf(status: Status | "crashed"): CommitStatus["state"] {
  if (status === "running") return "pending";
  return status === "crashed" ? "failure" : STATUSES[status].commitStatus;
}

const CI_STATES = {
  running: { state: "pending", words: "runs on this commit" },
  passed: { state: "success", words: "passed on this commit" },
  failed: { state: "failure", words: "failed on this commit" },
  nothing: { state: "error", words: "ended on this commit without a verdict" },
} as const;
