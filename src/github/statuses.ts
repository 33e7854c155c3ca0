import type { Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import { onceKnown } from "./ask-again.ts";
import { ask, type Refused } from "./refusal.ts";

interface CommitStatus {
  readonly sha: string;
  readonly state: "pending" | "success" | "failure" | "error";
  /** `smithers/loop` for the loop's own; of a job of CI, its name */
  readonly context: string;
  /** one line; cut at the 140 characters that GitHub takes */
  readonly description: string;
  /** where people read more */
  readonly targetUrl: string;
}

const LONGEST = 140;

/** Sets a status of a commit (`statuses: write`), in place of an earlier one of its context. Never throws. */
export async function setCommitStatus(
  github: Github,
  { sha, state, context, description, targetUrl }: CommitStatus,
): Promise<Result<unknown, Refused>> {
  const params = { sha, state, context, description: cut(description), target_url: targetUrl };
  return ask("statuses: write", () => onceKnown(github.signal, () => github.rest.repos.createCommitStatus(params)));
}

/** No half of a character is left at the end. */
function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
