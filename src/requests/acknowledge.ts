import { DONE, type Result, type Trouble } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import { type CommentedOn, react, type Reaction, reply } from "../github/comments.ts";
import { claimLabel, removeLabel } from "../github/labels.ts";
import type { Refused } from "../github/refusal.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { refusalReply } from "../views/github/relay-reply.ts";
import type { Origin } from "./intent.ts";

type Log = Pick<RunnerLog, "line" | "warning">;

/**
 * Why somebody who may ask does not get what they asked for; `because` is a sentence for them.
 *
 * - `refused`: they cannot have it
 * - `failed`: the workflow or GitHub is not as it should be: the job is red
 */
interface Unmet extends Trouble {
  readonly kind: "refused" | "failed";
}

/** What came of what somebody who may ask has asked for: a line for the log, or why it was not done. */
export type Relayed = Result<string, Unmet>;

/**
 * Who handles a request.
 *
 * - `ours`: no other workflow has taken it, or somebody has started this run again
 * - `untold`: GitHub does not say; it may be ours
 * - `taken`: another workflow has heard it too and was faster
 */
type Claim = "ours" | "untold" | "taken";

/**
 * Shows people who may ask that they were heard. That is how several workflows that hear the same request agree on one:
 * only one of them adds the reaction or removes the label.
 *
 * @param again whether somebody has started this run again
 */
export async function acknowledge(github: Github, origin: Origin, again: boolean, log: Log): Promise<Claim> {
  const { label, place } = origin;
  if (label !== null && place !== null) {
    const claimed = await claimLabel(github, place, label, commentedOn(origin));
    if (!claimed.ok) return "untold";
    return claimed.value.there || again ? "ours" : "taken";
  }
  const reacted = await reactTo(github, origin, "eyes", log);
  if (reacted?.ok === false) return "untold";
  return reacted === null || reacted.value.first || again ? "ours" : "taken";
}

/**
 * Reports the result of a request: in the log, and where it was made. A label can be used again. Never throws.
 *
 * @returns whether the person who asked can see it; false: the workflow does not let us tell them
 */
export async function conclude(
  github: Github,
  origin: Origin,
  claim: Claim,
  relayed: Relayed,
  log: Log,
): Promise<boolean> {
  const { label, place } = origin;
  if (claim === "untold" && label !== null && place !== null) {
    const removed = await removeLabel(github, place, label, commentedOn(origin));
    if (!removed.ok) log.warning(`The label ${label} is left: ${removed.trouble.because}.`);
  }
  if (relayed.ok) {
    log.line(relayed.value);
    await reactTo(github, origin, "rocket", log);
    return true;
  }
  const { kind, because, next } = relayed.trouble;
  if (kind === "failed") log.warning(because);
  else log.line(`${origin.actor.login}: ${because}`);
  await reactTo(github, origin, "confused", log);
  if (origin.place === null) return true;
  const written = await writeReply(github, origin, refusalReply(because, next), log);
  return written.ok || written.trouble.kind === "unreachable";
}

const IN_A_NEW_ONE = "Write what you want as a new comment.";

/**
 * Tells somebody that their edit of a comment orders nothing (C115): once for each comment, however often it is edited and
 * whichever workflows hear it, by the first 😕 on it. A comment that was refused before has been answered so already. Never throws.
 *
 * @param again whether somebody has started this run again
 * @param reason a sentence for them
 * @returns false: they could not be told
 */
export async function tellOfEdit(
  github: Github,
  origin: Origin,
  again: boolean,
  reason: string,
  log: Log,
): Promise<boolean> {
  log.line(`${origin.actor.login}: ${reason}`);
  const marked = await reactTo(github, origin, "confused", log);
  if (marked?.ok === false) return marked.trouble.kind === "absent";
  if (marked?.value.first === false && !again) {
    log.line("The comment has been answered already.");
    return true;
  }
  return (await writeReply(github, origin, refusalReply(reason, IN_A_NEW_ONE), log)).ok;
}

/** Answers where somebody has asked; what keeps it from being written is in the log. */
export async function writeReply(
  github: Github,
  origin: Pick<Origin, "place" | "pullRequest">,
  body: string,
  log: Log,
): Promise<Result<unknown, Refused>> {
  if (origin.place === null) return DONE;
  const written = await reply(github, origin.place, body, commentedOn(origin));
  if (!written.ok) log.warning(`No answer could be written: ${written.trouble.because}.`);
  return written;
}

/** Only comments can be reacted to; without it nothing is lost. */
async function reactTo(github: Github, origin: Origin, reaction: Reaction, log: Log) {
  if (origin.request?.kind !== "comment") return null;
  const reacted = await react(github, origin.request.id, reaction, commentedOn(origin));
  if (!reacted.ok) log.line(`No reaction could be put on the comment: ${reacted.trouble.because}`);
  return reacted;
}

/** By this a token's permissions differ. */
export function commentedOn({ pullRequest }: Pick<Origin, "pullRequest">): CommentedOn {
  return pullRequest === null ? "issues" : "pull-requests";
}
