import { requestControl } from "../control/folder.ts";
import { awaitEnding } from "../app/await-ending.ts";
import { findLoop } from "../app/find-loop.ts";
import { locate } from "../app/locate.ts";
import { note } from "../app/shell.ts";
import type { Command } from "../app/command.ts";
import { showLoop } from "./status.ts";

/** `smithers pause`: the loop ends after its iteration, and can be resumed. */
export const pause: Command = async (invocation, shell) => {
  const loop = await findLoop(await locate(invocation.flags, shell), "running");
  const { loopId, folder } = loop.place;
  if (loop.alive) {
    await requestControl(folder, "pause", `${shell.program} pause`);
    note(shell, `Loop ${loopId} is asked to pause after its iteration, which can take some minutes.`);
    note(shell, `To end it now: ${shell.program} stop --loop-id ${loopId}`);
  } else {
    note(shell, `Loop ${loopId} is not running; there is nothing to pause.`);
  }
  await showLoop(loop, invocation, shell);
  return 0;
};

/** `smithers stop`: the turn ends now, and the loop can be resumed. */
export const stop: Command = async (invocation, shell) => {
  const loop = await findLoop(await locate(invocation.flags, shell), "running");
  const { loopId, folder } = loop.place;
  if (!loop.alive) {
    note(shell, `Loop ${loopId} is not running; there is nothing to stop.`);
    await showLoop(loop, invocation, shell);
    return 0;
  }
  await requestControl(folder, "stop", `${shell.program} stop`);
  note(shell, `Loop ${loopId} is asked to stop now.`);
  const ended = await awaitEnding(loop);
  if (ended.alive)
    note(shell, `It is still saving its work; look again with: ${shell.program} status --loop-id ${loopId}`);
  await showLoop(ended, invocation, shell);
  return 0;
};
