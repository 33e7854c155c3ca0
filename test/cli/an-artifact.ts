import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gatherBundle } from "../../src/carry/bundle.ts";
import type { LoopState } from "../../src/core/state.ts";
import { placeOf } from "../../src/store/place.ts";
import { readState } from "../../src/store/state-file.ts";
import { aRecord } from "../carry/a-loop.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { zipped } from "../support/zip.ts";

interface ArtifactOptions {
  /** the state-key; absent: it is not encrypted */
  readonly seal?: string;
  /** what its state says otherwise */
  readonly state?: Partial<LoopState>;
}

/** The artifact that a job would have left of a loop, as `gh run download` unpacks it. @returns the folder */
export async function artifactOf(
  root: string,
  loopId: string,
  into: string,
  { seal, state: other }: ArtifactOptions = {},
): Promise<string> {
  const { stateFile, folder } = placeOf(root, loopId, null);
  const found = await readState(stateFile);
  if (found === undefined) throw new Error(`there is no loop ${loopId} in ${root}`);
  const state = { ...found, ...other };
  const record = aRecord(state.revision, { loop_id: loopId, generation: state.generation, state });
  const places = { stateFile, folder, sessionsFolder: null };
  return (await gatherBundle({ places, record, into, seal: seal ?? null, secrets: [] })).folder;
}

/** The same, as a browser saves it. @param file the zip to write, absolute */
export async function zipOf(root: string, loopId: string, file: string): Promise<void> {
  await using temp = await tempFolder();
  await writeFile(file, zipped(await contentsOf(await artifactOf(root, loopId, path.join(temp.path, "artifact")))));
}

/** The files of a folder, by their paths in it. */
export async function contentsOf(folder: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [path.relative(folder, file), await readFile(file)] as const);
  return Object.fromEntries(await Promise.all(read));
}
