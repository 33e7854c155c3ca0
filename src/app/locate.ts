import { stat } from "node:fs/promises";
import path from "node:path";
import type { ForeignFile } from "../config/foreign.ts";
import { readConfigFile, readSaid, type ConfigFile, type Flags } from "../config/read.ts";
import { locateConfigFile, resolveSettings } from "../config/resolve.ts";
import { type Problem, UsageError } from "../core/errors.ts";
import { locateForeign, readOptional } from "./locate-foreign.ts";
import { settingPlaces } from "./setting-places.ts";
import type { Shell } from "./shell.ts";

/** The little that every command has to know first: where the workspace is and which loop is meant. */
export interface Location {
  /** the workspace, absolute */
  readonly root: string;
  readonly configFile?: ConfigFile;
  /** the configuration files of other systems that are in use */
  readonly foreign: readonly ForeignFile[];
  readonly loopId: string | null;
  /** seen from the workspace */
  readonly stateFile: string | null;
}

const LOCATING = ["cd", "loop-id", "state-file", "config-file"];

/**
 * Finds the workspace and the loop that a command is about. Mistakes in other settings do not matter here, so that a
 * running loop can be stopped whatever its settings look like now.
 *
 * @throws UsageError with every problem there is, when the workspace or a named config file is not there, or when an id
 * or path is refused
 */
export async function locate(flags: Flags, shell: Shell): Promise<Location> {
  const places = settingPlaces(flags, shell);
  const { cd, path: file, named } = locateConfigFile(flags, shell.env, shell.inputs);
  const root = path.resolve(shell.cwd, cd ?? ".");
  const said = readSaid(places);
  const mistakes = said.flatMap((reading) => reading.problems);
  if (!(await isFolder(root))) throw new UsageError([missingWorkspace(root), ...mistakes]);
  const text = await readOptional(path.resolve(root, file), "--config-file");
  if (text === undefined && named) throw new UsageError([missingConfigFile(file, root), ...mistakes]);
  const configFile = text === undefined ? undefined : { path: file, text };
  const readings = [...said, readConfigFile(configFile)];
  if (readings.some((reading) => LOCATING.some((name) => reading.refused.has(name)))) {
    // Throws, for there are mistakes, and tells all of them at once.
    resolveSettings({ ...places, ...(configFile === undefined ? {} : { file: configFile }) });
  }
  const given = (name: string): string | null => {
    const value = readings.map((reading) => reading.given.get(name)?.value).find((found) => found !== undefined);
    return typeof value === "string" ? value : null;
  };
  return {
    root,
    ...(configFile === undefined ? {} : { configFile }),
    foreign: await locateForeign(root, { readings, env: shell.env }),
    loopId: given("loop-id"),
    stateFile: given("state-file"),
  };
}

async function isFolder(root: string): Promise<boolean> {
  return (await stat(root).catch(() => undefined))?.isDirectory() === true;
}

function missingWorkspace(root: string): Problem {
  return {
    code: "WORKSPACE_MISSING",
    what: `The workspace ${root} does not exist or is no folder.`,
    next: "Name a folder with --cd, or leave it out to work in the current one.",
  };
}

function missingConfigFile(file: string, root: string): Problem {
  return {
    code: "CONFIG_FILE_MISSING",
    what: `There is no config file ${file} in ${root}.`,
    next: "Correct the path, which is seen from the workspace, or leave --config-file out.",
  };
}
