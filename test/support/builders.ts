import { createHash } from "node:crypto";
import { boundsOf, type Item, type Task } from "../../src/core/task.ts";
import { NO_USAGE, type FailureKind, type ProviderFailure, type Usage } from "../../src/core/agent.ts";
import type { Claim, StatusBlock } from "../../src/core/claim/claim.ts";
import type { LoopStarted, Proved, TurnEnded } from "../../src/core/events.ts";
import type { HardStopHit } from "../../src/core/hard-stop.ts";
import { examined } from "../../src/core/progress/failures.ts";
import { judged } from "../../src/core/progress/strength.ts";
import type { FailedRun, Repair } from "../../src/core/repair/repair.ts";
import type { Brief } from "../../src/core/prompt/header.ts";
import type { IterationRecord, LastTurn, LoopState } from "../../src/core/state.ts";
import type { Facts } from "../../src/core/stop/rule.ts";
import { begin } from "../../src/core/transition/begin.ts";
import type { CheckResult, TestReport, Verdict } from "../../src/core/verdict.ts";
import { aTask } from "./a-task.ts";

export { aTurn } from "./a-turn.ts";
export { aTask, anIdentity, type IdentityOverrides, type TaskOverrides } from "./a-task.ts";

/** The moment at which every built thing takes place, in milliseconds since the epoch. */
export const NOW = Date.parse("2026-03-01T12:00:00.000Z");

/** NOW as the engine writes it down */
export const AT = "2026-03-01T12:00:00.000+00:00";

/** hex SHA-256 of a text, as the `digest` of the ports */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The bounds of a run whose task is `aTask()`. */
export const BOUNDS = boundsOf(aTask().limits);

/** The backlog of a plain prompt: the task itself. */
export const THE_ITEM: Item = { id: "prompt", title: "The task", text: "" };

/** The first event of the loop that `task` describes. */
export function aLoopStarted(task: Task = aTask(), overrides: Partial<LoopStarted> = {}): LoopStarted {
  return {
    type: "loop_started",
    at: AT,
    loop_id: task.loopId,
    generation: task.generation,
    identity: task.identity,
    prompt_digest: digest(task.identity.prompt),
    task_digest: "task-digest",
    runtime: task.runtime,
    max_iterations: task.limits.maxIterations,
    bounds: boundsOf(task.limits),
    artifacts_dir: task.runtime.artifactsDir,
    guidance: task.guidance,
    github: task.github,
    snapshot: null,
    hard_stops: [],
    tally: null,
    ...overrides,
  };
}

/** The state of a loop that has just begun, overridden. */
export function aState(overrides: Partial<LoopState> = {}, task: Task = aTask()): LoopState {
  return { ...begin(aLoopStarted(task)), ...overrides };
}

/** The todo part of a state. */
export function aTodo(overrides: Partial<NonNullable<LoopState["todo"]>> = {}): NonNullable<LoopState["todo"]> {
  return {
    path: "TODO.md",
    hard_stop_token: "HARD STOP",
    hard_stop_mode: "pause",
    hard_stop_when: "reached",
    paused_for_hard_stop: false,
    seen: [],
    acknowledged: [],
    ...overrides,
  };
}

export function aHit(overrides: Partial<HardStopHit> = {}): HardStopHit {
  return { id: "hit#1", line: 3, text: "HARD STOP: review", reached: true, ...overrides };
}

export function aUsage(overrides: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, ...overrides };
}

export function aFailure(kind: FailureKind = "crashed", overrides: Partial<ProviderFailure> = {}): ProviderFailure {
  return { kind, message: `the provider said ${kind}`, retryable: false, ...overrides };
}

/** What a turn claims that claims nothing. */
const NO_CLAIM: Claim = {
  detected: false,
  done: false,
  token_done: false,
  hint: null,
  blocked: null,
  notes: [],
  unfinished: null,
  block: null,
};

export function aClaim(overrides: Partial<Claim> = {}): Claim {
  return { ...NO_CLAIM, ...overrides };
}

/** What a status block says that says nothing. */
export function aBlock(overrides: Partial<StatusBlock> = {}): StatusBlock {
  return {
    name: "loopr",
    status: null,
    exit_signal: null,
    work_type: null,
    files_modified: null,
    errors: null,
    tests_status: null,
    tasks_completed: null,
    summary: null,
    other: {},
    ...overrides,
  };
}

/** A claim that counts. */
export function aDoneClaim(overrides: Partial<Claim> = {}): Claim {
  return aClaim({ detected: true, done: true, ...overrides });
}

