import { OperationalError, UsageError } from "../../src/core/errors.ts";
import type { GithubAccess } from "../../src/github/access.ts";
import { type RunRequest, verifyRunRequest } from "../../src/requests/run-request.ts";
import { type Asking, dispatched, HEAD, LOOP, OURS } from "../support/asking.ts";

/** What is known when nobody asks. */
export const NOBODY: RunRequest = {
  by: "trigger",
  asker: null,
  guidance: null,
  command: null,
  request: null,
  loopId: null,
  pullRequest: null,
  headBranch: null,
  head: null,
};

/** What a relay would have written, with what is said otherwise. */
export function input(request: string | null, more: Readonly<Record<string, unknown>> = {}): string {
  const said = { command: "continue", loop: LOOP, pr: 7, head: HEAD, ...more };
  return JSON.stringify(request === null ? said : { ...said, request });
}

/** What opens GitHub for the worker. */
export function accessOf(at: Asking): GithubAccess {
  return { within: async () => at.github, until: async () => at.github };
}

/** What the worker finds out. */
export function verify(at: Asking, smithers: string | undefined, by = OURS): Promise<RunRequest> {
  return verifyRunRequest(dispatched(smithers, by), accessOf(at), ["renovate[bot]"]);
}

/** The code and the words of a refusal. */
export async function refusal(doing: Promise<unknown>): Promise<string> {
  try {
    return `not refused: ${JSON.stringify(await doing)}`;
  } catch (error) {
    if (error instanceof UsageError) return `${error.problems[0]?.code ?? ""} ${error.message}`;
    if (error instanceof OperationalError) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** What was done, apart from looking. */
export function writes(at: Asking): readonly string[] {
  return at.api.requests.filter(({ method }) => method !== "GET").map(({ operation }) => operation);
}
