import { type Status, STATUSES } from "../core/outcome.ts";
import { counted } from "./amounts.ts";
import { outcomeSentence } from "./blocks/outcome.ts";
import { cut } from "./inert.ts";
import { proofOf } from "./proof.ts";
import { hardStopPending, shownStatus, type RunView } from "./run-view.ts";

/** The context of the commit status; a branch rule can require it. */
export const STATUS_CONTEXT = "smithers/loop";

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

function stateOf(status: Status | "crashed"): CommitStatus["state"] {
  if (status === "running") return "pending";
  return status === "crashed" ? "failure" : STATUSES[status].commitStatus;
}
