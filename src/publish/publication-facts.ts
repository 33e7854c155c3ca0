import type { Config } from "../config/config.ts";
import { totalMs } from "../config/settle.ts";
import { MOST_CONTINUATIONS, type LoopState } from "../core/state.ts";
import { isCiFile } from "../core/progress/check-scripts.ts";
import { isTestPath } from "../core/progress/test-paths.ts";
import { checkedOut } from "../git/repository.ts";
import { tokenKind } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import { readKillSwitch } from "../github/kill-switch.ts";
import { findOpen, PERMISSION, readPullRequest } from "../github/pulls.ts";
import { ask } from "../github/refusal.ts";
import type { GithubPlace, PublicationFacts } from "../views/github/facts.ts";
import type { SelfContinuation } from "../views/github/self-continue.ts";
import type { BranchOptions, PublishBranch } from "./publish-branch.ts";

/** Where `max-total-minutes` is unset, a loop goes on by itself until it has worked this long; milliseconds. */
export const MOST_WORK_BY_ITSELF_MS = 24 * 60 * 60_000;

const PATHS_MS = 20_000;

/** What the facts are found out with. */
export interface FactSources extends Pick<BranchOptions, "context" | "place" | "config"> {
  /** undefined: nothing can be pushed from here */
  readonly branch: PublishBranch | undefined;
  /** the kill switch as the workflow passes it; null: nothing */
  readonly disabled: string | null;
  /** what could not be done so far, in sentences */
  readonly notes?: readonly string[];
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

/**
 * Everything that decides what an ending asks of GitHub, before any of it is done.
 *
 * @param began the commit that the loop began with; null: none, or not known
 * @param withinMs bounds the look at what has changed
 */
export async function publicationFacts(
  { context, place, config, branch, disabled, notes = [] }: FactSources,
  state: LoopState,
  github: Github,
  { began, withinMs }: { readonly began: string | null; readonly withinMs: number },
): Promise<PublicationFacts> {
  const { pull_request: known = null, head: pushed = null, branch: name = branch?.name ?? "" } = state.github ?? {};
  const head = branch === undefined ? pushed : await publishedHead(state, place.root);
  const at = githubPlaceOf(context, config, name);
  const [changed, token, pull, selfContinue] = await Promise.all([
    changedFiles(branch, began, head, Math.min(PATHS_MS, withinMs)),
    tokenKind(github, config.githubToken ?? ""),
    openPullRequest(github, at, { known: known?.number ?? null, isNew: (branch?.tip ?? null) === null }),
    selfContinuation(config, state, github, disabled),
  ]);
  return {
    ...at,
    base: pull?.base ?? at.base,
    wanted: config.pullRequest,
    head,
    ahead: branch !== undefined && head !== null && (branch.tip !== null || head !== branch.head),
    pullRequest: known === null ? null : { ...known, draft: pull?.draft ?? true },
    token,
    ci: null,
    creationForbidden: false,
    selfContinue,
    changedTests: changed.filter(isTestPath),
    changedCi: changed.filter(isCiFile),
    mention: [],
    missingLabels: [],
    notes,
    page: null,
  };
}

/** The pull request that the work is in, as it is now; null: there is none, or it is not known. */
async function openPullRequest(
  github: Github,
  at: GithubPlace,
  { known, isNew }: { readonly known: number | null; readonly isNew: boolean },
): Promise<{ readonly base: string; readonly draft: boolean } | null> {
  if (known !== null) {
    const pull = await readPullRequest(github, known);
    return pull.ok ? { base: pull.value.baseBranch, draft: pull.value.draft } : null;
  }
  const found = isNew ? undefined : await ask(PERMISSION, async () => findOpen(github, at));
  return found?.ok === true && found.value !== undefined ? found.value : null;
}

/**
 * The commit that the loop's work is published as. Where each story is one commit, it is never one that somebody else has
 * put on top or in place of these.
 */
export async function publishedHead({ stories }: LoopState, root: string): Promise<string | null> {
  return stories?.stands === undefined ? checkedOut(root) : stories.stands.head;
}

/** What differs from the loop's beginning; nothing when that is not known any more. */
async function changedFiles(
  branch: PublishBranch | undefined,
  began: string | null,
  head: string | null,
  withinMs: number,
): Promise<readonly string[]> {
  if (branch === undefined || head === null || began === null || began === head) return [];
  const changed = await branch.workBranch.changedPaths(began, head, withinMs);
  return changed.ok ? changed.value.paths.map(({ path }) => path) : [];
}

/** The variable is only asked for when it decides something. */
async function selfContinuation(
  config: Config,
  state: LoopState,
  github: Github,
  disabled: string | null,
): Promise<SelfContinuation> {
  const { selfContinue: setting, maxTokens: mostTokens } = config;
  const asks = setting === "auto" && state.stop_reason?.kind === "time_budget";
  const isOff = asks && !(await readKillSwitch(github, disabled)).ok;
  const mostMs = totalMs(config) ?? MOST_WORK_BY_ITSELF_MS;
  return { setting, most: MOST_CONTINUATIONS, mostMs, mostTokens, disabled: isOff, refused: null };
}
