import { type Document, fullRepository, instant, repositoryPath, userDocument } from "./documents.ts";
import {
  aLabel,
  type CommentRow,
  type IssueEventRow,
  type IssueRow,
  type LabelRow,
  type PullRow,
  type ReactionRow,
  type ReviewRow,
  type StatusRow,
} from "./rows.ts";
import type { World } from "./world.ts";

/** An issue that is a pull request. */
export type Pull = IssueRow & { readonly pull: PullRow };

export function isPull(issue: IssueRow): issue is Pull {
  return issue.pull !== null;
}

/** Where the head of a pull request is now: it follows its branch. */
export async function headOf(world: World, { pull }: Pull): Promise<string> {
  const ours = pull.headRepositoryId === world.repository.id;
  return (ours ? await world.refs.get(`refs/heads/${pull.headBranch}`) : undefined) ?? pull.headSha;
}

/** As `author_association` says it, which is not a permission. */
function associationOf(world: World, login: string): string {
  if (login === world.repository.owner) return "OWNER";
  return (world.users.get(login)?.role ?? "none") === "none" ? "NONE" : "COLLABORATOR";
}

/** A label by its name; GitHub does not see the case of letters. */
export function labelIn({ labels }: World, name: string): LabelRow | undefined {
  return labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
}

export function labelDocument(world: World, name: string): Document {
  const url = `${world.url}${repositoryPath(world)}/labels/${encodeURIComponent(name)}`;
  const { color, description } = labelIn(world, name) ?? aLabel({ name });
  return { id: 70 + name.length, node_id: `LA_${name}`, url, name, description, color, default: false };
}

export function reactionDocument(world: World, { createdAt }: CommentRow, reaction: ReactionRow): Document {
  const { id, author, content, at = createdAt } = reaction;
  return { id, node_id: `REA_${id}`, user: userDocument(world, author), content, created_at: instant(at) };
}

export function commentDocument(world: World, comment: CommentRow): Document {
  const issues = `${world.url}${repositoryPath(world)}/issues`;
  const { id, issue, author, body, createdAt, updatedAt } = comment;
  const html = `https://github.com${repositoryPath(world).slice("/repos".length)}/issues/${issue}#issuecomment-${id}`;
  return {
    ...{ id, node_id: `IC_${id}`, url: `${issues}/comments/${id}`, html_url: html, issue_url: `${issues}/${issue}` },
    ...{ user: userDocument(world, author), author_association: associationOf(world, author), body },
    ...{ created_at: instant(createdAt), updated_at: instant(updatedAt), performed_via_github_app: null },
  };
}

export function issueDocument(world: World, issue: IssueRow): Document {
  const repository = `${world.url}${repositoryPath(world)}`;
  const url = `${repository}/issues/${issue.number}`;
  const pull = `${repository}/pulls/${issue.number}`;
  return {
    ...common(world, issue),
    ...{ node_id: `I_${issue.number}`, url, repository_url: repository, html_url: html(world, issue) },
    ...{ labels_url: `${url}/labels{/name}`, comments_url: `${url}/comments`, events_url: `${url}/events` },
    comments: world.comments.filter(({ issue: number }) => number === issue.number).length,
    ...(issue.pull === null
      ? {}
      : {
          draft: issue.pull.draft,
          pull_request: { url: pull, html_url: html(world, issue), diff_url: pull, patch_url: pull },
        }),
  };
}

function html(world: World, { number, pull }: IssueRow): string {
  const base = `https://github.com${repositoryPath(world).slice("/repos".length)}`;
  return `${base}/${pull === null ? "issues" : "pull"}/${number}`;
}

/** What issues and pull requests say alike. */
function common(world: World, issue: IssueRow): Document {
  const { number, title, body, state, author, createdAt } = issue;
  const closed = state === "closed" ? instant(createdAt) : null;
  return {
    ...{ id: 100_000 + number, number, title, body: body === "" ? null : body, state, locked: false },
    ...{ user: userDocument(world, author), author_association: associationOf(world, author) },
    ...{
      labels: issue.labels.map((name) => labelDocument(world, name)),
      assignee: null,
      assignees: [],
      milestone: null,
    },
    ...{ created_at: instant(createdAt), updated_at: instant(createdAt), closed_at: closed },
    ...{ active_lock_reason: null },
  };
}

