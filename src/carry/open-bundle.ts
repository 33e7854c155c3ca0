import path from "node:path";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, mkdtemp, open, rename, rm } from "node:fs/promises";
import type { BulkPointer, Bundle, Restored } from "../core/carry.ts";
import { digestFile, sha256 } from "../os/digest.ts";
import { inBatches } from "../os/concurrency.ts";
import {
  SESSIONS,
  decodeManifest,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_LIMIT,
  STATE_COPY,
  storedName,
} from "./manifest.ts";
import { recordDamaged } from "../store/carried-record.ts";
import { OperationalError } from "../core/errors.ts";
import { AGENT_STATE, WORK_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { SealError, unsealFile } from "../os/seal.ts";
import { isSessionFile } from "../agents/registry.ts";
import type { LoopPlaces } from "./bundle.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface OpenOptions {
  /** what a carrier has restored; absolute */
  readonly folder: string;
  readonly loopId: string;
  /** what the bundle has to be; null: whichever holds in itself */
  readonly named: BulkPointer | null;
  /** the carrier's name, for the errors */
  readonly where: string;
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
async function readManifest(
  options: Pick<OpenOptions, "folder" | "named" | "where">,
): Promise<{ manifest: Manifest; digest: string }> {
  const { folder, named, where } = options;
  const text = await readBounded(path.join(folder, MANIFEST_FILE)).catch(() => undefined);
  if (text === undefined) {
    throw recordDamaged(where, `there is no ${MANIFEST_FILE} of at most ${MANIFEST_LIMIT} bytes in it`);
  }
  const digest = sha256(text);
  if (named !== null && digest !== named.digest)
    throw recordDamaged(where, "it has another digest than the record names");
  return { manifest: decodeManifest(text, where), digest };
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

/**
 * The answer for something that was found and does not hold.
 *
 * @param consequence what a person has to know first
 */
export function refusal(error: unknown, consequence: string): Restored & { found: false } {
  const newer = error instanceof OperationalError && error.code === "STATE_NEWER";
  const told = error instanceof OperationalError ? `${error.message}${newer ? ` ${error.next}` : ""}` : String(error);
  return { found: false, because: newer ? "newer" : "refused", why: `${consequence}. ${told}` };
}

export interface UnpackOptions {
  readonly to: Pick<LoopPlaces, "folder" | "sessionsFolder">;
  /** the state that the loop goes on from; it may be newer than the bundle's */
  readonly state: LoopState;
  /** the `state-key`; null: none is set */
  readonly key: string | null;
}

/** What is in place now. */
export interface Unpacked {
  readonly loopFiles: number;
  /** whether the agent can go on in its own session */
  readonly session: boolean;
  /** whether the unfinished work is among the files, and whether it came sealed; null: it is not */
  readonly work: "plain" | "sealed" | null;
}

/**
 * Moves the files of a verified bundle to their places: all of them or, when one cannot be opened, none. The state file
 * is not among them. Nothing is put in place that is newer than `state` or of another generation; the session only when the
 * bundle is of the very revision, for an older one would contradict the work tree.
 *
 * @throws OperationalError `BUNDLE_SEALED` or `BUNDLE_KEY`: the bundle cannot be opened, nothing was put in place
 */
export async function unpackBundle(bundle: Bundle, options: UnpackOptions): Promise<Unpacked> {
  const { folder, record } = bundle;
  const { state, key } = options;
  if (record.generation !== state.generation || record.revision > state.revision) return NOTHING;
  const { manifest } = await readManifest({ folder, named: null, where: "the bundle" });
  if (manifest.sealed && key === null) throw locked("BUNDLE_SEALED", SEALED);
  const loopFiles = manifest.files.map((file) => file.path).filter((name) => name.startsWith("loop/"));
  const targets = [
    ...loopFiles
      .filter((name) => name !== STATE_COPY)
      .map((name) => ({ name, to: path.join(options.to.folder, path.posix.basename(name)) })),
    ...sessionTargets(manifest, options),
  ];
  const plain = await mkdtemp(path.join(folder, "plain-"));
  try {
    const moves: { from: string; to: string }[] = [];
    for (const [index, { name, to }] of targets.entries()) {
      const stored = path.join(folder, storedName(name, manifest.sealed));
      const from = manifest.sealed && key !== null ? await opened(key, stored, path.join(plain, `${index}`)) : stored;
      moves.push({ from, to });
    }
    for (const { from, to } of moves) await place(from, to);
  } finally {
    await rm(plain, { recursive: true, force: true });
  }
  const sessions = targets.filter(({ name }) => name.startsWith(SESSIONS)).length;
  const hasWork = loopFiles.includes(`loop/${WORK_FILE}`);
  const work = hasWork ? (manifest.sealed ? "sealed" : "plain") : null;
  return { loopFiles: targets.length - sessions, session: sessions > 0, work };
}

const SEALED = "The loop's files are sealed with a state-key, and this run has none";
const NOTHING: Unpacked = { loopFiles: 0, session: false, work: null };

function sessionTargets(manifest: Manifest, { to, state }: UnpackOptions): { name: string; to: string }[] {
  const { sessionsFolder } = to;
  const sessionId = state[AGENT_STATE].session_id;
  if (sessionsFolder === null || sessionId === null || manifest.record.revision !== state.revision) return [];
  return manifest.files
    .map((file) => file.path)
    .filter((name) => name.startsWith(SESSIONS) && isSessionFile(name.slice(SESSIONS.length), sessionId))
    .map((name) => ({ name, to: path.join(sessionsFolder, name.slice(SESSIONS.length)) }));
}

/** Where the file's plain content is. */
async function opened(key: string, stored: string, plain: string): Promise<string> {
  try {
    await unsealFile(key, stored, plain);
    return plain;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw locked("BUNDLE_KEY", `The loop's files cannot be opened: ${error.message}`, error);
  }
}

function locked(code: string, what: string, cause?: unknown): OperationalError {
  return new OperationalError(
    {
      code,
      what: `${what}. Nothing was put in place; the state is unharmed.`,
      next: "Give the state-key that the last run had, to have its logs and its session again.",
    },
    { cause },
  );
}

/** Readers of `to` see the old file or the new one. What has a second name is copied: it could be changed by it. */
async function place(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  const { nlink } = await lstat(from);
  if (nlink === 1 && (await isRenamed(from, to))) return;
  const temporary = path.join(path.dirname(to), `.${path.basename(to)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await copyFile(from, temporary, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Not so from one file system to another. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    () => false,
  );
}
