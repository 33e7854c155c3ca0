import { z } from "zod";
import type { TokenKind } from "../views/github/facts.ts";
import type { Github } from "./client.ts";
import { type Account, AccountPayload, orNull } from "./event-payload.ts";
import { WHO_AM_I } from "./queries.ts";

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

const Viewer = z.object({ viewer: z.object({ login: z.string() }) });

/**
 * Whose token it is, which decides what GitHub starts because of it. If GitHub does not say, it counts as the
 * workflow's own, which can do the least. Never throws.
 */
export async function tokenKind(github: Github, token: string): Promise<TokenKind> {
  if (isPersonal(token)) return "person";
  try {
    const answer = Viewer.parse(await github.graphql(WHO_AM_I));
    return answer.viewer.login === WORKFLOW_ACCOUNT ? "github-token" : "app";
  } catch {
    return "github-token";
  }
}
