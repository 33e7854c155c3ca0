import { UsageError } from "../core/errors.ts";
import { done, type Result } from "../core/result.ts";
import { originUrl } from "../git/repository.ts";
import type { Github } from "../github/client.ts";
import type { Refused } from "../github/refusal.ts";
import type { Shell } from "../app/shell.ts";

export interface GithubPlace {
  readonly owner: string;
  readonly name: string;
  readonly token: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
}

const WITHIN_MS = 600_000;

/** Where a token is looked for; never a flag, which others on the machine could read. */
const TOKENS = ["SMITHERS_GITHUB_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"] as const;
const REPOSITORY = /^(?<owner>[A-Za-z0-9_.-]+)\/(?<name>[A-Za-z0-9_.-]+)$/u;

/**
 * The repository on GitHub that a command is about; a text says why there is none.
 *
 * @param asked `owner/name`; undefined: where `origin` of the workspace leads
 * @throws UsageError when `asked` is malformed, or needs a token that is missing
 */
export async function githubPlace(
  asked: string | undefined,
  root: string,
  { env }: Shell,
): Promise<GithubPlace | string> {
  if (asked !== undefined && !REPOSITORY.test(asked)) {
    throw new UsageError({
      code: "REPO_INVALID",
      what: `--repo ${JSON.stringify(asked)} names no repository.`,
      next: "Write it as owner/name.",
    });
  }
  const token = TOKENS.map((name) => env[name]?.trim() ?? "").find((text) => text !== "");
  if (token === undefined) {
    if (asked === undefined) return "GitHub is not looked at, for there is no token: set GITHUB_TOKEN or GH_TOKEN.";
    throw new UsageError({
      code: "NO_TOKEN",
      what: "There is no token, so nothing of the repository on GitHub can be looked at.",
      next: `Set GITHUB_TOKEN or GH_TOKEN in the environment; with the GitHub CLI: GH_TOKEN="$(gh auth token)".`,
    });
  }
  const servers = serversIn(env);
  const named = asked ?? (env["GITHUB_REPOSITORY"] || (await originOn(servers.serverUrl, root)));
  const { owner, name } = REPOSITORY.exec(named)?.groups ?? {};
  if (owner === undefined || name === undefined) {
    return "GitHub is not looked at, for it is not clear which repository is meant: name it with --repo owner/name.";
  }
  return { owner, name, token, ...servers };
}

/** A client of the repository, for ten minutes; trouble: it cannot be read. Its callers tell what they have done. */
export async function openGithub({ owner, name, token, apiUrl }: GithubPlace): Promise<Result<Github, Refused>> {
  // The command line starts without them.
  const { createGithub } = await import("../github/client.ts");
  const { ask } = await import("../github/refusal.ts");
  const signal = AbortSignal.timeout(WITHIN_MS);
  const clientOf = (id: number): Github => createGithub({ token, apiUrl, repository: { owner, name, id }, signal });
  const asked = await ask("contents: read", () => clientOf(0).rest.repos.get({}));
  return asked.ok ? done(clientOf(asked.value.data.id)) : asked;
}

/** The repository on a server that a folder's `origin` names, as `owner/name`; "" when it is elsewhere, or not set. */
export async function originOn(serverUrl: string, root: string): Promise<string> {
  const found = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)(?::\d+)?[:/](?<path>[^/]+\/[^/]+?)(?:\.git)?\/?$/u.exec(
    await originUrl(root),
  );
  const named = found?.groups?.["path"] ?? "";
  return found?.groups?.["host"] === new URL(serverUrl).hostname && REPOSITORY.test(named) ? named : "";
}

export function serversIn(env: Shell["env"]): Pick<GithubPlace, "serverUrl" | "apiUrl"> {
  return {
    serverUrl: (env["GITHUB_SERVER_URL"] || "https://github.com").replace(/\/+$/u, ""),
    apiUrl: (env["GITHUB_API_URL"] || "https://api.github.com").replace(/\/+$/u, ""),
  };
}
