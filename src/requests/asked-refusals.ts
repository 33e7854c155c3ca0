import { OperationalError, UsageError } from "../core/errors.ts";

const AGAIN =
  "Ask again with a new comment or label on the pull request, or start the workflow by hand with its input smithers set to continue.";

/** A request that nobody made so. */
export function forged(what: string): UsageError {
  return refusal("REQUEST_FORGED", what);
}

/** A request by somebody who may not make it, or for what may not be asked. */
export function notAllowed(what: string): UsageError {
  return refusal("REQUEST_NOT_ALLOWED", what);
}

/** A request that was about something else than is there now. */
export function stale(what: string): UsageError {
  return refusal("REQUEST_STALE", what);
}

/** The same, where both commits are known. */
export function moved(asked: string, found: string): UsageError {
  return stale(`This was asked for commit ${asked}, and the branch is at ${found} now.`);
}

/** @param why part of a sentence */
export function unknowable(why: string): OperationalError {
  return new OperationalError({
    code: "REQUEST_UNVERIFIED",
    what: `Who asks for this run cannot be verified: ${why}. Nothing was done.`,
    next: "Run this workflow again when that is mended.",
  });
}

function refusal(code: string, what: string): UsageError {
  return new UsageError([{ code, what: `${what} Nothing was done.`, next: AGAIN }]);
}
