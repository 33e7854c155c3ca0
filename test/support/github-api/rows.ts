/** Rows of what people and programs do on GitHub. Writes change them in place. */

export type Role = "admin" | "maintain" | "write" | "triage" | "read" | "none";

export interface UserRow {
  readonly login: string;
  readonly type: "User" | "Bot";
  /** on the repository; only what a user has: GitHub does not know bots as collaborators */
  readonly role: Role;
}

/** An issue or a pull request: they share their numbers, comments, labels and events. */
export interface IssueRow {
  readonly number: number;
  readonly author: string;
  readonly createdAt: Date;
  title: string;
  body: string;
  state: "open" | "closed";
  /** names */
  labels: string[];
  /** when its text was last changed; absent: never */
  editedAt?: Date;
  /** when it got another title each time; absent: never */
  renamedAt?: Date[];
  /** null: a plain issue */
  readonly pull: PullRow | null;
}

/** What a pull request has beyond an issue. */
export interface PullRow {
  readonly headBranch: string;
  /** of the head's tip, where the branch is gone or in another repository */
  readonly headSha: string;
  /** where the head is: another repository's id makes it a fork's; null: the fork was deleted */
  readonly headRepositoryId: number | null;
  base: string;
  draft: boolean;
  merged: boolean;
  /** logins of those who are asked for a review and have not given one */
  requested: string[];
}

/** A label of the repository. */
export interface LabelRow {
  readonly name: string;
  /** six hexadecimal digits */
  readonly color: string;
  readonly description: string | null;
}

export interface CommentRow {
  readonly id: number;
  /** of the issue or pull request */
  readonly issue: number;
  readonly author: string;
  readonly createdAt: Date;
  /** differs from `createdAt` when it was edited */
  updatedAt: Date;
  body: string;
  /** why it is folded, as in `OUTDATED`; null: it is not */
  minimized: string | null;
  readonly reactions: ReactionRow[];
}

export interface ReactionRow {
  readonly id: number;
  readonly author: string;
  readonly content: string;
  /** absent: with the comment */
  readonly at?: Date;
}

export interface ReviewRow {
  readonly id: number;
  readonly pull: number;
  readonly author: string;
  /** changes when somebody dismisses it */
  state: string;
  readonly commit: string;
  readonly submittedAt: Date;
  body: string;
  /** absent: never */
  editedAt?: Date;
  readonly comments: readonly ReviewCommentRow[];
  /** GraphQL alone knows them */
  readonly reactions: ReactionRow[];
  /** why it is folded, as in `OUTDATED`; null: it is not */
  minimized: string | null;
}

/** A place of a pull request that people speak about. */
export interface ThreadRow {
  /** also of its first comment */
  readonly id: number;
  readonly pull: number;
  readonly path: string;
  /** in the file of the commit that was reviewed; null: the file as a whole */
  readonly line: number | null;
  /** where it is about several lines */
  readonly startLine?: number | null;
  /** `LEFT`: about a line that the pull request takes out */
  readonly side?: "LEFT" | "RIGHT";
  /** oldest first; the first one began it */
  readonly comments: ThreadCommentRow[];
}

export interface ThreadCommentRow {
  readonly id: number;
  /** the review that it belongs to; an answer by itself is a review of its own */
  readonly review: number;
  readonly author: string;
  readonly createdAt: Date;
  body: string;
  /** absent: never */
  editedAt?: Date;
}

