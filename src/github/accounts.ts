import { z } from "zod";
import type { Permission } from "../core/policy/may.ts";
import { done, type Result } from "../core/result.ts";
import type { GithubToken } from "../core/ports.ts";
import type { TokenKind } from "../views/github/facts.ts";
import type { Github } from "./client.ts";
import { type Account, AccountPayload, orNull } from "./event-payload.ts";
import { WHO_AM_I } from "./queries.ts";
import { ask, type Refused } from "./refusal.ts";

/** How GitHub writes an account down; null: it is gone. */
export const AccountAnswer = orNull(AccountPayload);

/** The account that a job's own token acts as. */
const WORKFLOW_ACCOUNT = "github-actions[bot]";

/** Whether this is the account of the workflows themselves. */
export function isOurselves({ login, type }: Account): boolean {
  return type !== "User" && login === WORKFLOW_ACCOUNT;
}

/** Whether a token is a person's, by how it begins; all others are an installation's, the workflow's own among them. */
export function isPersonal(token: string): boolean {
  return /^(?:ghp|gho|ghu|github_pat)_/u.test(token);
}

/** Whether it is an installation's, by how it begins: an App's, or the one that GitHub makes for each job. */
export function isInstallations(token: string): boolean {
  return token.startsWith("ghs_");
}

const Viewer = z.object({ viewer: z.object({ login: z.string() }) });

/**
 * Whose token it is, which decides what GitHub starts because of it. If GitHub does not say, it counts as the
 * workflow's own, which can do the least. Never throws.
 */
export async function tokenKind(github: Github, token: GithubToken): Promise<TokenKind> {
  if (typeof token !== "string") return "app";
  if (isPersonal(token)) return "person";
  try {
    const answer = Viewer.parse(await github.graphql(WHO_AM_I));
    return answer.viewer.login === WORKFLOW_ACCOUNT ? "github-token" : "app";
  } catch {
    return "github-token";
  }
}

/** GitHub does not see the case of letters in logins. */
export function sameLogin(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/**
 * What a user may do with the repository (`metadata: read`). The API maps `maintain` to `write`, and `triage` to `read`.
 * Never throws.
 */
export async function permissionOf(github: Github, username: string): Promise<Result<Permission, Refused>> {
  const answer = await ask("metadata: read", () => github.rest.repos.getCollaboratorPermissionLevel({ username }));
  if (!answer.ok) return answer.trouble.kind === "absent" ? done("none") : answer;
  const { permission, role_name: role } = answer.value.data;
  if (permission === "admin" || permission === "write") return done(permission);
  if (permission === "read") return done(role === "triage" ? "triage" : "read");
  return done("none");
}

/**
 * Who committed and who wrote a commit, by the addresses in it, which anybody can write there (`contents: read`). Never
 * throws.
 */
export async function peopleBehind(github: Github, sha: string): Promise<Result<readonly Account[], Refused>> {
  return ask("contents: read", async () => {
    const { data } = await github.rest.repos.getCommit({ ref: sha });
    // An address without an account is null, or an empty object.
    const accounts = [data.committer, data.author].map((account) => AccountAnswer.catch(null).parse(account));
    return accounts.filter((account) => account !== null);
  });
}

/** The login of the account that the token acts as. Never throws. */
export async function ownLogin(github: Github): Promise<Result<string, Refused>> {
  return ask("metadata: read", async () => Viewer.parse(await github.graphql(WHO_AM_I)).viewer.login);
}

/**
 * Asks somebody for a review (`pull-requests: write`), unless they have given one on this very commit. GitHub refuses its
 * author and strangers. Never throws.
 */
export async function requestReview(
  github: Github,
  { number, login, head }: { readonly number: number; readonly login: string; readonly head: string | null },
): Promise<Result<unknown, Refused>> {
  return ask("pull-requests: write", async () => {
    const asked = { pull_number: number, per_page: 100 };
    const reviews = await github.paginate((rest) => rest.pulls.listReviews, asked);
    const isGiven = reviews.some(({ user, commit_id: on }) => on === head && sameLogin(user?.login ?? "", login));
    if (!isGiven) await github.rest.pulls.requestReviewers({ pull_number: number, reviewers: [login] });
  });
}
