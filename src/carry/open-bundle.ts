import path from "node:path";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { BulkPointer, Bundle } from "../core/carry.ts";
import { sha256 } from "../os/digest.ts";
import { digestFile } from "./file-digest.ts";
import { inBatches } from "./in-batches.ts";
import { decodeManifest, MANIFEST_FILE, MANIFEST_LIMIT, type Manifest, storedName } from "./manifest.ts";
import { type ParseState, recordDamaged } from "./record-schema.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface OpenOptions {
  /** what a carrier has restored; absolute */
  readonly folder: string;
  readonly loopId: string;
  /** what the bundle has to be; null: whichever holds in itself */
  readonly named: BulkPointer | null;
  /** the carrier's name, for the errors */
  readonly where: string;
  readonly parseState: ParseState;
  /** what holds the bundle's files; without it they lie in the folder */
  readonly archive?: ZipArchive;
}

/**
 * Verifies what a carrier has restored: the manifest against what names it, every file against the manifest (T14).
 * Whatever else lies in the folder or the archive is never looked at.
 *
 * @throws OperationalError `STATE_NEWER` or `RECORD_DAMAGED`
 */
export async function openBundle(options: OpenOptions): Promise<Bundle> {
  const { folder, loopId, named, where, archive } = options;
  await archive?.extract(MANIFEST_FILE, folder, MANIFEST_LIMIT).catch(() => undefined);
  const { manifest, digest } = await readManifest(options);
  if (manifest.record.loop_id !== loopId) throw recordDamaged(where, "it belongs to another loop");
  if (named !== null && manifest.record.revision !== named.revision) {
    throw recordDamaged(where, `it is of revision ${manifest.record.revision}, not of ${named.revision}`);
  }
  await inBatches(manifest.files, async (file) => {
    const stored = storedName(file.path, manifest.sealed);
    const digesting = archive?.extract(stored, folder, file.bytes) ?? digestFile(path.join(folder, stored), file.bytes);
    const found = await digesting.catch(() => undefined);
    if (found === undefined) throw recordDamaged(where, `its file ${file.path} is missing or has another length`);
    if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
      throw recordDamaged(where, `its file ${file.path} is not what was saved`);
    }
  });
  return { folder, digest, record: manifest.record };
}

/**
 * The manifest of a bundle, with the digest of its text.
 *
 * @throws OperationalError `STATE_NEWER` or `RECORD_DAMAGED`
 */
export async function readManifest(
  options: Pick<OpenOptions, "folder" | "named" | "where" | "parseState">,
): Promise<{ manifest: Manifest; digest: string }> {
  const { folder, named, where, parseState } = options;
  const text = await readBounded(path.join(folder, MANIFEST_FILE)).catch(() => undefined);
  if (text === undefined) {
    throw recordDamaged(where, `there is no ${MANIFEST_FILE} of at most ${MANIFEST_LIMIT} bytes in it`);
  }
  const digest = sha256(text);
  if (named !== null && digest !== named.digest)
    throw recordDamaged(where, "it has another digest than the record names");
  return { manifest: decodeManifest(text, where, parseState), digest };
}

async function readBounded(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= MANIFEST_LIMIT ? await handle.readFile("utf8") : undefined;
  } finally {
    await handle.close();
  }
}
