import { reviewSaying, vetoAnswer } from "../support/fake-reviewer.ts";
import type { StopKind } from "../../src/core/outcome.ts";
import type { TestChanges } from "../../src/core/progress/test-changes.ts";
import type { PrdTask, Task } from "../../src/core/task.ts";
import { aFailedRun, aTask } from "../support/builders.ts";
import { aPrd, aStory } from "../support/stories.ts";
import { BEGINNING, MINUTE, type Scenario } from "./world.ts";

/** What ends before there is a loop. */
type BeforeTheLoop = "carriers_unreachable";

const BLOCK = "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_LOOPR_STATUS---";
export const PROMISE = "All of it.\n<promise>DONE</promise>";

/** The task that every scenario starts from. */
export const TASK = aTask({
  by: "trigger",
  identity: { promise: { text: "DONE", mode: "tag", guard: "final-line" } },
  limits: { maxIterations: 10 },
});

const NONE = { count: 0, paths: [] };
const ONE_DELETED: TestChanges = {
  since: 0,
  deleted: { count: 1, paths: ["test/a.test.js"] },
  emptied: NONE,
  skipped: { count: 0, skips: [] },
  changed: NONE,
  scripts: NONE,
};

const withQuality = (task: Task): Task => withChecks(task, { quality: ["npm test"] });
const withSuccess = (task: Task): Task => withChecks(task, { successCommand: ["npm", "test"] });
const withLimits =
  (limits: Partial<Task["limits"]>) =>
  (task: Task): Task => ({
    ...task,
    limits: { ...task.limits, ...limits },
  });

const withCircuit =
  (circuit: Partial<Task["limits"]["circuit"]>) =>
  (task: Task): Task =>
    withLimits({ circuit: { ...task.limits.circuit, ...circuit } })(task);

function withChecks(task: Task, checks: Partial<Task["identity"]["checks"]>): Task {
  return { ...task, identity: { ...task.identity, checks: { ...task.identity.checks, ...checks } } };
}

const failsAtSecond = (
  fails: "auth" | "bad_request" | "sandbox_broken" | "transport" | "rate_limited" | "usage_limit",
): Scenario => ({
  agent: ({ work }) => (work >= 2 ? { fails } : {}),
});

const PRD = aPrd([aStory("US-001"), aStory("US-002", { dependsOn: ["US-001"] })]);

/** Works through the stories of a PRD. */
export const withStories = (prd: PrdTask): Scenario => ({
  prd,
  task: (task) => ({ ...withQuality(task), prd, runtime: { ...task.runtime, commit: "story", session: "fresh" } }),
});

