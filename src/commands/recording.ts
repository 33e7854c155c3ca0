import { cp, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { FoundLoop } from "../app/loops/stored-loop.ts";
import type { Shell } from "../app/shell.ts";
import { openBundle, unpackBundle } from "../carry/bundle.ts";
import { decodeManifest, MANIFEST_FILE, MANIFEST_LIMIT } from "../carry/manifest.ts";
import { openZip, type ZipArchive } from "../carry/zip-archive.ts";
import { OperationalError } from "../core/errors.ts";
import { makeOwnFolder, readOwnFile } from "../os/own-file.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { folderOf, replaceState } from "../store/loop-files.ts";
import { placeOf } from "../store/place.ts";
import { briefly } from "../views/plain-text.ts";

const WHERE = "the artifact";
/** The variable that the key of sealed artifacts comes in. */
const STATE_KEY = "SMITHERS_STATE_KEY";

/**
 * Lets `work` look at the loop of a downloaded artifact as at one on this machine: in a copy, which is gone afterwards.
 * Every file is compared with the artifact's own manifest first.
 *
 * @param artifact a folder or a zip, absolute
 * @throws OperationalError when it cannot be read, was altered, or is sealed and the key is not given
 */
export async function inRecording<T>(
  artifact: string,
  { env }: Shell,
  work: (found: FoundLoop) => Promise<T>,
): Promise<T> {
  return inTempFolder(async (folder) => {
    const copy = path.join(folder, "bundle");
    const archive = await opened(artifact, copy);
    try {
      const loopId = await loopIn(copy, archive);
      const holding = archive === undefined ? {} : { archive };
      const bundle = await openBundle({ folder: copy, loopId, named: null, where: WHERE, ...holding });
      const { state } = bundle.record;
      const place = placeOf(path.join(folder, "workspace"), loopId, null);
      await mkdir(place.root);
      await makeOwnFolder(await folderOf(place));
      const key = env[STATE_KEY] ?? "";
      const to = { root: place.root, folder: place.folder, sessionsFolder: null };
      await unpackBundle(bundle, { to, state, key: key === "" ? null : key }).catch((error: unknown) => {
        throw lockedOr(error, artifact);
      });
      await replaceState(place, state);
      return await work({ place, state, alive: false });
    } finally {
      await archive?.close();
    }
  });
}

/** What holds the artifact's files; undefined: they are in `copy` now. */
async function opened(artifact: string, copy: string): Promise<ZipArchive | undefined> {
  try {
    if ((await stat(artifact)).isFile()) return await openZip(artifact);
    await cp(artifact, copy, { recursive: true, verbatimSymlinks: true });
    return undefined;
  } catch (error) {
    throw unreadable(artifact, briefly(error));
  }
}

/** The id of the loop that the artifact says it is. */
async function loopIn(copy: string, archive: ZipArchive | undefined): Promise<string> {
  await archive?.extract(MANIFEST_FILE, copy, MANIFEST_LIMIT).catch(() => undefined);
  const text = await readOwnFile(path.join(copy, MANIFEST_FILE), MANIFEST_LIMIT).catch(() => undefined);
  if (text === undefined) throw unreadable(WHERE, `there is no ${MANIFEST_FILE} in it`);
  // It is read once more, with its files, and the two have to be equal.
  return decodeManifest(text, WHERE).record.loop_id;
}

/** Tells a person at a terminal about the key; the bundle's own words are for a job. */
function lockedOr(error: unknown, artifact: string): unknown {
  if (!(error instanceof OperationalError) || !(error.code === "BUNDLE_SEALED" || error.code === "BUNDLE_KEY"))
    return error;
  const why = error.code === "BUNDLE_SEALED" ? `${STATE_KEY} is not set` : `the key in ${STATE_KEY} does not open it`;
  return new OperationalError(
    {
      code: error.code,
      what: `${artifact} is encrypted with a state-key, and ${why}. It was not changed, and nothing was written.`,
      next: `Set ${STATE_KEY} to the state-key that the loop's workflow has, and repeat the command.`,
    },
    { cause: error },
  );
}

function unreadable(artifact: string, why: string): OperationalError {
  return new OperationalError({
    code: "ARTIFACT_UNREADABLE",
    what: `${artifact} cannot be read: ${why}. It was not changed.`,
    next: "Download the loop's artifact again; it is called smithers-loop- and the loop's id.",
  });
}
