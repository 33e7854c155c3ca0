import type { Denial, FailureKind, ProviderFailure, Usage } from "./agent.ts";
import type { Bounds } from "./task.ts";
import type { Appeals } from "./claim/blocked-streak.ts";
import type { Claim } from "./claim/claim.ts";
import type { Signals } from "./claim/effective-claim.ts";
import type { HardStopHit } from "./hard-stop.ts";
import type { Status, StopReason } from "./outcome.ts";
import type { Change, Snapshot } from "./ports.ts";
import type { ProgressBooks } from "./progress/counters.ts";
import type { FailingSet } from "./progress/failures.ts";
import type { Circuit } from "./progress/circuit.ts";
import type { Strength } from "./progress/strength.ts";
import type { Rate } from "./stop/limits.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Where a loop stands inside an iteration.
 *
 * - `ready`: between iterations; what ended before the last stop is not looked back at
 * - `turn`: the agent is at work; found at load, the iteration is abandoned
 * - `unproved`: the turn has ended, the checks have not; found at load, the checks run and no turn is spent
 * - `unsettled`: proved or with nothing to prove; work not yet committed, books not closed
 * - `settled`: the iteration is over and the AFTER rules have yet to look at it
 */
export type Phase = "ready" | "turn" | "unproved" | "unsettled" | "settled";

/** How the agent's part of an iteration went. */
export interface LastTurn {
  readonly iteration: number;
  readonly ended_at: string;
  readonly failure: ProviderFailure | null;
  readonly claim: Claim;
  /** the end of the agent's last message, at most 2 KiB; the whole is in `last_message_iter_N.txt` */
  readonly summary: string;
  readonly change: Change | null;
  /** what the agent was not allowed to do, at most `KEPT_DENIALS`; absent in older files */
  readonly denied: readonly Denial[];
}

/** One line of a loop's history. */
export interface IterationRecord {
  readonly iteration: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly agent: "ok" | FailureKind | "abandoned";
  readonly claimed: boolean;
  readonly checks: Verdict["result"] | "none";
  /** null where the workspace is no git repository */
  readonly files_changed: number | null;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly tokens: number;
  readonly commit: string | null;
}

/** Totals since the loop began. They only grow, over every run. */
export interface Spent {
  readonly turns: number;
  readonly tokens: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly turn_ms: number;
  readonly check_ms: number;
  readonly resumes: number;
}

/** What counts against `max-total-minutes`: turns and checks, in milliseconds. */
export function workedMs({ turn_ms: turns, check_ms: checks }: Spent): number {
  return turns + checks;
}

/** Why and until when the loop takes no turn: the interval between iterations or a limit of the provider (PRE 11). */
export interface NotBefore {
  readonly until: string;
  readonly why: "interval" | "rate_limit" | "usage_limit";
  /** what the provider said; "" for the interval */
  readonly message: string;
}

/** What a loop can wait for inside a run. */
export type WaitReason = NotBefore["why"] | "calls_per_hour";

/** At most so many records stay in the state; the rest is in `events.jsonl`. */
export const KEPT_ITERATIONS = 50;

/** A prompt longer than this (UTF-16 units) is kept in `prompt.txt`, with its head and digest in the state. */
export const PROMPT_IN_STATE = 16_384;

/** At most so many HARD STOP hits are remembered. */
export const KEPT_HARD_STOPS = 200;

/**
 * A loop's state: one plain JSON object, which is its on-disk form as well, hence the seed's spelling (W-48).
 *
 * It only ever grows: keys that this version does not know survive a round trip.
 */
