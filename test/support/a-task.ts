import { limitsOf } from "../../src/app/to-task.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type {
  Checks,
  Limits,
  PlanRule,
  PromiseRule,
  Runtime,
  Task,
  TaskIdentity,
  TodoRule,
} from "../../src/core/task.ts";

export interface IdentityOverrides {
  readonly prompt?: string;
  readonly promise?: Partial<PromiseRule>;
  readonly doneToken?: string | null;
  readonly checks?: Partial<Checks>;
  readonly todo?: Partial<TodoRule> | null;
  readonly plan?: PlanRule | null;
  readonly prd?: string | null;
}

export interface TaskOverrides extends Partial<
  Pick<Task, "loopId" | "generation" | "by" | "guidance" | "github" | "prd">
> {
  readonly identity?: IdentityOverrides;
  readonly runtime?: Partial<Runtime>;
  readonly limits?: Partial<Limits>;
}

/** Promise `<promise>DONE</promise>` without guard, no checks, no todo file; each part can be overridden. */
export function anIdentity(overrides: IdentityOverrides = {}): TaskIdentity {
  return {
    prompt: overrides.prompt ?? "Make the tests pass.",
    promise: { text: "DONE", mode: "tag", guard: "off", ...overrides.promise },
    doneToken: overrides.doneToken ?? null,
    checks: { successCommand: null, successShell: null, quality: [], ci: null, ...overrides.checks },
    todo:
      overrides.todo === undefined || overrides.todo === null
        ? null
        : { path: "TODO.md", token: "HARD STOP", mode: "pause", when: "reached", ...overrides.todo },
    plan: overrides.plan ?? null,
    prd: overrides.prd ?? null,
  };
}

const USUAL_LIMITS = limitsOf(resolveSettings({ flags: {}, env: {}, foreign: [] }).config);

/** At most 30 iterations, no other limit. */
export function aTask(overrides: TaskOverrides = {}): Task {
  return {
    loopId: overrides.loopId ?? "a-loop",
    generation: overrides.generation ?? 1,
    by: overrides.by ?? "person",
    guidance: overrides.guidance ?? null,
    github: overrides.github ?? null,
    identity: anIdentity(overrides.identity),
    prd: overrides.prd ?? null,
    runtime: {
      workspaceRoot: "/workspace",
      artifactsDir: "/workspace/.codex/waylon-smithers/loops/a-loop",
      provider: "fake",
      model: null,
      profile: null,
      sandbox: "workspace-write",
      approval: null,
      session: "resume",
      sessionMaxIterations: 10,
      continuePrompt: null,
      checkFirst: true,
      checkWhen: "auto",
      weakProof: "refuse",
      reviewer: "off",
      statusBlock: "off",
      exitGate: "dual",
      commit: "never",
      ...overrides.runtime,
    },
    limits: {
      ...USUAL_LIMITS,
      maxIterations: 30,
      maxTokens: null,
      maxCallsPerHour: null,
      doneSignals: 2,
      circuit: { missingStatus: 0, noProgress: 0, sameError: 0, testLoops: 0, openMultiplier: 1 },
      maxTotalMs: null,
      deadline: null,
      reserveMs: 0,
      iterationTimeoutMs: 900_000,
      idleTimeoutMs: 300_000,
      reviewerVetoes: 2,
      intervalMs: 0,
      maxWaitMs: 600_000,
      ...overrides.limits,
    },
  };
}
