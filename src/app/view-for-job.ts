import type { Config } from "../config/config.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { asInputs, type RunView } from "../views/run-view.ts";
import type { LoopPlace } from "../store/place.ts";
import { withoutSecrets } from "../store/redaction.ts";
import { viewOf } from "./view-of.ts";

/** A loop as a job tells others of it: without secrets; what resumes it is a run of the workflow, not a command. */
export async function viewForJob(state: LoopState, place: LoopPlace, config: Config): Promise<RunView> {
  const { providerArgs } = config;
  const view = await viewOf(withoutSecrets(state, config), {
    place,
    alive: false,
    program: "smithers",
    flags: {},
    providerArgs,
  });
  return { ...view, word: asInputs, resume: howToResume(state) };
}

/** What lets the loop go on, as part of a sentence. */
export function howToResume({ stop_reason: reason }: LoopState): string {
  return reason !== null && outcomeOf(reason).resumableBy === "person"
    ? "a run of this workflow started by hand, with its input `smithers` set to `continue`"
    : "the next run of this workflow";
}
