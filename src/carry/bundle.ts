import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isSessionFile } from "../agents/registry.ts";
import type { BulkPointer, Bundle, CarriedRecord } from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";
import {
  AGENT_LOG_FILE,
  changesName,
  checksName,
  promptName,
  AGENT_STATE,
  COMMITS_FILE,
  EVENTS_FILE,
  PATCH_FILE,
  lastMessageName,
  PROGRESS_FILE,
  PROMPT_FILE,
  PUBLICATION_FILE,
  rawEventsName,
  REPORT_FILE,
  reviewEventsName,
  reviewMessageName,
  STORY_PATCH,
  SUMMARY_FILE,
  TESTS_FILE,
  UNDONE_FILE,
  WORK_FILE,
} from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { inBatches } from "../os/concurrency.ts";
import { digestFile, sha256 } from "../os/digest.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, type OwnFolder, ownFolder, readOwnFile } from "../os/own-file.ts";
import { SealError, sealFile, unsealFile } from "../os/seal.ts";
import { copyWithout, SecretValues } from "../os/secrets.ts";
import { recordDamaged } from "../store/carried-record.ts";
import {
  type CopyOrigin,
  type CopyTrust,
  MAC_FILE,
  MAC_LIMIT,
  macOf,
  refuseStranger,
  refuseUnproved,
} from "./copy-trust.ts";
import {
  BUNDLE_LIMITS,
  type CarriedFile,
  decodeManifest,
  encodeManifest,
  isCarried,
  isHandedOver,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_LIMIT,
  SESSIONS,
  STATE_COPY,
  storedName,
} from "./manifest.ts";
import type { ZipArchive } from "./zip-archive.ts";

/** Where a loop's files are on this machine; absolute paths. */
export interface LoopPlaces {
  /** the workspace: no link below it is followed (T14); undefined: the loop's folder lies elsewhere */
  readonly root?: string;
  readonly stateFile: string;
  /** the loop's folder */
  readonly folder: string;
  /** where the agent keeps its sessions; null: it has none that can travel */
  readonly sessionsFolder: string | null;
}

export interface GatherOptions {
  readonly places: LoopPlaces;
  readonly record: CarriedRecord;
  /** a folder of our own, absolute; what is in it is replaced */
  readonly into: string;
  /** the `state-key`; null: the files travel as they are (T16) */
  readonly seal: string | null;
  /** values that no file that travels may hold, unless it is sealed */
  readonly secrets: readonly string[];
  readonly origin?: CopyOrigin;
}

/** A bundle, and the paths of what was too much for it. */
export interface GatheredBundle extends Bundle {
  readonly leftOut: readonly string[];
}

/**
 * Gathers a loop's files for the carriers: copies, so that they cannot change afterwards, with a manifest that proves
 * each of them. Only reads the loop's own files and its session file; skips links. Leaves out what would not be
 * restored: the logs of the oldest iterations first.
 *
 * @throws the file system's own error; OperationalError `RECORD_TOO_LARGE`
 */
export async function gatherBundle({ places, into, seal, ...options }: GatherOptions): Promise<GatheredBundle> {
  const secrets = new SecretValues(options.secrets);
  const record: CarriedRecord = { ...options.record, bulk: null };
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  const gather = async (folder: string | null) => {
    const { fitting, leftOut } = await fit(await candidates({ ...places, folder }, record.state));
    return { leftOut, files: await inBatches(fitting, (candidate) => take(candidate, into, seal, secrets)) };
  };
  const { files, leftOut } = (await inOwnFolderIfThere(await loopFolder(places), gather)) ?? (await gather(null));
  const origin = options.origin ?? null;
  const manifest = encodeManifest({ schema: 1, record, sealed: seal !== null, origin, files });
  const digest = sha256(manifest);
  await writeFile(path.join(into, MANIFEST_FILE), manifest, { flag: "wx" });
  if (seal !== null) await writeFile(path.join(into, MAC_FILE), macOf(seal, digest), { flag: "wx" });
  return { folder: into, digest, record, leftOut };
}

async function loopFolder({ root, folder }: Pick<LoopPlaces, "root" | "folder">): Promise<OwnFolder> {
  return ownFolder(root ?? path.dirname(folder), folder);
}

const WORK = `loop/${WORK_FILE}`;
/** Compressed, and looked through before they were made. */
const PACKED: ReadonlySet<string> = new Set([WORK, `loop/${COMMITS_FILE}`]);

/** More than sealing adds to a file, in bytes. */
const SEAL_BYTES = 128;

/** A file by its path in the bundle, and where it is on this machine. */
interface Candidate {
  readonly path: string;
  readonly source: string;
}