/** One way to reach each ending: a new kind of ending does not compile until it has its scenario here. */
export const ENDINGS = {
  stories_passed: { ...withStories(PRD), agent: () => ({ message: PROMISE }), gate: () => "passed" },
  story_review: {
    ...withStories({ ...PRD, stories: PRD.stories.map((story) => ({ ...story, pauseAfter: true })) }),
    agent: () => ({ message: PROMISE }),
    gate: () => "passed",
  },
  head_moved: {
    ...withStories(PRD),
    agent: ({ work }) => ({ message: PROMISE, ...(work >= 2 ? { commits: "its own" } : {}) }),
    gate: () => "passed",
  },
  story_blocked: { ...withStories({ ...PRD, onBlocked: "stop" }), gate: () => "failed" },
  stories_blocked: { ...withStories(PRD), agent: ({ work }) => ({ idle: work > 0 }), gate: () => "failed" },
  promise: {
    task: (task) => ({ ...withQuality(task), runtime: { ...task.runtime, commit: "iteration" } }),
    agent: ({ work }) => (work >= 2 ? { message: PROMISE } : {}),
    gate: ({ work }) => (work >= 3 ? "passed" : "failed"),
  },
  done_token: {
    task: (task) => ({ ...task, identity: { ...task.identity, doneToken: "[SOLO_DONE]" } }),
    agent: ({ work }) => (work >= 2 ? { message: "All of it.\n[SOLO_DONE]" } : {}),
  },
  dual_gate: {
    task: (task) => ({ ...task, runtime: { ...task.runtime, statusBlock: "loopr", commit: "iteration" } }),
    agent: ({ work }) => (work >= 2 ? { message: BLOCK } : {}),
  },
  exit_signal: {
    task: (task) => ({ ...task, runtime: { ...task.runtime, statusBlock: "ralph", exitGate: "signal" } }),
    agent: ({ work }) => (work >= 2 ? { message: BLOCK } : {}),
  },
  plan_complete: {
    task: (task) => ({
      ...withQuality(task),
      identity: { ...withQuality(task).identity, plan: { path: "@fix_plan.md", agentFile: "@AGENT.md" } },
    }),
    tally: ({ work }) => ({ items: 3, ticked: Math.min(work, 3) }),
    gate: ({ work }) => (work >= 4 ? "passed" : "failed"),
  },
  success_command: { task: withSuccess, gate: ({ work }) => (work >= 3 ? "passed" : "failed") },
  already_green: { task: withSuccess, gate: () => "passed" },
  hard_stop: {
    task: (task) => ({
      ...task,
      identity: { ...task.identity, todo: { path: "TODO.md", token: "HARD STOP", mode: "pause", when: "reached" } },
    }),
    hardStops: ({ work }) => [{ id: "stop#1", line: 3, text: "HARD STOP", reached: work >= 2 }],
  },
  paused: { request: ({ work }) => (work >= 2 ? "pause" : undefined) },
  stopped: { request: ({ work }) => (work >= 2 ? "stop" : undefined) },
  canceled: { request: ({ work }) => (work >= 2 ? "cancel" : undefined) },
  time_budget: { task: withLimits({ deadline: BEGINNING + 17 * MINUTE, reserveMs: MINUTE }) },
  max_iterations: { task: withLimits({ maxIterations: 3 }) },
  tokens: { task: withLimits({ maxTokens: 250 }) },
  total_time: { task: withLimits({ maxTotalMs: 11 * MINUTE }) },
  agent_blocked: {
    agent: ({ work }) => ({ message: `BLOCKED: there is no key for the service (attempt ${work}).` }),
  },
  permission_denied: { agent: ({ work }) => (work >= 2 ? { denied: "npm ci", idle: true } : { denied: "npm ci" }) },
  question: { agent: () => ({ message: "Shall I use the old interface?", idle: true }) },
  unfinished: { agent: () => ({ message: `The parser is a stub for now.\n${PROMISE}` }) },
  not_reproduced: { task: (task) => ({ ...withSuccess(task), repair: aFailedRun() }), gate: () => "passed" },
  flaky: { task: withSuccess, gate: () => "failed", flake: true },
  weak_proof: { task: withSuccess, gate: ({ work }) => (work >= 2 ? "passed" : "failed"), tests: () => ONE_DELETED },
  reviewer_vetoes: {
    task: (task) => ({ ...withSuccess(task), runtime: { ...task.runtime, reviewer: "always" } }),
    gate: ({ work }) => (work >= 2 ? "passed" : "failed"),
    reviewer: () => reviewSaying(vetoAnswer()),
  },
  protected_paths: {
    task: (task) => ({ ...withSuccess(task), runtime: { ...task.runtime, commit: "iteration" } }),
    gate: ({ work }) => (work >= 2 ? "passed" : "failed"),
    refused: ({ work }) => (work >= 2 ? { kind: "protected_paths", count: 1, paths: ["CODEOWNERS"] } : null),
  },
  too_large: {
    task: withQuality,
    agent: ({ work }) => (work >= 2 ? { message: PROMISE } : {}),
    gate: () => "passed",
    refused: ({ work }) =>
      work >= 2 ? { kind: "too_large", files: 101, bytes: 9, max_files: 100, max_bytes: null } : null,
  },
  no_progress: { task: withCircuit({ noProgress: 3 }), agent: () => ({ idle: true }) },
  same_error: { task: withCircuit({ sameError: 2 }), agent: () => ({ fails: "truncated" }) },
  test_loops: { task: withCircuit({ testLoops: 2 }), change: { only_tests: true } },
  missing_status: {
    task: (task) => withCircuit({ missingStatus: 2 })({ ...task, runtime: { ...task.runtime, statusBlock: "loopr" } }),
  },
  rate_limit: { ...failsAtSecond("rate_limited"), task: withLimits({ maxWaitMs: 0, intervalMs: MINUTE }) },
  usage_limit: failsAtSecond("usage_limit"),
  calls_per_hour: { task: withLimits({ maxCallsPerHour: 2, maxWaitMs: 0 }) },
  tokens_per_day: { task: withLimits({ maxTokensPerDay: 1, maxWaitMs: 0 }) },
  auth: failsAtSecond("auth"),
  config: failsAtSecond("bad_request"),
  sandbox_broken: failsAtSecond("sandbox_broken"),
  provider: failsAtSecond("transport"),
  gate_unrunnable: {
    task: (task) => ({ ...withSuccess(task), runtime: { ...task.runtime, checkFirst: false } }),
    gate: () => "unrunnable",
  },
  commit_refused: {
    task: (task) => ({ ...task, runtime: { ...task.runtime, commit: "iteration" } }),
    refuses: ({ work }) => (work >= 2 ? "A merge is under way." : undefined),
  },
  superseded: { request: ({ work }) => (work >= 2 ? "supersede" : undefined) },
} as const satisfies Record<Exclude<StopKind, BeforeTheLoop | "proof_accepted">, Scenario>;
