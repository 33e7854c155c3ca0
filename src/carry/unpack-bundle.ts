import path from "node:path";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { OperationalError } from "../core/errors.ts";
import { WORK_FILE } from "../core/names.ts";
import type { Bundle } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import { SealError, unsealFile } from "./seal.ts";
import { isRolloutOf, type LoopPlaces } from "./bundle.ts";
import { type Manifest, STATE_COPY, storedName } from "./manifest.ts";
import { readManifest } from "./open-bundle.ts";
import type { ParseState } from "./record-schema.ts";

export interface UnpackOptions {
  readonly to: Pick<LoopPlaces, "folder" | "sessionsFolder">;
  /** the state that the loop goes on from; it may be newer than the bundle's */
  readonly state: LoopState;
  /** the `state-key`; null: none is set */
  readonly key: string | null;
  readonly parseState: ParseState;
}

/** What is in place now. */
export interface Unpacked {
  readonly loopFiles: number;
  /** whether the agent can go on in its own session */
  readonly session: boolean;
  /** whether the unfinished work is among the files, and whether it came sealed; null: it is not */
  readonly work: "plain" | "sealed" | null;
}

interface Move {
  readonly from: string;
  readonly to: string;
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
  const { state, key, parseState } = options;
  if (record.generation !== state.generation || record.revision > state.revision) return NOTHING;
  const { manifest } = await readManifest({ folder, named: null, where: "the bundle", parseState });
  if (manifest.sealed && key === null) throw sealed();
  const loopFiles = manifest.files.map((file) => file.path).filter((name) => name.startsWith("loop/"));
  const targets = [
    ...loopFiles
      .filter((name) => name !== STATE_COPY)
      .map((name) => ({ name, to: path.join(options.to.folder, path.posix.basename(name)) })),
    ...sessionTargets(manifest, options),
  ];
  const plain = await mkdtemp(path.join(folder, "plain-"));
  try {
    const moves: Move[] = [];
    for (const [index, { name, to }] of targets.entries()) {
      moves.push({
        from: await opened(
          path.join(folder, storedName(name, manifest.sealed)),
          manifest,
          key,
          path.join(plain, String(index)),
        ),
        to,
      });
    }
    for (const move of moves) await place(move);
  } finally {
    await rm(plain, { recursive: true, force: true });
  }
  const sessions = targets.filter(({ name }) => name.startsWith("sessions/")).length;
  const hasWork = loopFiles.includes(`loop/${WORK_FILE}`);
  const work = hasWork ? (manifest.sealed ? "sealed" : "plain") : null;
  return { loopFiles: targets.length - sessions, session: sessions > 0, work };
}

const NOTHING: Unpacked = { loopFiles: 0, session: false, work: null };

function sessionTargets(manifest: Manifest, { to, state }: UnpackOptions): { name: string; to: string }[] {
  const { sessionsFolder } = to;
  const sessionId = state.codex.session_id;
  if (sessionsFolder === null || sessionId === null || manifest.record.revision !== state.revision) return [];
  return manifest.files
    .map((file) => file.path)
    .filter((name) => name.startsWith("sessions/") && isRolloutOf(name, sessionId))
    .map((name) => ({ name, to: path.join(sessionsFolder, name.slice("sessions/".length)) }));
}

/** Where the file's plain content is. */
async function opened(stored: string, manifest: Manifest, key: string | null, plain: string): Promise<string> {
  if (!manifest.sealed || key === null) return stored;
  try {
    await unsealFile(key, stored, plain);
    return plain;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperationalError(
      {
        code: "BUNDLE_KEY",
        what: `The loop's files cannot be opened: ${error.message}. Nothing was put in place; the state is unharmed.`,
        next: "Give the state-key that the last run had, to have its logs and its session again.",
      },
      { cause: error },
    );
  }
}

/** Readers of `to` see the old file or the new one. What has a second name is copied: it could be changed by it. */
async function place({ from, to }: Move): Promise<void> {
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

function sealed(): OperationalError {
  return new OperationalError({
    code: "BUNDLE_SEALED",
    what: "The loop's files are sealed with a state-key, and this run has none. Nothing was put in place; the state is unharmed.",
    next: "Give the state-key that the last run had, to have its logs and its session again.",
  });
}
