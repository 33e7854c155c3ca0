import type { Config } from "../config/config.ts";
import { MOST_CONTINUATIONS, type LoopState } from "../core/state.ts";
import { isCiFile } from "../core/progress/check-scripts.ts";
import { isTestPath } from "../core/progress/test-paths.ts";
import type { Github } from "../github/client.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import { readKillSwitch } from "../github/kill-switch.ts";
import { tokenKind } from "../github/accounts.ts";
import type { GithubPlace, PublicationFacts, SelfContinuation } from "../views/github/facts.ts";
import { totalMs } from "../app/to-task.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import { checkedOut } from "../git/repository.ts";

/** Where `max-total-minutes` is unset, a loop goes on by itself until it has worked so long; milliseconds. */
export const MOST_WORK_BY_ITSELF_MS = 24 * 60 * 60_000;

const PATHS_MS = 20_000;

/** What the facts are found out with. */
export interface FactSources {
  readonly context: GithubContext;
  readonly config: Config;
  /** the workspace */
  readonly root: string;
  readonly access: Github;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  /** the commit that the loop began with; null: there was none, or it is not known */
  readonly began: string | null;
  /** what the workflow hands over of the kill switch; null: nothing */
  readonly disabled: string | null;
  /** so long may all of it still take; milliseconds */
  readonly leftMs: () => number;
}

/** Where on GitHub the job's loop works. */
export function githubPlaceOf(context: GithubContext, config: Config, branch: string): GithubPlace {
  const { repository, serverUrl, runId, workflow, job } = context;
  const repositoryUrl = `${serverUrl}/${repository.owner}/${repository.name}`;
  return {
    workflow: workflow.path,
    job,
    repositoryUrl,
    runUrl: `${repositoryUrl}/actions/runs/${runId}`,
    branch,
    base: config.base ?? branchOfRun(context),
  };
}

/** Everything that decides what an ending asks of GitHub, before any of it is done. */
export async function publicationFacts(sources: FactSources, state: LoopState): Promise<PublicationFacts> {
  const { context, config, root, access, hand } = sources;
  const ties = state.github;
  const place = githubPlaceOf(context, config, ties?.branch ?? hand?.name ?? "");
  const head = hand === undefined ? (ties?.head ?? null) : await checkedOut(root);
  const known = ties?.pull_request ?? null;
  const [changed, token, selfContinue] = await Promise.all([
    changedFiles(sources, head),
    tokenKind(access, config.githubToken ?? ""),
    selfContinuation(sources, state),
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
async function changedFiles({ hand, began, leftMs }: FactSources, head: string | null): Promise<readonly string[]> {
  if (hand === undefined || head === null || began === null || began === head) return [];
  const changed = await hand.branch.changedPaths(began, head, Math.min(PATHS_MS, leftMs() / 4));
  return changed.known ? changed.paths.map(({ path }) => path) : [];
}

/** The variable is only asked for when it decides something. */
async function selfContinuation(
  { config, access, disabled }: FactSources,
  state: LoopState,
): Promise<SelfContinuation> {
  const { selfContinue: setting, maxTokens: mostTokens } = config;
  const asks = setting === "auto" && state.stop_reason?.kind === "time_budget";
  const { on } = asks ? await readKillSwitch(access, disabled) : { on: true };
  const mostMs = totalMs(config) ?? MOST_WORK_BY_ITSELF_MS;
  return { setting, most: MOST_CONTINUATIONS, mostMs, mostTokens, disabled: !on, refused: null };
}
