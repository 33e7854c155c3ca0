import { type Status, STATUSES } from "../../core/outcome.ts";
import { counted } from "../amounts.ts";
import { proofOf } from "../proof.ts";
import { hardStopPending, type RunView, shownStatus } from "../run-view.ts";
import type { CiSaid } from "./facts.ts";
import { cut } from "./markdown.ts";
import { outcomeSentence } from "./outcome.ts";

/** The context of the commit status; a branch rule can require it. */
const STATUS_CONTEXT = "smithers/loop";

/** GitHub takes 140 characters. */
const DESCRIPTION_LENGTH = 139;

export interface CommitStatus {
  readonly context: typeof STATUS_CONTEXT;
  readonly state: "success" | "failure" | "pending";
  /** at most 140 characters */
  readonly description: string;
  readonly url: string;
}

/** What a loop says on the head of its branch: a HARD STOP fails, so that a rule can keep the branch from being merged. */
export function commitStatusOf(view: RunView, place: { readonly runUrl: string }): CommitStatus {
  const { state } = view;
  const pending = hardStopPending(state).length > 0;
  const proof = state.status === "completed" && proofOf(state).result !== "verified" ? " Nothing was verified." : "";
  const sentence = pending ? "Done, but past a HARD STOP that still wants a person." : outcomeSentence(view);
  return {
    context: STATUS_CONTEXT,
    state: pending ? "failure" : stateOf(shownStatus(view)),
    description: cut(`${sentence}${proof} ${counted(state.iteration, "iteration")}.`, DESCRIPTION_LENGTH),
    url: place.runUrl,
  };
}

/** The context of the commit status that tells what CI has said; a branch rule can require it. */
export const CI_CONTEXT = "smithers/ci";

/** What the commit status tells of CI. */
export function ciStatus(
  workflow: string,
  said: CiSaid,
): { readonly state: CommitStatus["state"] | "error"; readonly description: string } {
  switch (said) {
    case null:
      return { state: "pending", description: `${workflow} runs on this commit.` };
    case "passed":
      return { state: "success", description: `${workflow} passed on this commit.` };
    case "failed":
      return { state: "failure", description: `${workflow} failed on this commit.` };
    case "nothing":
      return { state: "error", description: `${workflow} ended on this commit without a verdict.` };
  }
}

function stateOf(status: Status | "crashed"): CommitStatus["state"] {
  if (status === "running") return "pending";
  return status === "crashed" ? "failure" : STATUSES[status].commitStatus;
}
