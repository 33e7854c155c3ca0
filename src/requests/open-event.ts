import { resolveSettings } from "../config/resolve.ts";
import { githubAccess } from "../github/access.ts";
import { authorise } from "./authorise.ts";
import type { GithubContext } from "../github/context.ts";

const WITHIN_MS = 30_000;

/** Events that somebody can cause without any right to write: by a comment, an issue, a review, a star. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set([
  "discussion",
  "discussion_comment",
  "fork",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_target",
  "watch",
]);

/**
 * Why an event starts no loop, in a sentence: it is one that anybody can cause, and whoever did may not write here (T4).
 *
 * @returns null when it may
 */
export async function whyNotStarted(
  env: Readonly<Record<string, string | undefined>>,
  context: GithubContext,
): Promise<string | null> {
  const { eventName, event } = context;
  if (!OPEN_TO_ALL.has(eventName)) return null;
  const { sender } = event;
  if (sender === null) return `The event ${eventName} does not say who has caused it.`;
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  const access = await githubAccess(config.githubToken, context)?.within(WITHIN_MS);
  if (access === undefined) return `Who may start a loop by ${eventName} cannot be asked without a github-token.`;
  const petition = { way: "event", actor: sender, behind: [], author: null, fork: false, edited: false } as const;
  const { ruling, who, trouble } = await authorise(access, petition, config.allowedBots);
  if (ruling.decision === "allowed") return null;
  const why = ruling.decision === "ignored" ? `${who} ${ruling.why}` : ruling.reason;
  return `No loop is started by ${eventName}: ${why}${trouble === null ? "" : ` (${trouble})`}.`;
}
