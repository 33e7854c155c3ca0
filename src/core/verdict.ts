import { z } from "zod";
import type { Problem } from "./errors.ts";
import { bend } from "./judges/bend.ts";
import { count, date, type Stored } from "./schema.ts";

/** What the test runners in the output of one check say (C21). */
const testReport = z.looseObject({
  /** `vitest`; of several `vitest + pytest` */
  runner: z.string(),
  /** `passed` and `failed` together; 0: the runner found nothing to run */
  ran: count,
  passed: count,
  /** failed tests, and test files that could not be run at all */
  failed: count,
  /** tests that are there and did not run, or that are expected to fail */
  skipped: count,
  /**
   * Names of what failed, the same on every machine and in every run: without durations, places in a file and absolute
   * paths; sorted, unique, at most 5,000 of at most 300 characters each. May be fewer than `failed`, if the runner does not name them all.
   */
  failing: z.array(z.string()),
  /** whether every test was counted: sums of two reports may only be compared when both are exact */
  exact: z.boolean(),
  /** whether more may fail than `failed`: it stopped at a failure, or a file that could not be run holds tests as well */
  early: z.boolean(),
});
export type TestReport = Stored<typeof testReport>;

const check = z.looseObject({
  /** `success`: sufficient alone (S-18); `quality`: necessary, never sufficient (D-22); `story`: of a criterion */
  role: z.enum(["success", "quality", "story"]),
  /** whose criterion it is; absent: the check is not a story's */
  story: z.string().exactOptional(),
  /** what a person calls the check, one line; absent: its command */
  name: z.string().exactOptional(),
  /** the command as a person would type it */
  command: z.string(),
  /** null when it was killed: by its own time-out or because the loop was cut */
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number().nonnegative(),
  /** the end of stdout and stderr in the order of arrival, at most 8 KiB, ANSI codes removed */
  tail: z.string(),
  /** null: the output is not understood, or the check did not end by itself; absent in older files */
  tests: testReport.nullable().default(null),
  /** the mean of the percentages that its output gives for the whole, see `readFigures`; absent: none */
  coverage: z.number().nonnegative().exactOptional(),
  /** how many stages its output tells apart, see `readFigures`; absent: none */
  stages: count.exactOptional(),
  /** of a flaky check that ran twice: the exit code of the first, red run; all else is of the second, which counts */
  firstExitCode: z.int().exactOptional(),
});
export type CheckResult = Stored<typeof check>;

/** A check as people read it: `npm test`, `unit tests (npm test)`, `US-001: npm test`. Its words are of others. */
export function checkLabel({ name, story, command }: Pick<CheckResult, "name" | "story" | "command">): string {
  const called = name === undefined ? command : `${name} (${command})`;
  return story === undefined ? called : `${story}: ${called}`;
}

/** What a second try of a flaky check came to: a green one is believed, and told; undefined: there was none. */
export function secondTry({ firstExitCode: first, exitCode }: CheckResult): string | undefined {
  if (first === undefined) return undefined;
  return exitCode === 0 ? `green at the second try, exit ${first} before` : `not green at the second try either`;
}

export const problem: z.ZodType<Problem> = z.looseObject({
  ...{ code: z.string(), what: z.string(), next: z.string() },
  files: z.array(z.string()).exactOptional(),
});

/**
 * A check that was red and green on one tree (C103), or red each time with other tests (C166). Outputs and names are others'
 * words.
 */
export const flake = z.looseObject({
  command: z.string(),
  /** the tests that failed at one time and not at another, at most 20; []: not known */
  tests: z.array(z.string()),
  /** the end of its output when they failed, and when it was green; "": it never was */
  red: z.string(),
  green: z.string(),
  /** how often it was asked again until it said otherwise */
  tries: count,
  /** the end of another red output, without those tests; absent: it was green */
  other: z.string().exactOptional(),
  /** what failed every time, tests or commands, at most 20: a real red; absent: nothing did */
  stable: z.array(z.string()).exactOptional(),
});
export type Flake = Stored<typeof flake>;

const asked = {
  checks: z.array(check),
  /** it said something else on the same tree; absent: not seen */
  flake: flake.exactOptional(),
  /** how often the checks were asked again and were green each time; absent: they were not */
  repeated: count.exactOptional(),
  /** the agent claimed nothing (C30): green, it proves nothing by itself; absent: the checks were asked for proof */
  occasion: z.literal("change").exactOptional(),
};
/** Proof from outside the agent, or why it is missing. */
export const verdict = z.discriminatedUnion("result", [
  z.looseObject({ result: z.literal("passed"), ...asked }),
  z.looseObject({ result: z.literal("failed"), ...asked }),
  /** the loop was interrupted, or its time was up, before the checks had ended */
  z.looseObject({ result: z.literal("cut_off"), ...asked }),
  /** a check could not be started, or wrote what cannot be put back: an error, not a red verdict */
  z.looseObject({ result: z.literal("unrunnable"), ...asked, problem }),
]);
export type Verdict = Stored<typeof verdict>;

