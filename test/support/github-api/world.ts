import { setImmediate as nextTurn } from "node:timers/promises";
import type { GitHttp } from "../git-http.ts";
import type { AppRow } from "./apps.ts";
import { gitRefs, mappedRefs, type Refs } from "./refs.ts";
import {
  type ActivityRow,
  aUser,
  type CommentRow,
  type Dispatch,
  type IssueEventRow,
  type IssueRow,
  type LabelRow,
  moment,
  type ReviewRow,
  type SettingsRow,
  type RequiredCheckRow,
  type StatusRow,
  type ThreadRow,
  type UserRow,
  type WorkflowRow,
} from "./rows.ts";

/** Who is asking, and what they may do; every token may read the repository's metadata. */
export interface Token {
  readonly login: string;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  /** of an App's token: it lives for an hour; absent: as long as the test */
  readonly mintedAt?: Date;
}

export interface RepositoryRow {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
}

export interface RunRow {
  readonly id: number;
  readonly attempt: number;
  /** of its workflow */
  readonly name: string;
  /** as in `.github/workflows/smithers.yml` */
  readonly path: string;
  readonly event: string;
  readonly branch: string;
  readonly sha: string;
  /** where the commit comes from: another repository's id makes it a fork's */
  readonly headRepositoryId: number;
  readonly status: string;
  readonly conclusion: string | null;
  readonly createdAt: Date;
  /** when its last attempt began */
  readonly startedAt: Date;
  /** who caused it */
  readonly actor: string;
  /** who ran it, again perhaps */
  readonly triggeringActor: string;
}

export interface JobRow {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly startedAt: Date;
  /** null: it has not ended */
  readonly conclusion: string | null;
  /** the names of its steps, and how each has ended */
  readonly steps: Readonly<Record<string, string>>;
  /** when each of its steps began and ended; the job's beginning for those that are not named */
  readonly stepTimes: Readonly<Record<string, readonly [began: Date, ended: Date]>>;
  /** what it has printed, as its log has it; null: GitHub has deleted it, as it does after a while */
  readonly log: string | null;
  /** of the run */
  readonly attempt: number;
  /** what its runner is called by */
  readonly labels: readonly string[];
  /** what its check run says about places in files */
  readonly annotations: readonly AnnotationRow[];
}

export interface AnnotationRow {
  readonly path: string;
  readonly line: number;
  readonly level: "notice" | "warning" | "failure";
  readonly message: string;
}

export interface ArtifactRow {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly zip: Uint8Array;
  readonly expired: boolean;
  readonly createdAt: Date;
}

export interface CacheRow {
  readonly id: number;
  readonly key: string;
  readonly ref: string;
  readonly createdAt: Date;
}

/** What is on GitHub. Tests put rows in and look at what is left. */
export interface World {
  /** where the API is, without a final slash; known once it listens */
  url: string;
  readonly repository: RepositoryRow;
  readonly tokens: Map<string, Token>;
  readonly apps: AppRow[];
  readonly runs: RunRow[];
  readonly jobs: JobRow[];
  /** zips */
  readonly artifacts: ArtifactRow[];
  /** artifacts of one file, which GitHub lists among the others; `zip` is that file */
  readonly pages: ArtifactRow[];
  readonly caches: CacheRow[];
  /** collaborators and bots, by login; somebody who only has a token is a stranger */
  readonly users: Map<string, UserRow>;
  /** pull requests too */
  readonly issues: IssueRow[];
  readonly comments: CommentRow[];
  readonly reviews: ReviewRow[];
  /** what reviews say of single places, and what others answer there */
  readonly threads: ThreadRow[];
  readonly statuses: StatusRow[];
  readonly requiredChecks: RequiredCheckRow[];
  readonly issueEvents: IssueEventRow[];
  /** what is not in the reflogs of the real repository */
  readonly activity: ActivityRow[];
  /** of the repository; one that is put on an issue is made, for those who may */
  readonly labels: LabelRow[];
  readonly variables: Map<string, string>;
  readonly workflows: WorkflowRow[];
  readonly settings: SettingsRow;
  /** oldest first */
  readonly dispatches: Dispatch[];
  /** what a dispatched workflow does, after the answer; `GithubApi.settled` waits for it */
  onDispatch: ((dispatch: Dispatch) => void | Promise<void>) | undefined;
  /** Takes a dispatch down. */
  dispatched(dispatch: Dispatch): void;
  /** what dispatched workflows still do */
  readonly running: Set<Promise<void>>;
  /** commits that GitHub has signed */
  readonly signed: Set<string>;
  /** branches and other refs: of the real repository, if there is one */
  readonly refs: Refs;
  /** the repository that git sees */
  readonly git: GitHttp | null;
  /** the moment that is written down for what happens now */
  now: () => Date;
  /** A number that nothing has yet, for ids and for issues. */
  nextId(): number;
}

