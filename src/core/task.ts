import type { CircuitLimits } from "./progress/circuit.ts";
import type { CheckWhen } from "./stop/check-when.ts";
import type { PullRequest, LoopState, Bounds } from "./state.ts";
import type { FailedRun } from "./repair/repair.ts";
import type { Digest } from "./schema.ts";
import type { Prd } from "./story/story.ts";

/**
 * What a loop has to do, as the engine sees it: settled before the loop starts and the same until it ends.
 * What identifies the task (prompt, promise, checks, todo file) comes from the stored state when a loop is resumed;
 * limits, sandbox and time-outs always come from the current settings (C25).
 */
export interface Task {
  readonly loopId: string;
  /** 1 for the first; a finished loop that begins again under its id gets the next (C25) */
  readonly generation: number;
  /** who lets the loop run now; only a person's resume acknowledges a HARD STOP (C10) */
  readonly by: "person" | "trigger";
  /** what that person tells the agent in addition; null: nothing */
  readonly guidance: string | null;
  /** who takes the weak proof that the loop stopped for, `Name <mail>` or a login (C43); absent: nobody does */
  readonly acceptsProof?: string;
  /** null: nothing of the loop is on GitHub */
  readonly github: GithubTask | null;
  /** the failed run that this run is asked to repair; absent: none */
  readonly repair?: FailedRun;
  readonly identity: TaskIdentity;
  /** the PRD whose stories are worked through, as it was when the run began; null: none */
  readonly prd: PrdTask | null;
  readonly runtime: Runtime;
  readonly limits: Limits;
}

/** What a run is to do of a PRD. */
export interface PrdTask extends Prd {
  /** the one story to work on; null: one after the other */
  readonly only: string | null;
  /** how many stories may pass in this run; null: no limit */
  readonly maxStories: number | null;
  /** iterations that a story gets before it is marked as blocked */
  readonly storyAttempts: number;
  readonly onBlocked: "continue" | "stop";
  /** the branch that is checked out where the stories are worked on; absent: none, or a job's */
  readonly branch?: string;
  /** what a plan has handed to the job of this one story; absent: none has */
  readonly handed?: Handed;
}

/** What is known of a story that a wave tries again (decision 0035). Others' words: data. */
export interface Handed {
  /** iterations that earlier jobs have spent on it in vain */
  readonly attempts: number;
  /** of the person who let it be tried again; null: nobody has */
  readonly words: string | null;
  /** why its last work did not land; null: there was none */
  readonly feedback: string | null;
  /** what became of the stories of earlier waves, and what their agents have learned; "": nothing is known */
  readonly notes: string;
  /** stories that were proved on the branch as they landed: their commands are green where this one begins */
  readonly proved: readonly string[];
}

/** What a run on GitHub gets besides its settings. */
export interface GithubTask {
  /** the branch that the work goes to, without `refs/heads/` */
  readonly branch: string;
  /** the person's pull request that the loop works on; null: it has one of its own, or will have */
  readonly pullRequest: PullRequest | null;
  /** the issue whose text is the task; absent: none, or as the loop knows it */
  readonly issue?: number;
  /** the review that is to be followed; absent: none, or as the loop knows it */
  readonly review?: ReviewOrder;
  /** login of the person who lets the loop run now; null: nobody did */
  readonly askedBy: string | null;
  /** whether that person closes the circuit */
  readonly resetsCircuit: boolean;
  /** what this run was asked by, as in `comment:7`, so that it is obeyed once; null: nothing that GitHub keeps */
  readonly request: string | null;
  /** how often in a row, this time included, the loop runs without a person having asked for it */
  readonly continuations: number;
}

/** A review by which a person lets a loop go on. */
export interface ReviewOrder {
  /** GitHub's number of it */
  readonly id: number;
  /** the commit that was reviewed */
  readonly commit: string;
  /** the places that it speaks about */
  readonly threads: readonly {
    /** of what began the thread */
    readonly id: number;
    readonly path: string;
    /** first and last line in that commit; null: the file as a whole */
    readonly lines: { readonly from: number; readonly to: number } | null;
  }[];
}

export interface TaskIdentity {
  /** the user's prompt, verbatim (W-50) */
  readonly prompt: string;
  readonly promise: PromiseRule;
  /** SOLO's marker, which counts like a plain promise (S-10); null: none */
  readonly doneToken: string | null;
  readonly checks: Checks;
  readonly todo: TodoRule | null;
  /** null: the prompt is all there is to do */
  readonly plan: PlanRule | null;
  /** the name of the PRD whose stories are worked through; null: none. What it says may be edited without another task */
  readonly prd: string | null;
}

/** How the agent says that it is done (W-15, W-16, section 5.3). */
export interface PromiseRule {
  readonly text: string;
  readonly mode: "tag" | "plain" | "regex" | "off";
  readonly guard: "off" | "code" | "final-line";
  /** whether a person chose the guard, which then holds whatever the checks are worth (C35); absent: nobody did */
  readonly isGuardSet?: boolean;
}

/** What proves the work; the texts that people see, the gate knows how to run them. */
export interface Checks {
  /** argv of `success-cmd` (S-11) */
  readonly successCommand: readonly string[] | null;
  /** shell text of `success-sh` (S-12); only used without `successCommand` (S-18) */
  readonly successShell: string | null;
  /** shell texts of `quality-commands` (D-22) */
  readonly quality: readonly string[];
  /** `ci-workflow`: the file of the workflow that is run on GitHub, necessary like `quality`; null: none */
  readonly ci: string | null;
}

/** Where HARD STOP checkpoints are looked for (W-43 to W-45, C10). */
export interface TodoRule {
  readonly path: string;
  readonly token: string;
  readonly mode: "pause" | "exit";
  readonly when: "reached" | "present";
}