/** What there is of the candidates, and fits into a bundle. */
async function fit(all: readonly Candidate[]): Promise<{ fitting: Candidate[]; leftOut: string[] }> {
  const fitting: Candidate[] = [];
  const leftOut: string[] = [];
  let left: number = BUNDLE_LIMITS.bytes;
  for (const candidate of all) {
    const found = await lstat(candidate.source).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    const bytes = found.size + SEAL_BYTES;
    const fits = fitting.length < BUNDLE_LIMITS.files && bytes <= left;
    if (fits) fitting.push(candidate);
    else leftOut.push(candidate.path);
    left -= fits ? bytes : 0;
  }
  return { fitting, leftOut };
}

async function take(
  { path: name, source }: Candidate,
  into: string,
  seal: string | null,
  secrets: SecretValues,
): Promise<CarriedFile> {
  const target = path.join(into, storedName(name, seal !== null));
  await mkdir(path.dirname(target), { recursive: true });
  if (seal !== null) await sealFile(seal, source, target, BUNDLE_LIMITS.bytes);
  const looked = PACKED.has(name) ? SecretValues.none : secrets;
  const digested = await (seal === null
    ? copyWithout(looked, source, target, BUNDLE_LIMITS.bytes)
    : digestFile(target, BUNDLE_LIMITS.bytes));
  if (digested === undefined || digested.bytes > BUNDLE_LIMITS.bytes) {
    throw new Error(`${source} grew while it was gathered.`);
  }
  return { path: name, ...digested };
}

/** What may travel, the most important first. @param places `folder` is null where there is none */
async function candidates(
  { stateFile, folder, sessionsFolder }: Omit<LoopPlaces, "folder"> & { readonly folder: string | null },
  state: LoopState,
): Promise<Candidate[]> {
  const present = new Set(folder === null ? [] : await readdir(folder));
  const iterations = [...present].map((name) => Number(ITERATION.exec(name)?.[1] ?? 0)).filter((n) => n > 0);
  const newestFirst = [...new Set(iterations)].toSorted((a, b) => b - a);
  const names = [
    ...[PUBLICATION_FILE, COMMITS_FILE, WORK_FILE, PATCH_FILE, EVENTS_FILE],
    ...[PROGRESS_FILE, PROMPT_FILE, TESTS_FILE, SUMMARY_FILE, REPORT_FILE, AGENT_LOG_FILE],
    ...[...present].filter((name) => STORY_PATCH.test(name) || UNDONE_FILE.test(name)).toSorted(),
    ...newestFirst.flatMap((iteration) => [
      ...[lastMessageName, reviewMessageName, changesName, checksName, promptName].map((name) => name(iteration)),
      ...[rawEventsName(iteration), reviewEventsName(iteration)],
    ]),
    checksName(0),
  ].filter((name) => present.has(name));
  return [
    { path: STATE_COPY, source: stateFile },
    ...(await sessionFiles(sessionsFolder, state[AGENT_STATE].session_id)),
    ...names.map((name) => ({ path: `loop/${name}`, source: path.join(folder ?? "", name) })),
  ].filter((candidate) => isCarried(candidate.path));
}

const ITERATION = /^(?:events|review|(?:last|review)_message|prompt|changes|checks)_iter_([1-9]\d{0,8})\./u;

/** Whether the session that a state names is on this machine; true where it has none, or nobody knows where they are. */
export async function hasSession({ sessionsFolder }: LoopPlaces, state: LoopState): Promise<boolean> {
  const { session_id: id } = state[AGENT_STATE];
  return sessionsFolder === null || id === null || (await sessionFiles(sessionsFolder, id)).length > 0;
}

/** The file of the loop's own session, by its name, anywhere below the folder. */
async function sessionFiles(folder: string | null, sessionId: string | null): Promise<Candidate[]> {
  if (folder === null || sessionId === null) return [];
  const names = (await unlessMissing(readdir(folder, { recursive: true }))) ?? [];
  return names
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => isSessionFile(name, sessionId))
    .map((name) => ({ path: `${SESSIONS}${name}`, source: path.join(folder, name) }));
}

export interface OpenOptions {
  /** what a carrier has restored; absolute */
  readonly folder: string;
  readonly loopId: string;
  /** what the bundle has to be; null: any that matches its own manifest */
  readonly named: BulkPointer | null;
  /** the carrier's name, for the errors */
  readonly where: string;
  /** what a copy has to be that nothing names, and the carrier that it is from; absent: nothing but whole */
  readonly trust?: CopyTrust | undefined;
  /** what holds the bundle's files; without it they are in the folder */
  readonly archive?: ZipArchive;
}

/**
 * Verifies what a carrier has restored: the manifest against what names it, every file against the manifest (T14).
 * Nothing else in the folder or the archive is read.
 *
 * @throws OperationalError `STATE_NEWER` or `RECORD_DAMAGED`
 */