/** The event of a turn that went well, said nothing and changed nothing. */
export function aTurnEnded(overrides: Partial<TurnEnded> = {}): TurnEnded {
  return {
    type: "turn_ended",
    at: AT,
    iteration: 1,
    failure: null,
    exit_code: 0,
    usage: NO_USAGE,
    session_usage: null,
    session_full: false,
    claim: NO_CLAIM,
    summary: "",
    snapshot: null,
    change: null,
    tally: null,
    denied: [],
    duration_ms: 1000,
    ...overrides,
  };
}

export function aLastTurn(overrides: Partial<LastTurn> = {}): LastTurn {
  return {
    iteration: 1,
    ended_at: AT,
    failure: null,
    claim: NO_CLAIM,
    summary: "",
    change: null,
    denied: [],
    ...overrides,
  };
}

/** The line of an iteration that went well and changed nothing. */
export function anIterationRecord(overrides: Partial<IterationRecord> = {}): IterationRecord {
  return {
    iteration: 1,
    started_at: AT,
    ended_at: AT,
    agent: "ok",
    claimed: false,
    checks: "none",
    files_changed: 0,
    lines_added: 0,
    lines_removed: 0,
    tokens: 0,
    commit: null,
    ...overrides,
  };
}

/** A green success check. */
export function aCheck(overrides: Partial<CheckResult> = {}): CheckResult {
  return {
    role: "success",
    command: "npm test",
    exitCode: 0,
    timedOut: false,
    durationMs: 100,
    tail: "",
    tests: null,
    ...overrides,
  };
}

/** A red success check. */
export function aRedCheck(overrides: Partial<CheckResult> = {}): CheckResult {
  return aCheck({ exitCode: 1, tail: "1 test failed", ...overrides });
}

/** What a runner says whose failing tests have these names. */
export function someFailing(failing: readonly string[], failed = failing.length): TestReport {
  return {
    runner: "vitest",
    ran: failed,
    passed: 0,
    failed,
    skipped: 0,
    failing: [...failing],
    exact: true,
    early: false,
  };
}

/** A verdict with one fitting check unless `checks` are given. */
export function aVerdict(result: Verdict["result"] = "passed", checks?: readonly CheckResult[]): Verdict {
  switch (result) {
    case "passed":
      return { result, checks: checks ?? [aCheck()] };
    case "failed":
      return { result, checks: checks ?? [aRedCheck()] };
    case "cut_off":
      return { result, checks: checks ?? [] };
    case "unrunnable":
      return {
        result,
        checks: checks ?? [],
        problem: { code: "CHECK_NOT_STARTED", what: "npm: not found", next: "Install it." },
      };
  }
}

/** The event of a verdict, as the engine writes it down. */
export function aProved(verdict: Verdict = aVerdict(), at: string = AT): Proved {
  return { type: "proved", at, ...examined(verdict, digest, "/workspace"), ...judged(verdict, null, null) };
}

/** What the engine sees: nothing has been asked, the backlog holds one item. */
export function aFacts(overrides: Partial<Facts> = {}): Facts {
  return { now: NOW, request: null, item: THE_ITEM, hardStops: [], ...overrides };
}

/** What the prompt of iteration 1 is made from. */
export function aBrief(overrides: Partial<Brief> = {}): Brief {
  const task = overrides.task ?? aTask();
  return { task, state: aState({ iteration: 1, phase: "turn" }, task), item: THE_ITEM, now: NOW, ...overrides };
}

/** A run of `ci.yml` that has failed in one job, whose command can be run here. */
export function aFailedRun(overrides: Partial<FailedRun> = {}): FailedRun {
  const url = "https://github.com/o/r/actions/runs/88";
  const run = { id: 88, attempt: 1, url, workflow: "CI", file: "ci.yml", sha: "b".repeat(40), branch: "feature" };
  const job = { name: "test", url: `${url}/job/1`, steps: ["Run npm test"], log: "not ok 7 adds up", unread: null };
  return {
    ...{ run, jobs: [{ ...job, annotations: ["src/add.js:3: expected 5"] }], more_jobs: 0, red: ["test"] },
    range: {
      green: { sha: "a".repeat(40), url, branch: "feature" },
      commits: [{ sha: "b".repeat(40), subject: "feat: add" }],
      count: 1,
    },
    cause: { kind: "branch", evidence: [{ text: "The workflow was green 1 commit before.", url }] },
    behind: null,
    ...{
      command: "npm test",
      not_here: null,
      notes: [],
      unasked: [],
      others: [],
      proves: [{ name: "test", step: "Run npm test", number: 3 }],
    },
    ...overrides,
  };
}

/** The same as a loop remembers it that has just begun. */
export function aRepair(overrides: Partial<Repair> = {}): Repair {
  return { ...aFailedRun(), since: 0, tree: null, here: null, ...overrides };
}
