import { OperationalError } from "../../core/errors.ts";
import type { Opening } from "../../core/opening.ts";
import type { LoopState, PullRequest } from "../../core/state.ts";
import { type AskedPullRequest, readPullRequest } from "../../github/asked-pull-request.ts";
import type { Octokit } from "../../platform/octokit.ts";
import { notAllowed } from "./asked-refusals.ts";
import type { Surroundings } from "./surroundings.ts";

const WITHIN_MS = 10_000;

/** What it depends on where a loop's work goes. */
export interface BranchQuestion {
  readonly job: Surroundings;
  /** how this run begins */
  readonly opening: Opening;
  readonly stored: LoopState | undefined;
  /** number of the pull request that a person asked on; null: none */
  readonly asked: number | null;
  readonly octokit: () => Promise<Octokit | undefined>;
}

/** Where a loop's work goes. */
export interface Destination {
  /** without `refs/heads/` */
  readonly branch: string;
  /** the person's pull request whose branch that is; null: the loop has one of its own, or will have */
  readonly pullRequest: PullRequest | null;
}

/**
 * Where a run's work goes: where the loop's went before, else to the pull request that somebody asked on, else to the
 * branch that the settings name. A loop that begins anew uses its former branch only while the pull request of that is
 * open (C25).
 *
 * @throws OperationalError `PULL_REQUEST_UNREADABLE` when somebody asked on one that cannot be read
 * @throws UsageError `REQUEST_NOT_ALLOWED` when it comes from a fork: its branch is in another repository (threats T3)
 */
export async function destinationOf(question: BranchQuestion): Promise<Destination> {
  const { job, opening, stored, asked } = question;
  const ties = stored?.github ?? null;
  const own = ties === null ? named(job, "") : { branch: ties.branch, pullRequest: null };
  if (ties !== null && opening.do !== "renew") return own;
  const known = ties?.pull_request ?? null;
  if (asked !== null && !(known?.own === true && known.number === asked)) return theirs(question, asked);
  if (ties === null || ties.head === null || opening.do !== "renew") return own;
  const before = known === null ? undefined : await read(question, known.number);
  return before?.open === true ? own : named(job, `.g${opening.generation}`);
}

function named({ settings, place }: Surroundings, generation: string): Destination {
  const branch = settings.config.branch.replaceAll("<loop-id>", `${place.loopId}${generation}`);
  return { branch, pullRequest: null };
}

async function theirs(question: BranchQuestion, number: number): Promise<Destination> {
  const pull = await read(question, number);
  if (pull === undefined) {
    throw new OperationalError({
      code: "PULL_REQUEST_UNREADABLE",
      what: `Pull request #${number} cannot be read, so its branch is not known. Nothing was done.`,
      next: "Give the job the permission `pull-requests: write`, or try again when GitHub answers.",
    });
  }
  if (pull.fork) throw notAllowed(`Pull request #${number} comes from a fork, whose branches are never worked on.`);
  const { context } = question.job;
  const { owner, name } = context.repository;
  const url = `${context.serverUrl}/${owner}/${name}/pull/${number}`;
  return { branch: pull.headBranch, pullRequest: { number, url, own: false } };
}

async function read({ job, octokit }: BranchQuestion, number: number): Promise<AskedPullRequest | undefined> {
  const client = await octokit();
  if (client === undefined) return undefined;
  const { repository } = job.context;
  const answer = await readPullRequest({ octokit: client, repository, signal: AbortSignal.timeout(WITHIN_MS) }, number);
  return answer.answered ? answer.value : undefined;
}
