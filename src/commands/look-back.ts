import { type Command, type Invocation, type Operand } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import { findLoop, type FoundLoop } from "../app/loops/stored-loop.ts";
import { AGENT_LOG_FILE, changesName } from "../core/names.ts";
import { folderOf } from "../store/loop-files.ts";
import { lockHolder } from "../store/lock.ts";
import { type LoopPlace } from "../store/place.ts";
import { followLog } from "../store/follow-log.ts";
import { type Line, line, plainText, type Tone } from "../views/plain-text.ts";
import path from "node:path";
import { createGitWorkspace } from "../git/workspace.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { inOwnFolderIfThere, readOwnFile } from "../os/own-file.ts";
import { firstSnapshot, readEvents } from "../store/read-events.ts";
import { explain as explained } from "../views/explanation.ts";
import { type Flags } from "../config/read.ts";
import { UsageError } from "../core/errors.ts";

/** What a command about an iteration takes without flags. */
export const LOOP_AND_ITERATION: Operand = {
  shape: "[words...]",
  about: "a loop (its id, or the beginning of it), the number of an iteration, or both",
};

/**
 * The loop and the iteration that a command is about, as in `logs`, `logs 3`, `logs fix-tests` and `logs fix-tests 3`.
 * A loop whose id is a number is named with --loop-id.
 *
 * @returns the flags with the loop in them; `iteration`: null: none was named
 * @throws UsageError when there are more words than that
 */
function loopAndIteration({ operand, flags }: Invocation): {
  readonly flags: Flags;
  readonly iteration: number | null;
} {
  const words = operand.split(/\s+/u).filter((word) => word !== "");
  const numbers = words.filter((word) => /^\d{1,9}$/u.test(word));
  const [loop, ...others] = words.filter((word) => !numbers.includes(word));
  if (others.length > 0 || numbers.length > 1) {
    throw new UsageError({
      code: "OPERANDS_UNCLEAR",
      what: `"${operand}" is more than one loop and one iteration.`,
      next: "Name a loop by the beginning of its id, and an iteration by its number, at most one of each.",
    });
  }
  const [number] = numbers;
  const named = loop === undefined ? flags : { ...flags, "loop-id": [...(flags["loop-id"] ?? []), loop] };
  return { flags: named, iteration: number === undefined ? null : Number(number) };
}

/** @param last the newest iteration of the loop */
function noIteration(asked: number, last: number): UsageError {
  return new UsageError({
    code: "ITERATION_UNKNOWN",
    what: `There is no iteration ${asked}.`,
    next: last === 0 ? "The loop has not begun one yet." : `Name one from 1 to ${last}, or none.`,
  });
}

export const LOGS_HELP = `Every line has its time and [iteration/most]. Of a long log the older half goes at 5 MB.

Examples:
  smithers logs              what the only loop has done
  smithers logs -f           the same, and what comes, until it ends or Ctrl+C
  smithers logs fix-tests 3  iteration 3 of the loop whose id begins so

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

export const DIFF_HELP = `Without a number: everything since the loop began, up to its last turn. With one: what that iteration has
changed, which is kept for the last 50 of them, up to 1 MB each.

Examples:
  smithers diff           all that the only loop has changed
  smithers diff 3 | less  what iteration 3 has changed`;

/** What is shown of the whole difference, in bytes. */
const LIMIT = 50 << 20;

/** `smithers diff`: what a loop, or one of its iterations, has changed. */
export const diff: Command = async (invocation, shell) => {
  const { flags, iteration } = loopAndIteration(invocation);
  const found = await findLoop(await locateLoop(flags, shell), "running");
  const { place, state } = found;
  if (iteration !== null && (iteration < 1 || iteration > state.iteration))
    throw noIteration(iteration, state.iteration);
  const text = iteration === null ? await wholeDiff(found) : await keptDiff(found, iteration);
  if (text === undefined)
    note(shell, `What loop ${place.loopId} has changed cannot be known any more: its files were cleaned away.`);
  else if (text === "") note(shell, iteration === null ? "Nothing was changed." : nothingKept(found, iteration));
  else show(text, shell);
  return text === undefined ? 1 : 0;
};

/** Undefined: it is not measured, or lost. */
async function wholeDiff({ place, state }: FoundLoop): Promise<string | undefined> {
  const before = await firstSnapshot(place).catch(() => null);
  if (before === null || state.snapshot === null) return undefined;
  const root = state.stories === null ? place.root : state.workspace_root;
  const workspace = await createGitWorkspace({ root, folder: place.folder, excluded: [] });
  const found = await workspace.patch(before, state.snapshot, LIMIT);
  if (found === undefined || found.leftOut === 0) return found?.text;
  return `${found.text}\n[cut: ${found.leftOut} bytes at the end are left out]\n`;
}

async function keptDiff({ place }: FoundLoop, iteration: number): Promise<string> {
  const read = await inOwnFolderIfThere(await folderOf(place), (at) =>
    unlessMissing(readOwnFile(path.join(at, changesName(iteration)))),
  );
  return read ?? "";
}

function nothingKept({ state }: FoundLoop, iteration: number): string {
  const record = state.iterations.find((one) => one.iteration === iteration);
  if (record?.files_changed === 0) return `Iteration ${iteration} has changed no file.`;
  return `What iteration ${iteration} has changed is not kept: only the last 50 iterations are, and only where there is git.`;
}

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/^(?:diff |index |--- |\+\+\+ |\[cut: )/u, "strong"],
  [/^@@/u, "dim"],
  [/^\+/u, "good"],
  [/^-/u, "bad"],
];

/** A terminal gets colours and nothing that could move its cursor; a pipe gets the patch as it is. */
function show(text: string, shell: Shell): void {
  if (shell.stdout.isTTY !== true) {
    shell.stdout.write(text);
    return;
  }
  const lines = plainText(text).split("\n");
  printLines(
    shell,
    lines.map((each): Line => line(each, TONES.find(([pattern]) => pattern.test(each))?.[1])),
  );
}

export const EXPLAIN_HELP = `For every iteration: what the agent did and claimed, what the checks said, which rule decided whether the loop
goes on, and on which evidence. It reads the loop's own events and asks nobody.

Examples:
  smithers explain              the only loop, from its beginning
  smithers explain fix-tests 3  iteration 3 of the loop whose id begins so

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
