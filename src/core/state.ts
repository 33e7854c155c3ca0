import { z } from "zod";
import { denial, failureKind, providerFailure, usage } from "./agent.ts";
import { refusal } from "./boundary.ts";
import { contradicted, contradiction, NOT_CONTRADICTED } from "./claim/contradictions/contradiction.ts";
import { workList } from "./claim/contradictions/work-list.ts";
import { claim } from "./claim/claim.ts";
import { spent } from "./cost/spent.ts";
import { hardStopHit } from "./hard-stop.ts";
import { ENDED, stopReason } from "./outcome.ts";
import { repair } from "./repair/repair.ts";
import { count, date, type Stored } from "./schema.ts";
import { failingSet, strength, verdict } from "./verdict.ts";
import { AGENT_STATE } from "./names.ts";
import { headAt } from "./story/head.ts";
import { betweenRuns } from "./recover/between-runs.ts";
import { NO_PROGRESS, progress } from "./progress/progress-counters.ts";
import { NEVER_ASKED, sinceAsked } from "./stop/check-when.ts";
import { NOT_REVIEWED, review } from "./review/review.ts";
import { stories } from "./story/stories.ts";
import { undone } from "./story/undone.ts";

/** The identity of a work tree at one moment. */
const snapshot = z.looseObject({
  /** equal exactly when HEAD, index and work tree, untracked files included, are equal */
  id: z.string(),
  /** the work tree alone, for comparing two snapshots */
  tree: z.string(),
  /** a digest of what submodules and nested repositories hold, whatever they have committed; absent: there are none */
  nested: z.string().exactOptional(),
  ...headAt.shape,
});
export type Snapshot = Stored<typeof snapshot>;

const change = z.looseObject({
  files: count,
  added: count,
  removed: count,
  /** at most 20 paths with their counts, one per line; of more, tests and CI files are named first */
  stat: z.string(),
  /** whether all of it are tests; false when nothing changed */
  only_tests: z.boolean().default(false),
  /** how many more files of tests there are than before; absent: none, or not known */
  added_tests: count.exactOptional(),
});
export type Change = Stored<typeof change>;

const lastTurn = z.looseObject({
  iteration: count,
  ended_at: date,
  failure: providerFailure.nullable(),
  claim,
  /** the end of the agent's last message, at most 2 KiB; the whole is in `last_message_iter_N.txt` */
  summary: z.string(),
  change: change.nullable(),
  cost: count.exactOptional(),
  /** what the agent was not allowed to do, at most 8 */
  denied: z.array(denial).default([]),
  /** the story that it worked on; absent: none */
  item: z.string().exactOptional(),
  /** files besides the PRD's own that a story's commit would take in; absent: nothing is committed by stories */
  pending: count.exactOptional(),
  /** what contradicts its claim (C46 to C49); absent: nothing, or it makes none */
  contradictions: z.array(contradiction).exactOptional(),
  /** documents of the PRD that were changed during the turn, which was undone; absent: none */
  undone: z.array(undone).exactOptional(),
});
export type LastTurn = Stored<typeof lastTurn>;

/** What status blocks have said in a row (R-18, L-23, L-24). */
const signals = z.looseObject({
  /** iterations in a row whose block is an indicator of completion (C5) */
  done: count,
  /** turns in a row without a block, while one is asked for (L-21) */
  missing: count,
});
export type Signals = Stored<typeof signals>;
export const NO_SIGNALS: Signals = { done: 0, missing: 0 };

/** For how many turns in a row the agent has waited for a person. */
const appeals = z.looseObject({
  /** turns in a row that were BLOCKED for the same reason (W-51) */
  blocked: count,
  /** that reason in plain words, for comparison; null: the last turn was not blocked */
  why: z.string().nullable(),
  /** turns in a row that changed nothing and ended in a question */
  questions: count,
});
export type BlockedStreak = Stored<typeof appeals>;
export const NOT_BLOCKED_YET: BlockedStreak = { blocked: 0, why: null, questions: 0 };

const circuitTrigger = z.enum(["missing_status", "no_progress", "same_error", "test_loops"]);
export type CircuitTrigger = Stored<typeof circuitTrigger>;

