import { z } from "zod";
import type { BlobStore } from "./blob-store.ts";
import type { Caller } from "./caller.ts";
import { type Reply, refuse } from "./reply.ts";

/** An entry of the cache; only a finalised one is ever found. */
export interface CacheEntry {
  readonly id: number;
  readonly key: string;
  readonly version: string;
  readonly scope: string;
  /** name of its archive in the blob store */
  readonly blob: string;
  finalized: boolean;
}

const create = z.object({ key: z.string().min(1).max(512), version: z.string() });
const finalize = create.extend({ size_bytes: z.string().regex(/^\d+$/u) });
const find = create.extend({ restore_keys: z.array(z.string()).default([]) });

/** `github.actions.results.api.v1.CacheService`. */
export class CacheService {
  readonly entries: CacheEntry[] = [];
  readonly #blobs: BlobStore;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  handle(method: string, body: unknown, caller: Caller): Reply | undefined {
    if (method === "CreateCacheEntry") return this.#create(create.parse(body), caller);
    if (method === "FinalizeCacheEntryUpload") return this.#finalize(finalize.parse(body), caller);
    if (method === "GetCacheEntryDownloadURL") return this.#find(find.parse(body), caller);
    return undefined;
  }

  /** An entry as if somebody had saved it under this key. */
  async put(entry: Pick<CacheEntry, "key" | "version" | "scope">, archive: Uint8Array): Promise<void> {
    const added = this.#add(entry);
    await this.#blobs.write(added.blob, archive);
    added.finalized = true;
  }

  #create({ key, version }: z.infer<typeof create>, { scopes }: Caller): Reply {
    const scope = scopes.find(({ may }) => may === "write")?.scope;
    if (scope === undefined) {
      const message = "cache write denied: the token of this run may only read caches";
      return { status: 200, body: { ok: false, message } };
    }
    if (this.entries.some((entry) => entry.key === key && entry.version === version && entry.scope === scope)) {
      return refuse(409, "already_exists", "cache entry with the same key, version, and scope already exists");
    }
    const entry = this.#add({ key, version, scope });
    return { status: 200, body: { ok: true, signed_upload_url: this.#blobs.uploadUrl(entry.blob) } };
  }

  #add(entry: Pick<CacheEntry, "key" | "version" | "scope">): CacheEntry {
    const id = this.entries.length + 1;
    const added = { ...entry, id, blob: `cache-${id}`, finalized: false };
    this.entries.push(added);
    return added;
  }

  #finalize({ key, version }: z.infer<typeof finalize>, { scopes }: Caller): Reply {
    const entry = this.entries.find(
      (candidate) =>
        candidate.key === key &&
        candidate.version === version &&
        !candidate.finalized &&
        scopes.some(({ scope, may }) => may === "write" && scope === candidate.scope),
    );
    if (entry === undefined) return refuse(404, "not_found", "cache entry not found");
    entry.finalized = true;
    return { status: 200, body: { ok: true, entry_id: String(entry.id) } };
  }

  /** In each scope in turn: the exact key, then the keys as beginnings, the newest first. */
  #find({ key, version, restore_keys: restoreKeys }: z.infer<typeof find>, { scopes }: Caller): Reply {
    if (scopes.length === 0) {
      return refuse(403, "permission_denied", "cache read denied: the token of this run has no readable scopes");
    }
    const newestFirst = this.entries.filter((entry) => entry.finalized && entry.version === version).toReversed();
    for (const { scope } of scopes) {
      const inScope = newestFirst.filter((entry) => entry.scope === scope);
      const found =
        inScope.find((entry) => entry.key === key) ??
        [key, ...restoreKeys].flatMap((prefix) => inScope.filter((entry) => entry.key.startsWith(prefix)))[0];
      if (found === undefined) continue;
      const body = { ok: true, signed_download_url: this.#blobs.downloadUrl(found.blob), matched_key: found.key };
      return { status: 200, body };
    }
    return { status: 200, body: { ok: false } };
  }
}
