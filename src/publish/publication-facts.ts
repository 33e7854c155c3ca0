import { isCiFile } from "../core/progress/check-scripts.ts";
import { isTestPath } from "../core/progress/test-paths.ts";
import type { LoopState } from "../core/state.ts";
import type { Access } from "../github/access.ts";
import { branchOfRun } from "../github/context.ts";
import { KILL_SWITCH, readKillSwitch } from "../requests/kill-switch.ts";
import { tokenKind } from "../github/token-kind.ts";
import type { GithubPlace, PublicationFacts, SelfContinuation } from "../views/publication/facts.ts";
import { totalMs } from "../app/to-task.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import { checkedOut } from "../git/checked-out.ts";
import type { Surroundings } from "../app/surroundings.ts";

/** A loop starts its next run by itself at most so often before a person has to say that it may go on. */
export const MOST_CONTINUATIONS = 20;

/** Where `max-total-minutes` is unset, a loop goes on by itself until it has worked so long; milliseconds. */
export const MOST_WORK_BY_ITSELF_MS = 24 * 60 * 60_000;

const PATHS_MS = 20_000;

/** What a publication is made with. */
export interface Publishing {
  readonly job: Surroundings;
  readonly access: Access;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  /** the commit that the loop began with; null: there was none, or it is not known */
  readonly began: string | null;
  /** whether the loop's ref holds the ending by now, with the work where that is kept at all */
  readonly refHolds: boolean;
  /** so long may all of it still take, as `access` says by its signal; milliseconds */
  readonly leftMs: () => number;
}

/** Where on GitHub the job's loop works. */
export function githubPlaceOf({ context, settings }: Surroundings, branch: string): GithubPlace {
  const { repository, serverUrl, runId, workflow, job } = context;
  const repositoryUrl = `${serverUrl}/${repository.owner}/${repository.name}`;
  return {
    workflow: workflow.path,
    job,
    repositoryUrl,
    runUrl: `${repositoryUrl}/actions/runs/${runId}`,
    branch,
    base: settings.config.base ?? branchOfRun(context),
  };
}

/** Everything that decides what an ending asks of GitHub, before any of it is done. */
export async function publicationFacts(publishing: Publishing, state: LoopState): Promise<PublicationFacts> {
  const { job, hand } = publishing;
  const { config } = job.settings;
  const ties = state.github;
  const place = githubPlaceOf(job, ties?.branch ?? hand?.name ?? "");
  const head = hand === undefined ? (ties?.head ?? null) : await checkedOut(job.place.root);
  const known = ties?.pull_request ?? null;
  const [changed, token, selfContinue] = await Promise.all([
    changedFiles(publishing, head),
    tokenKind(publishing.access, config.githubToken ?? ""),
    selfContinuation(publishing, state),
  ]);
  return {
    ...place,
    wanted: config.pullRequest,
    head,
    ahead: hand !== undefined && head !== null && (hand.tip !== null || head !== hand.head),
    pullRequest: known === null ? null : { ...known, draft: true },
    token,
    ci: null,
    creationForbidden: false,
    selfContinue,
    changedTests: changed.filter(isTestPath),
    changedCi: changed.filter(isCiFile),
    notes: [],
  };
}

/** What differs from the loop's beginning; nothing where that cannot be told any more. */
async function changedFiles({ hand, began, leftMs }: Publishing, head: string | null): Promise<readonly string[]> {
  if (hand === undefined || head === null || began === null || began === head) return [];
  const changed = await hand.branch.changedPaths(began, head, Math.min(PATHS_MS, leftMs() / 4));
  return changed.known ? changed.paths.map(({ path }) => path) : [];
}

/** The variable is only asked for when it decides something. */
async function selfContinuation({ job, access }: Publishing, state: LoopState): Promise<SelfContinuation> {
  const { config } = job.settings;
  const { selfContinue: setting, maxTokens: mostTokens } = config;
  const asks = setting === "auto" && state.stop_reason?.kind === "time_budget";
  const { on } = asks ? await readKillSwitch(access, job.host.env[KILL_SWITCH] ?? null) : { on: true };
  const mostMs = totalMs(config) ?? MOST_WORK_BY_ITSELF_MS;
  return { setting, most: MOST_CONTINUATIONS, mostMs, mostTokens, disabled: !on, refused: null };
}
