import { z } from "zod";

/** What we read of the event that caused a run. What does not look as expected counts as not there. */
export interface EventPayload {
  /** what happened, as in `created`; "" for events of one kind only */
  readonly action: string;
  readonly pullRequest: PullRequestHead | null;
  /** the number of the issue that it is about, which may be a pull request; null: about none */
  readonly issue: number | null;
  /** what that issue said when it happened; null: it is a pull request, or not told */
  readonly issueText: Readonly<z.infer<typeof IssueText>> | null;
  /** of `issue_comment`, as it was then; `createdAt` in milliseconds since the epoch; no author: the account is gone */
  readonly comment: Readonly<z.infer<typeof Comment>> | null;
  /** what the text said before somebody edited it; null: it was not edited */
  readonly saidBefore: string | null;
  /** of `pull_request_review`, as it was then; no author: the account is gone */
  readonly review: Readonly<z.infer<typeof Review>> | null;
  /** the label that was put on or taken off */
  readonly label: string | null;
  /** of `workflow_run`: the other workflow's run */
  readonly workflowRun: WorkflowRunPayload | null;
  /** as in `main` */
  readonly defaultBranch: string | null;
  readonly visibility: "private" | "public" | "unknown";
  /** of the repository that it happened in; null when it is not said */
  readonly repositoryId: number | null;
  /** who caused it; null for events without a person, for example a schedule */
  readonly sender: Account | null;
  /** of `workflow_dispatch`; always texts */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Who does something on GitHub; `type` is `User`, `Bot`, `Organization` …, or "" when it is not said. */
export type Account = Readonly<z.infer<typeof AccountPayload>>;

/** A run that has ended. */
interface WorkflowRunPayload {
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
interface PullRequestHead {
  readonly number: number;
  /**
   * The head to be merged; null when the event does not name it, as for comments: the API has to be asked. No
   * repository: it was deleted; another than ours makes it a fork.
   */
  readonly head: Readonly<z.infer<typeof Head>> | null;
  /** the commit of the branch that it is for, as of the event; null: not named, as for comments */
  readonly baseSha: string | null;
}

/** Null when it is missing or malformed. */
export function orNull<T extends z.ZodType>(shape: T) {
  return shape
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
}

/** How GitHub writes an account down. */
export const AccountPayload = z.object({ login: z.string(), type: z.string().catch("") });

const Id = z.int().positive();
const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
/** GitHub's types say that there is always a repository; yet a fork can be deleted. */
export const RepositoryId = orNull(z.object({ id: z.number() }));

const Head = z
  .object({ sha: z.string(), ref: z.string(), repo: orNull(z.object({ id: z.number(), full_name: z.string() })) })
  .transform(({ sha, ref, repo }) => ({ sha, ref, repository: repo && { id: repo.id, fullName: repo.full_name } }));

const IssueText = z
  .object({ title: z.string().catch(""), body: orNull(z.string()), user: orNull(AccountPayload) })
  .transform(({ title, body, user }) => ({ title, body: body ?? "", author: user?.login ?? null }));

const Comment = z
  .object({ id: Id, body: z.string(), user: orNull(AccountPayload), created_at: Moment })
  .transform(({ id, body, user, created_at }) => ({ id, body, author: user, createdAt: created_at }));

const Review = z
  .object({
    ...{ id: Id, body: orNull(z.string()), state: z.string(), user: orNull(AccountPayload) },
    ...{ commit_id: orNull(z.string()), submitted_at: Moment },
  })
  .transform(({ id, body, state, user, commit_id, submitted_at }) => {
    return {
      id,
      body: body ?? "",
      state: state.toLowerCase(),
      author: user,
      commit: commit_id,
      submittedAt: submitted_at,
    };
  });

const WorkflowRun = z.object({
  id: Id,
  name: z.string().catch(""),
  path: z.string().catch(""),
  conclusion: orNull(z.string()),
  head_sha: z.string(),
  head_branch: orNull(z.string()),
  head_repository: RepositoryId,
  actor: orNull(AccountPayload),
  triggering_actor: orNull(AccountPayload),
  pull_requests: z
    .array(z.object({ number: Id, base: orNull(z.object({ repo: z.object({ id: z.number() }) })) }))
    .catch([]),
  updated_at: Moment,
});

const Repository = z.object({
  id: orNull(z.number()),
  private: orNull(z.boolean()),
  visibility: orNull(z.string()),
  default_branch: orNull(z.string()),
});

const Payload = orNull(
  z.object({
    action: z.string().catch(""),
    comment: orNull(Comment),
    changes: orNull(z.object({ body: orNull(z.object({ from: z.string() })) })),
    review: orNull(Review),
    label: orNull(z.object({ name: z.string() })),
    workflow_run: orNull(WorkflowRun),
    pull_request: orNull(
      z
        .object({
          number: Id,
          head: orNull(Head),
          base: orNull(z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/u) })),
        })
        .transform(({ number, head, base }) => ({ number, head, baseSha: base?.sha ?? null })),
    ),
    issue: orNull(z.looseObject({ number: Id, pull_request: z.object({}).nullish() })),
    repository: orNull(Repository),
    sender: orNull(AccountPayload),
    inputs: orNull(z.record(z.string(), z.unknown())),
  }),
);

/** Reads the file at `GITHUB_EVENT_PATH`. Never throws. */
export function readEventPayload(json: string): EventPayload {
  const payload = Payload.parse(parse(json));
  const { workflow_run: run, issue, repository } = payload ?? {};
  return {
    action: payload?.action ?? "",
    pullRequest:
      payload?.pull_request ?? (issue?.pull_request ? { number: issue.number, head: null, baseSha: null } : null),
    issue: issue?.number ?? null,
    issueText: issue && !issue.pull_request ? (IssueText.safeParse(issue).data ?? null) : null,
    comment: payload?.comment ?? null,
    saidBefore: payload?.changes?.body?.from ?? null,
    review: payload?.review ?? null,
    label: payload?.label?.name ?? null,
    workflowRun: run ? workflowRunOf(run, repository?.id ?? null) : null,
    defaultBranch: repository?.default_branch ?? null,
    visibility: visibilityOf(repository),
    repositoryId: repository?.id ?? null,
    sender: payload?.sender ?? null,
    inputs: textsOf(payload?.inputs ?? {}),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** @param repositoryId ours; GitHub also names pull requests that were opened elsewhere for the same commit */
function workflowRunOf(run: z.infer<typeof WorkflowRun>, repositoryId: number | null): WorkflowRunPayload {
  const ours = run.pull_requests.filter(({ base }) => !base || repositoryId === null || base.repo.id === repositoryId);
  return {
    id: run.id,
    name: run.name,
    path: run.path.replace(/@.*$/u, ""),
    conclusion: run.conclusion,
    headSha: run.head_sha,
    headBranch: run.head_branch,
    headRepositoryId: run.head_repository?.id ?? null,
    actors: [run.actor, run.triggering_actor].filter((account) => account !== null),
    pullRequests: ours.map(({ number }) => number),
    endedAt: run.updated_at,
  };
}

/** Anything but a clear word is unknown. `internal` is seen by more people than are let in: it counts as public. */
function visibilityOf(repository: z.infer<typeof Repository> | null | undefined): EventPayload["visibility"] {
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
