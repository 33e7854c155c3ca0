import path from "node:path";
import type { Config } from "../config/config.ts";
import { HOME_FOLDER } from "../core/names.ts";
import { archiveOf } from "../store/loop-files.ts";
import type { LoopPlace } from "../store/place.ts";
import { projectedPaths, type Projection } from "./projections.ts";

/** What a loop keeps of itself in its workspace, relative to it: never measured, never committed (C11). */
export function ownPaths(place: LoopPlace, config: Config, generation: number): readonly string[] {
  const archived = Array.from({ length: generation - 1 }, (_, index) => archiveOf(place, index + 1));
  const files = [place, ...archived].flatMap(({ stateFile, folder }) => [stateFile, folder]);
  const asked = [config.jsonlEvents, config.lastMessageDir, config.summaryJson].filter((file) => file !== null);
  const inside = insideOf(place.root, [...files, ...asked.map((file) => path.resolve(place.root, file))]);
  return [HOME_FOLDER, ...inside.filter((file) => !file.startsWith(`${HOME_FOLDER}/`))];
}

/** All that smithers writes into a workspace besides the work itself, relative to it. */
export function unmeasuredPaths(
  place: LoopPlace,
  config: Config,
  generation: number,
  projections: readonly Projection[],
): readonly string[] {
  return [...ownPaths(place, config, generation), ...insideOf(place.root, projectedPaths(projections))];
}

/** Those of the files that lie in the workspace, relative to it, with `/` between their parts. */
function insideOf(root: string, files: readonly string[]): readonly string[] {
  return files
    .map((file) => path.relative(root, file).split(path.sep).join("/"))
    .filter((file) => file !== "" && !file.startsWith("../") && !path.isAbsolute(file));
}
