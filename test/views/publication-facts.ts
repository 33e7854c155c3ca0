import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { OpenPullRequest, PublicationFacts } from "../../src/views/github/facts.ts";
import type { SelfContinuation } from "../../src/views/github/self-continue.ts";
import { aHit, aTodo } from "../support/builders.ts";

/** The commit that everything is about. */
export const HEAD = "0123456789abcdef0123456789abcdef01234567";

export const CHECKED: LoopState["checks"] = {
  success_cmd: ["npm", "test"],
  success_sh: null,
  quality_commands: [],
  ci_workflow: null,
};

/** A branch with work on it, no pull request yet, everything allowed, with `overrides`. */
export function someFacts(overrides: Partial<PublicationFacts> = {}): PublicationFacts {
  return {
    workflow: ".github/workflows/smithers.yml",
    job: "loop",
    repositoryUrl: "https://github.com/o/r",
    runUrl: "https://github.com/o/r/actions/runs/1",
    branch: "smithers/repo-1",
    base: "main",
    wanted: "auto",
    head: HEAD,
    ahead: true,
    pullRequest: null,
    token: "github-token",
    ci: null,
    creationForbidden: false,
    selfContinue: selfContinuation(),
    changedTests: [],
    changedCi: [],
    mention: [],
    missingLabels: [],
    notes: [],
    page: null,
    ...overrides,
  };
}

/** Switched on, with bounds that nothing has reached, with `overrides`. */
export function selfContinuation(overrides: Partial<SelfContinuation> = {}): SelfContinuation {
  return { setting: "auto", most: 5, mostMs: 5_000, mostTokens: null, disabled: false, refused: null, ...overrides };
}

export function aPullRequest(overrides: Partial<OpenPullRequest> = {}): OpenPullRequest {
  return { number: 7, url: "https://github.com/o/r/pull/7", own: true, draft: true, ...overrides };
}

/** What a state is like after this ending, with `overrides`. */
export function ended(reason: StopReason, overrides: Partial<LoopState> = {}): Partial<LoopState> {
  return { status: outcomeOf(reason).status, stop_reason: reason, iteration: 3, ...overrides };
}

export const COMPLETED: StopReason = { kind: "success_command", command: "npm test" };
export const PAUSED: StopReason = { kind: "hard_stop", mode: "pause", hits: [aHit()] };

/** A completed loop that ran past a HARD STOP (C17). */
export const PENDING = ended(COMPLETED, { todo: aTodo({ seen: [aHit({ line: 4 })] }) });
