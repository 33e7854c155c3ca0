import type { Shell } from "../app/shell.ts";
import type { Config } from "../config/config.ts";
import { isPersonal } from "../github/accounts.ts";
import { type Finding, githubFindings, type Right } from "../views/gaps.ts";
import { originOn, serversIn } from "./github-place.ts";

const WITHIN_MS = 5_000;
const TOKENS = ["GH_TOKEN", "GITHUB_TOKEN"];

/**
 * What the token may do with the repository on GitHub that `origin` names: three requests that change nothing. The token
 * goes to GitHub alone, wherever `origin` is.
 */
export async function githubDoctor(root: string, { githubToken }: Config, { env }: Shell): Promise<readonly Finding[]> {
  const { serverUrl, apiUrl } = serversIn(env);
  // Where git is missing, another finding says so.
  const origin = await originOn(serverUrl, root).catch(() => "");
  if (origin === "") return [untold("origin is no repository there, so publishing from here is not looked at")];
  const token = githubToken ?? TOKENS.map((name) => env[name] ?? "").find((value) => value !== "");
  if (token === undefined) {
    return [
      untold("there is no token to ask with; set GH_TOKEN to have what a workflow would publish looked at as well"),
    ];
  }
  const [{ createGithub }, { probeCreation, probePullRequests, probePush }] = await Promise.all([
    import("../github/client.ts"),
    import("../github/probes.ts"),
  ]);
  const [owner = "", name = ""] = origin.split("/");
  // No probe asks which id it has.
  const repository = { owner, name, id: 0 };
  const github = createGithub({ token, apiUrl, repository, signal: AbortSignal.timeout(WITHIN_MS) });
  const [push, pulls, creation] = await Promise.all([
    probePush(github, isPersonal(token)),
    probePullRequests(github),
    probeCreation(github),
  ]);
  return githubFindings({
    push: { refs: [origin], right: withCure(push.right) },
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