/** The short form, as in lists. */
export async function simplePull(world: World, issue: Pull): Promise<Document> {
  const { number, pull } = issue;
  const repository = `${world.url}${repositoryPath(world)}`;
  const url = `${repository}/pulls/${number}`;
  const sha = await headOf(world, issue);
  const links = {
    ...{ self: url, html: html(world, issue), issue: `${repository}/issues/${number}`, commits: `${url}/commits` },
    ...{ comments: `${repository}/issues/${number}/comments`, statuses: `${repository}/statuses/${sha}` },
    ...{ review_comments: `${url}/comments`, review_comment: `${repository}/pulls/comments{/number}` },
  };
  const { self: _, ...named } = links;
  return {
    ...common(world, issue),
    ...Object.fromEntries(Object.entries(named).map(([name, to]) => [`${name}_url`, to])),
    ...{ node_id: `PR_${number}`, url, diff_url: `${links.html}.diff`, patch_url: `${links.html}.patch` },
    ...{ draft: pull.draft, merged_at: pull.merged ? instant(issue.createdAt) : null, merge_commit_sha: null },
    ...{ auto_merge: null, requested_teams: [] },
    requested_reviewers: pull.requested.map((login) => userDocument(world, login)),
    head: side(world, pull.headBranch, sha, pull.headRepositoryId),
    base: side(world, pull.base, await baseOf(world, pull), world.repository.id),
    _links: Object.fromEntries(Object.entries(links).map(([name, to]) => [name, { href: to }])),
  };
}

async function baseOf({ refs }: World, { base }: PullRow): Promise<string> {
  return (await refs.get(`refs/heads/${base}`)) ?? "a".repeat(40);
}

function side(world: World, ref: string, sha: string, id: number | null): Document {
  const owner = id === world.repository.id ? world.repository.owner : "forker";
  const repo = id === null ? null : fullRepository(world, id);
  return { label: `${owner}:${ref}`, ref, sha, user: userDocument(world, owner), repo };
}

export async function pullDocument(world: World, issue: Pull): Promise<Document> {
  const counts = { comments: 0, review_comments: 0, commits: 1, additions: 1, deletions: 0, changed_files: 1 };
  return {
    ...(await simplePull(world, issue)),
    ...{ merged: issue.pull.merged, mergeable: true, rebaseable: true, mergeable_state: "clean", merged_by: null },
    ...{ maintainer_can_modify: false, ...counts },
  };
}

export function reviewDocument(world: World, { id, pull, author, state, body, ...review }: ReviewRow): Document {
  const url = `${world.url}${repositoryPath(world)}/pulls/${pull}`;
  const page = `https://github.com${repositoryPath(world).slice("/repos".length)}/pull/${pull}#pullrequestreview-${id}`;
  return {
    ...{ id, node_id: `PRR_${id}`, user: userDocument(world, author), body, state, commit_id: review.commit },
    ...{ html_url: page, pull_request_url: url, author_association: associationOf(world, author) },
    ...{
      submitted_at: instant(review.submittedAt),
      _links: { html: { href: page }, pull_request: { href: url } },
    },
  };
}

export function statusDocument(world: World, status: StatusRow): Document {
  const { id, sha, state, context, description, targetUrl, author } = status;
  const at = instant(status.createdAt);
  return {
    ...{ id, node_id: `SC_${id}`, url: `${world.url}${repositoryPath(world)}/statuses/${sha}`, state, context },
    ...{ description, target_url: targetUrl, avatar_url: null, created_at: at, updated_at: at },
    creator: userDocument(world, author),
  };
}

export function issueEventDocument(world: World, { id, event, label, author, createdAt }: IssueEventRow): Document {
  return {
    ...{ id, node_id: `LE_${id}`, url: `${world.url}${repositoryPath(world)}/issues/events/${id}`, event },
    ...{ actor: userDocument(world, author), created_at: instant(createdAt), commit_id: null, commit_url: null },
    ...{ label: { name: label, color: "ededed" }, performed_via_github_app: null },
  };
}
