import type { Workspace } from "../core/ports.ts";
import { endingSubject } from "../core/settle.ts";
import type { LoopState } from "../core/state.ts";
import type { Plan } from "../app/start-or-resume.ts";

/**
 * Makes the brought back work of a stopped loop a commit again: those that it had were lost with their machine.
 *
 * @returns the state, as it is stored
 * @throws OperationalError when git, or the state of the repository, does not allow a commit; nothing is lost
 */
export async function commitEnding(
  { settings }: Pick<Plan, "settings">,
  workspace: Pick<Workspace, "commit">,
  stored: LoopState,
): Promise<LoopState> {
  const { loop_id: loopId, iteration, status } = stored;
  await workspace.commit({ message: endingSubject(stored, status, settings.identity.prompt), loopId, iteration });
  return stored;
}
