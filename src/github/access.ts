import type { Octokit } from "./octokit.ts";
import type { Repository } from "./context.ts";

/** With what, where and how long GitHub is asked. */
export interface Access {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** ends whatever is under way, waits included */
  readonly signal: AbortSignal;
}

/** Asks GitHub about one repository. The client is loaded when it is first used. */
export interface GithubAccess {
  /** Until the signal aborts. */
  until(signal: AbortSignal): Promise<Access>;
  /** So many milliseconds, which begin when the client is there. */
  within(ms: number): Promise<Access>;
}

/**
 * Makes what asks GitHub; undefined without a token.
 *
 * @param apiUrl as in `GITHUB_API_URL`
 */
export function githubAccess(
  token: string | null,
  { apiUrl, repository }: { readonly apiUrl: string; readonly repository: Repository },
): GithubAccess | undefined {
  if (token === null) return undefined;
  let loading: Promise<Octokit> | undefined;
  const load = async (): Promise<Octokit> => {
    const { createOctokit } = await import("./octokit.ts");
    return createOctokit({ token, apiUrl });
  };
  const client = async (): Promise<Octokit> => (loading ??= load());
  return {
    until: async (signal) => ({ octokit: await client(), repository, signal }),
    within: async (ms) => ({
      octokit: await client(),
      repository,
      signal: AbortSignal.timeout(Math.max(0, Math.floor(ms))),
    }),
  };
}
