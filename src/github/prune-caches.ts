import type { Access } from "./access.ts";
import { type Answer, ask } from "./answer.ts";

/** The cache entries of one loop. */
export interface LoopCaches {
  readonly loopId: string;
  readonly count: number;
  /** when the newest was made; milliseconds since the epoch */
  readonly newest: number;
}

const PREFIX = "smithers-v1-";
const KEY = /^smithers-v1-(?<id>.+)-\d{8}-\d+-\d+$/u;
const PAGE = 100;

/** The cache entries of all loops (`actions: read`). Never throws. */
export async function listLoopCaches({ octokit, repository, signal }: Access): Promise<Answer<readonly LoopCaches[]>> {
  return ask("actions: read", async () => {
    const found = new Map<string, LoopCaches>();
    for (let page = 1; ; page += 1) {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/caches", {
        owner: repository.owner,
        repo: repository.name,
        key: PREFIX,
        per_page: PAGE,
        page,
        request: { signal },
      });
      for (const { key = "", created_at: at = "" } of data.actions_caches) {
        const loopId = KEY.exec(key)?.groups?.["id"];
        if (loopId === undefined) continue;
        const { count, newest } = found.get(loopId) ?? { count: 0, newest: 0 };
        found.set(loopId, { loopId, count: count + 1, newest: Math.max(newest, Date.parse(at)) });
      }
      if (data.actions_caches.length < PAGE) return [...found.values()];
    }
  });
}
