import type { Bundle, Carrier, Restored, Saved, Wanted } from "../core/carry.ts";
import { seconds } from "../views/amounts.ts";
import { cacheKey, cacheKeyPrefix } from "../store/carried-record.ts";
import { openBundle, refusal } from "./open-bundle.ts";
import { callToolkit, failureOf, type ToolkitAnswer, type ToolkitOptions } from "./toolkit.ts";
import { within } from "../os/concurrency.ts";

/**
 * Carries loops in the cache of GitHub Actions: the fast way back, which any run may find closed. Entries never change,
 * so each save has a key of its own.
 *
 * An archive can be made by anybody who may write the cache. So it is restored by the exact key that a verified record
 * names, and by the beginning of a key only when `unnamed` says so; it is kept inside of `into` while it is extracted
 * (by GNU tar), and what it holds is proved against the manifest (T14).
 *
 * @param options `program` is that of `cache-program.ts`
 */
export function createCacheCarrier(options: ToolkitOptions): Carrier {
  return {
    name: "cache",
    save: (making, ms) => save(options, making, ms),
    restore: (wanted, ms) => restore(options, wanted, ms),
  };
}

const NOT_SAVED = "The loop's files are not in the cache";
const NOT_RESTORED = "The loop's files could not be had from the cache";

async function save(options: ToolkitOptions, making: Bundle | Promise<Bundle>, ms: number): Promise<Saved> {
  const closed = whyClosed(options, "write");
  if (closed !== undefined) return { saved: false, why: `${NOT_SAVED}: ${closed}.` };
  const saving = Promise.resolve(making).then((bundle) => ({
    request: { op: "save", key: cacheKey(bundle.record) },
    workspace: bundle.folder,
  }));
  const call = await within(ms, (signal) => callToolkit(options, saving, signal), making);
  if (!call.ok) return { saved: false, why: `${NOT_SAVED}: the service took longer than ${seconds(ms)}.` };
  const { result } = call.value;
  // -1 stands for every failure that the toolkit does not throw
  if (result.ok && typeof result.value === "number" && result.value !== -1) {
    return { saved: true, pointer: { cache_key: (await saving).request.key } };
  }
  return { saved: false, why: `${NOT_SAVED}: ${failureOf(call.value).because}.` };
}

async function restore(options: ToolkitOptions, wanted: Wanted, ms: number): Promise<Restored> {
  const key = keyOf(wanted);
  if (key === undefined) return absent("no record names an entry of the cache");
  const closed = whyClosed(options, "read");
  if (closed !== undefined) return { found: false, because: "unreachable", why: `${NOT_RESTORED}: ${closed}.` };
  const call = await within(ms, (signal) => fetchBundle(options, wanted, key, signal));
  if (call.ok) return call.value;
  const why = `${NOT_RESTORED}: the service took longer than ${seconds(ms)}.`;
  return { found: false, because: "unreachable", why };
}

async function fetchBundle(
  options: ToolkitOptions,
  wanted: Wanted,
  key: string,
  signal: AbortSignal,
): Promise<Restored> {
  const answer = await callToolkit(options, { request: { op: "restore", key }, workspace: wanted.into }, signal);
  const { result } = answer;
  if (!result.ok || result.value === null) return notRestored(answer);
  // a key is the beginning of others as well
  if (wanted.named !== null && result.value !== key) return absent("the entry that the record names is gone");
  const { named, into: folder, loopId } = wanted;
  try {
    return { found: true, bundle: await openBundle({ folder, loopId, named, where: "the cache" }) };
  } catch (error) {
    return refusal(error, NOT_RESTORED);
  }
}

function notRestored(answer: ToolkitAnswer): Restored {
  if (answer.said.includes(MISS)) return absent("there is no such entry");
  const { because, kind } = failureOf(answer);
  return { found: false, because: kind === "damaged" ? "refused" : "unreachable", why: `${NOT_RESTORED}: ${because}.` };
}

/** What the toolkit prints for debugging when there is no entry. */
const MISS = "Cache not found for";

function absent(why: string): Restored {
  return { found: false, because: "absent", why: `${NOT_RESTORED}: ${why}.` };
}

function keyOf({ named, unnamed, loopId }: Wanted): string | undefined {
  if (named === null) return unnamed ? cacheKeyPrefix(loopId) : undefined;
  const key = named.cache_key;
  return key?.startsWith(cacheKeyPrefix(loopId)) === true && !key.includes(",") ? key : undefined;
}

/** Why it makes no sense to ask; known without asking. */
function whyClosed({ env, scratch }: ToolkitOptions, use: "read" | "write"): string | undefined {
  const mode = env["ACTIONS_CACHE_MODE"]?.trim().toLowerCase() ?? "";
  if (CLOSED_MODES[use].has(mode)) return `this job's cache-mode is "${mode}"`;
  if (!env["ACTIONS_RUNTIME_TOKEN"]) return "this runner gave the step no ACTIONS_RUNTIME_TOKEN";
  if (!env["ACTIONS_RESULTS_URL"] && !env["ACTIONS_CACHE_URL"]) return "this runner has no cache service";
  // The toolkit hands tar a command line without quotation marks.
  if (/\s/u.test(scratch)) return "GitHub's cache toolkit cannot work below a folder with a space in its path";
  return undefined;
}

const CLOSED_MODES: Readonly<Record<"read" | "write", ReadonlySet<string>>> = {
  read: new Set(["none", "write-only"]),
  write: new Set(["none", "read"]),
};
