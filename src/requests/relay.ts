import { resolveSettings } from "../config/resolve.ts";
import { UsageError } from "../core/errors.ts";
import type { Command } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import { done, failed, type Result } from "../core/result.ts";
import { githubAccess } from "../github/access.ts";
import type { Github } from "../github/client.ts";
import { readComment } from "../github/comments.ts";
import type { GithubContext } from "../github/context.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import type { Refused } from "../github/refusal.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { maskSecrets } from "../store/redaction.ts";
import { acknowledge, conclude, type Relayed } from "./acknowledge.ts";
import { authorise } from "./authorise.ts";
import { runCleanUp } from "./clean-up.ts";
import { type Origin, readIntent } from "./intent.ts";
import { answerTo, type RelayJob } from "./relay-answer.ts";

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
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  maskSecrets(config, log);
  const { githubToken: token, branch, relayTo, allowedBots } = config;
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
  return relay({ context, github, log, branch, relayTo, allowedBots, disabled: env[KILL_SWITCH] ?? null });
}

/**
 * The relay: decides whether an event asks something of a loop and whether that is allowed, and passes it to the
 * current run or a new one. Runs no agent, and reads nothing of the repository.
 *
 * @returns the exit code: 1 when an allowed request could not be relayed, or the person could not be told why not
 */
export async function relay(job: RelayJob): Promise<number> {
  const { context, github, log, relayTo } = job;
  const { file } = context.workflow;
  const read = readIntent(context, relayTo === null ? [file] : [file, relayTo]);
  if (read.kind === "ignored") return ignore(log, read.why);
  const origin = read.kind === "asked" ? read.intent : read.origin;
  const facts = await gatherFacts(github, origin, read.kind === "asked" ? read.intent.command : null);
  if (!facts.ok) {
    log.warning(`Nothing was handed on. The pull request cannot be read: ${facts.trouble.because}.`);
    return 1;
  }
  const { pull, edited } = facts.value;
  const request = { ...origin, edited, author: pull?.author ?? null, fork: origin.fork || pull?.fork === true };
  const { decision, who, trouble } = await authorise(github, request, job.allowedBots);
  if (trouble !== null) log.warning(`${who} cannot be looked up: ${trouble}.`);
  if (decision.kind === "ignored") return ignore(log, `${who} ${decision.why}.`);

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
 * @param command null: what the comment says is not understood
 * @returns `edited`: the comment is another than the one that the event brought, or gone
 */
async function gatherFacts(
  github: Github,
  { pullRequest, request }: Origin,
  command: Command | null,
): Promise<Result<{ readonly pull: NamedPullRequest | null; readonly edited: boolean }, Refused>> {
  if (pullRequest === null) return done({ pull: null, edited: false });
  const again = request?.kind === "comment" && command !== null && letsWork(command) ? request.id : null;
  const [pull, comment] = await Promise.all([
    readPullRequest(github, pullRequest),
    again === null ? null : readComment(github, again),
  ]);
  if (!pull.ok) return pull;
  if (comment?.ok === false && comment.trouble.kind !== "absent") return comment;
  return done({ pull: pull.value, edited: comment !== null && (!comment.ok || comment.value.edited) });
}

function ignore(log: RelayJob["log"], why: string): number {
  log.line(`Nothing to do. ${why}`);
  return 0;
}
