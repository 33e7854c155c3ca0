import path from "node:path";
import { rm } from "node:fs/promises";
import { requestControl } from "../control/folder.ts";
import { OperationalError } from "../core/errors.ts";
import { CONTROL_FOLDER } from "../core/names.ts";
import { timestamp } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { sweep } from "../os/supervise.ts";
import { removeArtifacts } from "../store/loop-files.ts";
import { amendLoop } from "../app/amend-loop.ts";
import { awaitEnding } from "../app/await-ending.ts";
import { findLoop, isOver, type FoundLoop } from "../app/find-loop.ts";
import { locate } from "../app/locate.ts";
import { marksOf } from "../store/place.ts";
import { note, type Shell } from "../app/shell.ts";
import { viewOf } from "../app/view-of.ts";
import { writeSummary } from "../app/write-summary.ts";
import type { Command } from "../app/command.ts";
import { showLoop } from "./status.ts";

/**
 * `smithers cancel`: ends a loop for good, whether it runs or not. With `--cleanup-artifacts` its own files go as well,
 * apart from the state; files of the repository never do.
 */
export const cancel: Command = async (invocation, shell) => {
  const loop = await findLoop(await locate(invocation.flags, shell), "unfinished");
  const ended = loop.alive ? await cancelRunning(loop, shell) : await cancelStopped(loop, shell);
  await showLoop(ended, invocation, shell);
  if (invocation.cleanupArtifacts) await cleanUp(ended, shell);
  return 0;
};

async function cancelRunning(loop: FoundLoop, shell: Shell): Promise<FoundLoop> {
  const { loopId, folder } = loop.place;
  await requestControl(folder, "cancel", `${shell.program} cancel`);
  note(shell, `Loop ${loopId} is asked to end for good.`);
  const ended = await awaitEnding(loop);
  if (!ended.alive) return ended.state.status === "canceled" ? ended : cancelStopped(ended, shell);
  throw new OperationalError({
    code: "CANCEL_PENDING",
    what: `Loop ${loopId} was asked to end for good and has not ended within 15 seconds. The request stands.`,
    next: `Look again with ${shell.program} status --loop-id ${loopId}, or end its process.`,
  });
}

/** Nobody runs the loop, so its ending is written here, under its lock. */
async function cancelStopped(loop: FoundLoop, shell: Shell): Promise<FoundLoop> {
  const { place } = loop;
  const by = `${shell.program} cancel`;
  let was: LoopState["status"] | undefined;
  const state = await amendLoop(loop, async (found) => {
    const { agent, checks } = marksOf(place);
    await Promise.all([agent, checks].map(sweep));
    if (isOver(found)) {
      was = found.status;
      return undefined;
    }
    return { type: "loop_stopped", reason: { kind: "canceled", by }, commit: null, at: timestamp(Date.now()) };
  });
  const ended = { place, state, alive: false };
  if (was !== undefined) {
    note(shell, `Loop ${place.loopId} is ${was} already; there is nothing to cancel.`);
    return ended;
  }
  // A request that nobody heard would end the next generation as well.
  await rm(path.join(place.folder, CONTROL_FOLDER, "cancel"), { force: true });
  const view = await viewOf(state, { ...ended, program: shell.program, flags: {}, providerArgs: [] });
  // A loop whose files are cleaned up has no events to sum up.
  await writeSummary(place, view, null).catch(() => undefined);
  return ended;
}

async function cleanUp({ place }: FoundLoop, shell: Shell): Promise<void> {
  const { removed, left } = await removeArtifacts(place.folder);
  note(shell, `Removed ${removed.length} of smithers' own files; the state stays in ${place.stateFile}.`);
  for (const file of left) note(shell, `Left alone, because smithers did not make it: ${file}`);
}
