import type { GithubToken } from "../core/ports.ts";
import type { Github } from "./client.ts";
import type { Repository } from "./context.ts";

/** Asks GitHub about one repository. The client is loaded when it is first used. */
export interface GithubAccess {
  /** Until the signal aborts. */
  until(signal: AbortSignal): Promise<Github>;
  /** For a number of milliseconds, which begin when the client is there. */
  within(ms: number): Promise<Github>;
}

/**
 * Makes what asks GitHub; undefined without a token.
 *
 * @param apiUrl as in `GITHUB_API_URL`
 */
export function githubAccess(
  token: GithubToken | null,
  { apiUrl, repository }: { readonly apiUrl: string; readonly repository: Repository },
): GithubAccess | undefined {
  if (token === null) return undefined;
  let loading: Promise<Github> | undefined;
  const load = async (): Promise<Github> => {
    const { createGithub } = await import("./client.ts");
    return createGithub({ token, apiUrl, repository });
  };
  const github = async (): Promise<Github> => (loading ??= load());
  return {
    until: async (signal) => (await github()).within(signal),
    within: async (ms) => (await github()).within(Math.max(0, Math.floor(ms))),
  };
}
