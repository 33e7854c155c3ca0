import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import type { LoopLookup } from "./find-loop.ts";
import type { RunnerLog } from "../os/runner-log.ts";

/** What a relay is given: an event, and what it may do about it. */
export interface RelayJob {
  readonly context: Pick<GithubContext, "eventName" | "event" | "repository" | "workflow" | "attempt">;
  readonly access: Github;
  readonly log: Pick<RunnerLog, "line" | "notice" | "warning">;
  readonly lookup: LoopLookup;
  /** the file of the workflow that runs the loop; null: this very one */
  readonly relayTo: string | null;
  /** logins */
  readonly allowedBots: readonly string[];
  /** what the workflow hands over of the variable `SMITHERS_DISABLED`; null: nothing */
  readonly disabled: string | null;
}

/** What came of what somebody who may ask has asked for. */
export type Relayed =
  | { readonly outcome: "done"; readonly line: string }
  /** somebody who may ask cannot have it; `reason` and `next` are sentences for them */
  | { readonly outcome: "refused"; readonly reason: string; readonly next: string | null }
  /** the same, because the workflow or GitHub is not as it should be: the job is red */
  | { readonly outcome: "failed"; readonly reason: string; readonly next: string | null };