/** The tests that fail, as the state keeps them: bounded, and still comparable (C23). */
export const failingSet = z.looseObject({
  /** the first names, sorted; at most 200 */
  failing: z.array(z.string()),
  /** how many fail; more than names when a runner does not name them all */
  failing_count: count,
  /** hex SHA-256 over all names */
  failing_digest: z.string(),
  /** see `TestReport.early` */
  early: z.boolean(),
});
export type FailingSet = Stored<typeof failingSet>;

/** Files, possibly many: all are counted, the first 20 are named, sorted. */
const somePaths = { count, paths: z.array(z.string()) };
const paths = z.looseObject(somePaths);
export type SomePaths = Stored<typeof paths>;
export const NO_PATHS: SomePaths = { count: 0, paths: [] };

/** What keeps a test from running and is new; `marker` as in the file: `it.skip`, `#[ignore`. */
const newSkip = z.looseObject({ path: z.string(), marker: z.string() });
export type NewSkip = Stored<typeof newSkip>;

/** Why a green verdict proves little (C21). Of many the first 20 are named; `count` is the whole number. */
export const weakness = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("no_tests_ran") }),
  /** tests were counted at the start and none are known now, and these check scripts changed */
  z.looseObject({ kind: z.literal("tests_unseen"), ...somePaths }),
  /** whole files, and tests whose file is not known: how many fewer than at the start */
  z.looseObject({ kind: z.literal("tests_deleted"), fewer: count, ...somePaths }),
  z.looseObject({ kind: z.literal("tests_emptied"), ...somePaths }),
  z.looseObject({ kind: z.literal("newly_skipped"), count, skips: z.array(newSkip) }),
  /** check scripts and what they take in, lockfiles left out; `flagged`: reported, and no reason to refuse the proof */
  z.looseObject({ kind: z.literal("scripts_changed"), flagged: z.boolean(), ...somePaths }),
  /** what judges the work was bent so that the green could have come from it (C40) */
  z.looseObject({ kind: z.literal("judges_bent"), count, bends: z.array(bend) }),
]);
export type Weakness = Stored<typeof weakness>;

/** A person takes a weak proof, once and for the tree that it was about (C43). */
const acceptedProof = z.looseObject({
  /** `Name <mail>`, or a login on GitHub */
  by: z.string(),
  at: date,
  /** see `Snapshot.tree` */
  tree: z.string(),
});

/** What the loop remembers of how strong its proofs are. */
export const strength = z.looseObject({
  /** of the last verdict, when it is green */
  weaknesses: z.array(weakness),
  /** tests and check scripts that judged the work and have changed; null: none, or not known */
  tampering: z.looseObject({ since: count, changed: paths, scripts: paths }).nullable(),
  /** green verdicts of turns that were weak, since a person let the loop go on */
  refused: count,
  /** what the checks counted before the first turn; null: not known */
  counts: z.looseObject({ ran: count, skipped: count, exact: z.boolean() }).nullable(),
  /** what the checks said before the first turn, of the loop or of a story; null: they were not asked, or not to their end */
  began: z.enum(["passed", "failed"]).nullable().default(null),
  /** of a green verdict: files that judge the work, have changed, and could not be read; null: `since` is lost, so all */
  unread: paths.nullable().default({ count: 0, paths: [] }),
  /** the work tree that the weaknesses are of, after its checks, see `Snapshot.tree`; null: nothing weakens it, or not known */
  tree: z.string().nullable().default(null),
  /** what the last green verdict could have come from (C40), at most 20 */
  bends: z.array(bend).default([]),
  /** null: nobody has */
  accepted: acceptedProof.nullable().default(null),
});
export type Strength = Stored<typeof strength>;
export const NOTHING_JUDGED: Strength = {
  ...{ weaknesses: [], tampering: null, refused: 0, counts: null },
  ...{ began: null, unread: NO_PATHS, tree: null, bends: [], accepted: null },
};

/** A command that a story's criterion names. */
export interface StoryCommand {
  readonly story: string;
  /** shell text */
  readonly run: string;
  /** milliseconds; null: as long as any check may take */
  readonly timeoutMs: number | null;
}

export interface Evidence {
  readonly iteration: number;
  /**
   * `first`: before any turn (PRE 6); `turn`: after each turn (POST 5); `claim`: the agent says it is done (POST 7);
   * `change`: a turn changed something and claimed nothing (C30), so CI is not asked; `story`: `commands` alone, all of
   * them, before a story begins
   */
  readonly occasion: "first" | "turn" | "claim" | "change" | "story";
  /** of stories, asked after all others; equal texts run once, and count for the first story that names them */
  readonly commands?: readonly StoryCommand[];
  /** checks still running then are cut off, in milliseconds since the epoch; null: no limit */
  readonly deadline: number | null;
}
