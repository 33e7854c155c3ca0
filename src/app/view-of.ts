import type { Config } from "../config/config.ts";
import type { Flags } from "../config/read.ts";
import { AGENT_STATE } from "../core/names.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Change, LoopState } from "../core/state.ts";
import { asInputs, type RunView } from "../views/run-view.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { type LoopPlace, shownPath } from "../store/place.ts";
import { firstSnapshot } from "../store/read-events.ts";
import { withoutSecrets, withoutSecretsIn } from "../store/redaction.ts";
import { resumeCommand } from "./resume-command.ts";

export interface Onlooker {
  readonly place: LoopPlace;
  readonly alive: boolean;
  readonly program: string;
  /** of the command that was given; they are repeated in the command that resumes */
  readonly flags: Flags;
  readonly providerArgs: readonly string[];
}

export async function viewOf(state: LoopState, onlooker: Onlooker): Promise<RunView> {
  const { place } = onlooker;
  return {
    state,
    alive: onlooker.alive,
    change: await changeSinceBeginning(place, state),
    protection: { sandbox: state[AGENT_STATE].sandbox, providerArgs: onlooker.providerArgs },
    stateFile: shownPath(place.root, place.stateFile),
    folder: shownPath(place.root, place.folder),
    word: (advice) => advice,
    resume: resumeCommand(onlooker.program, onlooker.flags, state),
  };
}

/** A loop as a job shows it to others: without secrets; a run of the workflow resumes it, not a command. */
export async function viewForJob(state: LoopState, place: LoopPlace, config: Config): Promise<RunView> {
  const onlooker = { place, alive: false, program: "smithers", flags: {}, providerArgs: config.providerArgs };
  const view = await viewOf(withoutSecrets(state, config), onlooker);
  return { ...view, change: withoutSecretsIn(view.change, config), word: asInputs, resume: howToResume(state) };
}

/** What lets the loop go on, as part of a sentence. */
export function howToResume({ stop_reason: reason }: LoopState): string {
  return reason !== null && outcomeOf(reason).resumableBy === "person"
    ? "a run of this workflow started by hand, with its input `smithers` set to `continue`"
    : "the next run of this workflow";
}

/** Null where it cannot be measured any more: no git, or the loop's files are cleaned up. */
async function changeSinceBeginning(place: LoopPlace, state: LoopState): Promise<Change | null> {
  try {
    const before = await firstSnapshot(place);
    if (before === null || state.snapshot === null) return null;
    const workspace = await createGitWorkspace({ root: place.root, folder: place.folder, excluded: [] });
    return await workspace.compare(before, state.snapshot);
  } catch {
    return null;
  }
}
