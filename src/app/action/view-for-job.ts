import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { asInputs } from "../../views/as-inputs.ts";
import type { RunView } from "../../views/run-view.ts";
import { viewOf } from "../view-of.ts";
import type { Surroundings } from "./surroundings.ts";

/** A loop as a job tells of it: what resumes it is a run of the workflow, not a command. */
export async function viewForJob(state: LoopState, { place, settings }: Surroundings): Promise<RunView> {
  const { providerArgs } = settings.config;
  const view = await viewOf(state, { place, alive: false, program: "smithers", flags: {}, providerArgs });
  return { ...view, state: worded(state), word: asInputs, resume: howToResume(state) };
}

/** The advice that an ending brings along speaks of inputs. */
function worded(state: LoopState): LoopState {
  const reason = state.stop_reason;
  if (reason === null) return state;
  if ("problem" in reason) {
    return {
      ...state,
      stop_reason: { ...reason, problem: { ...reason.problem, next: asInputs(reason.problem.next) } },
    };
  }
  if (!("failure" in reason) || reason.failure.next === undefined) return state;
  return { ...state, stop_reason: { ...reason, failure: { ...reason.failure, next: asInputs(reason.failure.next) } } };
}

/** What lets the loop go on, as part of a sentence. */
export function howToResume({ stop_reason: reason }: LoopState): string {
  return reason !== null && outcomeOf(reason).resumableBy === "person"
    ? "a run of this workflow started by hand, with its input `smithers` set to `continue`"
    : "the next run of this workflow";
}
