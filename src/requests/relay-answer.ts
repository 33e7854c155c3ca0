import { AGENT_STATE } from "../core/names.ts";
import type { Command } from "../core/policy/command.ts";
import { controlRefOf } from "../core/control-requests.ts";
import { letsWork } from "../core/policy/may.ts";
import { route } from "../core/policy/route.ts";
import { DONE, done, failed as failure, type Result } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { INPUT, type RequestId, writeInput } from "../github/intent-input.ts";
import { readKillSwitch } from "../github/kill-switch.ts";
import type { NamedPullRequest } from "../github/pulls.ts";
import { createRef } from "../github/refs.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { asInputs } from "../views/run-view.ts";
import { statusReply } from "../views/github/relay-reply.ts";
import { sentence } from "../views/plain-text.ts";
import { type Relayed, writeReply } from "./acknowledge.ts";
import { findLoop, type FoundLoop } from "./find-loop.ts";
import type { Intent } from "./intent.ts";
import { findLabelEvent } from "./issue-events.ts";
import { pinHead } from "./pinned-head.ts";

export interface RelayJob {
  readonly context: Pick<GithubContext, "eventName" | "event" | "repository" | "workflow" | "attempt">;
  readonly github: Github;
  readonly log: Pick<RunnerLog, "line" | "notice" | "warning">;
  /** the setting, as in `smithers/<loop-id>` */
  readonly branch: string;
  /** the file of the workflow that runs the loop; null: this very one */
  readonly relayTo: string | null;
  /** logins */
  readonly allowedBots: readonly string[];
  /** the variable `SMITHERS_DISABLED` as the workflow passes it; null: nothing */
  readonly disabled: string | null;
}

/** Does what somebody who may ask has asked for, as far as it can be done. */
export async function answerTo(job: RelayJob, intent: Intent, pull: NamedPullRequest | null): Promise<Relayed> {
  const { github } = job;
  if (pull !== null && !pull.open) return refused("The pull request is closed.", "Reopen it first.");
  const allowed = letsWork(intent.command) ? await readKillSwitch(github, job.disabled) : DONE;
  if (!allowed.ok) return refused(sentence(allowed.trouble.because), "Ask whoever has switched them off.");
  const where = pull ?? { number: null, headBranch: intent.headBranch ?? "", body: "" };
  const found = await findLoop(github, where, job.branch);
  if (!found.ok) return failed(`The loop cannot be read: ${found.trouble.because}.`);
  const loop = found.value;
  const known = loop && { status: loop.state.status, running: loop.running };
  const to = route(intent.command, known, intent.way === "workflow_run");
  if (to.to === "nobody") {
    if (loop?.running !== true || loop.untold === null) return refused(to.reason, to.next);
    return failed(`Whether the loop's last run is over cannot be told: ${loop.untold}.`);
  }
  if (to.to === "reply") return tellStatus(job, pull, loop);
  const id = await requestOf(github, intent);
  if (!id.ok) return failed(`What was asked cannot be found again: ${id.trouble.because}.`);
  if (to.to === "worker") return toWorker(job, intent, { pull, loop }, to.command, id.value);
  return loop === null ? failed("There is no loop.") : toRun(github, loop, to.kind, intent.actor.login, id.value);
}

async function tellStatus(
  { github, log }: RelayJob,
  pull: NamedPullRequest | null,
  loop: FoundLoop | null,
): Promise<Relayed> {
  if (loop === null || pull === null) {
    return refused("There is no loop on this pull request.", "Start one with /smithers start.");
  }
  const { state, running, loopId } = loop;
  const body = statusReply({
    ...{ state, alive: running, change: null, stateFile: "", folder: "" },
    protection: { sandbox: state[AGENT_STATE].sandbox, providerArgs: [] },
    ...{ resume: "/smithers continue", word: asInputs },
  });
  const written = await writeReply(github, pull.number, body, log);
  if (!written.ok) return failed(`How the loop stands could not be said: ${written.trouble.because}.`);
  return done(`Loop ${loopId} is ${state.status}.`);
}

/** GitHub's name for what somebody did, by which the worker looks at it itself. A label's event does not say it. */
async function requestOf(
  github: Github,
  { request, label, pullRequest, actor: { login } }: Intent,
): Promise<Result<RequestId>> {
  if (request !== null) return done(request);
  if (label === null || pullRequest === null) {
    return failure({ because: "nothing was done that GitHub has written down" });
  }
  const event = await findLabelEvent(github, { number: pullRequest, label, login });
  if (!event.ok) return event;
  if (event.value === null) return failure({ because: `GitHub does not know that ${login} put the label on` });
  return done({ kind: "label", id: event.value.id });
}

/**
 * Asks something of a loop that runs (`contents: write`): it looks for such refs several times a minute, and removes
 * what it has obeyed. Asking twice for the same is asking once.
 */
async function toRun(
  github: Github,
  { loopId, commit }: FoundLoop,
  kind: "pause" | "stop" | "cancel",
  login: string,
  { id }: RequestId,
): Promise<Relayed> {
  // Any commit that the repository has will do: the request is in the name.
  const asked = await createRef(github, controlRefOf(loopId, { kind, login, id }), commit);
  if (!asked.ok) return failed(`The loop could not be told: ${asked.trouble.because}.`);
  return done(`${login} asked loop ${loopId}, which is running, to ${kind}.`);
}

const NO_PULL_REQUEST = "The branch of the run that failed is not the default one and has no pull request.";
const OPEN_ONE = "Open one: the next run that fails is then repaired.";

async function toWorker(
  { github, context, relayTo }: RelayJob,
  intent: Intent,
  { pull, loop }: { readonly pull: NamedPullRequest | null; readonly loop: FoundLoop | null },
  command: Command,
  request: RequestId,
): Promise<Relayed> {
  const { defaultBranch } = context.event;
  if (defaultBranch === null) return failed("The event does not say which branch is the default one.");
  const pinned = letsWork(command) ? await pinHead(github, intent, pull) : done(null);
  if (!pinned.ok) {
    const { kind, because } = pinned.trouble;
    if (kind === "unknown") return failed(`What was asked holds for one commit, and ${because}.`);
    return refused(`${because}.`, "Look at what is there now, then ask again.");
  }
  // What repairs a failed run is a loop of its own: one that is over had another task.
  const isRepair = intent.way === "workflow_run" && command === "start";
  // A loop without a pull request works on the default branch, and would repair something else.
  if (isRepair && pull === null && intent.headBranch !== defaultBranch) return refused(NO_PULL_REQUEST, OPEN_ONE);
  const loopId = isRepair ? null : (loop?.loopId ?? null);
  const asked = { command, loop: loopId, pr: pull?.number ?? null, head: pinned.value, request, self: false };
  const workflow = relayTo ?? context.workflow.file;
  const inputs = { [INPUT]: writeInput(asked) };
  const started = await dispatchWorkflow(github, { workflow, ref: defaultBranch, inputs });
  if (!started.ok) return failed(`${workflow} could not be started: ${started.trouble.because}.`);
  const run = started.value.runUrl === null ? "" : `: ${started.value.runUrl}`;
  return done(`${workflow} was started for ${intent.actor.login} (${command})${run}`);
}

function refused(because: string, next: string): Relayed {
  return failure({ kind: "refused", because, next });
}

function failed(because: string): Relayed {
  return failure({ kind: "failed", because });
}