export interface LoopState {
  readonly schema: 1;
  /** one more with every event; equal to the revision of the last event in `events.jsonl` */
  readonly revision: number;
  readonly loop_id: string;
  readonly generation: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly workspace_root: string;
  readonly prompt: string;
  readonly prompt_digest: string;
  /** `prompt.txt` when `prompt` is only the head */
  readonly prompt_path: string | null;
  /** over the prompt and the checks; another digest is another task (C25) */
  readonly task_digest: string;
  readonly completion_promise: string;
  readonly promise_mode: "tag" | "plain" | "regex" | "off";
  readonly promise_guard: "off" | "code" | "final-line";
  /** what only SOLO has (S-15); its commands, prompt and interval are settings of every loop */
  readonly solo: { readonly done_token: string | null };
  readonly checks: {
    readonly success_cmd: readonly string[] | null;
    readonly success_sh: string | null;
    readonly quality_commands: readonly string[];
    /** null: CI is not asked; absent in older files */
    readonly ci_workflow: string | null;
  };
  readonly max_iterations: number;
  /** null in files of earlier versions */
  readonly bounds: Bounds | null;
  /** iterations begun; the one in flight included */
  readonly iteration: number;
  readonly status: Status;
  readonly stop_reason: StopReason | null;
  readonly phase: Phase;
  readonly provider: string;
  /** the agent's session, whatever the provider; the name is the seed's */
  readonly codex: {
    readonly session_id: string | null;
    readonly model: string | null;
    readonly sandbox: string;
    readonly approval: string | null;
    readonly profile: string | null;
    /** iterations in this session so far */
    readonly session_iterations: number;
    /** the session's running total, which usage is differenced against */
    readonly session_usage: Usage | null;
  };
  readonly todo: {
    readonly path: string;
    readonly hard_stop_token: string;
    readonly hard_stop_mode: "pause" | "exit";
    readonly hard_stop_when: "reached" | "present";
    readonly paused_for_hard_stop: boolean;
    /** every hit met since the loop began */
    readonly seen: readonly HardStopHit[];
    /** ids of hits that a person has acknowledged */
    readonly acknowledged: readonly string[];
  } | null;
  /** the checklist that the loop works through; null: there is none */
  readonly plan: {
    readonly path: string;
    readonly agent_file: string;
    /** how many items it held after the last turn */
    readonly items: number;
    readonly ticked: number;
    /** the most items that it has held since the loop began; absent in older files */
    readonly most_items: number;
  } | null;
  readonly artifacts: {
    readonly dir: string;
    readonly last_message_path: string | null;
    readonly jsonl_path: string | null;
    readonly summary_json_path: string;
  };
  readonly last_result: { readonly exit_code: number | null; readonly detected_promise: boolean } | null;
  readonly iteration_started_at: string | null;
  readonly last_turn: LastTurn | null;
  /** whose status block the agent is asked for (C1) */
  readonly status_block: "loopr" | "ralph" | "off";
  readonly signals: Signals;
  readonly appeals: Appeals;
  /** what the agent has learned, for every session to come; absent in older files */
  readonly learned: readonly string[];
  readonly progress: ProgressBooks;
  readonly circuit: Circuit;
  /** tokens that `last_turn` used */
  readonly turn_tokens: number;
  /** what the checks said first in this run; the success command is not asked before a turn again (PRE 6) */
  readonly first_check: Verdict | null;
  /** what the checks said of `last_turn` */
  readonly verdict: Verdict | null;
  /** what failed in `verdict`; null: nobody knows */
  readonly failing: FailingSet | null;
  /** how `verdict` failed, as a digest; null: it did not */
  readonly failure_signature: string | null;
  /** what failed before the loop began; null: nobody knows */
  readonly baseline: FailingSet | null;
  /** what is known of how much a green verdict proves */
  readonly strength: Strength;
  readonly snapshot: Snapshot | null;
  readonly spent: Spent;
  readonly iterations: readonly IterationRecord[];
  readonly rate: Rate;
  /** no turn before this moment */
  readonly not_before: NotBefore | null;
  /** resumes of an `error` ending in a row (C25) */
  readonly error_resumes: number;
  /** null: nothing of it is on GitHub */
  readonly github: GithubTies | null;
  /** what the person who let the loop go on wants the agent to know; gone once a turn has heard it */
  readonly guidance: string | null;
}

/** Whether no turn has begun yet, not even one that died with its run: the work tree is as the person left it. */
export function isUntouched({ spent, iterations }: Pick<LoopState, "spent" | "iterations">): boolean {
  return spent.turns === 0 && iterations.length === 0;
}

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
