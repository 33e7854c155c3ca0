import type { Reset } from "../core/events.ts";
import { timestamp } from "../core/open-loop.ts";
import { amendLoop } from "../app/amend-loop.ts";
import { findLoop } from "../app/find-loop.ts";
import { locate } from "../app/locate.ts";
import { note } from "../app/shell.ts";
import type { Command } from "../app/command.ts";
import { showLoop } from "./status.ts";

/** `smithers reset-circuit`: closes the circuit and begins a fresh session, so that anybody may let the loop go on. */
export const resetCircuit: Command = resetting(
  "circuit",
  "The circuit is closed; the next run begins a fresh session with the loop's notes.",
);

/** `smithers reset-session`: the next turn begins a fresh session; work, notes and counts stay. */
export const resetSession: Command = resetting(
  "session",
  "The next turn begins a fresh session, which gets the whole prompt and the loop's notes.",
);

function resetting(what: Reset["what"], told: string): Command {
  return async (invocation, shell) => {
    const loop = await findLoop(await locate(invocation.flags, shell), "unfinished");
    const by = `${shell.program} reset-${what}`;
    const state = await amendLoop(loop, async () => ({ type: "reset", what, by, at: timestamp(Date.now()) }));
    note(shell, `Loop ${loop.place.loopId}: ${told}`);
    await showLoop({ ...loop, state }, invocation, shell);
    return 0;
  };
}