/** An empty repository `octo/demo` with an administrator `alice`. */
export function emptyWorld(repository: Partial<RepositoryRow> = {}, git: GitHttp | null = null): World {
  let last = 900;
  const world: World = {
    url: "",
    repository: { id: 1001, owner: "octo", name: "demo", private: true, defaultBranch: "main", ...repository },
    tokens: new Map(),
    apps: [],
    runs: [],
    jobs: [],
    artifacts: [],
    pages: [],
    caches: [],
    users: new Map([["alice", aUser({ login: "alice", role: "admin" })]]),
    issues: [],
    comments: [],
    reviews: [],
    threads: [],
    statuses: [],
    requiredChecks: [],
    issueEvents: [],
    activity: [],
    labels: [],
    variables: new Map(),
    workflows: [{ path: ".github/workflows/smithers.yml", inputs: null }],
    settings: {
      ...{ actionsMayCreatePulls: true, dispatchAllowed: true, draftsMayChange: true, hasRules: true },
      dispatchesSee: [],
      lineIsInDiff: () => true,
    },
    dispatches: [],
    onDispatch: undefined,
    dispatched: (dispatch) => {
      world.dispatches.push(dispatch);
      const doing = nextTurn().then(async () => world.onDispatch?.(dispatch));
      world.running.add(doing);
      // Everything that waits for it hears of it.
      doing.catch(() => {});
    },
    running: new Set(),
    signed: new Set(),
    refs: git === null ? mappedRefs({ "refs/heads/main": "a".repeat(40) }) : gitRefs(git),
    git,
    now: () => new Date(),
    nextId: () => ++last,
  };
  return world;
}

/** A finished run of `.github/workflows/smithers.yml` on the default branch; later ids are newer. */
export function aRun(row: Partial<RunRow> & Pick<RunRow, "id">): RunRow {
  return {
    attempt: 1,
    name: "smithers",
    path: ".github/workflows/smithers.yml",
    event: "workflow_dispatch",
    branch: "main",
    sha: "a".repeat(40),
    headRepositoryId: 1001,
    status: "completed",
    conclusion: "success",
    createdAt: moment(row.id),
    startedAt: row.createdAt ?? moment(row.id),
    actor: "alice",
    triggeringActor: row.actor ?? "alice",
    ...row,
  };
}

export function aJob(row: Partial<JobRow> & Pick<JobRow, "id" | "runId">): JobRow {
  const ran = { attempt: 1, labels: ["ubuntu-latest"], annotations: [], stepTimes: {} };
  return { name: "loop", startedAt: moment(0), conclusion: null, steps: {}, log: "", ...ran, ...row };
}

/** A cache entry; later ids are newer. */
export function aCache(row: Partial<CacheRow> & Pick<CacheRow, "id" | "key">): CacheRow {
  return { ref: "refs/heads/main", createdAt: moment(row.id), ...row };
}

export function anArtifact(row: Partial<ArtifactRow> & Pick<ArtifactRow, "id" | "runId" | "name">): ArtifactRow {
  return { zip: new Uint8Array(), expired: false, createdAt: moment(row.id), ...row };
}
