/** Who is asking, and what they may do; every token may read the repository's metadata. */
export interface Token {
  readonly login: string;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
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
}

export interface JobRow {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly startedAt: Date;
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
  readonly runs: RunRow[];
  readonly jobs: JobRow[];
  readonly artifacts: ArtifactRow[];
  readonly caches: CacheRow[];
}

const START = Date.parse("2026-11-20T03:00:00Z");

/** An empty repository `octo/demo`. */
export function emptyWorld(repository: Partial<RepositoryRow> = {}): World {
  return {
    url: "",
    repository: { id: 1001, owner: "octo", name: "demo", private: true, defaultBranch: "main", ...repository },
    tokens: new Map(),
    runs: [],
    jobs: [],
    artifacts: [],
    caches: [],
  };
}

/** A finished run of `.github/workflows/smithers.yml` on the default branch; later ids are newer. */
export function aRun(row: Partial<RunRow> & Pick<RunRow, "id">): RunRow {
  return {
    attempt: 1,
    path: ".github/workflows/smithers.yml",
    event: "workflow_dispatch",
    branch: "main",
    sha: "a".repeat(40),
    headRepositoryId: 1001,
    status: "completed",
    conclusion: "success",
    createdAt: new Date(START + row.id * 60_000),
    ...row,
  };
}

export function aJob(row: Partial<JobRow> & Pick<JobRow, "id" | "runId">): JobRow {
  return { name: "loop", startedAt: new Date(START), ...row };
}

/** A cache entry; later ids are newer. */
export function aCache(row: Partial<CacheRow> & Pick<CacheRow, "id" | "key">): CacheRow {
  return { ref: "refs/heads/main", createdAt: new Date(START + row.id * 60_000), ...row };
}

export function anArtifact(row: Partial<ArtifactRow> & Pick<ArtifactRow, "id" | "runId" | "name">): ArtifactRow {
  return { zip: new Uint8Array(), expired: false, createdAt: new Date(START + row.id * 60_000), ...row };
}
