import { AGENT_STATE } from "../core/names.ts";
import type { LoopCommand } from "../core/policy/command.ts";
import type { IssueText } from "../core/prompt/issue.ts";
import { controlRefOf } from "../core/control-requests.ts";
import { letsWork } from "../core/policy/may.ts";
import { isOver, route } from "../core/policy/route.ts";
import { storyOfBranch } from "../core/story/wave-names.ts";
import { DONE, done, failed, type Result } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import type { DispatchInput, RequestId } from "../github/intent-input.ts";
import { readIssue } from "../github/orders/issue.ts";
import { markReview, nodeOfReview } from "../github/orders/review.ts";
import { readKillSwitch } from "../github/kill-switch.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import { createRef } from "../github/refs.ts";
import { asInputs, rulingByComment } from "../views/run-view.ts";
import { chosenReply, statusReply } from "../views/github/relay-reply.ts";
import { wordsOfWave } from "../views/github/wave-story.ts";
import { sentence } from "../views/plain-text.ts";
import { commentedOn, type Relayed, writeReply } from "./acknowledge.ts";
import { findLoop, type FoundLoop } from "./find-loop.ts";
import { asksForWork, type Intent, type LoopIntent } from "./intent.ts";
import { findLabelEvent } from "./issue-events.ts";
import { READ_AGAIN, textOf, whyVoid } from "./ordered-issue.ts";
import { ownPushOf, pinHead } from "./pinned-head.ts";
import { answerOfPrd } from "./prd-answer.ts";
import { type LoopThere, tellLost } from "./lost-requests.ts";
import { NO_DEFAULT_BRANCH, type RelayJob, startWorkflow, unable, unwilling } from "./relay-job.ts";
import { findRunToFix, type RunToFix } from "./run-to-fix.ts";

/** Does what somebody who may ask has asked for, as far as it can be done. */
export async function answerTo(job: RelayJob, intent: Intent, pull: NamedPullRequest | null): Promise<Relayed> {
  const { github } = job;
  const isForPrd = intent.command === "prd";
  const story = isForPrd ? null : storyOfBranch(pull?.headBranch ?? intent.headBranch ?? "");
  if (story !== null && asksForWork(intent)) return wavesGoOn(story);
  // Of people's own pull requests nothing is said, whatever would keep a loop from working there.
  if (!isForPrd && intent.isUnnamed === true && pull !== null) {
    const found = await findLoop(job.github, pull, job.branch);
    if (found.ok && found.value === null) return done("The pull request has no loop: the review is not for one.");
  }
  if (!isForPrd && pull?.open === false) return unwilling("The pull request is closed.", "Reopen it first.");
  const allowed = asksForWork(intent) ? await readKillSwitch(github, job.disabled) : DONE;
  if (!allowed.ok) return unwilling(sentence(allowed.trouble.because), "Ask whoever has switched them off.");
  if (!isForPrd) return answerOfLoop(job, intent, pull);
  await tellEarlier(job, intent, "not looked for");
  return answerOfPrd(job, intent);
}

async function answerOfLoop(job: RelayJob, intent: LoopIntent, pull: NamedPullRequest | null): Promise<Relayed> {
  const { github } = job;
  const { issue } = intent;
  const where = pull ?? {
    ...{ number: null, headBranch: intent.headBranch ?? "", body: "" },
    ...(issue === null ? {} : { issue: issue.number }),
  };
  const found = await findLoop(github, where, job.branch);
  if (!found.ok) return unable(`The loop cannot be read: ${found.trouble.because}.`);
  const loop = found.value;
  await tellEarlier(job, intent, loop ?? "none");
  const known = loop && { status: loop.state.status, running: loop.running };
  const to = route(intent.command, known, intent.way === "workflow_run");
  if (to.to === "nobody") {
    if (loop?.running !== true || loop.untold === null) return unwilling(to.reason, to.next);
    return unable(`Whether the loop's last run is over cannot be told: ${loop.untold}.`);
  }
  // One that runs hears what it is told; no other job may take it from its wave.
  const story = storyOfBranch(where.headBranch);
  if (to.to === "worker" && story !== null) return wavesGoOn(story);
  if (to.to === "reply") return tellStatus(job, intent, loop);
  const id = await requestOf(github, intent);
  if (!id.ok) return unable(`What was asked cannot be found again: ${id.trouble.because}.`);
  if (to.to === "worker" && issue !== null)
    return toWorkerOnIssue(job, { ...intent, issue }, loop, to.command, id.value);
  if (to.to === "worker") return toWorker(job, intent, { pull, loop }, to.command, id.value);
  return loop === null ? unable("There is no loop.") : toRun(github, loop, to.kind, intent.actor.login, id.value);
}

