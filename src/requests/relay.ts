import { resolveSettings } from "../config/resolve.ts";
import { UsageError } from "../core/errors.ts";
import { done, failed, type Result } from "../core/result.ts";
import { githubAccess } from "../github/access.ts";
import { firstToken, withAppToken } from "../github/app/app-token.ts";
import type { Github } from "../github/client.ts";
import { readComment } from "../github/comments.ts";
import type { GithubContext } from "../github/context.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import type { Refused } from "../github/refusal.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { maskSecrets } from "../store/redaction.ts";
import { acknowledge, commentedOn, conclude, type Relayed, tellOfEdit } from "./acknowledge.ts";
import { authorise } from "./authorise.ts";
import { runCleanUp } from "./clean-up.ts";
import { asksForWork, type Origin, readIntent } from "./intent.ts";
import { answerTo } from "./relay-answer.ts";
import type { RelayJob } from "./relay-job.ts";

const WITHIN_MS = 120_000;

/**
 * Relays what an event asks of a loop, or cleans up after one whose pull request was closed. Only reads the settings:
 * no file of the repository, which need not be checked out, and no prompt.
 *
 * @returns the exit code: 1 when an allowed request could not be relayed
 */
export async function runRelay(
  env: Readonly<Record<string, string | undefined>>,
  log: RunnerLog,
  context: GithubContext,
): Promise<number> {
  const config = withAppToken(resolveSettings({ flags: {}, env, inputs: env }).config, context, log);
  maskSecrets(config, log);
  const { githubToken: token, branch, relayTo, relayPrdTo, allowedBots } = config;
  await firstToken(token);
  const github = await githubAccess(token, context)?.within(WITHIN_MS);
  if (token === null || github === undefined) {
    throw new UsageError({
      code: "NO_TOKEN",
      what: "There is no github-token, so nobody can be asked who may do what. Nothing was done.",
      next: "Leave the input github-token out, so that the workflow's own token is used.",
    });
  }
  if (context.eventName === "pull_request" && context.event.action === "closed") {
    return runCleanUp(context, token, { github, branch, log });
  }
  const disabled = env[KILL_SWITCH] ?? null;
  return relay({ context, github, log, branch, relayTo, relayPrdTo, allowedBots, disabled });
}

/**
 * The relay: decides whether an event asks something of a loop and whether that is allowed, and passes it to the
 * current run or a new one. Runs no agent, and reads nothing of the repository.
 *
 * @returns the exit code: 1 when an allowed request could not be relayed, or the person could not be told why not
 */
export async function relay(job: RelayJob): Promise<number> {
  const { context, github, log, relayTo, relayPrdTo } = job;
  const own = [context.workflow.file, relayTo, relayPrdTo].filter((file) => file !== null);
  const read = readIntent(context, own);
  if (read.kind === "ignored") return ignore(log, read.why);
  const origin = read.kind === "asked" ? read.intent : read.origin;
  const facts = await gatherFacts(github, origin, read.kind === "asked" && asksForWork(read.intent));
  if (!facts.ok) {
    log.warning(`Nothing was handed on. What it was asked on cannot be read: ${facts.trouble.because}.`);
    return 1;
  }
  const { pull, edited } = facts.value;
  const author = pull?.author ?? origin.issue?.author ?? null;
  const request = { ...origin, edited, author, fork: origin.fork || pull?.fork === true };
  const { decision, who, trouble } = await authorise(github, request, job.allowedBots);
  if (trouble !== null) log.warning(`${who} cannot be looked up: ${trouble}.`);
  if (decision.kind === "ignored") return ignore(log, `${who} ${decision.why}.`);

  if (read.kind === "edited") {
    const reason = decision.kind === "refused" ? decision.reason : read.reason;
    return (await tellOfEdit(github, origin, context.attempt > 1, reason, log)) ? 0 : 1;
  }
  const claim = await acknowledge(github, origin, context.attempt > 1, log);
  if (claim === "taken") {
    const taken =
      origin.label === null ? "This comment has been answered" : `The label ${origin.label} has been taken off`;
    log.notice(
      `${taken} by another workflow that hears it too, or by somebody; nothing is done here. Let one workflow of this repository listen: which of several takes a request is chance.`,
    );
    return 0;
  }
  let relayed: Relayed;
  if (decision.kind === "refused") relayed = failed({ kind: "refused", because: decision.reason });
  else if (read.kind === "malformed") relayed = failed({ kind: "refused", because: read.reason });
  else relayed = await answerTo(job, read.intent, pull);
  const told = await conclude(github, origin, claim, relayed, log);
  if (!relayed.ok && relayed.trouble.kind === "failed") return 1;
  return !told && decision.kind === "allowed" ? 1 : 0;
}

/**
 * Looks at the pull request, and again at a comment after which an agent would work: the event may have waited.
 *
 * @param again whether an agent would work
 * @returns `edited`: the comment is another than the one that the event brought, or gone
 */
async function gatherFacts(
  github: Github,
  origin: Origin,
  again: boolean,
): Promise<Result<{ readonly pull: NamedPullRequest | null; readonly edited: boolean }, Refused>> {
  const { pullRequest, request } = origin;
  const [pull, comment] = await Promise.all([
    pullRequest === null ? done(null) : readPullRequest(github, pullRequest),
    again && request?.kind === "comment" ? readComment(github, request.id, commentedOn(origin)) : null,
  ]);
  if (!pull.ok) return pull;
  if (comment?.ok === false && comment.trouble.kind !== "absent") return comment;
  return done({ pull: pull.value, edited: comment !== null && (!comment.ok || comment.value.edited) });
}

function ignore(log: RelayJob["log"], why: string): number {
  log.line(`Nothing to do. ${why}`);
  return 0;
}
