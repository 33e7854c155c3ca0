import { may, type Permission, type AuthDecision, type Way } from "../core/policy/may.ts";
import type { Github } from "../github/client.ts";
import { isOurselves } from "../github/accounts.ts";
import { ask } from "../github/refusal.ts";
import type { Account } from "../github/event-payload.ts";

/** Who asks in which way, and what is known of what they ask about. */
export interface Petition {
  readonly way: Way;
  readonly actor: Account;
  /** who else stands behind it: all of them have to be allowed */
  readonly behind: readonly Account[];
  /** login of whose pull request it is about; null: none's */
  readonly author: string | null;
  /** whether that comes from another repository */
  readonly fork: boolean;
  /** whether the comment was changed since it was written */
  readonly edited: boolean;
}

/** What was decided, and of whom. */
export interface Decision {
  readonly ruling: AuthDecision;
  /** login; of somebody behind the petition where it fails because of them */
  readonly who: string;
  /** what the permission was taken from when GitHub could not say it, as part of a sentence; null: it could */
  readonly trouble: string | null;
}

/**
 * Decides whether somebody may ask, by the permission that GitHub says the account has (`metadata: read`, which every
 * token has). Whoever cannot be looked up is denied. Never throws.
 *
 * @param allowedBots logins, as in `renovate[bot]`; nothing in it stands for several
 */
export async function authorise(github: Github, petition: Petition, allowedBots: readonly string[]): Promise<Decision> {
  const decision = await decide(github, petition, petition.actor, allowedBots);
  if (decision.ruling.decision !== "allowed") return decision;
  const others = petition.behind.filter(({ login }) => login !== petition.actor.login);
  for (const account of new Map(others.map((other) => [other.login, other])).values()) {
    const other = await decide(github, petition, account, allowedBots);
    if (other.ruling.decision !== "allowed") return other;
  }
  return decision;
}

async function decide(
  github: Github,
  { way, author, fork, edited }: Petition,
  account: Account,
  allowedBots: readonly string[],
): Promise<Decision> {
  const { login, type } = account;
  const bot = type !== "User";
  const looked = bot ? ({ permission: "none", trouble: null } as const) : await permissionOf(github, login);
  const asker = {
    permission: looked.permission,
    bot,
    listed: bot && allowedBots.some((name) => sameLogin(name, login)),
    ourselves: isOurselves(account),
    author: author !== null && sameLogin(author, login),
    fork,
    edited,
  };
  return { ruling: may(way, asker), who: login, trouble: looked.trouble };
}

/** What a user may do with the repository. The API maps `maintain` to `write`, and `triage` to `read`. */
async function permissionOf(
  github: Github,
  login: string,
): Promise<{ readonly permission: Permission; readonly trouble: string | null }> {
  const answer = await ask("metadata: read", () =>
    github.rest.repos.getCollaboratorPermissionLevel({ username: login }),
  );
  if (!answer.ok) {
    const { kind, because } = answer.trouble;
    return kind === "absent" ? { permission: "none", trouble: null } : { permission: "unknown", trouble: because };
  }
  const { permission, role_name: role } = answer.value.data;
  if (permission === "admin" || permission === "write") return { permission, trouble: null };
  if (permission === "read") return { permission: role === "triage" ? "triage" : "read", trouble: null };
  return { permission: "none", trouble: null };
}

/** GitHub does not see the case of letters in logins. */
function sameLogin(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.toLowerCase();
}