/** The circuit breaker: closed while all is well, half open as a warning, open to stop the loop. */
const circuit = z.looseObject({
  state: z.enum(["CLOSED", "HALF_OPEN", "OPEN"]),
  trigger: circuitTrigger.nullable(),
  /** iterations that it took to come here; 0 when it is closed */
  count,
});
export type Circuit = Stored<typeof circuit>;
export const CLOSED: Circuit = { state: "CLOSED", trigger: null, count: 0 };

/** The calls of the agent in the hour that is counted now (R-32, L-14, L-22); it holds over runs and machines. */
const rate = z.looseObject({
  /** when the first of them began; null: none yet */
  hour_began: date.nullable(),
  calls: count,
});
export type Rate = Stored<typeof rate>;
export const NO_CALLS: Rate = { hour_began: null, calls: 0 };

/** What the work may not reach (T17). */
const boundary = z.looseObject({
  /** what the work is compared with: the workspace as it was when the loop began; null: it is not measured */
  begun: snapshot.nullable(),
  /** why the work that stands now goes nowhere; null: nothing is against it */
  refused: refusal.nullable(),
  /** turns in a row that have left it so */
  turns: count,
});
const NOTHING_COMPARED = { begun: null, refused: null, turns: 0 };

/** What bounds the counts: the settings of the last run, so that people see both together. */
const bounds = z.looseObject({
  /** null: no limit */
  max_calls_per_hour: count.nullable(),
  /** indicators in a row that the dual gate takes (L-17) */
  done_signals: count,
  /** what each trigger of the circuit warns at or opens at (C6); 0: it is off */
  thresholds: z.looseObject({ missing_status: count, no_progress: count, same_error: count, test_loops: count }),
  /** the circuit opens at this multiple of the threshold */
  open_multiplier: count,
});
export type Bounds = Stored<typeof bounds>;

/** Why and until when the loop takes no turn: the interval between iterations, or a limit of the provider (PRE 11). */
const notBefore = z.looseObject({
  until: date,
  why: z.enum(["interval", "rate_limit", "usage_limit"]),
  /** what the provider said; "" for the interval */
  message: z.string(),
});
export type NotBefore = Stored<typeof notBefore>;

/** What a loop can wait for inside a run. */
export type WaitReason = NotBefore["why"] | "calls_per_hour" | "tokens_per_day";

const iterationRecord = z.looseObject({
  iteration: count,
  started_at: date,
  ended_at: date,
  agent: z.enum(["ok", "abandoned", ...failureKind.options]),
  claimed: z.boolean(),
  checks: z.enum(["passed", "failed", "cut_off", "unrunnable", "none"]),
  /** null when the workspace is not a git repository */
  files_changed: count.nullable(),
  lines_added: count,
  lines_removed: count,
  tokens: count,
  /** of its reviews, which are in no other figure; absent: there was none */
  review_tokens: count.exactOptional(),
  /** in millionths of a USD, and how many tests failed at its end; absent: not known */
  cost: count.exactOptional(),
  failing_tests: count.exactOptional(),
  commit: z.string().nullable(),
});
export type IterationRecord = Stored<typeof iterationRecord>;

/** A pull request that the loop's work is in; `own`: the loop made it, and may reword it. */
const pullRequest = z.looseObject({ number: z.int().positive(), url: z.string(), own: z.boolean() });
export type PullRequest = Stored<typeof pullRequest>;

/**
 * What of an ending is still missing on GitHub, because it failed in a way that passes or can be fixed: the next run
 * publishes it (C25).
 */
const unpublished = z.looseObject({
  /** `branch`: the work is not on its branch; `pull_request`: it is, but has none */
  what: z.enum(["branch", "pull_request"]),
  /** the commit on which the work was done; null: none */
  base: z.string().nullable(),
  /** where the branch was on GitHub then; null: nowhere */
  tip: z.string().nullable(),
  /** another branch that holds the work for now; null: only the loop's own copies do */
  kept_on: z.string().nullable(),
});
export type Unpublished = Stored<typeof unpublished>;