/** Tells of what was asked before and got lost; what cannot be told now is no reason not to answer. */
async function tellEarlier(job: RelayJob, intent: Intent, loop: LoopThere): Promise<void> {
  const { github, context, relayTo, relayPrdTo, log } = job;
  if (intent.place === null) return;
  const file = relayTo ?? context.workflow.file;
  const files = { loop: file, prd: relayPrdTo ?? file };
  const told = await tellLost(github, {
    ...{ number: intent.place, on: commentedOn(intent), files },
    ...{ loop, asking: intent, at: intent.at },
  });
  if (told.ok) for (const one of told.value) log.line(one);
  else log.line(`Whether earlier requests got lost cannot be told: ${told.trouble.because}.`);
}

function wavesGoOn(story: NonNullable<ReturnType<typeof storyOfBranch>>): Relayed {
  const { because, next } = wordsOfWave(story);
  return unwilling(because, next);
}

async function tellStatus({ github, log }: RelayJob, intent: LoopIntent, loop: FoundLoop | null): Promise<Relayed> {
  if (loop === null || intent.place === null) {
    return unwilling("There is no loop here.", "Start one with /smithers start.");
  }
  const { state, running, loopId } = loop;
  const body = statusReply({
    ...{ state, alive: running, change: null, prd: null, stateFile: "", folder: "" },
    protection: { sandbox: state[AGENT_STATE].sandbox, providerArgs: [] },
    ...{ resume: "/smithers continue", word: asInputs, ruling: rulingByComment(state) },
    branch: state.github?.branch ?? null,
  });
  const written = await writeReply(github, intent, body, log);
  if (!written.ok) return unable(`How the loop stands could not be said: ${written.trouble.because}.`);
  return done(`Loop ${loopId} is ${state.status}.`);
}

/** GitHub's name for what somebody did, by which the worker looks at it itself. A label's event does not say it. */
async function requestOf(
  github: Github,
  { request, label, place, pullRequest, actor: { login } }: Intent,
): Promise<Result<RequestId>> {
  if (request !== null) return done(request);
  if (label === null || place === null) {
    return failed({ because: "nothing was done that GitHub has written down" });
  }
  const event = await findLabelEvent(github, { number: place, label, login }, commentedOn({ pullRequest }));
  if (!event.ok) return event;
  if (event.value === null) return failed({ because: `GitHub does not know that ${login} put the label on` });
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
  if (!asked.ok) return unable(`The loop could not be told: ${asked.trouble.because}.`);
  return done(`${login} asked loop ${loopId}, which is running, to ${kind}.`);
}

/**
 * What is asked on an issue: a loop begins with what the issue said then, or the one that works on it goes on. That one
 * is looked at on its pull request, so the request holds for the commit that is there.
 */
async function toWorkerOnIssue(
  job: RelayJob,
  intent: LoopIntent & { readonly issue: IssueText },
  loop: FoundLoop | null,
  command: LoopCommand,
  request: RequestId,
): Promise<Relayed> {
  const { github } = job;
  const { number } = intent.issue;
  if (command !== "start") {
    const known = loop?.state.github?.pull_request ?? null;
    const pull = known === null ? done(null) : await readPullRequest(github, known.number);
    if (!pull.ok) return unable(`The loop's pull request cannot be read: ${pull.trouble.because}.`);
    if (pull.value?.open === false && letsWork(command))
      return unwilling(`Pull request #${pull.value.number}, in which the loop works, is closed.`, "Reopen it first.");
    return toWorker(job, intent, { pull: pull.value, loop }, command, request);
  }
  const now = await readIssue(github, number);
  if (!now.ok) return unable(`The issue cannot be read: ${now.trouble.because}.`);
  if (!now.value.open) return unwilling("The issue is closed.", "Reopen it first.");
  const text = textOf(intent.issue);
  const why = whyVoid(now.value, { at: intent.at, text });
  if (why !== null) return unwilling(why, READ_AGAIN);
  const at = { loop: loop?.loopId ?? null, pr: null, issue: { number, text }, head: null };
  return startWorkflow(job, intent, job.relayTo ?? job.context.workflow.file, {
    ...at,
    command,
    request,
    self: false,
    prd: null,
  });
}

