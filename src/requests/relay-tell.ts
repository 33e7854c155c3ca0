import { AGENT_STATE } from "../core/files.ts";
import { react, type Reaction, reply } from "../github/comments.ts";
import type { FoundLoop } from "./find-loop.ts";
import type { Origin } from "./intent.ts";
import { claimLabel, removeLabel } from "../github/labels.ts";
import { asInputs } from "../views/run-view.ts";
import type { Relayed, RelayJob } from "./relay-job.ts";

type Teller = Pick<RelayJob, "access" | "log"> & { readonly context: Pick<RelayJob["context"], "attempt"> };

/**
 * Whose a request is.
 *
 * - `ours`: nobody else has taken it, or this is a run that somebody has started again
 * - `untold`: GitHub does not say; it may be ours
 * - `taken`: another workflow has heard it too and was faster
 */
type Claim = "ours" | "untold" | "taken";

/**
 * Shows whoever may ask that they were heard, which is how several workflows that hear the same thing agree on one: the
 * reaction is put on, and the label taken off, by one of them.
 */
export async function acknowledge({ access, log, context }: Teller, origin: Origin): Promise<Claim> {
  const { label, pullRequest, request } = origin;
  const again = context.attempt > 1;
  if (label !== null && pullRequest !== null) {
    const claimed = await claimLabel(access, pullRequest, label);
    if (claimed.answered) return claimed.value.there || again ? "ours" : "taken";
    return "untold";
  }
  if (request?.kind !== "comment") return "ours";
  const reacted = await react(access, request.id, "eyes");
  if (reacted.answered) return reacted.value.first || again ? "ours" : "taken";
  log.line(`No reaction could be put on the comment: ${reacted.why}`);
  return "untold";
}

/**
 * Says what came of a request: in the log, and where it was made. A label can be used again. Never throws.
 *
 * @returns whether whoever asked can see it; false: the workflow does not let us tell them
 */
export async function conclude(job: Teller, origin: Origin, claim: Claim, relayed: Relayed): Promise<boolean> {
  const { log } = job;
  const { label, pullRequest } = origin;
  if (claim === "untold" && label !== null && pullRequest !== null) {
    const removed = await removeLabel(job.access, pullRequest, label);
    if (!removed.done) log.warning(`The label ${label} is left: ${removed.why}.`);
  }
  if (relayed.outcome === "done") {
    log.line(relayed.line);
    await reactTo(job, origin, "rocket");
    return true;
  }
  const { outcome, reason, next } = relayed;
  if (outcome === "failed") log.warning(reason);
  else log.line(`${origin.actor.login}: ${reason}`);
  await reactTo(job, origin, "confused");
  if (pullRequest === null || origin.way === "workflow_run") return true;
  const { refusalReply } = await import("../views/github/relay-reply.ts");
  const unwritten = await write(job, pullRequest, next === null ? refusalReply(reason) : refusalReply(reason, next));
  return unwritten?.because !== "refused";
}

/** Answers how the loop stands. */
export async function tellStatus(job: Teller, number: number | null, loop: FoundLoop | null): Promise<Relayed> {
  if (loop === null || number === null) {
    return {
      outcome: "refused",
      reason: "There is no loop on this pull request.",
      next: "Start one with /smithers start.",
    };
  }
  const { state, running, loopId } = loop;
  const { statusReply } = await import("../views/github/relay-reply.ts");
  const body = statusReply({
    state,
    alive: running,
    change: null,
    protection: { sandbox: state[AGENT_STATE].sandbox, providerArgs: [] },
    stateFile: "",
    folder: "",
    resume: "/smithers continue",
    word: asInputs,
  });
  const written = await write(job, number, body);
  if (written === null) return { outcome: "done", line: `Loop ${loopId} is ${state.status}.` };
  return { outcome: "failed", reason: `How the loop stands could not be said: ${written.why}.`, next: null };
}

/** @returns why it was not written; null: it was */
async function write(
  { access, log }: Pick<Teller, "access" | "log">,
  number: number,
  body: string,
): Promise<Failure | null> {
  const written = await reply(access, number, body);
  if (written.done) return null;
  log.warning(`No answer could be written to the pull request: ${written.why}.`);
  return written;
}

/** Only comments can be reacted to; without it nothing is lost. */
async function reactTo({ access, log }: Teller, { request }: Origin, reaction: Reaction): Promise<void> {
  if (request?.kind !== "comment") return;
  const reacted = await react(access, request.id, reaction);
  if (!reacted.answered) log.line(`No reaction could be put on the comment: ${reacted.why}`);
}
