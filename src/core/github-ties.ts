/** A loop starts its next run by itself at most so often before a person has to say that it may go on. */
export const MOST_CONTINUATIONS = 20;

/** A pull request that the loop's work is in. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  /** whether the loop made it; a person's is never reworded */
  readonly own: boolean;
}

/**
 * What is still missing on GitHub of an ending, because it failed in a way that passes or can be mended: the next run
 * makes up for it (C25).
 */
export interface Unpublished {
  /** `branch`: the work is not on its branch; `pull_request`: it is, and has none */
  readonly what: "branch" | "pull_request";
  /** the commit upon which the work was done; null: there was none */
  readonly base: string | null;
  /** where the branch was on GitHub then; null: nowhere */
  readonly tip: string | null;
  /** another branch that holds the work meanwhile; null: only the loop's own copies do */
  readonly kept_on: string | null;
}

/** What the loop has on GitHub. */
export interface GithubTies {
  /** the branch that the work goes to, without `refs/heads/` */
  readonly branch: string;
  /** the commit that it was pushed to last; null: it never was */
  readonly head: string | null;
  readonly pull_request: PullRequest | null;
  /** login of the person who let the loop run last; null: nobody ever did */
  readonly authorised_by: string | null;
  /** what a run was asked by last, as in `comment:7`; null: nothing that GitHub keeps */
  readonly obeyed: string | null;
  /** how often since a person asked the loop, or a check that failed, has started a run of it */
  readonly continuations: number;
  /** absent: nothing of its ending is missing */
  readonly unpublished?: Unpublished;
}
