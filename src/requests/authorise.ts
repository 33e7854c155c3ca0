import { resolveSettings } from "../config/resolve.ts";
import { type AuthDecision, may, type Way } from "../core/policy/may.ts";
import { done } from "../core/result.ts";
import { githubAccess } from "../github/access.ts";
import { firstToken, withAppToken } from "../github/app/app-token.ts";
import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import type { Account } from "../github/event-payload.ts";
import { isOurselves, permissionOf, sameLogin } from "../github/accounts.ts";
import type { RunnerLog } from "../os/runner-log.ts";

/** Who asks in which way, and what is known about the pull request. */
export interface AuthRequest {
  readonly way: Way;
  readonly actor: Account;
  /** who else caused it: all of them have to be allowed */
  readonly behind: readonly Account[];
  /** login of the pull request's author; null: no pull request */
  readonly author: string | null;
  readonly fork: boolean;
  readonly edited: boolean;
}

export interface Authorisation {
  readonly decision: AuthDecision;
  /** login; of somebody behind the request where it fails because of them */
  readonly who: string;
  /** why GitHub could not say which permission they have, as part of a sentence; null: it could */
  readonly trouble: string | null;
}

/**
 * Decides whether somebody may ask, by the permission that GitHub says the account has (`metadata: read`, which every
 * token has). An account that cannot be looked up is denied. Never throws.
 *
 * @param allowedBots logins, as in `renovate[bot]`; no wildcards
 */
export async function authorise(
  github: Github,
  request: AuthRequest,
  allowedBots: readonly string[],
): Promise<Authorisation> {
  const { actor, behind } = request;
  const own = await decide(github, request, actor, allowedBots);
  if (own.decision.kind !== "allowed") return own;
  const others = behind.filter(({ login }) => login !== actor.login);
  for (const account of new Map(others.map((other) => [other.login, other])).values()) {
    const other = await decide(github, request, account, allowedBots);
    if (other.decision.kind !== "allowed") return other;
  }
  return own;
}

async function decide(
  github: Github,
  { way, author, fork, edited }: AuthRequest,
  account: Account,
  allowedBots: readonly string[],
): Promise<Authorisation> {
  const { login, type } = account;
  const bot = type !== "User";
  const permission = bot ? done("none" as const) : await permissionOf(github, login);
  const decision = may(way, {
    permission: permission.ok ? permission.value : "unknown",
    bot,
    listed: bot && allowedBots.some((name) => sameLogin(name, login)),
    ourselves: isOurselves(account),
    author: author !== null && sameLogin(author, login),
    fork,
    edited,
  });
  return { decision, who: login, trouble: permission.ok ? null : permission.trouble.because };
}

const WITHIN_MS = 30_000;

/** Events that somebody can cause without any right to write: by a comment, an issue, a review, a star. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set([
  ...["discussion", "discussion_comment", "fork", "issue_comment", "issues", "watch"],
  ...["pull_request", "pull_request_review", "pull_request_review_comment", "pull_request_target"],
]);

/**
 * Why an event starts no loop, in a sentence: anybody can cause it, and the person who did may not write here (T4).
 *
 * @returns null when it may
 */
export async function whyNotStarted(
  env: Readonly<Record<string, string | undefined>>,
  context: GithubContext,
  log: Pick<RunnerLog, "mask">,
): Promise<string | null> {
  const { eventName, event } = context;
  if (!OPEN_TO_ALL.has(eventName)) return null;
  const { sender } = event;
  if (sender === null) return `The event ${eventName} does not say who has caused it.`;
  const config = withAppToken(resolveSettings({ flags: {}, env, inputs: env }).config, context, log);
  await firstToken(config.githubToken);
  const github = await githubAccess(config.githubToken, context)?.within(WITHIN_MS);
  if (github === undefined) return `Who may start a loop by ${eventName} cannot be asked without a github-token.`;
  const request = { way: "event", actor: sender, behind: [], author: null, fork: false, edited: false } as const;
  const { decision, who, trouble } = await authorise(github, request, config.allowedBots);
  if (decision.kind === "allowed") return null;
  const why = decision.kind === "ignored" ? `${who} ${decision.why}` : decision.reason;
  return `No loop is started by ${eventName}: ${why}${trouble === null ? "" : ` (${trouble})`}.`;
}
