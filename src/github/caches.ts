import { done, failed, type Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import { ask, type Refused, statusOf, troubleOf } from "./refusal.ts";

interface Entry {
  readonly id: number;
  readonly key: string;
  /** milliseconds since the epoch */
  readonly createdAt: number;
}

/** How many entries were removed, whether or not all of them could be. */
interface Removed {
  readonly removed: number;
}

/**
 * Removes the cache entries that a loop no longer needs (`actions: write`). Never throws.
 *
 * @param prefix every entry of the loop begins so: `smithers-v1-<loop-id>-`
 * @param keep the key of the entry that is needed: only older ones go; null: the loop has ended, all go
 */
export async function removeCaches(
  github: Github,
  { prefix, keep }: { readonly prefix: string; readonly keep: string | null },
): Promise<Result<Removed, Refused & Removed>> {
  let removed = 0;
  try {
    for (const { id } of superfluous(await entriesOf(github, prefix), keep)) {
      await remove(github, id);
      removed += 1;
    }
    return done({ removed });
  } catch (error) {
    return failed({ ...troubleOf(error, "actions: write"), removed });
  }
}

async function entriesOf(github: Github, prefix: string): Promise<readonly Entry[]> {
  const found = await github.paginate((rest) => rest.actions.getActionsCacheList, {
    key: prefix,
    per_page: 100,
    page: 1,
  });
  return found.flatMap(({ id, key = "", created_at: at = "" }) =>
    id !== undefined && key.startsWith(prefix) ? [{ id, key, createdAt: Date.parse(at) }] : [],
  );
}

/** If the kept entry is not visible, it is not known which are older. */
function superfluous(entries: readonly Entry[], keep: string | null): readonly Entry[] {
  if (keep === null) return entries;
  const kept = entries.find(({ key }) => key === keep);
  return kept ? entries.filter(({ key, createdAt }) => key !== keep && createdAt <= kept.createdAt) : [];
}

/** An entry that is gone already was evicted, or removed by another run. */
async function remove(github: Github, id: number): Promise<void> {
  try {
    await github.rest.actions.deleteActionsCacheById({ cache_id: id });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
}

/** The cache entries of one loop; `newest`: when that was made, in milliseconds since the epoch. */
interface LoopCaches {
  readonly loopId: string;
  readonly count: number;
  readonly newest: number;
}

const KEY = /^smithers-v1-(?<id>.+)-\d{8}-\d+-\d+$/u;

/** The cache entries of all loops (`actions: read`). Never throws. */
export async function listLoopCaches(github: Github): Promise<Result<readonly LoopCaches[], Refused>> {
  return ask("actions: read", async () => {
    const found = new Map<string, LoopCaches>();
    for (const { key, createdAt } of await entriesOf(github, "smithers-v1-")) {
      const loopId = KEY.exec(key)?.groups?.["id"];
      if (loopId === undefined) continue;
      const { count, newest } = found.get(loopId) ?? { count: 0, newest: 0 };
      found.set(loopId, { loopId, count: count + 1, newest: Math.max(newest, createdAt) });
    }
    return [...found.values()];
  });
}
