import type { Octokit } from "./octokit.ts";
import type { Repository } from "./context.ts";
import { refusalOf } from "./github-refusal.ts";

/** Which cache entries are removed. */
export interface Removal {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** every entry of the loop begins so: `smithers-v1-<loop-id>-` */
  readonly prefix: string;
  /** the key of the entry that is needed: only older ones go; null: the loop has ended, all go */
  readonly keep: string | null;
  /** ends it early; what is left is removed another time */
  readonly signal: AbortSignal;
}

/** How many entries were removed. */
export interface Removed {
  readonly removed: number;
  /** why some may be left, as part of a sentence; null: none are */
  readonly why: string | null;
}

const PAGE = 100;

interface Entry {
  readonly id: number;
  readonly key: string;
  readonly createdAt: number;
}

/** Removes the cache entries that a loop no longer needs (`actions: write`). Never throws. */
export async function removeCaches(removal: Removal): Promise<Removed> {
  let removed = 0;
  try {
    for (const { id } of superfluous(await list(removal), removal.keep)) {
      await remove(id, removal);
      removed += 1;
    }
    return { removed, why: null };
  } catch (error) {
    return { removed, why: refusalOf(error, "actions: write") };
  }
}

async function list({ octokit, repository, prefix, signal }: Removal): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/caches", {
      owner: repository.owner,
      repo: repository.name,
      key: prefix,
      per_page: PAGE,
      page,
      request: { signal },
    });
    for (const { id, key, created_at } of data.actions_caches) {
      if (id === undefined || !key?.startsWith(prefix)) continue;
      entries.push({ id, key, createdAt: Date.parse(created_at ?? "") });
    }
    if (data.actions_caches.length < PAGE) return entries;
  }
}

/** Where the kept entry cannot be seen, nobody knows what is older. */
function superfluous(entries: readonly Entry[], keep: string | null): readonly Entry[] {
  if (keep === null) return entries;
  const kept = entries.find(({ key }) => key === keep);
  if (kept === undefined) return [];
  return entries.filter(({ key, createdAt }) => key !== keep && createdAt <= kept.createdAt);
}

/** An entry that is gone already was evicted, or removed by another run. */
async function remove(id: number, { octokit, repository, signal }: Removal): Promise<void> {
  try {
    await octokit.request("DELETE /repos/{owner}/{repo}/actions/caches/{cache_id}", {
      owner: repository.owner,
      repo: repository.name,
      cache_id: id,
      request: { signal },
    });
  } catch (error) {
    if (!(error instanceof Error && "status" in error && error.status === 404)) throw error;
  }
}
