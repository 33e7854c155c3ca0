import { reply } from "../../github/comments.ts";
import type { FoundLoop } from "../../github/find-loop.ts";
import type { Origin } from "../../github/intent.ts";
import { removeLabel } from "../../github/labels.ts";
import { react, type Reaction } from "../../github/reactions.ts";
import { asInputs } from "../../views/as-inputs.ts";
import type { Relayed, RelayJob } from "./relay-job.ts";

type Teller = Pick<RelayJob, "access" | "log">;

/** Shows whoever may ask that they were heard. */
export async function acknowledge(job: Teller, origin: Origin): Promise<void> {
  await reactTo(job, origin, "eyes");
}

/** Says what came of a request: in the log, and where it was made. A label can be used again. Never throws. */
export async function conclude(job: Teller, origin: Origin, relayed: Relayed): Promise<void> {
  const { log } = job;
  const { label, pullRequest } = origin;
  if (label !== null && pullRequest !== null) {
    const removed = await removeLabel(job.access, pullRequest, label);
    if (!removed.done) log.warning(`The label ${label} is left: ${removed.why}.`);
  }
  if (relayed.outcome === "done") {
    log.line(relayed.line);
    await reactTo(job, origin, "rocket");
    return;
  }
  const { outcome, reason, next } = relayed;
  if (outcome === "failed") log.warning(reason);
  else log.line(`${origin.actor.login}: ${reason}`);
  await reactTo(job, origin, "confused");
  if (pullRequest === null || origin.way === "workflow_run") return;
  const { refusalReply } = await import("../../views/relay-reply.ts");
  await write(job, pullRequest, next === null ? refusalReply(reason) : refusalReply(reason, next));
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
  const { statusReply } = await import("../../views/relay-reply.ts");
  const body = statusReply({
    state,
    alive: running,
    change: null,
    protection: { sandbox: state.codex.sandbox, providerArgs: [] },
    stateFile: "",
    folder: "",
    resume: "/smithers continue",
    word: asInputs,
  });
  const written = await write(job, number, body);
  if (written === null) return { outcome: "done", line: `Loop ${loopId} is ${state.status}.` };
  return { outcome: "failed", reason: `How the loop stands could not be said: ${written}.`, next: null };
}

/** @returns why it was not written, as part of a sentence; null: it was */
async function write({ access, log }: Teller, number: number, body: string): Promise<string | null> {
  const written = await reply(access, number, body);
  if (written.done) return null;
  log.warning(`No answer could be written to the pull request: ${written.why}.`);
  return written.why;
}

/** Only comments can be reacted to; without it nothing is lost. */
async function reactTo({ access, log }: Teller, { request }: Origin, reaction: Reaction): Promise<void> {
  if (request?.kind !== "comment") return;
  const reacted = await react(access, request.id, reaction);
  if (!reacted.done) log.line(`No reaction could be put on the comment: ${reacted.why}`);
}