const github = z.looseObject({
  /** the branch that the work goes to, without `refs/heads/` */
  branch: z.string(),
  /** the commit that it was last pushed to; null: never */
  head: z.string().nullable(),
  pull_request: pullRequest.nullable(),
  /** login of the person who last let the loop run; null: nobody did */
  authorised_by: z.string().nullable(),
  /** the last request that a run obeyed, as in `comment:7`; null: none that GitHub keeps */
  obeyed: z.string().nullable(),
  /** how often since a person asked the loop, or a check that failed, has started a run of it */
  continuations: count,
  /** the issue whose text is the task; absent: none */
  issue: z.int().positive().exactOptional(),
  /** the review that it follows, whose threads are answered when the work is done; absent: none */
  review: z
    .looseObject({
      id: z.int().positive(),
      commit: z.string(),
      threads: z.array(
        z.looseObject({
          id: z.int().positive(),
          path: z.string(),
          lines: z.looseObject({ from: z.int().positive(), to: z.int().positive() }).nullable(),
        }),
      ),
    })
    .exactOptional(),
  /** absent: nothing of its ending is missing */
  unpublished: unpublished.exactOptional(),
});
export type GithubLink = Stored<typeof github>;

/** The agent's session and settings, for every provider. */
const agentState = z.looseObject({
  session_id: z.string().nullable(),
  model: z.string().nullable(),
  sandbox: z.string(),
  approval: z.string().nullable(),
  profile: z.string().nullable(),
  session_iterations: count,
  /** the session's running total, which usage is differenced against */
  session_usage: usage.nullable(),
});
export type AgentState = Stored<typeof agentState>;

const todo = z.looseObject({
  path: z.string(),
  hard_stop_token: z.string(),
  hard_stop_mode: z.enum(["pause", "exit"]),
  hard_stop_when: z.enum(["reached", "present"]),
  paused_for_hard_stop: z.boolean(),
  /** every hit met since the loop began */
  seen: z.array(hardStopHit),
  acknowledged: z.array(z.string()),
});
export type Todo = Stored<typeof todo>;

const plan = z.looseObject({
  path: z.string(),
  agent_file: z.string(),
  /** how many items it held after the last turn */
  items: count,
  ticked: count,
  /** the most items that it has held since the loop began */
  most_items: count.default(0),
});

/**
 * Where a loop is inside an iteration.
 *
 * - `ready`: between iterations; what ended before the last stop is not looked back at
 * - `turn`: the agent works; found at load, the iteration is abandoned
 * - `unproved`: the turn has ended, the checks have not; found at load, the checks run and no turn is spent
 * - `unsettled`: proved or with nothing to prove; work not yet committed, counters not moved on
 * - `settled`: the iteration is over and the AFTER rules have yet to look at it
 */
const phase = z.enum(["ready", "turn", "unproved", "unsettled", "settled"]);
export type Phase = Stored<typeof phase>;

/** A loop starts its next run by itself at most this many times before a person has to let it go on. */
export const MOST_CONTINUATIONS = 20;

/** At most this many records stay in the state; the rest is in `events.jsonl`. */
export const KEPT_ITERATIONS = 50;

/** A prompt longer than this (UTF-16 units) is kept in `prompt.txt`, with its head and digest in the state. */
export const PROMPT_IN_STATE = 16_384;

export const KEPT_HARD_STOPS = 200;

/**
 * A loop's state: one plain JSON object, which is its on-disk form as well, schema 1, hence the seed's spelling (W-48).
 * It only ever grows: what has a default is absent in files of earlier versions.
 */
