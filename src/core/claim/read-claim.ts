import type { ProviderFailure } from "../agent.ts";
import type { Matcher } from "../ports.ts";
import type { PromiseRule } from "../task.ts";
import type { Claim } from "./claim.ts";
import { normalised } from "./markup.ts";
import { findPromise, promiseToken } from "./promise.ts";
import { readBlocked, readNotes } from "./sections.ts";

/** No more of a message than this is read, from its end (section 5.1 reads as much of a block). */
const READ_LIMIT = 65_536;

/**
 * Reads what the agent claims in its last message. A turn that failed can make no claim (section 4.3), but its notes
 * are kept.
 */
export async function readClaim(
  lastMessage: string,
  rule: PromiseRule,
  failure: ProviderFailure | null,
  matcher: Matcher,
): Promise<Claim> {
  const message = normalised(lastMessage.slice(-READ_LIMIT));
  const promise = await findPromise(message, rule, matcher);
  return {
    detected: promise.detected,
    done: promise.counts && failure === null,
    hint: promise.hint,
    blocked: readBlocked(message),
    notes: readNotes(message, promiseToken(rule)),
  };
}
