import type { AgentEvent, ProviderFailure, TurnCompleted, TurnFailed, TurnRequest } from "./agent.ts";
import type { Refusal } from "./boundary.ts";
import type { LoopEvent } from "./events.ts";
import type { WorkListFile } from "./claim/contradictions/work-list.ts";
import type { HardStopHit } from "./hard-stop.ts";
import type { ChangedTexts } from "./judges/changed-texts.ts";
import type { TestChanges } from "./progress/test-changes.ts";
import type { TestListing, TestQuery } from "./progress/test-files.ts";
import type { LoopState, Snapshot, Change } from "./state.ts";
import type { HeadAt } from "./story/head.ts";
import type { Undone } from "./story/undone.ts";
import type { CheckResult, Evidence, Verdict } from "./verdict.ts";
import type { Item, Tally } from "./task.ts";
import type { Digest } from "./schema.ts";

/** The doors between the engine and the world. Most have a suite in `test/contract` that each implementation runs. */
export interface Ports {
  readonly provider: Provider;
  readonly reviewer: Reviewer;
  readonly backlog: Backlog;
  readonly gate: Gate;
  readonly workspace: Workspace;
  readonly store: Store;
  readonly progress: ProgressNotes;
  readonly tests: TestBaseline;
  readonly hardStops: HardStops;
  readonly lists: WorkLists;
  readonly control: Control;
  readonly reporter: Reporter;
  readonly matcher: Matcher;
  /** absent: nobody knows of others */
  readonly tokensOfOthers?: TokensOfOthers;
  readonly clock: Clock;
  readonly digest: Digest;
}

/**
 * Runs turns of one agent. `runTurn` ends with exactly one `turn.completed` or `turn.failed`, and never throws for
 * anything that the agent does. When `signal` aborts, the agent and everything it started end and the turn fails as
 * `cancelled`. Leaves the agent's raw stream in `events_iter_N.jsonl` and its last message in `last_message_iter_N.txt`
 * of the loop's folder, N being the iteration; an attempt never leaves an older attempt's last message there.
 */
