import type { Command } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { note, type Shell } from "../app/shell.ts";
import { findLoop } from "../app/loops/stored-loop.ts";
import { AGENT_LOG_FILE } from "../core/names.ts";
import { folderOf } from "../store/loop-files.ts";
import { lockHolder } from "../store/lock.ts";
import type { LoopPlace } from "../store/place.ts";
import { followLog } from "../store/follow-log.ts";
import { plainText } from "../views/plain-text.ts";
import { loopAndIteration, noIteration } from "./iteration-operand.ts";

export const LOGS_HELP = `Every line has its time and [iteration/most]. Of a long log the older half goes at 5 MB.

Examples:
  smithers logs                             what the only loop has done
  smithers logs -f                          the same, and what comes, until the loop ends or Ctrl+C
  smithers logs fix-tests 3                 iteration 3 of the loop whose id begins so

What the agent was asked, what it changed and what the checks said is in the loop's folder as well, for the last
50 iterations: prompt_iter_N.txt, changes_iter_N.patch, checks_iter_N.txt.`;

/** `smithers logs`: what a loop has done, as a terminal showed it; with `-f` also what it does. */
export const logs: Command = async (invocation, shell) => {
  const { flags, iteration } = loopAndIteration(invocation);
  const { place, state, alive } = await findLoop(await locateLoop(flags, shell), "running");
  if (iteration !== null && (iteration < 1 || iteration > state.iteration))
    throw noIteration(iteration, state.iteration);
  const follows = invocation.values.has("follow");
  if (follows && !alive) note(shell, `Loop ${place.loopId} is not running; this is what it has done.`);
  const wanted = iteration === null ? undefined : `[${iteration}/`;
  const shown = await showLog(place, follows && alive, wanted, shell);
  if (!shown)
    note(shell, `Loop ${place.loopId} has no log: it was begun by an earlier version, or it was cleaned away.`);
  return 0;
};

/** @returns whether there is a log */
async function showLog(place: LoopPlace, follows: boolean, wanted: string | undefined, shell: Shell): Promise<boolean> {
  const goesOn = async (): Promise<boolean> => follows && (await lockHolder(place.folder)) !== undefined;
  let isThere = false;
  for await (const line of followLog(await folderOf(place), AGENT_LOG_FILE, goesOn)) {
    isThere = true;
    // The file is in the workspace, where the agent can write.
    if (wanted === undefined || line.split(" ", 2)[1]?.startsWith(wanted) === true)
      shell.stdout.write(`${plainText(line)}\n`);
  }
  return isThere;
}