const NO_PULL_REQUEST = "The branch of the run that failed is not the default one and has no pull request.";
const OPEN_ONE = "Open one: the next run that fails is then repaired.";

async function toWorker(
  job: RelayJob,
  intent: LoopIntent,
  { pull, loop }: { readonly pull: NamedPullRequest | null; readonly loop: FoundLoop | null },
  command: LoopCommand,
  request: RequestId,
): Promise<Relayed> {
  const { github, context, relayTo } = job;
  const { defaultBranch } = context.event;
  if (defaultBranch === null) return unable(NO_DEFAULT_BRANCH);
  // Before its first push a loop on an issue has nothing that anybody could have seen.
  const isUnseen = pull === null && intent.issue !== null;
  const pinned =
    letsWork(command) && !isUnseen
      ? await pinHead(github, intent, pull, async () => ownPushOf(loop?.state))
      : done(null);
  if (!pinned.ok) {
    const { kind, because } = pinned.trouble;
    if (kind === "unknown") return unable(`What was asked holds for one commit, and ${because}.`);
    return unwilling(`${because}.`, "Look at what is there now, then ask again.");
  }
  const own = [context.workflow.file, relayTo, job.relayPrdTo].filter((file) => file !== null);
  const fix =
    command === "fix" && pinned.value !== null
      ? await findRunToFix(github, { sha: pinned.value, own }, intent.text)
      : done(null);
  if (!fix.ok) {
    const { kind, because, next = "" } = fix.trouble;
    return kind === "none" ? unwilling(because, next) : unable(`Which run has failed cannot be told: ${because}.`);
  }
  // What repairs a failed run is a loop of its own: one that is over had another task.
  const isNew = loop === null || isOver(loop.state);
  const isRepair = (intent.way === "workflow_run" && command === "start") || (command === "fix" && isNew);
  // A loop without a pull request works on the default branch, and would repair something else.
  if (isRepair && pull === null && intent.headBranch !== defaultBranch) return unwilling(NO_PULL_REQUEST, OPEN_ONE);
  const loopId = isRepair ? null : (loop?.loopId ?? null);
  const asked = {
    command,
    loop: loopId,
    pr: pull?.number ?? null,
    issue: issueOf(intent, loop),
    head: pinned.value,
    ...(fix.value === null ? {} : { run: fix.value.run.id }),
    request,
    self: false,
    prd: null,
  };
  const started = await startWorkflow(job, intent, relayTo ?? context.workflow.file, asked);
  if (started.ok && fix.value !== null) await tellChoice(job, intent, fix.value);
  if (started.ok && pull !== null && request.kind === "review") await markHandedOn(job, pull.number, request.id);
  return started;
}

/** Puts 🚀 on a review, as on a comment: by it a later relay sees that nothing has come of the review (C161). */
async function markHandedOn({ github, log }: RelayJob, pull: number, id: number): Promise<void> {
  const node = await nodeOfReview(github, pull, id);
  const marked = node.ok ? await markReview(github, node.value, "rocket") : node;
  if (!marked.ok) log.line(`No reaction could be put on the review: ${marked.trouble.because}`);
}

/** Says which run is repaired, where it could have been another one. What cannot be said here is in the loop's comment. */
async function tellChoice({ github, log }: RelayJob, intent: LoopIntent, { run, others }: RunToFix): Promise<void> {
  log.line(
    `To be repaired: ${run.url}. Also red for that commit: ${others.map(({ url }) => url).join(", ") || "nothing"}.`,
  );
  if (others.length > 0) await writeReply(github, intent, chosenReply(run, others), log);
}

/** The issue of a loop, by which its runs wait for one another wherever somebody asks. */
function issueOf({ issue }: LoopIntent, loop: FoundLoop | null): DispatchInput["issue"] {
  const number = issue?.number ?? loop?.state.github?.issue;
  return number === undefined ? null : { number, text: null };
}
