import { z } from "zod";
import type { TokenKind } from "../views/github/facts.ts";
import type { Access } from "./access.ts";
import { WORKFLOW_ACCOUNT } from "./account.ts";
import { WHO_AM_I } from "./graphql/queries.ts";

const Viewer = z.object({ viewer: z.object({ login: z.string() }) });

/** How the tokens of people begin; all others are an installation's, the workflow's own among them. */
const PERSONAL = /^(?:ghp|gho|ghu|github_pat)_/u;

/** Whether a token is a person's, by how it looks. */
export function isPersonal(token: string): boolean {
  return PERSONAL.test(token);
}

/**
 * Whose token it is, which decides what GitHub starts because of it. Where GitHub does not say so it counts as the
 * workflow's own, of which the least can be promised. Never throws.
 */
export async function tokenKind({ octokit, signal }: Access, token: string): Promise<TokenKind> {
  if (isPersonal(token)) return "person";
  try {
    const answer = Viewer.parse(await octokit.graphql(WHO_AM_I, { request: { signal } }));
    return answer.viewer.login === WORKFLOW_ACCOUNT ? "github-token" : "app";
  } catch {
    return "github-token";
  }
}
