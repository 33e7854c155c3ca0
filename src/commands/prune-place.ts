import { UsageError } from "../core/errors.ts";
import { originUrl } from "../git/repository.ts";
import type { Shell } from "../app/shell.ts";

/** The repository on GitHub that is cleaned up, and the way to it. */
export interface GithubPlace {
  readonly owner: string;
  readonly name: string;
  readonly token: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
}

/** Where a token is looked for; never a flag, which others on the machine could read. */
const TOKENS = ["SMITHERS_GITHUB_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"] as const;
const REPOSITORY = /^(?<owner>[A-Za-z0-9_.-]+)\/(?<name>[A-Za-z0-9_.-]+)$/u;

/**
 * Where on GitHub is cleaned up; a text says why nowhere.
 *
 * @param asked `owner/name`; undefined: where `origin` of the workspace leads
 * @throws UsageError when what was asked for makes no sense, or cannot be done without a token
 */
export async function githubPlace(
  asked: string | undefined,
  root: string,
  { env }: Shell,
): Promise<GithubPlace | string> {
  if (asked !== undefined && !REPOSITORY.test(asked)) throw noRepository(asked);
  const token = TOKENS.map((name) => env[name]?.trim() ?? "").find((text) => text !== "");
  if (token === undefined && asked !== undefined) throw noToken();
  if (token === undefined) return "GitHub is not looked at, for there is no token: set GITHUB_TOKEN or GH_TOKEN.";
  const serverUrl = withoutSlash(env["GITHUB_SERVER_URL"] || "https://github.com");
  const apiUrl = withoutSlash(env["GITHUB_API_URL"] || "https://api.github.com");
  const named = asked ?? (env["GITHUB_REPOSITORY"] || (await originOf(root, new URL(serverUrl).hostname)) || "");
  const { owner, name } = REPOSITORY.exec(named)?.groups ?? {};
  if (owner === undefined || name === undefined) {
    return "GitHub is not looked at, for it is not clear which repository is meant: name it with --repo owner/name.";
  }
  return { owner, name, token, apiUrl, serverUrl };
}

/** The repository that `origin` is on that server; "" where it is elsewhere, or there is none. */
async function originOf(root: string, host: string): Promise<string> {
  const found = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)(?::\d+)?[:/](?<path>[^/]+\/[^/]+?)(?:\.git)?\/?$/u.exec(
    await originUrl(root),
  );
  return found?.groups?.["host"] === host ? (found.groups["path"] ?? "") : "";
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/u, "");
}

function noRepository(asked: string): UsageError {
  return new UsageError([
    {
      code: "REPO_INVALID",
      what: `--repo ${JSON.stringify(asked)} names no repository.`,
      next: "Write it as owner/name.",
    },
  ]);
}

function noToken(): UsageError {
  return new UsageError([
    {
      code: "NO_TOKEN",
      what: "There is no token, so nothing of the repository on GitHub can be looked at.",
      next: `Set GITHUB_TOKEN or GH_TOKEN in the environment; with the GitHub CLI: GH_TOKEN="$(gh auth token)".`,
    },
  ]);
}
