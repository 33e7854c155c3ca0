import type { CiSaid } from "../ci.ts";
import type { PullRequest } from "../../core/state.ts";

/**
 * Whose token speaks to GitHub. What the workflow's own token does starts next to nothing; what an App's or a person's
 * does, starts workflows.
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
  /** the branch that the pull request asks to be merged into */
  readonly base: string;
}

/** A pull request as it is now. */
export interface OpenPullRequest extends PullRequest {
  readonly draft: boolean;
}

/** A workflow that the loop has had run on its work. */
export interface CiOfHead {
  /** its file, as in `ci.yml` */
  readonly workflow: string;
  /** null: it was not run on that commit, as far as is known */
  readonly run: { readonly url: string; readonly said: CiSaid } | null;
}

/** What decides whether the loop starts its next run by itself. */
export interface SelfContinuation {
  readonly setting: "never" | "auto";
  /** at most so often since a person let the loop run */
  readonly most: number;
  /** at most so many milliseconds of turns and checks since the loop began */
  readonly mostMs: number;
  /** at most so many tokens since the loop began; null: no limit */
  readonly mostTokens: number | null;
  /** the repository variable `SMITHERS_DISABLED` is set */
  readonly disabled: boolean;
  /** why it was not started although nothing else speaks against it, as part of a sentence; null: nobody has tried yet */
  readonly refused: string | null;
}

/** What is known on the outside when a loop has ended. */
export interface PublicationFacts extends GithubPlace {
  /** the setting `pull-request` */
  readonly wanted: "auto" | "draft" | "never";
  /** the commit that the branch stands at when it is pushed; null: there is no commit */
  readonly head: string | null;
  /** that commit is not in `base` */
  readonly ahead: boolean;
  /** the open one of the branch; null: there is none */
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
  /** what could not be done, one text each */
  readonly notes: readonly string[];
}
