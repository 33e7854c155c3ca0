import type { Bundle, Carrier, Restored, Wanted, Saved } from "../core/carry.ts";
import { done, failed } from "../core/result.ts";
import { cacheKey, cacheKeyPrefix } from "../store/carried-record.ts";
import { openBundle } from "./bundle.ts";
import { copyRefused, type CopyTrust } from "./copy-trust.ts";
import { BUNDLE_LIMITS, MANIFEST_LIMIT } from "./manifest.ts";
import { callToolkit, createServiceCarrier, notRestored, type ToolkitOptions } from "./toolkit.ts";
import { z } from "zod";

/** @see ToolkitOptions; `program` is that of `cache-program.ts` */
export interface CacheOptions extends ToolkitOptions {
  /** of entries that no record names; absent: as `CopyTrust` of nobody, whole is enough */
  readonly trust?: CopyTrust;
}

/**
 * Carries loops in the cache of GitHub Actions: the fast way, but an entry may be gone at any time. Entries never
 * change, so each save has a key of its own.
 *
 * Anybody who may write the cache can make an archive. So it is restored by the exact key that a verified record names,
 * and by the beginning of a key only when `unnamed` says so; it stays inside `into` while GNU tar extracts it, and its
 * content is proved against the manifest (T14). By the beginning of its key the newest entry is found, by the service's
 * clock: under another key than its own it is refused, so that nobody brings an older one back.
 */
export function createCacheCarrier(options: CacheOptions): Carrier {
  return createServiceCarrier({
    name: "cache",
    notSaved: "The loop's files are not in the cache",
    notRestored: NOT_RESTORED,
    save: (making, signal) => save(options, making, signal),
    restore: (wanted, signal) => restore(options, wanted, signal),
  });
}

const NOT_RESTORED = "The loop's files could not be had from the cache";
const not = notRestored(NOT_RESTORED);

async function save(options: ToolkitOptions, making: Promise<Bundle>, signal: AbortSignal): Promise<Saved> {
  const closed = whyClosed(options, "write");
  if (closed !== undefined) return failed({ because: closed });
  const saving = making.then((bundle) => ({
    request: { op: "save", key: cacheKey(bundle.record) },
    workspace: bundle.folder,
  }));
  // -1 stands for every failure for which the toolkit does not throw
  const saved = await callToolkit(options, saving, z.int().nonnegative(), signal);
  return saved.ok ? done({ cache_key: (await saving).request.key }) : saved;
}

/** What tar adds to a file. */
const HEADER_BYTES = 1024;
/** More than a bundle's archive can have; in bytes. The program that reads one does not load what knows bundles. */
const ARCHIVE_LIMIT = BUNDLE_LIMITS.bytes + MANIFEST_LIMIT + BUNDLE_LIMITS.files * HEADER_BYTES;

async function restore(options: CacheOptions, wanted: Wanted, signal: AbortSignal): Promise<Restored> {
  const { named, into: folder, loopId } = wanted;
  const key = keyOf(wanted);
  if (key === undefined) return not("absent", "no record names an entry of the cache");
  const closed = whyClosed(options, "read");
  if (closed !== undefined) return not("unreachable", closed);
  const call = { request: { op: "restore", key, limit: ARCHIVE_LIMIT }, workspace: folder };
  const restored = await callToolkit(options, call, z.string(), signal);
  if (!restored.ok) return not(restored.trouble.kind, restored.trouble.because);
  // a key is the beginning of others as well
  if (named !== null && restored.value !== key) return not("absent", "the entry that the record names is gone");
  const trust = named === null ? options.trust : undefined;
  const bundle = await openBundle({ folder, loopId, named, where: "the cache", trust });
  if (named === null && restored.value !== cacheKey(bundle.record)) throw copyRefused("the cache", OTHER_KEY);
  return done({ bundle });
}

const OTHER_KEY = "its entry has another key than it was saved under, so somebody has put it there again";

function keyOf({ named, unnamed, loopId }: Wanted): string | undefined {
  if (named === null) return unnamed ? cacheKeyPrefix(loopId) : undefined;
  const key = named.cache_key;
  return key?.startsWith(cacheKeyPrefix(loopId)) === true && !key.includes(",") ? key : undefined;
}

/** Why asking makes no sense; known without asking. */
function whyClosed({ env, scratch }: ToolkitOptions, use: "read" | "write"): string | undefined {
  const mode = env["ACTIONS_CACHE_MODE"]?.trim().toLowerCase() ?? "";
  if (CLOSED_MODES[use].has(mode)) return `this job's cache-mode is "${mode}"`;
  if (!env["ACTIONS_RUNTIME_TOKEN"]) return "this runner gave the step no ACTIONS_RUNTIME_TOKEN";
  if (!env["ACTIONS_RESULTS_URL"] && !env["ACTIONS_CACHE_URL"]) return "this runner has no cache service";
  // The toolkit passes tar a command line without quotation marks.
  if (/\s/u.test(scratch)) return "GitHub's cache toolkit cannot work below a folder with a space in its path";
  return undefined;
}

const CLOSED_MODES: Readonly<Record<"read" | "write", ReadonlySet<string>>> = {
  read: new Set(["none", "write-only"]),
  write: new Set(["none", "read"]),
};