interface ReviewCommentRow {
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

export interface StatusRow {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly author: string;
  readonly createdAt: Date;
}

/** A status check that the rules of a branch ask for. */
export interface RequiredCheckRow {
  /** as in `main` */
  readonly branch: string;
  readonly context: string;
  /** the only App that may say it; null: anybody */
  readonly app: number | null;
}

export interface IssueEventRow {
  readonly id: number;
  readonly issue: number;
  readonly event: "labeled" | "unlabeled";
  readonly label: string;
  readonly author: string;
  readonly createdAt: Date;
}

/** A push, as GitHub's own clock saw it. */
export interface ActivityRow {
  readonly id: number;
  /** as in `refs/heads/main` */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly type: "push" | "force_push" | "branch_creation" | "branch_deletion";
  readonly author: string;
  readonly at: Date;
}

/** A workflow's file, and what may be dispatched to it. */
export interface WorkflowRow {
  /** as in `.github/workflows/smithers.yml` */
  readonly path: string;
  /** the names of the inputs that it declares; null: any */
  readonly inputs: readonly string[] | null;
}

/** A workflow that somebody has dispatched. */
export interface Dispatch {
  readonly workflow: string;
  /** as in `main` */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** whose token it was */
  readonly login: string;
  readonly runId: number;
}

/** A word of GitHub's on what a repository allows. */
export interface SettingsRow {
  /** "Allow GitHub Actions to create and approve pull requests" */
  actionsMayCreatePulls: boolean;
  /** whether the organisation's policy lets `workflow_dispatch` start anything */
  dispatchAllowed: boolean;
  /** whether GitHub lets the token turn drafts into what is ready, and back */
  draftsMayChange: boolean;
  /** what the next dispatches take for the tip of their branch, each the first; then what it is */
  readonly dispatchesSee: string[];
  /** whether the account's plan has rules for a repository like this one */
  hasRules: boolean;
  /** whether a comment of a review may be at this place; by default everywhere */
  lineIsInDiff: (path: string, line: number) => boolean;
}

const START = Date.parse("2026-11-20T03:00:00Z");

/** A moment of the world's past; larger numbers are later. */
export function moment(minutes: number): Date {
  return new Date(START + minutes * 60_000);
}

export function aUser(row: Partial<UserRow> & Pick<UserRow, "login">): UserRow {
  return { type: row.login.endsWith("[bot]") ? "Bot" : "User", role: "write", ...row };
}

/** An open issue of `alice`. */
export function anIssue(row: Partial<IssueRow> & Pick<IssueRow, "number">): IssueRow {
  const created = { author: "alice", createdAt: moment(row.number) };
  return { ...created, title: `Issue ${row.number}`, body: "", state: "open", labels: [], pull: null, ...row };
}

/** An open pull request from the branch `feature` of this repository to `main`. */
export function aPull(
  row: Partial<IssueRow & PullRow> & Pick<IssueRow, "number">,
): IssueRow & { readonly pull: PullRow } {
  const { headBranch = "feature", headSha = "b".repeat(40), headRepositoryId = 1001, ...rest } = row;
  const { base = "main", draft = false, merged = false, requested = [], ...issue } = rest;
  const pull = { headBranch, headSha, headRepositoryId, base, draft, merged, requested };
  return { ...anIssue(issue), title: issue.title ?? `Pull request ${row.number}`, pull };
}

/** A label as GitHub makes one that is only named. */
export function aLabel(row: Partial<LabelRow> & Pick<LabelRow, "name">): LabelRow {
  return { color: "ededed", description: null, ...row };
}

/** A comment of `alice`, not edited; later ids are newer. */
export function aComment(row: Partial<CommentRow> & Pick<CommentRow, "id" | "issue" | "body">): CommentRow {
  const at = row.createdAt ?? moment(row.id);
  return { author: "alice", createdAt: at, updatedAt: at, minimized: null, reactions: [], ...row };
}

export function aReview(row: Partial<ReviewRow> & Pick<ReviewRow, "id" | "pull">): ReviewRow {
  const said = { author: "github-actions[bot]", state: "COMMENTED", body: "", comments: [], minimized: null };
  return { ...said, reactions: [], commit: "b".repeat(40), submittedAt: moment(row.id), ...row };
}

/** A thread that a review of `alice` has begun. */
export function aThread(
  row: Partial<ThreadRow> & Pick<ThreadRow, "id" | "pull" | "path" | "line"> & { readonly review: number },
  body: string,
  comment: Partial<ThreadCommentRow> = {},
): ThreadRow {
  const { review, ...thread } = row;
  const first = { id: row.id, review, author: "alice", createdAt: moment(row.id), body, ...comment };
  return { comments: [first], ...thread };
}

export function aStatus(row: Partial<StatusRow> & Pick<StatusRow, "id" | "sha">): StatusRow {
  const said = { state: "success", context: "ci", description: null, targetUrl: null };
  return { ...said, author: "github-actions[bot]", createdAt: moment(row.id), ...row };
}

/** `alice` adds the label `smithers:continue`. */
export function anIssueEvent(row: Partial<IssueEventRow> & Pick<IssueEventRow, "id" | "issue">): IssueEventRow {
  return { event: "labeled", label: "smithers:continue", author: "alice", createdAt: moment(row.id), ...row };
}

/** `alice` pushes to `feature`. */
export function anActivity(row: Partial<ActivityRow> & Pick<ActivityRow, "id">): ActivityRow {
  const shas = { before: "a".repeat(40), after: "b".repeat(40) };
  return { ref: "refs/heads/feature", ...shas, type: "push", author: "alice", at: moment(row.id), ...row };
}
