import type { ProviderFailure } from "../agent.ts";
import type { Matcher } from "../ports.ts";
import type { TaskIdentity } from "../task.ts";
import type { Claim } from "./claim.ts";
import { normalised } from "./markup.ts";
import { findPromise, promiseToken, tokenRule } from "./promise.ts";
import { readBlocked, readNotes } from "./sections.ts";
import { readStatusBlock, type StatusBlock } from "./status-block.ts";
import { unfinishedNear } from "./unfinished.ts";

/** No more of a message than this is read, from its end (section 5.1 reads as much of a block). */
const READ_LIMIT = 65_536;

/** What the agent said in a turn. */
export interface Said {
  /** the only place that a promise is read from (C8) */
  readonly lastMessage: string;
  /** what it said before that, the newest first; a status block may stand there */
  readonly earlier: readonly string[];
}

/**
 * Reads what the agent claims. A turn that failed can make no claim (section 4.3), but its notes are kept, and so is its
 * status block.
 */
export async function readClaim(
  { lastMessage, earlier }: Said,
  { promise: rule, doneToken }: Pick<TaskIdentity, "promise" | "doneToken">,
  failure: ProviderFailure | null,
  matcher: Matcher,
): Promise<Claim> {
  const message = normalised(lastMessage.slice(-READ_LIMIT));
  const promise = await findPromise(message, rule, matcher);
  const token = await findPromise(message, tokenRule(doneToken, rule), matcher);
  const said = promise.counts ? promiseToken(rule) : doneToken;
  return {
    detected: promise.detected,
    done: promise.counts && failure === null,
    token_done: token.counts && failure === null,
    hint: promise.hint ?? token.hint,
    blocked: readBlocked(message),
    notes: readNotes(message, promiseToken(rule) ?? doneToken),
    unfinished: promise.counts || token.counts ? unfinishedNear(message, said) : null,
    block: newestBlock([lastMessage, ...earlier]),
  };
}

/** Of the last message, else of the newest one that holds any (L-09, B13). */
function newestBlock(messages: readonly string[]): StatusBlock | null {
  for (const message of messages) {
    const block = readStatusBlock(normalised(message.slice(-READ_LIMIT)));
    if (block !== null) return block;
  }
  return null;
}
