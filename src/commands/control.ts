import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { note, type Shell } from "../app/shell.ts";
import { forgetSettings } from "../app/resume/kept.ts";
import { amendLoop, findLoop, type FoundLoop, isOver } from "../app/loops/stored-loop.ts";
import { viewOfFound } from "../app/view-of.ts";
import { writeSummary } from "../app/write-summary.ts";
import { requestControl } from "../control/folder.ts";
import { OperationalError } from "../core/errors.ts";
import type { Reset } from "../core/events.ts";
import { CONTROL_FOLDER } from "../core/names.ts";
import { timestamp } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { sweep } from "../os/supervise.ts";
import { lockHolder } from "../store/lock.ts";
import { removeArtifacts } from "../store/loop-files.ts";
import { marksOf } from "../store/place.ts";
import { readState } from "../store/state-file.ts";
import { showLoop } from "./status.ts";
import { rm } from "node:fs/promises";

/** `smithers pause`: the loop ends after its iteration, and can be resumed. */
export const pause: Command = asking("pause", async (loop, shell) => {
  const { loopId } = loop.place;
  note(shell, `Loop ${loopId} is asked to pause after its iteration, which can take some minutes.`);
  note(shell, `To end it now: ${shell.program} stop --loop-id ${loopId}`);
  return loop;
});

/** `smithers stop`: the turn ends now, and the loop can be resumed. */
export const stop: Command = asking("stop", async (loop, shell) => {
  const { loopId } = loop.place;
  note(shell, `Loop ${loopId} is asked to stop now.`);
  const ended = await awaitEnding(loop);
  if (ended.alive) {
    note(shell, `It is still saving its work; look again with: ${shell.program} status --loop-id ${loopId}`);
  }
  return ended;
});

/** @param heard what to do once a running loop was asked; resolves to the loop afterwards */
function asking(kind: "pause" | "stop", heard: (loop: FoundLoop, shell: Shell) => Promise<FoundLoop>): Command {
  return async (invocation, shell) => {
    const loop = await findLoop(await locateLoop(invocation.flags, shell), "running");
    const { loopId, root, folder } = loop.place;
    if (loop.alive) await requestControl(folder, kind, `${shell.program} ${kind}`, root);
    else note(shell, `Loop ${loopId} is not running; there is nothing to ${kind}.`);
    await showLoop(loop.alive ? await heard(loop, shell) : loop, invocation, shell);
    return 0;
  };
}

/**
 * `smithers cancel`: ends a loop for good, whether it runs or not. With `--cleanup-artifacts` its own files go as well,
 * apart from the state; files of the repository never do.
 */
export const cancel: Command = async (invocation, shell) => {
  const loop = await findLoop(await locateLoop(invocation.flags, shell), "unfinished");
  const ended = loop.alive ? await cancelRunning(loop, shell) : await cancelStopped(loop, shell);
  await showLoop(ended, invocation, shell);
  if (invocation.cleanupArtifacts) await cleanUp(ended, shell);
  return 0;
};

async function cancelRunning(loop: FoundLoop, shell: Shell): Promise<FoundLoop> {
  const { loopId, root, folder } = loop.place;
  await requestControl(folder, "cancel", `${shell.program} cancel`, root);
  note(shell, `Loop ${loopId} is asked to end for good.`);
  const ended = await awaitEnding(loop);
  if (!ended.alive) return ended.state.status === "canceled" ? ended : cancelStopped(ended, shell);
  throw new OperationalError({
    code: "CANCEL_PENDING",
    what: `Loop ${loopId} was asked to end for good and has not ended within 15 seconds. The request stands.`,
    next: `Look again with ${shell.program} status --loop-id ${loopId}, or end its process.`,
  });
}

/** The loop is not running, so its ending is written here, under its lock. */
async function cancelStopped(loop: FoundLoop, shell: Shell): Promise<FoundLoop> {
  const { place } = loop;
  const by = `${shell.program} cancel`;
  let was: LoopState["status"] | undefined;
  const state = await amendLoop(loop, async (found) => {
    const { agent, checks } = marksOf(place);
    await Promise.all([agent, checks].map((mark) => sweep(mark)));
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
  // Otherwise a request that nobody heard would end the next generation as well.
  await rm(path.join(place.folder, CONTROL_FOLDER, "cancel"), { force: true });
  const view = await viewOfFound(ended, shell.env, { program: shell.program, flags: {}, providerArgs: [] });
  // A loop whose files were removed has no events to sum up.
  await writeSummary(place, view, null).catch(() => undefined);
  return ended;
}

async function cleanUp({ place }: FoundLoop, shell: Shell): Promise<void> {
  const { removed, left } = await removeArtifacts(place.folder);
  await forgetSettings(place.root, place.loopId, shell);
  note(shell, `Removed ${removed.length} of smithers' own files; the state stays in ${place.stateFile}.`);
  for (const file of left) note(shell, `Left alone, because smithers did not make it: ${file}`);
}

const TOLD = {
  circuit: "The circuit is closed; the next run begins a fresh session with the loop's notes.",
  session: "The next turn begins a fresh session, which gets the whole prompt and the loop's notes.",
} as const satisfies Record<Reset["what"], string>;

/** `smithers reset-circuit`: closes the circuit and begins a fresh session, so that anybody may let the loop go on. */
export const resetCircuit: Command = resetting("circuit");

/** `smithers reset-session`: the next turn begins a fresh session; work, notes and counts stay. */
export const resetSession: Command = resetting("session");

function resetting(what: Reset["what"]): Command {
  return async (invocation, shell) => {
    const loop = await findLoop(await locateLoop(invocation.flags, shell), "unfinished");
    const { state, told } = await resetLoop(loop, what, shell);
    note(shell, told);
    await showLoop({ ...loop, state }, invocation, shell);
    return 0;
  };
}

/**
 * Resets something of a loop that does not run; one that is over stays as it is.
 *
 * @returns the loop's state afterwards, and what to tell
 * @throws OperationalError when a run has the loop
 */
export async function resetLoop(
  loop: FoundLoop,
  what: Reset["what"],
  { program }: Shell,
): Promise<{ readonly state: LoopState; readonly told: string }> {
  let over = false;
  const state = await amendLoop(loop, async (found) => {
    over = isOver(found);
    return over ? undefined : { type: "reset", what, by: `${program} reset-${what}`, at: timestamp(Date.now()) };
  });
  const nothing = `is ${state.status} already; there is no ${what} to reset, and nothing was changed.`;
  const { loopId } = loop.place;
  return { state, told: over ? `Loop ${loopId} ${nothing}` : `Loop ${loopId}: ${TOLD[what]}` };
}

const PATIENCE_MS = 15_000;
const LOOK_MS = 100;

/** Waits at most 15 seconds until a run has released its loop. @returns the loop afterwards */
async function awaitEnding({ place, state }: FoundLoop): Promise<FoundLoop> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const alive = (await lockHolder(place.folder)) !== undefined;
    if (!alive || Date.now() >= until) return { place, state: (await readState(place.stateFile)) ?? state, alive };
    await sleep(LOOK_MS);
  }
}
