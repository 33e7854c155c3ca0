import { type Config, groupOf } from "../config/config.ts";
import { LIMIT_SETTINGS } from "../config/settings/limits.ts";
import { totalMs } from "../config/settle.ts";
import type { Limits, Runtime, Task } from "../core/task.ts";
import { type LoopPlace, shownPath } from "../store/place.ts";
import type { Blueprint } from "./compose.ts";
import type { Plan } from "./plan.ts";
import { prdTaskOf } from "./prd/prd-task.ts";

const MINUTE_MS = 60_000;

type Assignment = Pick<Blueprint, "place" | "config" | "identity" | "generation" | "prd"> & Pick<Plan, "taskRequest">;

export type WorkingHours = Pick<Limits, "deadline" | "reserveMs">;

/** The hours that the time budget gives to a run that began at `startedAt`, in milliseconds since the epoch. */
export function workingHours(config: Config, startedAt: number): WorkingHours {
  const { timeBudgetMinutes: budget, reserveMinutes } = config;
  return {
    deadline: budget === null ? null : startedAt + budget * MINUTE_MS,
    reserveMs: reserveMinutes * MINUTE_MS,
  };
}

/** Settings as the engine takes them: milliseconds, and moments in place of lengths of time. */
export function toTask({ place, config, identity, prd, ...more }: Assignment, hours: WorkingHours): Task {
  const { generation, taskRequest } = more;
  return {
    loopId: place.loopId,
    generation,
    ...taskRequest,
    identity,
    prd: prd && prdTaskOf(prd, config),
    runtime: runtimeOf(place, config),
    limits: { ...limitsOf(config), ...hours },
  };
}

function runtimeOf(place: LoopPlace, config: Config): Runtime {
  return {
    workspaceRoot: place.root,
    artifactsDir: shownPath(place.root, place.folder),
    provider: config.provider,
    model: config.model,
    profile: config.profile,
    sandbox: config.sandbox,
    approval: config.askForApproval,
    session: config.session === "fresh" ? "fresh" : "resume",
    sessionMaxIterations: config.sessionMaxIterations,
    continuePrompt: config.continuePrompt,
    checkFirst: config.checkFirst,
    checkWhen: config.checkWhen,
    fixFlakes: config.fixFlakes,
    statusBlock: config.statusBlock,
    exitGate: config.exitGate,
    weakProof: config.weakProof,
    reviewer: config.reviewer,
    commit: config.commit,
  };
}

/** Translates what needs another name or unit; the rest passes unchanged. */
export function limitsOf(config: Config): Omit<Limits, keyof WorkingHours> {
  return {
    ...groupOf(LIMIT_SETTINGS, config),
    maxCallsPerHour: config.maxCallsPerHour === 0 ? null : config.maxCallsPerHour,
    doneSignals: config.maxConsecutiveDoneSignals,
    circuit: {
      missingStatus: config.maxMissingStatus,
      noProgress: config.maxNoProgress,
      sameError: config.maxSameError,
      testLoops: config.maxConsecutiveTestLoops,
      openMultiplier: config.breakerOpenMultiplier,
    },
    maxTotalMs: totalMs(config),
    reviewerVetoes: config.reviewerVetoes,
    iterationTimeoutMs: config.iterationTimeoutMinutes * MINUTE_MS,
    idleTimeoutMs: config.idleTimeoutMinutes * MINUTE_MS,
    intervalMs: config.intervalSeconds * 1000,
    maxWaitMs: config.maxWait * MINUTE_MS,
  };
}
