import type { Access } from "./access.ts";
import { type Answer, ask } from "./answer.ts";

/** A ref and the commit that it stands at. */
export interface FoundRef {
  /** whole, as in `refs/smithers/x` */
  readonly ref: string;
  readonly commit: string;
}

/** What the refs of all loops begin with. */
export const LOOP_REFS = "refs/smithers/";
/** What the refs of all requests to loops begin with. */
export const CONTROL_REFS = "refs/smithers-control/";

const NEXT = /[?&]page=(?<page>\d+)[^>]*>; rel="next"/u;

/**
 * The refs that begin so (`contents: read`). Never throws.
 *
 * @param prefix whole, as in `refs/smithers/`
 */
export async function listRefs(
  { octokit, repository, signal }: Access,
  prefix: string,
): Promise<Answer<readonly FoundRef[]>> {
  return ask("contents: read", async () => {
    const found: FoundRef[] = [];
    // GitHub speaks of no pages here; where there are some, it says so.
    for (let page: string | undefined = "1"; page !== undefined;) {
      const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
        owner: repository.owner,
        repo: repository.name,
        ref: prefix.replace(/^refs\//u, ""),
        ...(page === "1" ? {} : { page }),
        request: { signal },
      });
      found.push(...data.map(({ ref, object }) => ({ ref, commit: object.sha })));
      page = pageAfter(headers.link);
    }
    return found.filter(({ ref }) => ref.startsWith(prefix));
  });
}

/** @param link the answer's header */
function pageAfter(link: string | undefined): string | undefined {
  return NEXT.exec(link ?? "")?.groups?.["page"];
}
