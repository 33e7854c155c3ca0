import path from "node:path";
import type { Config } from "../config/config.ts";
import { AGENT_LOG_FILE, EARLIER_PROGRESS_FILE, EVENTS_FILE, HOME_FOLDER, PROGRESS_FILE } from "../core/names.ts";
import { excludeFromGitStatus, trackedAmong } from "../git/status.ts";
import { unfinishedName } from "../os/atomic-file.ts";
import { archiveOf } from "../store/loop-files.ts";
import { prdFolder } from "../prd/folder.ts";
import type { LoopPlace } from "../store/place.ts";
import type { Layout } from "../views/projections/layout.ts";
import { looprRoot } from "./locate.ts";

/** Another tool's state files, and where to write them. */
export interface Projection {
  readonly layout: Layout;
  /** absolute */
  readonly root: string;
}

/** Few ask for one, so that nothing of it is read before. */
const PROJECTIONS: Readonly<
  Record<Config["projections"][number], (place: LoopPlace, config: Config) => Promise<Projection>>
> = {
  async loopr({ root }, { looprRoot: named }) {
    const { LOOPR_LAYOUT: layout } = await import("../views/projections/loopr.ts");
    return { layout, root: await looprRoot(root, named) };
  },
  async ralph({ root }) {
    const { RALPH_LAYOUT: layout } = await import("../views/projections/ralph.ts");
    return { layout, root };
  },
};

/** The projections that the settings ask for (C11). @throws UsageError when the named Loopr root is not there */
export async function projectionsOf(place: LoopPlace, config: Config): Promise<readonly Projection[]> {
  return Promise.all([...new Set(config.projections)].map((name) => PROJECTIONS[name](place, config)));
}

/** Everything that smithers writes into a workspace besides the work, relative to it: never measured, never committed. */
export function unmeasuredPaths(
  place: LoopPlace,
  config: Config,
  generation: number,
  projections: readonly Projection[],
): readonly string[] {
  const projected = projections.flatMap(({ layout, root }) => namesIn(layout).map((name) => path.join(root, name)));
  return [...ownPaths(place, config, generation), ...insideOf(place.root, projected), ...besidePrd(config)];
}

/** What is written into a PRD's folder besides its documents (D-31), seen from the workspace. */
function besidePrd({ backlog, prd }: Config): readonly string[] {
  return backlog !== "prd" || prd === null ? [] : notesOf(prd);
}

/** The same of a PRD by its name. */
export function notesOf(prd: string): readonly string[] {
  const names = [AGENT_LOG_FILE, EVENTS_FILE, PROGRESS_FILE].flatMap((name) => [name, unfinishedName(name)]);
  return [...names, EARLIER_PROGRESS_FILE].map((name) => `${prdFolder(prd)}/${name}`);
}

/**
 * Hides all of that from git.
 *
 * @returns what a person has to know: of what is written, the files that git tracks
 * @throws OperationalError `EXCLUDE_UNWRITABLE`
 */
export async function hideOwnFiles(
  place: LoopPlace,
  config: Config,
  generation: number,
  projections: readonly Projection[],
): Promise<readonly string[]> {
  await excludeFromGitStatus(place.root, ownPaths(place, config, generation));
  const notices: string[] = [];
  // One after the other: they may add to the same file.
  const written = projections.map(({ layout, root }) => ({ root, names: namesIn(layout) }));
  for (const { root, names } of [...written, { root: place.root, names: besidePrd(config) }]) {
    const tracked = await trackedAmong(root, names);
    await excludeFromGitStatus(
      root,
      names.filter((name) => !tracked.includes(name)),
    );
    if (tracked.length > 0) {
      notices.push(
        `git tracks ${tracked.join(", ")}: it is written all the same, and the loop neither measures nor commits it. To have git leave it alone: git rm --cached ${tracked.join(" ")}`,
      );
    }
  }
  return notices;
}

/** What a loop keeps about itself in its workspace, relative to it (C11). */
function ownPaths(place: LoopPlace, config: Config, generation: number): readonly string[] {
  const archived = Array.from({ length: generation - 1 }, (_, index) => archiveOf(place, index + 1));
  const files = [place, ...archived].flatMap(({ stateFile, folder }) => [stateFile, folder]);
  const asked = [config.jsonlEvents, config.lastMessageDir, config.summaryJson].filter((file) => file !== null);
  const inside = insideOf(place.root, [...files, ...asked.map((file) => path.resolve(place.root, file))]);
  return [HOME_FOLDER, ...inside.filter((file) => !file.startsWith(`${HOME_FOLDER}/`))];
}

/** A projection's files, seen from the layout's root, with `/` between their parts. */
function namesIn({ folder, files, logs }: Layout): readonly string[] {
  const replaced = Object.keys(files).flatMap((name) => [name, unfinishedName(name)]);
  return [...replaced, ...Object.keys(logs)].map((name) => (folder === "" ? name : `${folder}/${name}`));
}

/** The files that are in the workspace, relative to it, with `/` between their parts. */
function insideOf(root: string, files: readonly string[]): readonly string[] {
  return files
    .map((file) => path.relative(root, file).split(path.sep).join("/"))
    .filter((file) => file !== "" && !file.startsWith("../") && !path.isAbsolute(file));
}
