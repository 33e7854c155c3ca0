import { z } from "zod";

/** What we read of the event that caused a run. Whatever does not look as expected counts as not there. */
export interface EventPayload {
  /** what happened, as in `created`; "" for events of one kind only */
  readonly action: string;
  readonly pullRequest: PullRequestHead | null;
  /** of `issue_comment` */
  readonly comment: CommentPayload | null;
  /** the label that was put on or taken off */
  readonly label: string | null;
  /** of `workflow_run`: the other workflow's run */
  readonly workflowRun: WorkflowRunPayload | null;
  /** as in `main` */
  readonly defaultBranch: string | null;
  readonly visibility: "private" | "public" | "unknown";
  /** whose doing it is; null for events that nobody caused, such as a schedule */
  readonly sender: Account | null;
  /** of `workflow_dispatch`; texts, whatever their type in the workflow */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Who does something on GitHub. */
export interface Account {
  readonly login: string;
  /** `User`, `Bot`, `Organization` …; "" when it is not said */
  readonly type: string;
}

/** A comment as it was when the event happened. */
export interface CommentPayload {
  readonly id: number;
  readonly body: string;
  /** null: the account is gone */
  readonly author: Account | null;
  /** milliseconds since the epoch */
  readonly createdAt: number;
}

/** A run that has ended. */
export interface WorkflowRunPayload {
  readonly id: number;
  /** of the workflow, as in `CI` */
  readonly name: string;
  /** of the workflow's file in the repository; "" when it is not said */
  readonly path: string;
  readonly conclusion: string | null;
  readonly headSha: string;
  /** null for a tag or a deleted branch */
  readonly headBranch: string | null;
  readonly headRepositoryId: number | null;
  /** who caused it, and who ran it again */
  readonly actors: readonly Account[];
  /** of this repository, that the commit is the head of */
  readonly pullRequests: readonly number[];
  /** when it ended; milliseconds since the epoch */
  readonly endedAt: number;
}

/** The pull request that an event is about. */
export interface PullRequestHead {
  readonly number: number;
  /** null where the event does not say it, as for comments: it has to be asked for */
  readonly head: Head | null;
}

/** What a pull request wants to be merged. */
export interface Head {
  readonly sha: string;
  readonly ref: string;
  /** null when it was deleted; another than ours makes it a fork */
  readonly repository: { readonly id: number; readonly fullName: string } | null;
}

const HeadPayload = z.object({
  sha: z.string(),
  ref: z.string(),
  repo: z.object({ id: z.number(), full_name: z.string() }).nullish().catch(null),
});

const AccountPayload = z.object({ login: z.string(), type: z.string().catch("") });
const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const Comment = z.object({
  id: z.int().positive(),
  body: z.string(),
  user: AccountPayload.nullish().catch(null),
  created_at: Moment,
});

const WorkflowRun = z.object({
  id: z.int().positive(),
  name: z.string().nullish().catch(null),
  path: z.string().catch(""),
  conclusion: z.string().nullish().catch(null),
  head_sha: z.string(),
  head_branch: z.string().nullish().catch(null),
  head_repository: z.object({ id: z.number() }).nullish().catch(null),
  actor: AccountPayload.nullish().catch(null),
  triggering_actor: AccountPayload.nullish().catch(null),
  pull_requests: z
    .array(
      z.object({
        number: z.int().positive(),
        base: z
          .object({ repo: z.object({ id: z.number() }) })
          .nullish()
          .catch(null),
      }),
    )
    .catch([]),
  updated_at: Moment,
});

const Payload = z
  .object({
    action: z.string().nullish().catch(null),
    comment: Comment.nullish().catch(null),
    label: z.object({ name: z.string() }).nullish().catch(null),
    workflow_run: WorkflowRun.nullish().catch(null),
    pull_request: z
      .object({ number: z.int().positive(), head: HeadPayload.nullish().catch(null) })
      .nullish()
      .catch(null),
    issue: z
      .object({ number: z.int().positive(), pull_request: z.object({}).nullish() })
      .nullish()
      .catch(null),
    repository: z
      .object({
        id: z.number().nullish().catch(null),
        private: z.boolean().nullish().catch(null),
        visibility: z.string().nullish().catch(null),
        default_branch: z.string().nullish().catch(null),
      })
      .nullish()
      .catch(null),
    sender: AccountPayload.nullish().catch(null),
    inputs: z.record(z.string(), z.unknown()).nullish().catch(null),
  })
  .catch({});

/** Reads the file at `GITHUB_EVENT_PATH`. Never throws. */
export function readEventPayload(json: string): EventPayload {
  const payload = Payload.parse(parse(json));
  return {
    action: payload.action ?? "",
    pullRequest: pullRequestOf(payload),
    comment: payload.comment ? commentOf(payload.comment) : null,
    label: payload.label?.name ?? null,
    workflowRun: payload.workflow_run ? workflowRunOf(payload.workflow_run, payload.repository?.id ?? null) : null,
    defaultBranch: payload.repository?.default_branch ?? null,
    visibility: visibilityOf(payload.repository),
    sender: payload.sender ?? null,
    inputs: textsOf(payload.inputs ?? {}),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function pullRequestOf({ pull_request: own, issue }: z.infer<typeof Payload>): PullRequestHead | null {
  if (own !== null && own !== undefined) {
    return { number: own.number, head: own.head ? headOf(own.head) : null };
  }
  return issue?.pull_request ? { number: issue.number, head: null } : null;
}

function headOf({ sha, ref, repo }: z.infer<typeof HeadPayload>): Head {
  return { sha, ref, repository: repo ? { id: repo.id, fullName: repo.full_name } : null };
}

function commentOf({ id, body, user, created_at }: z.infer<typeof Comment>): CommentPayload {
  return { id, body, author: user ?? null, createdAt: created_at };
}

/** @param repositoryId ours; GitHub also names pull requests that were opened elsewhere for the same commit */
function workflowRunOf(run: z.infer<typeof WorkflowRun>, repositoryId: number | null): WorkflowRunPayload {
  const ours = run.pull_requests.filter(({ base }) => !base || repositoryId === null || base.repo.id === repositoryId);
  return {
    id: run.id,
    name: run.name ?? "",
    path: run.path.replace(/@.*$/u, ""),
    conclusion: run.conclusion ?? null,
    headSha: run.head_sha,
    headBranch: run.head_branch ?? null,
    headRepositoryId: run.head_repository?.id ?? null,
    actors: [run.actor, run.triggering_actor].flatMap((account) => (account ? [account] : [])),
    pullRequests: ours.map(({ number }) => number),
    endedAt: run.updated_at,
  };
}

/** Anything but a clear word is unknown. `internal` is seen by more people than are let in: it counts as public. */
function visibilityOf(repository: z.infer<typeof Payload>["repository"]): EventPayload["visibility"] {
  const { visibility, private: hidden } = repository ?? {};
  if (visibility === "private" || visibility === "public") return visibility;
  if (visibility === "internal") return "public";
  if (typeof hidden !== "boolean") return "unknown";
  return hidden ? "private" : "public";
}

function textsOf(inputs: Readonly<Record<string, unknown>>): Record<string, string> {
  const plain = Object.entries(inputs).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}
