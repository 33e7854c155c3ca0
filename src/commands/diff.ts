import path from "node:path";
import type { Command } from "../app/command.ts";
import { locateLoop } from "../app/loops/loops-of-repository.ts";
import { note, printLines, type Shell } from "../app/shell.ts";
import { findLoop, type FoundLoop } from "../app/loops/stored-loop.ts";
import { changesName } from "../core/names.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolderIfThere, readOwnFile } from "../os/own-file.ts";
import { folderOf } from "../store/loop-files.ts";
import { firstSnapshot } from "../store/read-events.ts";
import { line, type Line, plainText, type Tone } from "../views/plain-text.ts";
import { loopAndIteration, noIteration } from "./iteration-operand.ts";

export const DIFF_HELP = `Without a number: everything since the loop began, up to its last turn. With one: what that iteration has
changed, which is kept for the last 50 of them, up to 1 MB each.

Examples:
  smithers diff                             all that the only loop has changed
  smithers diff 3 | less                    what iteration 3 has changed`;

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
