import type { PullRequest } from "../../core/state.ts";
import type { OpenCheck } from "../../core/policy/mirror.ts";
import { endingOf, hardStopPending, type RunView } from "../run-view.ts";
import type { SelfContinuation } from "./self-continue.ts";

/**
 * Whose token acts on GitHub. The workflow's own token starts almost nothing; an App's or a person's starts workflows.
 */
export type TokenKind = "github-token" | "app" | "person";

/** Where on GitHub a loop works. */
export interface GithubPlace {
  /** the workflow's file, as in `.github/workflows/smithers.yml` */
  readonly workflow: string;
  /** the job's key in it */
  readonly job: string;
  /** as in `https://github.com/o/r` */
  readonly repositoryUrl: string;
  readonly runUrl: string;
  /** the branch that the work goes to, without `refs/heads/` */
  readonly branch: string;
  /** the base branch of the pull request: its own where it has one, else the one that it would get */
  readonly base: string;
}

/**
 * Where people find the page about a loop: at an address (C137), or inside the loop's artifact, by a command that downloads
 * and opens it.
 */
export type PagePlace =
  | { readonly url: string; /** whether prompts, messages and changes are on it */ readonly hasTexts: boolean }
  | PageInArtifact;

export interface PageInArtifact {
  /** the name of the loop's artifact; until that is saved, what it should be */
  readonly artifact: string;
  /** where that artifact is in the browser; null: it is not saved yet, or its server has no such address */
  readonly artifactUrl: string | null;
  /** opens the page, and downloads the artifact first, unless that is left to a person */
  readonly command: string;
  readonly byHand: boolean;
  /** whether it takes the `state-key` */
  readonly isSealed: boolean;
}

/** A pull request in its current form. */
export type OpenPullRequest = PullRequest & { readonly draft: boolean };

/** What a run of CI has said of a commit; null: it has not ended. */
export type CiSaid = "passed" | "failed" | "nothing" | null;

/** A workflow that the loop has had run on its work. */
export interface CiOfHead {
  /** its file, as in `ci.yml` */
  readonly workflow: string;
  /** null: it was not run on that commit, as far as is known */
  readonly run: { readonly url: string; readonly said: CiSaid } | null;
  /** null: the base's rules ask for no check, as far as is known */
  readonly required: RequiredByRules | null;
}

/** What became of the checks that the base's rules ask for, by their names. */
export interface RequiredByRules {
  /** mirrored as commit statuses */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** nothing is said for them */
  readonly open: readonly OpenCheck[];
  /** why the rules are not known; null: they are */
  readonly unread: string | null;
}

/** What is known on the outside when a loop has ended. */
export interface PublicationFacts extends GithubPlace {
  /** the setting `pull-request` */
  readonly wanted: "auto" | "draft" | "never";
  /** the commit that the branch is at once it is pushed; null: no commit */
  readonly head: string | null;
  /** that commit is not in `base` */
  readonly ahead: boolean;
  /** the branch's open one; null: none */
  readonly pullRequest: OpenPullRequest | null;
  readonly token: TokenKind;
  /** what the workflow of the setting `ci-workflow` has said of `head`; null: the loop asks none */
  readonly ci: CiOfHead | null;
  /** the repository or its organisation does not let Actions create pull requests */
  readonly creationForbidden: boolean;
  readonly selfContinue: SelfContinuation;
  /** paths of test files that changed since the loop began */
  readonly changedTests: readonly string[];
  /** paths of workflows and the like that changed since the loop began */
  readonly changedCi: readonly string[];
  /** logins, and teams as `org/team`, who are to be mentioned */
  readonly mention: readonly string[];
  /** names of our labels that the repository lacks, so that no text may tell people to use them */
  readonly missingLabels: readonly string[];
  /** what could not be done, one text each */
  readonly notes: readonly string[];
  /** null: there is no page */
  readonly page: PagePlace | null;
}

/** Another run has the loop: what is on GitHub belongs to that run, and stays. */
export function isForeign({ state }: RunView): boolean {
  return state.stop_reason?.kind === "superseded";
}

/**
 * Whether the work goes to the branch. The work of every ending does, proved or not (C13), except for a loop that was
 * cancelled and for a run that died before it could report its work.
 */
export function pushes(view: RunView, { ahead }: PublicationFacts): boolean {
  const ending = endingOf(view.state);
  return ahead && ending !== undefined && ending.outcome.status !== "canceled" && !isForeign(view);
}

/**
 * Proved, or claimed where there is nothing to prove it with, and no checkpoint was run past (C17). A PRD is ready when
 * every story of it has passed.
 */
export function isReady({ state }: RunView): boolean {
  const reason = state.stop_reason;
  if (reason?.kind === "stories_passed" && reason.passed < reason.total) return false;
  return state.status === "completed" && hardStopPending(state).length === 0;
}

/** Whether to make or update the pull request. A person's own text stays. */
export function writesPullRequest(view: RunView, facts: PublicationFacts): boolean {
  if (facts.wanted === "never" || isForeign(view)) return false;
  if (facts.pullRequest !== null) return facts.pullRequest.own;
  return pushes(view, facts) && !facts.creationForbidden;
}

/** Whether there is a pull request to comment on, or will be one. */
export function hasPullRequest(view: RunView, facts: PublicationFacts): boolean {
  return !isForeign(view) && (facts.pullRequest !== null || writesPullRequest(view, facts));
}