export const stateSchema = z.looseObject({
  schema: z.literal(1),
  /** one more with every event; equal to the revision of the last event in `events.jsonl` */
  revision: count,
  loop_id: z.string().min(1),
  generation: z.int().positive(),
  created_at: date,
  updated_at: date,
  workspace_root: z.string(),
  prompt: z.string(),
  prompt_digest: z.string(),
  /** `prompt.txt` when `prompt` is only the head */
  prompt_path: z.string().nullable(),
  /** over the prompt and the checks; another digest is another task (C25) */
  task_digest: z.string(),
  completion_promise: z.string(),
  promise_mode: z.enum(["tag", "plain", "regex", "off"]),
  promise_guard: z.enum(["off", "code", "final-line"]),
  /** whether a person set it (C35) */
  promise_guard_set: z.boolean().default(false),
  /** what only SOLO has (S-15); its commands, prompt and interval are settings of every loop */
  solo: z.looseObject({ done_token: z.string().nullable() }).default({ done_token: null }),
  checks: z.looseObject({
    success_cmd: z.array(z.string()).nullable(),
    success_sh: z.string().nullable(),
    quality_commands: z.array(z.string()),
    /** null: CI is not asked */
    ci_workflow: z.string().nullable().default(null),
  }),
  max_iterations: count,
  bounds: bounds.nullable().default(null),
  /** iterations begun, including the one in flight */
  iteration: count,
  status: z.enum(["running", ...ENDED]),
  stop_reason: stopReason.nullable(),
  phase,
  provider: z.string(),
  [AGENT_STATE]: agentState,
  todo: todo.nullable(),
  plan: plan.nullable().default(null),
  /** null: the loop does not work through a PRD */
  stories: stories.nullable().default(null),
  artifacts: z.looseObject({
    dir: z.string(),
    last_message_path: z.string().nullable(),
    jsonl_path: z.string().nullable(),
    summary_json_path: z.string(),
  }),
  last_result: z.looseObject({ exit_code: z.int().nullable(), detected_promise: z.boolean() }).nullable(),
  iteration_started_at: date.nullable(),
  last_turn: lastTurn.nullable(),
  /** whose status block the agent is asked for (C1) */
  status_block: z.enum(["loopr", "ralph", "off"]).default("off"),
  progress: progress.prefault(NO_PROGRESS),
  circuit: circuit.default(CLOSED),
  signals: signals.default(NO_SIGNALS),
  appeals: appeals.default(NOT_BLOCKED_YET),
  /** claims in which the agent admitted that something is left (C36), since a person let the loop go on */
  admissions: count.default(0),
  /** claims in a row that the very same contradicts (C46) */
  contradicted: contradicted.default(NOT_CONTRADICTED),
  /** what the plan and the todo file had to be done when the loop began, or a person let it go on (C46) */
  lists: z.array(workList).default([]),
  /** what the agent has learned, for every session to come */
  learned: z.array(z.string()).default([]),
  /** tokens that `last_turn` used */
  turn_tokens: count,
  /** what the checks said first in this run; the success command is not asked before a turn again (PRE 6) */
  first_check: verdict.nullable(),
  /** what the checks said of `last_turn` */
  verdict: verdict.nullable(),
  /** what failed in `verdict`; null: not known */
  failing: failingSet.nullable().default(null),
  since_asked: sinceAsked.default(NEVER_ASKED),
  /** how `verdict` failed, as a digest; null: it did not */
  failure_signature: z.string().nullable().default(null),
  /** what failed before the loop began; null: not known */
  baseline: failingSet.nullable().default(null),
  strength: strength.prefault({ weaknesses: [], tampering: null, refused: 0, counts: null }),
  /** what another session of an agent says of the work (C50) */
  review: review.prefault(NOT_REVIEWED),
  snapshot: snapshot.nullable(),
  boundary: boundary.prefault(NOTHING_COMPARED),
  /** the failed run that is to be repaired; null: there is none */
  repair: repair.nullable().default(null),
  /** what changed between runs and is in no commit yet; null: nothing, or not known */
  between: betweenRuns.nullable().default(null),
  spent,
  iterations: z.array(iterationRecord),
  rate: rate.default(NO_CALLS),
  not_before: notBefore.nullable(),
  /** resumes of an `error` ending in a row (C25) */
  error_resumes: count,
  /** null: nothing of it is on GitHub */
  github: github.nullable().default(null),
  /** what the person who let the loop go on wants the agent to know; gone once a turn has heard it */
  guidance: z.string().nullable().default(null),
});

export interface LoopState extends Stored<typeof stateSchema> {}

/** Whether no turn has begun yet, not even one that died with its run: the work tree is as the person left it. */
export function isUntouched({ spent, iterations }: Pick<LoopState, "spent" | "iterations">): boolean {
  return spent.turns === 0 && iterations.length === 0;
}
