import type { Command } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import { route } from "../core/policy/route.ts";
import type { AskedPullRequest } from "../github/pulls.ts";
import { requestControl } from "./control-request.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { findLoop, type FoundLoop, type Whereabouts } from "./find-loop.ts";
import type { Intent } from "./intent.ts";
import { type RequestId, writeInput } from "../github/intent-input.ts";
import { findLabelEvent } from "./issue-events.ts";
import { readKillSwitch } from "../github/kill-switch.ts";
import type { Relayed, RelayJob } from "./relay-job.ts";
import type { Facts } from "./relay-facts.ts";
import { pinHead } from "./relay-pin.ts";
import { tellStatus } from "./relay-tell.ts";
import { sentence } from "../views/plain-text.ts";

/** Does what somebody who may ask has asked for, as far as it can be done. */
export async function answerTo(job: RelayJob, intent: Intent, { pull }: Facts): Promise<Relayed> {
  const { access } = job;
  if (pull !== null && !pull.open) return refused("The pull request is closed.", "Reopen it first.");
  const allowed = letsWork(intent.command) ? await readKillSwitch(access, job.disabled) : ({ on: true } as const);
  if (!allowed.on) return refused(sentence(allowed.why), "Ask whoever has switched them off.");
  const where: Whereabouts = {
    number: pull?.number ?? null,
    headBranch: pull?.headBranch ?? intent.headBranch ?? "",
    body: pull?.body ?? "",
  };
  const found = await findLoop(access, where, job.lookup);
  if (!found.answered) return failed(`The loop cannot be read: ${found.why}.`);
  return send(job, { intent, pull, loop: found.value });
}

/** Everything that is known of a request. */
interface Request {
  readonly intent: Intent;
  /** null: it is about none */
  readonly pull: AskedPullRequest | null;
  readonly loop: FoundLoop | null;
}

async function send(job: RelayJob, request: Request): Promise<Relayed> {
  const { intent, pull, loop } = request;
  const known = loop === null ? null : { status: loop.state.status, running: loop.running };
  const where = route(intent.command, known, intent.way === "workflow_run");
  if (where.to === "nobody" && loop?.running === true && loop.untold !== null) {
    return failed(`Whether the loop's last run is over cannot be told: ${loop.untold}.`);
  }
  if (where.to === "nobody") return refused(where.reason, where.next);
  if (where.to === "reply") return tellStatus(job, pull?.number ?? null, loop);
  const id = await requestOf(job, request);
  if ("why" in id) return failed(`What was asked cannot be found again: ${id.why}.`);
  return where.to === "run" ? toRun(job, request, where.kind, id) : toWorker(job, request, where.command, id);
}

/** A loop without a pull request works on what the default branch holds, and would repair something else. */
function isElsewhere({ intent, pull }: Request, command: Command, defaultBranch: string): boolean {
  return command === "start" && intent.way === "workflow_run" && pull === null && intent.headBranch !== defaultBranch;
}

const NO_PULL_REQUEST = "The branch of the run that failed is not the default one and has no pull request.";
const OPEN_ONE = "Open one: the next run that fails is then repaired.";

/** GitHub's name for what somebody did, by which the worker looks at it itself. A label's event does not say it. */
async function requestOf({ access }: RelayJob, { intent }: Request): Promise<RequestId | { readonly why: string }> {
  const { request, label, pullRequest, actor } = intent;
  if (request !== null) return request;
  if (label === null || pullRequest === null) return { why: "nothing was done that GitHub has written down" };
  const event = await findLabelEvent(access, { number: pullRequest, label, login: actor.login });
  if (!event.answered) return { why: event.why };
  if (event.value === null) return { why: `GitHub does not know that ${actor.login} put the label on` };
  return { kind: "label", id: event.value.id };
}

async function toRun(
  { access }: RelayJob,
  { intent, loop }: Request,
  kind: "pause" | "stop" | "cancel",
  { id }: RequestId,
): Promise<Relayed> {
  if (loop === null) return failed("There is no loop.");
  const { loopId, commit } = loop;
  const asked = await requestControl(access, { loopId, kind, login: intent.actor.login, id, commit });
  if (!asked.done) return failed(`The loop could not be told: ${asked.why}.`);
  return { outcome: "done", line: `${intent.actor.login} asked loop ${loopId}, which is running, to ${kind}.` };
}

async function toWorker(job: RelayJob, request: Request, command: Command, id: RequestId): Promise<Relayed> {
  const { access, context, relayTo } = job;
  const { intent, pull, loop } = request;
  const { defaultBranch } = context.event;
  if (defaultBranch === null) return failed("The event does not say which branch is the default one.");
  const pinned = letsWork(command) ? await pinHead(access, intent, pull) : null;
  if (pinned?.kind === "unknown") return failed(`What was asked holds for one commit, and ${pinned.why}.`);
  if (pinned?.kind === "moved") return refused(pinned.reason, "Look at what is there now, then ask again.");
  if (isElsewhere(request, command, defaultBranch)) return refused(NO_PULL_REQUEST, OPEN_ONE);
  const workflow = relayTo ?? context.workflow.file;
  // What repairs a failed run is a loop of its own: one that is over had another task.
  const named = intent.way === "workflow_run" && command === "start" ? null : loop;
  const asked = { loop: named?.loopId ?? null, pr: pull?.number ?? null, head: pinned?.head ?? null };
  const input = writeInput({ command, ...asked, request: id, self: false });
  const answer = await dispatchWorkflow(access, { workflow, ref: defaultBranch, input });
  if (!answer.dispatched) return failed(`${workflow} could not be started: ${answer.why}.`);
  const run = answer.runUrl === null ? "" : `: ${answer.runUrl}`;
  return { outcome: "done", line: `${workflow} was started for ${intent.actor.login} (${command})${run}` };
}

function refused(reason: string, next: string): Relayed {
  return { outcome: "refused", reason, next };
}

function failed(reason: string): Relayed {
  return { outcome: "failed", reason, next: null };
}