export async function openBundle({ folder, loopId, named, where, archive, trust }: OpenOptions): Promise<Bundle> {
  await archive?.extract(MANIFEST_FILE, folder, MANIFEST_LIMIT).catch(() => undefined);
  if (trust !== undefined) await archive?.extract(MAC_FILE, folder, MAC_LIMIT).catch(() => undefined);
  const { manifest, digest } = await readManifest(folder, where, named, trust);
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

/** Whether a verified bundle is one that a job has handed over to the one that publishes. */
export async function isForPublishing({ folder }: Pick<Bundle, "folder">): Promise<boolean> {
  const { manifest } = await readManifest(folder, "the bundle", null);
  return manifest.files.some(({ path: name }) => isHandedOver(name));
}

async function readManifest(
  folder: string,
  where: string,
  named: BulkPointer | null,
  trust?: OpenOptions["trust"],
): Promise<{ manifest: Manifest; digest: string }> {
  const text = await readOwnFile(path.join(folder, MANIFEST_FILE), MANIFEST_LIMIT).catch(() => undefined);
  if (text === undefined) {
    throw recordDamaged(where, `there is no ${MANIFEST_FILE} of at most ${MANIFEST_LIMIT} bytes in it`);
  }
  const digest = sha256(text);
  if (named !== null && digest !== named.digest)
    throw recordDamaged(where, "it has another digest than the record names");
  // What nobody with the key has made is not even read.
  if (trust !== undefined && trust.key !== null) await refuseUnproved(folder, where, trust.key, digest);
  const manifest = decodeManifest(text, where);
  if (trust !== undefined) refuseStranger(manifest.origin, where, trust);
  return { manifest, digest };
}

export interface UnpackOptions {
  readonly to: Pick<LoopPlaces, "root" | "folder" | "sessionsFolder">;
  /** the state that the loop goes on from; it may be newer than the bundle's */
  readonly state: LoopState;
  /** the `state-key`; null: none is set */
  readonly key: string | null;
  /** whether this is the job that publishes, for which some files are alone */
  readonly publishes?: boolean;
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
export async function unpackBundle({ folder, record }: Bundle, options: UnpackOptions): Promise<Unpacked> {
  const { state, key, to } = options;
  if (record.generation !== state.generation || record.revision > state.revision)
    return { loopFiles: 0, session: false, work: null };
  const { manifest } = await readManifest(folder, "the bundle", null);
  if (manifest.sealed && key === null) throw locked("BUNDLE_SEALED", SEALED);
  const loopFiles = manifest.files.map((file) => file.path).filter((name) => name.startsWith("loop/"));
  const own = await loopFolder(to);
  const loopTargets = loopFiles
    .filter((name) => name !== STATE_COPY && (options.publishes === true || !isHandedOver(name)))
    .map((name) => ({ name, into: own, as: path.posix.basename(name) }));
  const sessions = sessionTargets(manifest, options);
  const plain = await mkdtemp(path.join(folder, "plain-"));
  try {
    const moves: { from: string; into: OwnFolder; as: string }[] = [];
    for (const [index, { name, ...target }] of [...loopTargets, ...sessions].entries()) {
      const stored = path.join(folder, storedName(name, manifest.sealed));
      const from = manifest.sealed && key !== null ? await opened(key, stored, path.join(plain, `${index}`)) : stored;
      moves.push({ from, ...target });
    }
    for (const { from, into, as } of moves) await inOwnFolder(into, (at) => place(from, path.join(at, as)));
  } finally {
    await rm(plain, { recursive: true, force: true });
  }
  const work = loopFiles.includes(WORK) ? (manifest.sealed ? "sealed" : "plain") : null;
  return { loopFiles: loopTargets.length, session: sessions.length > 0, work };
}

const SEALED = "The loop's files are sealed with a state-key, and this run has none";

interface Target {
  readonly name: string;
  readonly into: OwnFolder;
  readonly as: string;
}

function sessionTargets({ files, record }: Manifest, { to, state }: UnpackOptions): readonly Target[] {
  const { sessionsFolder } = to;
  const sessionId = state[AGENT_STATE].session_id;
  if (sessionsFolder === null || sessionId === null || record.revision !== state.revision) return [];
  return files
    .filter((file) => file.path.startsWith(SESSIONS))
    .map((file) => ({ name: file.path, below: file.path.slice(SESSIONS.length) }))
    .filter(({ below }) => isSessionFile(below, sessionId))
    .map(({ name, below }) => {
      const { dir, base } = path.posix.parse(below);
      return { name, into: { root: sessionsFolder, path: path.join(sessionsFolder, dir) }, as: base };
    });
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
  const { nlink } = await lstat(from);
  // It cannot be renamed from one file system to another.
  const moving = nlink === 1 ? rename(from, to).then(() => true) : undefined;
  if (await moving?.catch(() => false)) return;
  const temporary = path.join(path.dirname(to), `.${path.basename(to)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await copyFile(from, temporary, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
