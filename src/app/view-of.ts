import type { Flags } from "../config/read.ts";
import { AGENT_STATE } from "../core/files.ts";
import type { Change } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import type { RunView } from "../views/run-view.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import type { LoopPlace } from "../store/place.ts";
import { firstSnapshot } from "../store/read-events.ts";
import { resumeCommand } from "./resume-command.ts";
import { shownPath } from "./to-task.ts";

/** What a view needs besides the loop's state. */
export interface Onlooker {
  readonly place: LoopPlace;
  readonly alive: boolean;
  readonly program: string;
  /** of the command that was given; they are repeated in the command that resumes */
  readonly flags: Flags;
  readonly providerArgs: readonly string[];
}

/** Everything that is to be said about a loop. */
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

/** Null where it cannot be measured any more: no git, or the loop's files are cleaned up. */
async function changeSinceBeginning(place: LoopPlace, state: LoopState): Promise<Change | null> {
  try {
    const before = await firstSnapshot(place.folder);
    if (before === null || state.snapshot === null) return null;
    const workspace = await createGitWorkspace({ root: place.root, folder: place.folder, excluded: [] });
    return await workspace.compare(before, state.snapshot);
  } catch {
    return null;
  }
}
