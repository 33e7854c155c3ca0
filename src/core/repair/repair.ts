import { z } from "zod";
import { count, type Stored } from "../schema.ts";

/** Why a run has failed, as far as it is known (C105). */
export const causeKind = z.enum(["branch", "base", "flaky", "infrastructure", "unknown"]);
export type CauseKind = Stored<typeof causeKind>;

/** A sentence, and where GitHub shows it; null: nowhere. It quotes others' words. */
const evidence = z.looseObject({ text: z.string(), url: z.string().nullable() });
export type CauseEvidence = Stored<typeof evidence>;

/** With what speaks for it. */
const cause = z.looseObject({ kind: causeKind, evidence: z.array(evidence) });
export type Cause = Stored<typeof cause>;

/** A job that has failed. All of it are words of others: data. */
const failedJob = z.looseObject({
  name: z.string(),
  url: z.string(),
  /** the steps that failed */
  steps: z.array(z.string()),
  /** what the failing steps printed, bounded; "" when it could not be read, and `unread` says why */
  log: z.string(),
  unread: z.string().nullable(),
  /** what was said about places in files, one line each */
  annotations: z.array(z.string()),
});
export type FailedJob = Stored<typeof failedJob>;

/** What has changed since the workflow was green last. */
const since = z.looseObject({
  /** the last green run of the workflow; null: none is known */
  green: z.looseObject({ sha: z.string(), url: z.string(), branch: z.string() }).nullable(),
  /** the newest first; a part of `count`. Subjects are others' words */
  commits: z.array(z.looseObject({ sha: z.string(), subject: z.string() })),
  count,
});
export type Since = Stored<typeof since>;

const given = {
  run: z.looseObject({
    id: count,
    attempt: count,
    url: z.string(),
    /** as in `CI`; others' words */
    workflow: z.string(),
    /** as in `ci.yml` */
    file: z.string(),
    sha: z.string(),
    /** null: it ran for none */
    branch: z.string().nullable(),
  }),
  /** the first is what the loop is about */
  jobs: z.array(failedJob),
  /** failed jobs that are not among `jobs` */
  more_jobs: count,
  /** names of jobs that failed, as GitHub has them, of at most 50: who was red before speaks against nobody's work */
  red: z.array(z.string()).default([]),
  range: since,
  cause,
  /**
   * where it looked at the branch merged with its base: how many commits of the base the branch has not; null: it looked at the
   * commit itself, or the branch has all of them, or that is not known
   */
  behind: z.looseObject({ base: z.string(), count }).nullable().default(null),
  /** the command of the failing step, as the base has it; null: it cannot be run here, and `not_here` says why */
  command: z.string().nullable(),
  not_here: z.string().nullable(),
  /** what a person has to know of how the command was found, a sentence each */
  notes: z.array(z.string()),
  /** names of jobs that failed as well, and that nothing asks: their commands cannot be run here, and GitHub is not asked */
  unasked: z.array(z.string()).default([]),
  /** other runs that are red for the same commit, the newest first; names are others' words */
  others: z.array(z.looseObject({ id: count, name: z.string(), url: z.string() })).default([]),
  /**
   * jobs that CI has to show green on the loop's own commit (C102), by the names that GitHub has; [] when CI is not asked about
   * them. `step`: the first that failed in it, on one line, and `number`: which one of its job that is; null: GitHub does not tell
   */
  proves: z.array(
    z.looseObject({ name: z.string(), step: z.string().nullable(), number: count.nullable().default(null) }),
  ),
};

/** A failed run that the loop is to repair, as a run of the loop finds it. */
const failedRun = z.looseObject(given);
export type FailedRun = Stored<typeof failedRun>;

/** The same as the loop remembers it. */
export const repair = z.looseObject({
  ...given,
  /** the iteration after which the loop heard of it */
  since: count,
  /** the work tree then, see `Snapshot.tree`; null: not known */
  tree: z.string().nullable(),
  /** what the checks here said before the first turn on it; null: they were not asked */
  here: z.enum(["red", "green"]).nullable(),
});
export type Repair = Stored<typeof repair>;

/** What a run that looked at a merge does not show of the branch alone. The base's name is not in it. */
export function mergedText({ count: commits }: NonNullable<FailedRun["behind"]>): string {
  const which = commits === 1 ? "a commit" : `${commits} commits`;
  return `The run looked at the branch merged with its base, which has ${which} that the branch has not: what fails only together with that shows neither here nor when GitHub runs the branch alone.`;
}

/** Begins to remember a failed run. @param tree the work tree now */
export function beginRepair(run: FailedRun, iteration: number, tree: string | null): Repair {
  return { ...run, since: iteration, tree, here: null };
}

/** Whether no turn has been spent on it yet: nothing that is green by now is anybody's work. */
export function isUntouchedRepair(state: { readonly repair: Repair | null; readonly iteration: number }): boolean {
  return state.repair !== null && state.repair.since === state.iteration;
}

/** What the checks here say of a failed run before the first turn on it. */
export function seenHere(
  state: { readonly repair: Repair | null; readonly iteration: number },
  result: "passed" | "failed" | "cut_off" | "unrunnable",
): Repair | null {
  const { repair: known } = state;
  if (known === null || known.here !== null || !isUntouchedRepair(state)) return known;
  return result === "passed" || result === "failed" ? { ...known, here: result === "failed" ? "red" : "green" } : known;
}

/** What a cause is called. */
export const CAUSES: Readonly<Record<CauseKind, string>> = {
  branch: "caused by this branch",
  base: "already red on the base",
  flaky: "flaky",
  infrastructure: "infrastructure: network, runner or quota",
  unknown: "not known",
};
