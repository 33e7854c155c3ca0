import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { FoundLoop } from "../app/loops/stored-loop.ts";
import type { Shell } from "../app/shell.ts";
import { openBundle, unpackBundle } from "../carry/bundle.ts";
import { decodeManifest, MANIFEST_FILE, MANIFEST_LIMIT } from "../carry/manifest.ts";
import { openZip, type ZipArchive } from "../carry/zip-archive.ts";
import { OperationalError } from "../core/errors.ts";
import { makeOwnFolder, readOwnFile } from "../os/own-file.ts";
import { copyWithout, SecretValues } from "../os/secrets.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { folderOf, replaceState } from "../store/loop-files.ts";
import { placeOf } from "../store/place.ts";
import { briefly } from "../views/plain-text.ts";

/** The variable that the key of sealed artifacts comes in. */
const STATE_KEY = "SMITHERS_STATE_KEY";

/**
 * Lets `work` look at the loop of a downloaded artifact as at one on this machine: in a copy, which is gone afterwards.
 * Only what the artifact's own manifest names is copied, and compared with it, at most as much as a bundle may hold.
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
    const archive = await opened(artifact);
    try {
      const found = await unpacked(artifact, { archive, copy, folder }, env).catch((error: unknown) => {
        throw atTerminal(error, artifact);
      });
      return await work(found);
    } finally {
      await archive.close();
    }
  });
}

interface Copying {
  readonly archive: ZipArchive;
  /** where the artifact's files are put */
  readonly copy: string;
  /** a temporary folder, around `copy` */
  readonly folder: string;
}

async function unpacked(artifact: string, { archive, copy, folder }: Copying, env: Shell["env"]): Promise<FoundLoop> {
  const loopId = await loopIn(artifact, copy, archive);
  const bundle = await openBundle({ folder: copy, loopId, named: null, where: artifact, archive });
  const { state } = bundle.record;
  const place = placeOf(path.join(folder, "workspace"), loopId, null);
  await mkdir(place.root);
  await makeOwnFolder(await folderOf(place));
  const key = env[STATE_KEY] ?? "";
  const to = { root: place.root, folder: place.folder, sessionsFolder: null };
  await unpackBundle(bundle, { to, state, key: key === "" ? null : key });
  await replaceState(place, state);
  return { place, state, alive: false };
}

async function opened(artifact: string): Promise<ZipArchive> {
  try {
    return (await stat(artifact)).isFile() ? await openZip(artifact) : folderAsArchive(artifact);
  } catch (error) {
    throw unreadable(artifact, briefly(error));
  }
}

/** An unpacked archive: as of a zip, only files that are asked for are read, up to a length. */
function folderAsArchive(from: string): ZipArchive {
  return {
    extract: async (name, to, limit) => {
      const target = path.join(to, name);
      await mkdir(path.dirname(target), { recursive: true });
      return copyWithout(SecretValues.none, path.join(from, name), target, limit);
    },
    close: async () => {},
  };
}

/** The id of the loop that the artifact says it is. */
async function loopIn(artifact: string, copy: string, archive: ZipArchive): Promise<string> {
  await archive.extract(MANIFEST_FILE, copy, MANIFEST_LIMIT).catch(() => undefined);
  const text = await readOwnFile(path.join(copy, MANIFEST_FILE), MANIFEST_LIMIT).catch(() => undefined);
  if (text === undefined) throw unreadable(artifact, `there is no ${MANIFEST_FILE} in it`);
  // It is read once more, with its files, and the two have to be equal.
  return decodeManifest(text, artifact).record.loop_id;
}

/** What a person at a terminal has to know; a bundle's own words are for a job. */
function atTerminal(error: unknown, artifact: string): unknown {
  if (!(error instanceof OperationalError)) return error;
  const { code, message } = error;
  if (code === "RECORD_DAMAGED") return new OperationalError({ code, what: message, next: AGAIN }, { cause: error });
  if (code === "STATE_NEWER") return new OperationalError({ code, what: message, next: UPDATE }, { cause: error });
  if (code !== "BUNDLE_SEALED" && code !== "BUNDLE_KEY") return error;
  const why = code === "BUNDLE_SEALED" ? `${STATE_KEY} is not set` : `the key in ${STATE_KEY} does not open it`;
  return new OperationalError(
    {
      code,
      what: `${artifact} is encrypted with a state-key, and ${why}. It was not changed, and nothing was written.`,
      next: `Set ${STATE_KEY} to the state-key that the loop's workflow has, and repeat the command.`,
    },
    { cause: error },
  );
}

const AGAIN = "Download the loop's artifact again; it is called smithers-, the loop's id, the run and its attempt.";
const UPDATE = "Update smithers to the version that wrote it, and repeat the command.";

function unreadable(artifact: string, why: string): OperationalError {
  return new OperationalError({
    code: "ARTIFACT_UNREADABLE",
    what: `${artifact} cannot be read: ${why}. It was not changed.`,
    next: AGAIN,
  });
}
