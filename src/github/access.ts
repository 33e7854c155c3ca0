import type { Octokit } from "./octokit.ts";
import type { Repository } from "./context.ts";

/** With what, where and how long GitHub is asked. */
export interface Access {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** ends whatever is under way, waits included */
  readonly signal: AbortSignal;
}
