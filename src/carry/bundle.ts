import path from "node:path";
import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { isSessionFile } from "../agents/registry.ts";
import type { CarriedRecord, Bundle } from "../core/carry.ts";
import {
  lastMessageName,
  rawEventsName,
  EVENTS_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  SUMMARY_FILE,
  TESTS_FILE,
  WORK_FILE,
  AGENT_STATE,
} from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { inBatches } from "../os/concurrency.ts";
import { type Digested, digestFile, sha256 } from "../os/digest.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { sealFile } from "../os/seal.ts";
import { copyWithout, SecretValues } from "../os/secrets.ts";
import {
  BUNDLE_LIMITS,
  type CarriedFile,
  encodeManifest,
  isCarried,
  MANIFEST_FILE,
  SESSIONS,
  STATE_COPY,
  storedName,
} from "./manifest.ts";

/** Where a loop's files are on this machine; absolute paths. */
export interface LoopPlaces {
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
}

/** A bundle, and the paths of what was too much for it. */
export interface GatheredBundle extends Bundle {
  readonly leftOut: readonly string[];
}

interface Candidate {
  /** in the bundle */
  readonly path: string;
  /** on this machine, absolute */
  readonly source: string;
}

/**
 * Gathers a loop's files for the carriers: copies, so that nobody can change them afterwards, with a manifest that
 * proves each of them. Only the loop's own files and the file of its own session are looked at; links are left. What
 * would not be restored again is left out: the logs of the oldest iterations first.
 *
 * @throws the file system's own error; OperationalError `RECORD_TOO_LARGE`
 */
export async function gatherBundle(options: GatherOptions): Promise<GatheredBundle> {
  const { into, seal } = options;
  const secrets = new SecretValues(options.secrets);
  const record: CarriedRecord = { ...options.record, bulk: null };
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  const { fitting, leftOut } = await share(await candidates(options.places, record.state));
  for (const folder of new Set(fitting.map(({ path: name }) => path.dirname(path.join(into, name))))) {
    await mkdir(folder, { recursive: true });
  }
  const files = await inBatches(fitting, (candidate) => take(candidate, into, seal, secrets));
  const manifest = encodeManifest({ schema: 1, record, sealed: seal !== null, files });
  await writeFile(path.join(into, MANIFEST_FILE), manifest, { flag: "wx" });
  return { folder: into, digest: sha256(manifest), record, leftOut };
}

const WORK = `loop/${WORK_FILE}`;
const NO_SECRETS = new SecretValues([]);

/** More than sealing adds to a file, in bytes. */
const SEAL_BYTES = 128;

/** What there is of the candidates, and fits into a bundle. */
async function share(all: readonly Candidate[]): Promise<{ fitting: Candidate[]; leftOut: string[] }> {
  const fitting: Candidate[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const candidate of all) {
    const size = await sizeOf(candidate.source);
    if (size === undefined) continue;
    if (fitting.length >= BUNDLE_LIMITS.files || bytes + size + SEAL_BYTES > BUNDLE_LIMITS.bytes) {
      leftOut.push(candidate.path);
      continue;
    }
    fitting.push(candidate);
    bytes += size + SEAL_BYTES;
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
  // The work was chosen without secrets, and is compressed.
  const looked = name === WORK ? NO_SECRETS : secrets;
  const digested =
    seal === null ? await copyWithout(looked, source, target) : await sealAndDigest(seal, source, target);
  if (digested === undefined || digested.bytes > BUNDLE_LIMITS.bytes) {
    throw new Error(`${source} grew while it was gathered.`);
  }
  return { path: name, ...digested };
}

async function sealAndDigest(key: string, source: string, target: string): Promise<Digested | undefined> {
  await sealFile(key, source, target);
  return digestFile(target, BUNDLE_LIMITS.bytes);
}

/** What may travel, the most important first. */
async function candidates({ stateFile, folder, sessionsFolder }: LoopPlaces, state: LoopState): Promise<Candidate[]> {
  const present = new Set(await namesIn(folder));
  const iterations = [...present]
    .map((name) => Number(ITERATION.exec(name)?.[1] ?? 0))
    .filter((iteration) => iteration > 0);
  const newestFirst = [...new Set(iterations)].toSorted((a, b) => b - a);
  const names = [
    WORK_FILE,
    EVENTS_FILE,
    PROGRESS_FILE,
    PROMPT_FILE,
    TESTS_FILE,
    SUMMARY_FILE,
    ...newestFirst.flatMap((iteration) => [lastMessageName(iteration), rawEventsName(iteration)]),
  ];
  return [
    { path: STATE_COPY, source: stateFile },
    ...(await sessionFiles(sessionsFolder, state[AGENT_STATE].session_id)),
    ...names
      .filter((name) => present.has(name))
      .map((name) => ({ path: `loop/${name}`, source: path.join(folder, name) })),
  ].filter((candidate) => isCarried(candidate.path));
}

const ITERATION = /^(?:events_iter|last_message_iter)_([1-9]\d{0,8})\./u;

/** The file of the loop's own session, by its name, wherever below the folder it lies. */
async function sessionFiles(folder: string | null, sessionId: string | null): Promise<Candidate[]> {
  if (folder === null || sessionId === null) return [];
  const names = await namesIn(folder, { recursive: true });
  return names
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => isSessionFile(name, sessionId))
    .map((name) => ({ path: `${SESSIONS}${name}`, source: path.join(folder, name) }));
}

async function namesIn(folder: string, options?: { recursive: boolean }): Promise<string[]> {
  return (await unlessMissing(readdir(folder, { recursive: options?.recursive ?? false }))) ?? [];
}

/** Of a regular file, in bytes; undefined for anything else. */
async function sizeOf(file: string): Promise<number | undefined> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}
