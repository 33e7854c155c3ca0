import { isSessionFile } from "../agents/registry.ts";
import { z } from "zod";
import type { CarriedRecord } from "../core/carry.ts";
import {
  AGENT_LOG_FILE,
  COMMITS_FILE,
  EVENTS_FILE,
  PATCH_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  STORY_PATCH,
  PUBLICATION_FILE,
  REPORT_FILE,
  SUMMARY_FILE,
  TESTS_FILE,
  UNDONE_FILE,
  WORK_FILE,
} from "../core/names.ts";
import { parseRecord, RECORD_LIMIT, recordDamaged, refuseNewer, refuseTooLarge } from "../store/carried-record.ts";
import { firstProblem } from "../store/state-file.ts";

/** The manifest's name in a bundle. */
export const MANIFEST_FILE = "carried.json";

/** What a bundle may hold (T14); in bytes and files. Gathering leaves out what is beyond, restoring refuses it. */
export const BUNDLE_LIMITS = { bytes: 200 << 20, files: 2000 } as const;

/** Longest manifest that is read, in bytes: a record and the names of all files. */
export const MANIFEST_LIMIT = RECORD_LIMIT + (1 << 20);

/** A copy of the state for people's eyes; restoring never reads it. */
export const STATE_COPY = "loop/state.json";

/** How the name of a sealed file ends, after its path in the manifest. */
const SEALED_SUFFIX = ".sealed";

/** One file of a bundle, as stored: sealed, if the bundle is. */
export type CarriedFile = Manifest["files"][number];

/** What a bundle says of itself: the record, and the digest of every file in it. */
export interface Manifest extends Omit<z.infer<typeof manifestSchema>, "record"> {
  /** its `bulk` is null: nothing can name itself */
  readonly record: CarriedRecord;
}

/** Where a file of the manifest is, below the bundle's folder. */
export function storedName(path: string, sealed: boolean): string {
  return sealed ? `${path}${SEALED_SUFFIX}` : path;
}

/** Whether a file of a bundle is a sealed one, by its name. */
export function isSealed(name: string): boolean {
  return name.endsWith(SEALED_SUFFIX);
}

/**
 * Whether a bundle may hold a file of this path: the loop's own files and an agent's sessions, nothing else. So no
 * configuration, credentials or hooks, and nothing outside the folder (T14).
 */
export function isCarried(path: string): boolean {
  const session = path.startsWith(SESSIONS) && isSessionFile(path.slice(SESSIONS.length));
  const isOfLoop = LOOP_FILES.has(path) || ITERATION_FILE.test(path) || isOfStories(path);
  return isOfLoop || (session && path.length <= 512 && !path.includes(".."));
}

function isOfStories(path: string): boolean {
  const name = path.slice("loop/".length);
  return path.startsWith("loop/") && (STORY_PATCH.test(name) || UNDONE_FILE.test(name));
}

const NAMES = [
  AGENT_LOG_FILE,
  EVENTS_FILE,
  PATCH_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  REPORT_FILE,
  SUMMARY_FILE,
  TESTS_FILE,
  WORK_FILE,
];
/** What only travels from the job that runs a loop to the one that publishes its work. */
const HANDED_OVER = [PUBLICATION_FILE, COMMITS_FILE].map((name) => `loop/${name}`);
const LOOP_FILES = new Set([STATE_COPY, ...NAMES.map((name) => `loop/${name}`), ...HANDED_OVER]);
const ITERATION_FILE =
  /^loop\/(?:(?:events|review)_iter_\d{1,9}\.jsonl|(?:(?:last|review)_message|prompt|checks)_iter_\d{1,9}\.txt|changes_iter_\d{1,9}\.patch)$/u;
/** What the path of an agent's session begins with. */
export const SESSIONS = "sessions/";

/** Whether a file of a bundle is for the job that publishes alone. */
export function isHandedOver(path: string): boolean {
  return HANDED_OVER.includes(path);
}

/**
 * The text of a manifest.
 *
 * @throws OperationalError `RECORD_TOO_LARGE`
 */
export function encodeManifest(manifest: Manifest): string {
  refuseTooLarge(manifest.record);
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/**
 * Reads the text of a manifest that came from another machine.
 *
 * @param where it was found; named in the errors
 * @throws OperationalError `STATE_NEWER` or `RECORD_DAMAGED`
 */
export function decodeManifest(text: string, where: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw recordDamaged(where, `${MANIFEST_FILE} is not JSON`, error);
  }
  refuseNewer(json, 1, where);
  const parsed = manifestSchema.safeParse(json, { jitless: true });
  if (!parsed.success) throw recordDamaged(where, firstProblem(parsed.error), parsed.error);
  const { files } = parsed.data;
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw recordDamaged(where, "it names a file twice");
  }
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > BUNDLE_LIMITS.bytes) {
    throw recordDamaged(where, `its files have more than ${BUNDLE_LIMITS.bytes} bytes`);
  }
  return { ...parsed.data, record: parseRecord(parsed.data.record, where) };
}

export const manifestSchema = z.object({
  schema: z.literal(1),
  record: z.unknown(),
  sealed: z.boolean(),
  /** where it was saved; null: older versions do not say */
  origin: z
    .object({ repository: z.int().nonnegative(), workflow: z.string().max(512), ref: z.string().max(512) })
    .nullable()
    .default(null),
  files: z
    .array(
      z.object({
        /** below the bundle's folder, without the suffix of sealed files */
        path: z.string().refine(isCarried, { error: "it names a file that no loop has" }),
        bytes: z.int().nonnegative(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
      }),
    )
    .max(BUNDLE_LIMITS.files),
});
