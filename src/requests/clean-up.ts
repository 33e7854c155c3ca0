import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { CONTROL_REFS, loopRefOf } from "../core/names.ts";
import type { GithubToken } from "../core/ports.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { cacheKeyPrefix } from "../store/carried-record.ts";
import { removeCaches } from "../github/caches.ts";
import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import { removeLabel } from "../github/labels.ts";
import { type NamedPullRequest, isNeeded, readPullRequest } from "../github/pulls.ts";
import { createRefDeleter, type DeleteRef, listRefs } from "../github/refs.ts";
import { ask } from "../github/refusal.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { ALL_LABELS, LABELS } from "../views/github/labels.ts";
import { findLoop, type FoundLoop } from "./find-loop.ts";

export interface CleanUp {
  readonly github: Github;
  readonly event: GithubContext["event"];
  /** the setting, as in `smithers/<loop-id>` */
  readonly branch: string;
  readonly log: Pick<RunnerLog, "line" | "warning">;
  readonly deleteRef: DeleteRef;
}

/** Clears up behind the loop of a pull request that was closed. @returns the exit code */
export async function runCleanUp(
  { repository, serverUrl, temp, event }: Pick<GithubContext, "repository" | "serverUrl" | "temp" | "event">,
  token: GithubToken,
  job: Pick<CleanUp, "github" | "branch" | "log">,
): Promise<number> {
  const folder = path.join(temp, `smithers-clean-up-${randomUUID()}`);
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const deleteRef = createRefDeleter({ url, token, folder, mark: path.basename(folder) }, job.github.signal);
  try {
    return await cleanUp({ ...job, event, deleteRef });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what a loop has left on GitHub once its pull request is closed: labels, caches, requests, its own branch and
 * its ref. Every step can be repeated, and one that fails is reported and does not prevent the others. Never deletes a
 * person's branch, or work that may be nowhere else.
 *
 * @returns the exit code, which is 0: closing a pull request is not a reason for a red job
 */
export async function cleanUp(job: CleanUp): Promise<number> {
  const { github, event, log } = job;
  const nothing = (why: string): number => {
    log.line(`Nothing to clean up. ${why}`);
    return 0;
  };
  const failed = (why: string): number => {
    log.warning(`Nothing was cleaned up. ${why}`);
    return 0;
  };
  const number = event.pullRequest?.number ?? null;
  if (number === null) return nothing("The event does not say which pull request was closed.");
  const read = await readPullRequest(github, number);
  if (!read.ok) return failed(`Pull request #${number} cannot be read: ${read.trouble.because}.`);
  const pull = read.value;
  if (pull.open) return nothing(`Pull request #${number} is open again.`);
  if (pull.fork) return nothing(`Pull request #${number} came from a fork, on which no loop works.`);
  const found = await findLoop(github, pull, job.branch);
  if (!found.ok) return failed(`The loop cannot be read: ${found.trouble.because}.`);
  const loop = found.value;
  // A branch can have several pull requests: the loop's own record counts, not the branch's name.
  if (loop === null || loop.state.github?.pull_request?.number !== number) {
    return nothing(`No loop says that pull request #${number} is its own.`);
  }
  const kept = whyKept(loop, pull.merged, loop.running || (await isAllPushed(github, loop.state)));
  if (kept !== null) log.line(`${kept}; smithers prune removes it later.`);
  // What was said on the pull request holds no more.
  if (!loop.running) await removeLabels(job, pull);
  if (kept !== null) return 0;
  await removeCachesOf(job, loop.loopId);
  await removeBranch(job, loop, pull);
  await removeRequests(job, loop.loopId);
  // The ref goes last: without it, the rest could not be found again.
  await removeRef(job, loopRefOf(loop.loopId), loop.commit);
  return 0;
}

/**
 * Why a loop stays when its pull request closes, as part of a sentence. A running loop is left alone, one that may go
 * on is kept, and what may be nowhere else is never deleted. Rejected work keeps its loop: a new loop would take up its
 * branch and open another pull request for it.
 *
 * @param merged the pull request, and not only closed
 * @param pushed whether all the work is in the loop's commits on GitHub
 * @returns null: it is not needed any more
 */
function whyKept({ loopId, running, state }: FoundLoop, merged: boolean, pushed: boolean): string | null {
  const over = state.stop_reason !== null && outcomeOf(state.stop_reason).resumableBy === "nobody";
  const is = `Loop ${loopId} is ${state.status}`;
  if (running) return `Loop ${loopId} is running, so nothing of it is removed`;
  if (!over && !merged) return `${is} and can go on once the pull request is open again, so it is kept`;
  if (!merged && state.github?.pull_request?.own === true) {
    return `${is}, and its branch stays, for it was not merged. Only ${loopRefOf(loopId)} tells the next run of the task that the pull request was closed, so it is kept`;
  }
  if (pushed) return null;
  return `Loop ${loopId} has work that is in none of its commits on GitHub, so it is kept in ${loopRefOf(loopId)}`;
}

const OF_PULL_REQUESTS = ALL_LABELS.filter((label) => label !== LABELS.start).map(({ name }) => name);

/** Only those of the loop: people have labels that begin so, too. */
async function removeLabels({ github, log }: CleanUp, { number, labels }: NamedPullRequest): Promise<void> {
  for (const label of OF_PULL_REQUESTS.filter((name) => labels.includes(name))) {
    const removed = await removeLabel(github, number, label);
    if (removed.ok) log.line(`removed the label ${label} from pull request #${number}`);
    else log.warning(`The label ${label} is left on pull request #${number}: ${removed.trouble.because}.`);
  }
}

async function removeCachesOf({ github, log }: CleanUp, loopId: string): Promise<void> {
  const caches = await removeCaches(github, { prefix: cacheKeyPrefix(loopId), keep: null });
  const { removed } = caches.ok ? caches.value : caches.trouble;
  if (removed > 0) log.line(`removed ${removed} cache entries of loop ${loopId}`);
  if (!caches.ok) log.line(`cache entries of loop ${loopId} stay until GitHub evicts them: ${caches.trouble.because}`);
}

async function removeBranch(job: CleanUp, { state }: FoundLoop, pull: NamedPullRequest): Promise<void> {
  const stale = staleBranchOf(state, pull);
  if (stale === null) return;
  const needed = await isNeeded(job.github, stale.name);
  if (!needed.ok) {
    job.log.warning(`The branch ${stale.name} is left, for it may be needed: ${needed.trouble.because}.`);
  } else if (needed.value) {
    job.log.line(`The branch ${stale.name} is left: another open pull request needs it.`);
  } else {
    await removeRef(job, `refs/heads/${stale.name}`, stale.head);
  }
}

async function removeRequests(job: CleanUp, loopId: string): Promise<void> {
  const listed = await listRefs(job.github, `${CONTROL_REFS}${loopId}/`);
  if (!listed.ok) job.log.warning(`Requests to loop ${loopId} may be left: ${listed.trouble.because}.`);
  for (const { ref, commit } of listed.ok ? listed.value : []) await removeRef(job, ref, commit);
}

async function removeRef({ deleteRef, log }: CleanUp, ref: string, expected: string): Promise<void> {
  const deleted = await deleteRef(ref, expected);
  if (!deleted.ok) log.warning(`${ref} is left: ${deleted.trouble.because}.`);
  else log.line(deleted.value.already ? `${ref} is gone already` : `removed ${ref}, which was at ${expected}`);
}

/**
 * The branch that a loop has left behind: its own, merged by its own pull request. Never a person's branch, or one that
 * was not pushed.
 *
 * @param pull the loop's pull request, as it is now
 * @returns its name without `refs/heads/`, and where it was pushed to last
 */
export function staleBranchOf(
  { github }: LoopState,
  pull: NamedPullRequest,
): { readonly name: string; readonly head: string } | null {
  if (github === null || github.head === null || !pull.merged || pull.fork) return null;
  const { branch: name, head, pull_request: own } = github;
  return own?.own === true && own.number === pull.number && pull.headBranch === name ? { name, head } : null;
}

/**
 * Whether all that a loop has done is in the commits that it pushed (`contents: read`). False when not known: the
 * loop's ref may hold what is nowhere else.
 */
export async function isAllPushed(github: Github, state: LoopState): Promise<boolean> {
  const head = state.github?.head ?? null;
  // Without a turn there is no work.
  if (state.iteration === 0) return true;
  if (head === null || state.snapshot === null) return false;
  const { tree } = state.snapshot;
  const commit = async (id: string) => ask("contents: read", () => github.rest.git.getCommit({ commit_sha: id }));
  const pushed = await commit(head);
  if (!pushed.ok || pushed.value.data.tree.sha === tree) return pushed.ok;
  // Workflow files of the default branch lie in one more commit on top of the work (C80).
  const [work] = pushed.value.data.parents;
  const below = work === undefined ? undefined : await commit(work.sha);
  return below?.ok === true && below.value.data.tree.sha === tree;
}