export interface Provider {
  readonly name: string;
  /** Asks, without spending anything, whether a turn could run at all. */
  preflight(signal: AbortSignal): Promise<ProviderFailure | undefined>;
  runTurn(request: TurnRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}

/** Looks at work before it counts as done (C50). */
export interface Reviewer {
  /**
   * Has the prompt answered in a fresh session that may change nothing, whose raw stream is added to `review_iter_N.jsonl`
   * of the loop's folder. What the session has changed all the same is undone, and told. Never throws for anything else
   * that the agent does.
   *
   * @throws OperationalError `REVIEWER_LEFT_FILES`: something that it has changed could not be undone
   */
  ask(
    request: Pick<TurnRequest, "iteration" | "prompt" | "timeoutMs" | "idleTimeoutMs">,
    signal: AbortSignal,
  ): Promise<TurnCompleted | TurnFailed>;
}

export interface Backlog {
  /** The item to work on now; undefined when nothing is left. */
  next(state: LoopState): Promise<Item | undefined>;
  /** How far the agent is, where it ticks off work; null elsewhere. */
  count(): Promise<Tally | null>;
  /**
   * Makes the files in which people see the backlog say what the state says. Idempotent.
   *
   * @returns what somebody has changed since the last time, which is undone; what it said is kept before
   */
  sync(state: LoopState): Promise<readonly Undone[]>;
}

/**
 * Proof from outside the agent. Red is a verdict; "cannot run" is one too (`unrunnable`), so that it never looks red.
 * Nothing that a check started survives `judge`.
 */
export interface Gate {
  judge(evidence: Evidence, signal: AbortSignal): Promise<Verdict>;
}

export interface CommitRequest {
  readonly message: string;
  readonly loopId: string;
  readonly iteration: number;
  /** the story that the commit completes; its trailers say so (C13) */
  readonly story?: {
    readonly prd: string;
    readonly id: string;
    /** the person by whose word it passes, `Name <mail>`; absent: it was proved */
    readonly acceptedBy?: string;
  };
  /** what HEAD has to name, so that the commit is built on it; absent: anything */
  readonly on?: HeadAt;
  /**
   * What HEAD named when the loop began; null: nothing. A HEAD with this iteration's trailers that is another one was made
   * for this request by a process that died. Absent: not known
   */
  readonly begun?: string | null;
}

/** A new commit, and the workspace with it. */
export interface Committed {
  readonly commit: string;
  readonly snapshot: Snapshot;
  /** submodules that it moves to another commit, as people read paths; absent: none */
  readonly submodules?: readonly string[];
  /** files of a story that HEAD's rules ignored before it, and that are left out, as people read paths; absent: none */
  readonly ignored?: readonly string[];
}

/** Files that were put back, and those that could not be, as people read paths. */
export interface TakenOut {
  /** were not there before, and are gone */
  readonly made: readonly string[];
  /** are again what they were */
  readonly changed: readonly string[];
  readonly left: readonly {
    readonly files: readonly string[];
    /** a sentence without its end, which names them */
    readonly why: string;
    /** what puts them back; absent: a person knows */
    readonly cure?: string;
  }[];
}

/** The files the agent works on. Never touches the person's index, stash or branch except in `commit`. */
export interface Workspace {
  /** The tree as it is now; null without a git repository (W-25). */
  snapshot(): Promise<Snapshot | null>;
  /** The difference between two snapshots of this workspace; null when the older one's files are lost. */
  compare(before: Snapshot, after: Snapshot): Promise<Change | null>;
  /**
   * Why what the workspace holds now, beyond what it held when the loop began, goes nowhere (T17); null: nothing is
   * against it, or nothing is measured. What equals the repository's default branch is nobody's change.
   */
  refusal(begun: Snapshot, now: Snapshot): Promise<Refusal | null>;
  /** Writes all of that to `refused.patch` of the loop's folder, for a person. Never throws: the files are there as well. */
  keepPatch(begun: Snapshot, now: Snapshot): Promise<void>;
  /** The files that have a say in what the checks find; null when that snapshot's files are not known. */
  testFiles(snapshot: Snapshot, query: TestQuery): Promise<TestListing | null>;
  /**
   * The texts that differ between two snapshots, those that judge the work first, as far as they could be read; null when
   * the older one's files are lost.
   *
   * @param scripts paths that count as scripts of the checks
   */
  changedTexts(begun: Snapshot, now: Snapshot, scripts: readonly string[]): Promise<ChangedTexts | null>;
  /**
   * Commits everything that is not ignored on the current branch, with the trailers `Smithers-Loop` and
   * `Smithers-Iteration` (C13), and those of the story, whose commit leaves out what the rules of the commit before ignore. Idempotent: undefined when there is nothing to commit.
   *
   * @throws OperationalError `PROTECTED_PATHS` when it would commit what `refusal` names as protected; `GIT_HEAD_MOVED`
   * when it would be built on something else, and is no commit for this very request
   */
  commit(request: CommitRequest): Promise<Committed | undefined>;
  /**
   * Puts files and index back to what HEAD holds, and writes what the work tree held beyond that to `file` of the loop's
   * folder first, as a patch that `git apply` takes. What git ignores stays. Idempotent: without a difference nothing is
   * written.
   *
   * @returns the snapshot afterwards; null without a git repository
   */
  setAside(file: string): Promise<Snapshot | null>;
  /**
   * How many files `commit` would take in besides those of the PRD, however many turns it took to change them.
   *
   * @param on the commit that it is built on, null before the first; absent, or when it is lost: what HEAD names
   */
  pendingFiles(on?: string | null): Promise<number>;
  /**
   * The files that differ from the last commit and did not differ in just this way as a snapshot was taken, as people
   * read paths; undefined: what that held is lost.
   */
  changedOtherwise(since: Snapshot): Promise<readonly string[] | undefined>;
  /**
   * What became of files since a snapshot, by their names: the end of a path is enough, in any case. `unknown`: it is
   * there, and no file that is measured.
   *
   * @returns null: what a snapshot held is lost, or nothing is measured
   */
  named(
    before: Snapshot,
    now: Snapshot,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, "changed" | "unchanged" | "missing" | "unknown"> | null>;
  /** Which of these commits are part of what is checked out; all that are not commits here are not. */
  holding(commits: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Keeps a loop on this machine. One writer at a time. */
export interface Store {
  /** @throws OperationalError when the state is damaged or was written by a newer version; the file is untouched */
  load(loopId: string): Promise<LoopState | undefined>;
  /**
   * Event and state together, durable when the promise resolves. A stale revision is refused, and the beginning of a turn
   * where what it comes to could not be kept.
   */
  append(event: LoopEvent, state: LoopState): Promise<void>;
}

/** The loop's `progress.md`, which only the engine writes (C18). */
export interface ProgressNotes {
  /** Appends the entry of an iteration. Idempotent: a second entry of the same iteration is dropped. */
  record(iteration: number, entry: string): Promise<void>;
  /** The end of the file in whole lines, at most `bytes` of UTF-8; "" when it is empty or missing. */
  tail(bytes: number): Promise<string>;
}

/** What tests and check scripts were when the loop began, and how they changed (C21). No call throws. */
export interface TestBaseline {
  /**
   * Stores what they are in this snapshot, unless that is done already: it outlives the run and travels with the loop.
   *
   * @param iteration how many iterations have begun
   */
  remember(snapshot: Snapshot, iteration: number): Promise<void>;
  /** The same, in place of what was stored before: a story has passed, and the next one is compared with what it left. */
  renew(snapshot: Snapshot, iteration: number): Promise<void>;
  /** How they changed; null: not known. */
  since(snapshot: Snapshot): Promise<TestChanges | null>;
  /** The texts that changed between two snapshots (C40); null: not known. Reads files, so ask only where it decides. */
  texts(begun: Snapshot, now: Snapshot): Promise<ChangedTexts | null>;
}

/** Finds HARD STOP tokens in the todo file (W-43); none without a todo file. */
export interface HardStops {
  scan(): Promise<readonly HardStopHit[]>;
  /** Whether there is anything to scan, or nothing is to be scanned. */
  exists(): Promise<boolean>;
}

/** The plan and the todo file, as far as there are any: what a claim is held against (C46). */
export interface WorkLists {
  /** Each as it is now. @throws OperationalError as `Backlog` and `HardStops` do */
  read(): Promise<readonly WorkListFile[]>;
}

/**
 * A request while the loop runs. `pause` ends after the current iteration, `stop` ends the turn now, `cancel` ends the
 * turn now and the loop for good (section 4.5). `supersede` tells a run that another one has the loop now.
 */
export interface ControlRequest {
  readonly kind: "pause" | "stop" | "cancel" | "supersede";
  /** who or what asked: `SIGINT`, `smithers stop`, the other run */
  readonly by: string;
}

export interface Control {
  /** Yields requests as they come, until `signal` aborts. Must not throw. */
  watch(signal: AbortSignal): AsyncIterable<ControlRequest>;
}

/** What a check does while it runs, only for people to see. */
export type CheckEvent =
  | { readonly type: "check.started"; readonly command: string }
  | {
      readonly type: "check.ended";
      readonly check: CheckResult;
      /** what it said, without control characters; `cut`: the beginning is missing. Absent: not known here */
      readonly output?: { readonly text: string; readonly cut: boolean };
    };

/** Shows people and machines what happens. Queues; never delays the loop and never throws into it. */
export interface Reporter {
  report(event: LoopEvent, state: LoopState): void;
  observe(event: AgentEvent | CheckEvent): void;
  /** Writes what is queued, until `deadline` (milliseconds since the epoch) at most. */
  flush(deadline: number): Promise<void>;
}

/** What other loops of the repository have used on the day of `now` (UTC, milliseconds since the epoch). Never throws. */
export type TokensOfOthers = (now: number) => Promise<number>;

/** Matches a pattern that a user gave, in bounded time. */
export interface Matcher {
  test(pattern: string, text: string): Promise<"match" | "none" | "timed_out">;
}

export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Resolves at `at`, or as soon as `signal` aborts; never rejects. */
  sleepUntil(at: number, signal: AbortSignal): Promise<void>;
}

/** What GitHub is asked with: a token that was given, or an App's, which ends after an hour and is renewed before. */
export type GithubToken = string | RenewedToken;

export interface RenewedToken {
  /**
   * One that GitHub takes for some minutes yet.
   *
   * @throws UsageError where GitHub refuses to give one, or what Octokit throws
   */
  current(): Promise<string>;
  /** What to try, once, when GitHub has refused one (401). @throws as `current` */
  afterRefusal(refused: string): Promise<string>;
  /** all that it has been in this process, which nobody may read */
  readonly values: readonly string[];
}

/** What a token is now. @throws as `RenewedToken.current` */
export async function tokenNow(token: GithubToken): Promise<string> {
  return typeof token === "string" ? token : token.current();
}

/** All that is secret of a token. */
export function valuesOf(token: GithubToken | null): readonly string[] {
  if (token === null) return [];
  return typeof token === "string" ? [token] : token.values;
}
