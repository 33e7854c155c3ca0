import type { Config } from "../config/config.ts";
import { isPersonal } from "../github/accounts.ts";
import { personalGitEnvironment, startGit } from "../git/git.ts";
import { type Finding, githubFindings, type Right } from "../views/gaps.ts";
import type { Shell } from "../app/shell.ts";

const WITHIN_MS = 5_000;
const TOKENS = ["GH_TOKEN", "GITHUB_TOKEN"];

/**
 * What the token may do with the repository on GitHub that `origin` names: three requests that change nothing. The token
 * goes to GitHub alone, wherever `origin` is.
 */
export async function githubDoctor(root: string, { githubToken }: Config, { env }: Shell): Promise<readonly Finding[]> {
  const repository = repositoryIn(await originOf(root), env["GITHUB_SERVER_URL"] || "https://github.com");
  if (repository === undefined)
    return [untold("origin is no repository there, so publishing from here is not looked at")];
  const token = githubToken ?? TOKENS.map((name) => env[name] ?? "").find((value) => value !== "");
  if (token === undefined) {
    return [
      untold("there is no token to ask with; set GH_TOKEN to have what a workflow would publish looked at as well"),
    ];
  }
  const [{ createOctokit }, { probePullRequests }, { probeCreation, probePush }] = await Promise.all([
    import("../github/client.ts"),
    import("../github/probes.ts"),
    import("../github/probes.ts"),
  ]);
  const octokit = createOctokit({ token, apiUrl: env["GITHUB_API_URL"] || "https://api.github.com" });
  const access = { octokit, repository, signal: AbortSignal.timeout(WITHIN_MS) };
  const [push, pulls, creation] = await Promise.all([
    probePush(access, isPersonal(token)),
    probePullRequests(access),
    probeCreation(access),
  ]);
  return githubFindings({
    push: { refs: [`${repository.owner}/${repository.name}`], right: withCure(push.right) },
    pullRequests: withCure(pulls.right),
    creation: creation.right,
    dispatch: null,
    ci: null,
    aheadMs: push.aheadMs ?? pulls.aheadMs,
  });
}

function untold(why: string): Finding {
  return { subject: "GitHub", right: { right: "unknown", because: "untold", why }, permission: null, blocks: false };
}

/** There is no workflow's file here in which a line would help. */
function withCure(right: Right): Right {
  const lacks = right.right === "missing" && right.next === "";
  return lacks ? { ...right, next: "Use a token that has this right for the repository." } : right;
}

async function originOf(root: string): Promise<string> {
  const asked = startGit(["config", "--get", "remote.origin.url"], { cwd: root, env: personalGitEnvironment() });
  return (await asked.catch(() => ({ stdout: "" }))).stdout.trim();
}

/** The repository that `url` names on this server, in one of the ways in which git writes it. */
function repositoryIn(url: string, server: string): { readonly owner: string; readonly name: string } | undefined {
  const pattern =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)(?<host>[^/:]+(?::\d+)?)[/:](?<owner>[\w.-]+)\/(?<name>[\w.-]+?)(?:\.git)?\/?$/u;
  const { host, owner, name } = pattern.exec(url)?.groups ?? {};
  if (owner === undefined || name === undefined || host !== new URL(server).host) return undefined;
  return { owner, name };
}
