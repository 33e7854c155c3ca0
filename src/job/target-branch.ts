import { failed, type Result } from "../core/result.ts";
import { OperationalError, UsageError } from "../core/errors.ts";
import type { Opening } from "../core/open-loop.ts";
import type { PullRequest, LoopState } from "../core/state.ts";
import type { Refused } from "../github/refusal.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import { branchOfRun } from "../github/context.ts";
import type { BranchOptions } from "../publish/publish-branch.ts";
import { notAllowed } from "../requests/verify.ts";

const WITHIN_MS = 10_000;

/** What it depends on where a loop's work goes. */
interface TargetQuestion {
  /** how this run begins */
  readonly opening: Opening;
  readonly stored: LoopState | undefined;
  /** the pull request that the request or the event names; null: none */
  readonly pullNumber: number | null;
}

/** Where a loop's work goes. */
export interface TargetBranch {
  /** without `refs/heads/` */
  readonly branch: string;
  /** the person's pull request whose branch that is; null: the loop has one of its own, or will have */
  readonly pullRequest: PullRequest | null;
}

/**
 * Where a run's work goes: to the loop's former branch, else to the pull request that the request names, else to the
 * branch in the settings. A loop that begins again uses its former branch only while its pull request is open (C25); if
 * that can never be known, it gets a new branch, and a person is told.
 *
 * @throws OperationalError `PULL_REQUEST_UNREADABLE` when the named one cannot be read, or GitHub does not answer
 * whether the loop's last one is open
 * @throws UsageError `BRANCH_IS_BASE`, as `refuseBaseOf`, and `REQUEST_NOT_ALLOWED` when it comes from a fork: its branch is in another
 * repository (threats T3)
 */
export async function targetBranchOf(
  sources: BranchOptions,
  { opening, stored, pullNumber }: TargetQuestion,
): Promise<TargetBranch> {
  await refuseBaseOf(sources, stored);
  const link = stored?.github ?? null;
  const own = link === null ? named(sources, "") : { branch: link.branch, pullRequest: null };
  if (link !== null && opening.do !== "renew") return own;
  const known = link?.pull_request ?? null;
  if (pullNumber !== null && !(known?.own === true && known.number === pullNumber)) return theirs(sources, pullNumber);
  if (link === null || link.head === null || opening.do !== "renew") return own;
  const anew = named(sources, `.g${opening.generation}`);
  if (known === null) return anew;
  const before = await read(sources, known.number);
  if (before.ok) return before.value.open ? own : anew;
  const { kind, because } = before.trouble;
  if (kind === "unreachable") {
    throw unreadable(known.number, because, "it is not known whether the loop's branch is still in use");
  }
  sources.notice(
    `Pull request #${known.number}, the loop's last one, cannot be read: ${because}. So this generation has a branch of its own, ${anew.branch}; if that pull request is still open, close the one that you do not want.`,
  );
  return anew;
}

/**
 * Whoever can write a ref can write a record (T15): that its work goes to the branch that everybody builds on is believed
 * only where the settings say so, or GitHub, of the person's pull request in it.
 *
 * @throws UsageError `RECORD_NAMES_BASE`
 */
export async function refuseBaseOf(sources: BranchOptions, stored: LoopState | undefined): Promise<void> {
  const { config, context } = sources;
  const link = stored?.github ?? null;
  const bases = [config.base ?? branchOfRun(context), context.event.defaultBranch];
  if (link === null || !bases.includes(link.branch)) return;
  const { branch, pull_request: known } = link;
  if (config.branch === branch && config.pullRequest === "never") return;
  const pull = known?.own === false ? await read(sources, known.number) : NO_TOKEN;
  if (pull.ok && !pull.value.fork && pull.value.headBranch === branch) return;
  throw new UsageError([
    {
      code: "RECORD_NAMES_BASE",
      what: `The loop's record says that its work goes to ${branch}, which the settings do not say: nobody could review it. Nothing was done.`,
      next: "Find out who has changed the loop's ref below refs/smithers-loops, and delete it; the loop then starts over. If the work is to go there, say so with the inputs `branch` and `pull-request: never`.",
    },
  ]);
}

/**
 * The new name of a branch that is gone: its pull request has it, because renaming a branch moves its pull requests.
 * Undefined: it was not renamed, or that is not known.
 */
export async function renamedTarget(
  sources: BranchOptions,
  stored: LoopState | undefined,
  branch: string,
): Promise<TargetBranch | undefined> {
  const link = stored?.github ?? null;
  const known = link?.pull_request ?? null;
  if (link?.branch !== branch || known === null) return undefined;
  const pull = await read(sources, known.number);
  if (!pull.ok || !pull.value.open || pull.value.fork || pull.value.headBranch === branch) return undefined;
  const { headBranch } = pull.value;
  sources.notice(`The branch ${branch} is called ${headBranch} now: the loop goes on there.`);
  return { branch: headBranch, pullRequest: known };
}

function named({ config, place: { loopId }, context }: BranchOptions, generation: string): TargetBranch {
  const branch = config.branch.replaceAll("<loop-id>", `${loopId}${generation}`);
  const base = config.base ?? branchOfRun(context);
  if (branch === base && config.pullRequest !== "never") throw branchIsBase(branch);
  return { branch, pullRequest: null };
}

/** Work that nobody has reviewed would go straight to the branch that everybody builds on. */
function branchIsBase(branch: string): UsageError {
  const what = `The work would go to ${branch}, which its pull request is for: nobody could review it. Nothing was done.`;
  const next = "Leave the input `branch` out, or name a branch of the loop's own, such as smithers/<loop-id>.";
  return new UsageError([{ code: "BRANCH_IS_BASE", what, next }]);
}

async function theirs(sources: BranchOptions, number: number): Promise<TargetBranch> {
  const pull = await read(sources, number);
  if (!pull.ok) throw unreadable(number, pull.trouble.because, "its branch is not known");
  const { fork, headBranch } = pull.value;
  if (fork) throw notAllowed(`Pull request #${number} comes from a fork, whose branches are never worked on.`);
  const { repository, serverUrl } = sources.context;
  const { owner, name } = repository;
  const url = `${serverUrl}/${owner}/${name}/pull/${number}`;
  return { branch: headBranch, pullRequest: { number, url, own: false } };
}

/** @param so what follows from it, as part of a sentence */
function unreadable(number: number, why: string, so: string): OperationalError {
  return new OperationalError({
    code: "PULL_REQUEST_UNREADABLE",
    what: `Pull request #${number} cannot be read, so ${so}: ${why}. Nothing was done, and no turn was spent.`,
    next: "Give the job the permission `pull-requests: write`, or try again when GitHub answers.",
  });
}

async function read({ github }: BranchOptions, number: number): Promise<Result<NamedPullRequest, Refused>> {
  return github === undefined ? NO_TOKEN : readPullRequest(await github.within(WITHIN_MS), number);
}

const NO_TOKEN: Result<never, Refused> = failed({ kind: "refused", because: "there is no github-token" });