export interface PlanRule {
  readonly path: string;
  /** says how to build and run */
  readonly agentFile: string;
}

/** How this run goes about it; from the current settings. */
export interface Runtime {
  readonly workspaceRoot: string;
  /** the loop's folder, as people should read it (W-48) */
  readonly artifactsDir: string;
  readonly provider: string;
  readonly model: string | null;
  readonly profile: string | null;
  readonly sandbox: string;
  readonly approval: string | null;
  /** `fresh` starts a new session for every iteration (C2) */
  readonly session: "resume" | "fresh";
  readonly sessionMaxIterations: number;
  /** replaces the generated continue prompt (S-09) */
  readonly continuePrompt: string | null;
  /** whether the success command is asked before the first turn (PRE 6) */
  readonly checkFirst: boolean;
  readonly checkWhen: CheckWhen;
  /** whether the cause of a check that is red and green on one tree is looked for (C103); absent: it is not */
  readonly fixFlakes?: boolean;
  /** whose status block the prompt asks for (C1) */
  readonly statusBlock: "loopr" | "ralph" | "off";
  /** whether an exit signal needs a second condition (C5) */
  readonly exitGate: "dual" | "signal";
  /** whether a weak proof completes the loop and is flagged, or is refused; `strict`: for changed check scripts too (C21) */
  readonly weakProof: "refuse" | "flag" | "strict";
  /** when another session looks at work before it counts as done (C50) */
  readonly reviewer: "off" | "thin" | "always";
  readonly commit: "never" | "end" | "iteration" | "story";
}

/** Budgets. Times are in milliseconds, moments in milliseconds since the epoch. */
export interface Limits {
  readonly maxIterations: number;
  readonly maxTokens: number | null;
  /** of all loops of the repository, from midnight to midnight (UTC); null: no limit */
  readonly maxTokensPerDay: number | null;
  /** indicators of completion in a row that the dual gate takes (L-17) */
  readonly doneSignals: number;
  readonly circuit: CircuitLimits;
  /** turns that may begin within an hour; null: no limit */
  readonly maxCallsPerHour: number | null;
  /** of work over all runs, see `workedMs`; null: no limit */
  readonly maxTotalMs: number | null;
  /** when the time budget ends; null: no limit */
  readonly deadline: number | null;
  /** kept free before the deadline to save, push and report */
  readonly reserveMs: number;
  readonly iterationTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** vetoes of the reviewer by which a person is asked (C51) */
  readonly reviewerVetoes: number;
  /** pause between iterations (S-14) */
  readonly intervalMs: number;
  readonly maxWaitMs: number;
}

/** The id of the item that is the task itself: its title is the prompt's beginning. */
export const WHOLE_TASK = "task";

export interface Item {
  readonly id: string;
  readonly title: string;
  /** what the prompt says about it; "" when the task itself, or a story of it, is the item */
  readonly text: string;
  /** names what a story asks for, see `storyDigest`; absent: it is none */
  readonly digest?: string;
}

export interface Tally {
  readonly items: number;
  readonly ticked: number;
}

/** Nothing useful fits into less (PRE 10). */
export const MINIMUM_ITERATION_MS = 60_000;

/** When the loop has to stop working so that the reserve is left; null: never. */
export function workUntil(limits: Limits): number | null {
  return limits.deadline === null ? null : limits.deadline - limits.reserveMs;
}

/** The success check as a person would read it, or null when none is configured (S-18). */
export function successCheck(checks: Checks): string | null {
  return checks.successCommand?.join(" ") ?? checks.successShell;
}

/** Whether anything outside the agent can prove the work. */
export function hasChecks(checks: Checks): boolean {
  return hasCommands(checks) || checks.ci !== null;
}

/** Whether commands on this machine are among what proves the work. */
export function hasCommands(checks: Checks): boolean {
  return successCheck(checks) !== null || checks.quality.length > 0;
}

/** Names a task: two tasks with the same prompt and the same checks are the same task (C25). */
export function taskDigest({ prompt, checks, prd }: TaskIdentity, digest: Digest): string {
  const { successCommand, successShell, quality, ci } = checks;
  // A task without CI or a PRD keeps the name that it had before there were such.
  const more = [...(ci === null ? [] : [ci]), ...(prd === null ? [] : [{ prd }])];
  return digest(JSON.stringify([digest(prompt), successCommand, successShell, quality, ...more]));
}

/** The task of a stored loop. @param prompt the whole prompt, which the state holds only the head of when it is long */
export function identityOf(state: LoopState, prompt: string): TaskIdentity {
  const { checks, todo, plan, stories } = state;
  return {
    prompt,
    promise: {
      text: state.completion_promise,
      mode: state.promise_mode,
      guard: state.promise_guard,
      ...(state.promise_guard_set ? { isGuardSet: true } : {}),
    },
    doneToken: state.solo.done_token,
    checks: {
      successCommand: checks.success_cmd,
      successShell: checks.success_sh,
      quality: checks.quality_commands,
      ci: checks.ci_workflow,
    },
    todo: todo && {
      path: todo.path,
      token: todo.hard_stop_token,
      mode: todo.hard_stop_mode,
      when: todo.hard_stop_when,
    },
    plan: plan && { path: plan.path, agentFile: plan.agent_file },
    prd: stories?.prd ?? null,
  };
}

export function boundsOf({ maxCallsPerHour, doneSignals, circuit }: Limits): Bounds {
  return {
    max_calls_per_hour: maxCallsPerHour,
    done_signals: doneSignals,
    thresholds: {
      missing_status: circuit.missingStatus,
      no_progress: circuit.noProgress,
      same_error: circuit.sameError,
      test_loops: circuit.testLoops,
    },
    open_multiplier: circuit.openMultiplier,
  };
}
