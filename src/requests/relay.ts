import type { AuthDecision } from "../core/policy/may.ts";
import { authorise } from "./authorise.ts";
import { type Intent, type Origin, readIntent } from "./intent.ts";
import { answerTo } from "./relay-answer.ts";
import { type Facts, gatherFacts } from "./relay-facts.ts";
import type { Relayed, RelayJob } from "./relay-job.ts";
import { acknowledge, conclude } from "./relay-tell.ts";

/**
 * The relay: decides whether an event asks something of a loop and by whose right, and hands it on, to the run that is
 * under way or to a new one. No agent runs here, and nothing of the repository is looked at.
 *
 * @returns the exit code: 1 when what somebody may ask for could not be handed on, or they could not be told why not
 */
export async function relay(job: RelayJob): Promise<number> {
  const { log } = job;
  const read = readIntent(job.context, workersOf(job));
  if (read.kind === "ignored") return ignore(log, read.why);
  const intent = read.kind === "asked" ? read.intent : null;
  const origin = read.kind === "asked" ? read.intent : read.origin;
  if (origin.way === "dispatch") return ignore(log, "A relay is for comments, labels and checks that fail.");

  const facts = await gatherFacts(job.access, origin, intent?.command ?? null);
  if (!facts.answered) return fail(log, `The pull request cannot be read: ${facts.why}.`);
  const decision = await authorise(job.access, petitionOf(origin, facts.value), job.allowedBots);
  if (decision.trouble !== null) log.warning(`${decision.who} cannot be looked up: ${decision.trouble}.`);
  if (decision.ruling.decision === "ignored") return ignore(log, `${decision.who} ${decision.ruling.why}.`);

  const claim = await acknowledge(job, origin);
  if (claim === "taken") return leave(log, origin);
  const reason = read.kind === "malformed" ? read.reason : null;
  const relayed = await decideOn(job, { intent, reason, ruling: decision.ruling, facts: facts.value });
  const told = await conclude(job, origin, claim, relayed);
  return relayed.outcome === "failed" || (!told && decision.ruling.decision === "allowed") ? 1 : 0;
}

/** The files of the workflows that run the loop. */
export function workersOf({ context, relayTo }: Pick<RelayJob, "context" | "relayTo">): readonly string[] {
  return relayTo === null ? [context.workflow.file] : [context.workflow.file, relayTo];
}

interface Asked {
  /** null: it is malformed, for `reason` */
  readonly intent: Intent | null;
  readonly reason: string | null;
  readonly ruling: AuthDecision;
  readonly facts: Facts;
}

async function decideOn(job: RelayJob, { intent, reason, ruling, facts }: Asked): Promise<Relayed> {
  if (ruling.decision === "refused") return { outcome: "refused", reason: ruling.reason, next: null };
  if (intent === null) return { outcome: "refused", reason: reason ?? "That was not understood.", next: null };
  return answerTo(job, intent, facts);
}

function petitionOf({ way, actor, behind, fork }: Origin, { pull, edited }: Facts): Parameters<typeof authorise>[1] {
  return { way, actor, behind, author: pull?.author ?? null, fork: fork || pull?.fork === true, edited };
}

function ignore(log: RelayJob["log"], why: string): number {
  log.line(`Nothing to do. ${why}`);
  return 0;
}

function leave(log: RelayJob["log"], { label }: Origin): number {
  const what = label === null ? "This comment has been answered" : `The label ${label} has been taken off`;
  log.notice(`${what} by another workflow that hears it too, or by somebody; nothing is done here. ${LET_ONE_LISTEN}`);
  return 0;
}

const LET_ONE_LISTEN = "Let one workflow of this repository listen: which of several takes a request is chance.";

function fail(log: RelayJob["log"], why: string): number {
  log.warning(`Nothing was handed on. ${why}`);
  return 1;
}
