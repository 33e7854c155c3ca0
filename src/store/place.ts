import path from "node:path";
import { UsageError } from "../core/errors.ts";
import { HOME_FOLDER } from "../core/names.ts";
import { sha256 } from "../os/digest.ts";
import type { LoopFiles } from "./loop-files.ts";

/** Default folder of the loops (W-18, C11); relative to the workspace. */
export const LOOPS_FOLDER = path.join(HOME_FOLDER, "loops");

/** A loop and where it lives. All paths are absolute. */
export interface LoopPlace extends LoopFiles {
  readonly loopId: string;
  readonly root: string;
}

/** A loop in a job of the Action, with its files outside the checkout, where no agent can write (C11). */
export interface JobPlace extends LoopPlace {
  /** a folder of the loop through which git works: the token goes through what is there */
  readonly gitFolder: (purpose: string) => string;
  /** a folder for what is needed during the job */
  readonly scratch: (purpose: ScratchPurpose) => string;
}

/** What nobody needs once a job's steps are over. */
const SCRATCH_PURPOSES = ["base", "carried", "closing", "publish-home", "tip", "toolkit"] as const;
type ScratchPurpose = (typeof SCRATCH_PURPOSES)[number];

/** Where post gathers what nothing proves, in the runner's folder for temporary files. */
export const UNPROVED_FOLDER = "smithers-unproved";

/** Where the scratch folders of a job's loops are; absolute. @param temp as `jobPlaceOf` */
export function scratchFolders(temp: string): readonly string[] {
  return SCRATCH_PURPOSES.map((purpose) => path.join(temp, JOB_FOLDER, purpose));
}

const JOB_FOLDER = "smithers";

/**
 * @param temp is emptied when the job ends
 * @param stateFile seen from the workspace; null: outside of the checkout
 */
export function jobPlaceOf(temp: string, root: string, loopId: string, stateFile: string | null): JobPlace {
  const folder = path.join(temp, JOB_FOLDER);
  const own = path.join(folder, "loops", loopId);
  return {
    ...placeOf(root, loopId, stateFile ?? `${own}.json`),
    gitFolder: (purpose) => `${own}.${purpose}`,
    scratch: (purpose) => path.join(folder, purpose),
  };
}

/** @param stateFile seen from the workspace; null: the default */
export function placeOf(root: string, loopId: string, stateFile: string | null): LoopPlace {
  const file = path.resolve(root, stateFile ?? path.join(LOOPS_FOLDER, `${loopId}.json`));
  const folder = path.join(path.dirname(file), loopId);
  if (file === folder) {
    throw new UsageError({
      code: "STATE_FILE_IS_FOLDER",
      what: `The state file ${stateFile} has the name that the folder of loop ${loopId} needs.`,
      next: `Give the state file an extension: --state-file ${stateFile}.json`,
    });
  }
  return { loopId, root, stateFile: file, folder };
}

/** Marks of the processes that a loop's runs start: by these a later run finds what a killed one left. */
export interface Marks {
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

/** A path as people read it: relative when it is in the workspace, else whole. */
export function shownPath(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith("..") || path.isAbsolute(relative) ? file : relative;
}
