import path from "node:path";
import { UsageError } from "../core/errors.ts";
import { sha256 } from "../os/digest.ts";
import type { LoopFiles } from "../store/loop-files.ts";

/** Where loops are kept when nobody says otherwise (W-18, C11); seen from the workspace. */
export const LOOPS_FOLDER = path.join(".codex", "waylon-smithers", "loops");

/** A loop and where it lives. All paths are absolute. */
export interface LoopPlace extends LoopFiles {
  readonly loopId: string;
  /** the workspace */
  readonly root: string;
}

/** @param stateFile seen from the workspace; null: the default */
export function placeOf(root: string, loopId: string, stateFile: string | null): LoopPlace {
  const file = path.resolve(root, stateFile ?? path.join(LOOPS_FOLDER, `${loopId}.json`));
  const folder = path.join(path.dirname(file), loopId);
  if (file === folder) {
    throw new UsageError([
      {
        code: "STATE_FILE_IS_FOLDER",
        what: `The state file ${stateFile} has the name that the folder of loop ${loopId} needs.`,
        next: `Give the state file an extension: --state-file ${stateFile}.json`,
      },
    ]);
  }
  return { loopId, root, stateFile: file, folder };
}

/** Marks of the processes that a loop's runs start: by these a later run finds what a killed one left. */
export interface Marks {
  /** of all of them */
  readonly all: string;
  readonly agent: string;
  readonly checks: string;
  /** what carries the loop and installs its agent */
  readonly tools: string;
}

/** The same for every run of a loop on this machine. */
export function marksOf(place: LoopPlace): Marks {
  const loop = sha256(place.stateFile).slice(0, 16);
  return { all: loop, agent: `${loop}/agent`, checks: `${loop}/checks`, tools: `${loop}/tools` };
}
