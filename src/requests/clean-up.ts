import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { cacheKeyPrefix } from "../store/carried-record.ts";
import { outcomeOf } from "../core/outcome.ts";
import { type AskedPullRequest, isNeeded, readPullRequest } from "../github/pulls.ts";
import { removeCaches } from "../github/caches.ts";
import type { GithubContext } from "../github/context.ts";
import { CONTROL_REFS, createRefDeleter, listRefs, LOOP_REFS } from "../github/refs.ts";
import { findLoop, type FoundLoop } from "./find-loop.ts";
import { removeLabel } from "../github/labels.ts";
import { isAllPushed, staleBranchOf } from "./stale-branch.ts";
import { LABELS } from "../views/github/markers.ts";
import { type CleanUpJob, fateOf } from "./clean-up-job.ts";

/**
 * Removes what a loop has left on GitHub once its pull request is closed: labels, caches, requests, its own branch and
 * its ref. Every step can be done again, and one that fails is told and keeps no other from being done. A branch of a
 * person is never deleted, nor is work that may be nowhere else.
 *
 * @returns the exit code, which is 0: closing a pull request is no reason for a red job
 */
export async function cleanUp(job: CleanUpJob): Promise<number> {
  const { access, context, log } = job;
  const number = context.event.pullRequest?.number ?? null;
  if (number === null) return nothing(job, "The event does not say which pull request was closed.");
  const read = await readPullRequest(access, number);
  if (!read.answered) return failed(job, `Pull request #${number} cannot be read: ${read.why}.`);
  const pull = read.value;
  if (pull.open) return nothing(job, `Pull request #${number} is open again.`);
  if (pull.fork) return nothing(job, `Pull request #${number} came from a fork, on which no loop works.`);
  const found = await findLoop(access, { number, headBranch: pull.headBranch, body: pull.body }, job.lookup);
  if (!found.answered) return failed(job, `The loop cannot be read: ${found.why}.`);
  const loop = found.value;
  // A branch can have several pull requests: the loop's own word counts, not the branch's name.
  if (loop === null || loop.state.github?.pull_request?.number !== number) {
    return nothing(job, `No loop says that pull request #${number} is its own.`);
  }
  const over = loop.state.stop_reason !== null && outcomeOf(loop.state.stop_reason).resumableBy === "nobody";
  const pushed = loop.running || (await isAllPushed(access, loop.state));
  const fate = fateOf(loop, { over, merged: pull.merged, pushed });
  if (!fate.goes) log.line(fate.why);
  if (fate.goes || fate.labels) await removeLabels(job, pull);
  if (fate.goes) await removeLoop(job, loop, pull);
  return 0;
}

/** Clears up behind the loop of a pull request that was closed. @returns the exit code */
export async function runCleanUp(
  job: Omit<CleanUpJob, "deleteRef"> & { readonly context: GithubContext },
  token: string,
): Promise<number> {
  const { owner, name } = job.context.repository;
  const { serverUrl, temp } = job.context;
  const folder = path.join(temp, `smithers-clean-up-${randomUUID()}`);
  const url = `${serverUrl}/${owner}/${name}`;
  const deleteRef = createRefDeleter({ url, token, folder, mark: path.basename(folder) }, job.access.signal);
  try {
    return await cleanUp({ ...job, deleteRef });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The ref goes last: without it, nobody would know what else there was. */
async function removeLoop(job: CleanUpJob, loop: FoundLoop, pull: AskedPullRequest): Promise<void> {
  await removeCachesOf(job, loop.loopId);
  await removeBranch(job, loop, pull);
  await removeRequests(job, loop.loopId);
  await removeRef(job, `${LOOP_REFS}${loop.loopId}`, loop.commit);
}

/** Only those of the loop: people have labels that begin so, too. */
async function removeLabels({ access, log }: CleanUpJob, { number, labels }: AskedPullRequest): Promise<void> {
  for (const label of Object.values(LABELS).filter((name) => labels.includes(name))) {
    const removed = await removeLabel(access, number, label);
    if (removed.done) log.line(`removed the label ${label} from pull request #${number}`);
    else log.warning(`The label ${label} is left on pull request #${number}: ${removed.why}.`);
  }
}

async function removeCachesOf({ access, log }: CleanUpJob, loopId: string): Promise<void> {
  const { removed, why } = await removeCaches({ ...access, prefix: cacheKeyPrefix(loopId), keep: null });
  if (removed > 0) log.line(`removed ${removed} cache entries of loop ${loopId}`);
  if (why !== null) log.line(`cache entries of loop ${loopId} stay until GitHub evicts them: ${why}`);
}

async function removeBranch(job: CleanUpJob, { state }: FoundLoop, pull: AskedPullRequest): Promise<void> {
  const stale = state.github === null ? null : staleBranchOf(state.github, pull);
  if (stale === null) return;
  const needed = await isNeeded(job.access, stale.name);
  if (!needed.answered) {
    job.log.warning(`The branch ${stale.name} is left, for it may be needed: ${needed.why}.`);
  } else if (needed.value) {
    job.log.line(`The branch ${stale.name} is left: another open pull request needs it.`);
  } else {
    await removeRef(job, `refs/heads/${stale.name}`, stale.head);
  }
}

async function removeRequests(job: CleanUpJob, loopId: string): Promise<void> {
  const listed = await listRefs(job.access, `${CONTROL_REFS}${loopId}/`);
  if (!listed.answered) job.log.warning(`Requests to loop ${loopId} may be left: ${listed.why}.`);
  for (const { ref, commit } of listed.answered ? listed.value : []) await removeRef(job, ref, commit);
}

async function removeRef({ deleteRef, log }: CleanUpJob, ref: string, expected: string): Promise<void> {
  const deleted = await deleteRef(ref, expected);
  if (!deleted.gone) log.warning(`${ref} is left: ${deleted.why}.`);
  else log.line(deleted.already ? `${ref} is gone already` : `removed ${ref}, which was at ${expected}`);
}

function nothing({ log }: CleanUpJob, why: string): number {
  log.line(`Nothing to clean up. ${why}`);
  return 0;
}

function failed({ log }: CleanUpJob, why: string): number {
  log.warning(`Nothing was cleaned up. ${why}`);
  return 0;
}
