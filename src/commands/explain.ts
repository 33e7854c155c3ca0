import type { Command } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { note, printJson, printLines } from "../app/shell.ts";
import { findLoop } from "../app/loops/stored-loop.ts";
import { hasCode } from "../os/file-errors.ts";
import { readEvents } from "../store/read-events.ts";
import { explain as explained } from "../views/explanation.ts";
import { loopAndIteration, noIteration } from "./iteration-operand.ts";

export const EXPLAIN_HELP = `For every iteration: what the agent did and claimed, what the checks said, which rule decided whether the loop
goes on, and on which evidence. It reads the loop's own events and asks nobody.

Examples:
  smithers explain                          the only loop, from its beginning
  smithers explain fix-tests 3              iteration 3 of the loop whose id begins so

The rules have the names of the tables in docs/requirements.md, section 4.`;

/** `smithers explain`: which rule decided what, with its evidence, for every iteration. */
export const explain: Command = async (invocation, shell) => {
  const { flags, iteration } = loopAndIteration(invocation);
  const { place, state } = await findLoop(await locateLoop(flags, shell), "running");
  const told: { iteration: number; text: string }[] = [];
  let isFound = false;
  try {
    for await (const part of explained(readEvents(place))) {
      if (iteration !== null && part.iteration !== iteration) continue;
      isFound = true;
      if (invocation.json)
        told.push(...part.lines.map(({ text }) => ({ iteration: part.iteration, text: text.trim() })));
      else printLines(shell, part.lines);
    }
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    note(
      shell,
      `The events of loop ${place.loopId} are gone from ${place.folder}; ${shell.program} status shows its state.`,
    );
    return 1;
  }
  if (!isFound && iteration !== null) throw noIteration(iteration, state.iteration);
  if (invocation.json)
    printJson(shell, { schema: 1, loop_id: place.loopId, lines: told.filter(({ text }) => text !== "") });
  return 0;
};
