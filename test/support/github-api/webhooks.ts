import { type Document, fullRepository, repositoryPath, runDocument, userDocument } from "./documents.ts";
import {
  commentDocument,
  issueDocument,
  isPull,
  labelDocument,
  type Pull,
  pullDocument,
  reviewDocument,
} from "./issue-documents.ts";
import type { CommentRow, Dispatch, IssueEventRow, IssueRow, ReviewRow } from "./rows.ts";
import type { RunRow, World } from "./world.ts";

/** What a job is started by: the name of the event, and what lies at `GITHUB_EVENT_PATH`. */
export interface Event {
  readonly name: string;
  readonly payload: Document;
}

/** A comment was written, or changed by somebody (`edited`). */
export function commentEvent(world: World, comment: CommentRow, action: "created" | "edited" = "created"): Event {
  const issue = issueOf(world, comment.issue);
  const changes = action === "edited" ? { changes: { body: { from: "before" } } } : {};
  const rollup = { ...commentDocument(world, comment), reactions: reactions(world, `issues/comments/${comment.id}`) };
  const payload = { action, ...changes, issue: issuePart(world, issue), comment: rollup };
  return { name: "issue_comment", payload: { ...payload, ...common(world, comment.author) } };
}

/** A label was put on a pull request (`pull_request`) or on an issue (`issues`). */
export async function labelEvent(world: World, { issue: number, label, author }: IssueEventRow): Promise<Event> {
  const issue = issueOf(world, number);
  const payload = { action: "labeled", label: labelDocument(world, label), ...common(world, author) };
  if (!isPull(issue)) return { name: "issues", payload: { ...payload, issue: issuePart(world, issue) } };
  return { name: "pull_request", payload: { ...payload, number, pull_request: await pullDocument(world, issue) } };
}

/** Somebody closes a pull request, which is merged by that perhaps. */
export async function closedEvent(world: World, number: number, login = "alice"): Promise<Event> {
  const issue = issueOf(world, number);
  if (!isPull(issue)) throw new Error(`${number} is no pull request`);
  const payload = { action: "closed", number, pull_request: await pullDocument(world, issue) };
  return { name: "pull_request", payload: { ...payload, ...common(world, login) } };
}

/** Somebody starts a workflow by hand or by the API. */
export function dispatchEvent(world: World, dispatch: Pick<Dispatch, "workflow" | "ref" | "inputs" | "login">): Event {
  const { workflow, ref, inputs, login } = dispatch;
  return {
    name: "workflow_dispatch",
    payload: { inputs, ref: `refs/heads/${ref}`, workflow, ...common(world, login) },
  };
}

/** A run of another workflow has ended: of these pull requests, as GitHub believes. */
export function workflowRunEvent(world: World, run: RunRow, pulls: readonly number[] = []): Event {
  const heads = pulls.map((number) => issueOf(world, number)).filter(isPull);
  const workflow = {
    id: 77,
    node_id: "W_77",
    name: "CI",
    path: run.path,
    state: "active",
    ...workflowAddresses(world),
  };
  const more = {
    ...{ previous_attempt_url: null, check_suite_id: 1, check_suite_node_id: "CS_1", referenced_workflows: [] },
    pull_requests: heads.map((pull) => shortPull(world, pull, run.sha)),
  };
  const payload = { action: "completed", workflow_run: { ...runDocument(world, run), ...more }, workflow };
  return { name: "workflow_run", payload: { ...payload, ...common(world, run.triggeringActor) } };
}

/** Somebody has reviewed a pull request. */
export async function reviewEvent(world: World, review: ReviewRow): Promise<Event> {
  const issue = issueOf(world, review.pull);
  if (!isPull(issue)) throw new Error(`${review.pull} is no pull request`);
  const document = { ...reviewDocument(world, review), state: review.state.toLowerCase() };
  const payload = { action: "submitted", review: document, pull_request: await pullDocument(world, issue) };
  return { name: "pull_request_review", payload: { ...payload, ...common(world, review.author) } };
}

function issueOf({ issues }: World, number: number): IssueRow {
  const issue = issues.find((row) => row.number === number);
  if (issue === undefined) throw new Error(`there is no issue ${number}`);
  return issue;
}

function common(world: World, sender: string): Document {
  return { repository: fullRepository(world), sender: userDocument(world, sender) };
}

function reactions(world: World, of: string): Document {
  const none = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"].map((name) => [name, 0]);
  const url = `${world.url}${repositoryPath(world)}/${of}/reactions`;
  return { url, total_count: 0, ...Object.fromEntries(none) };
}

/** Payloads say some more of an issue than the API does. */
function issuePart(world: World, issue: IssueRow): Document {
  const url = `${world.url}${repositoryPath(world)}/issues/${issue.number}`;
  const more = { timeline_url: `${url}/timeline`, performed_via_github_app: null, state_reason: null };
  return { ...issueDocument(world, issue), ...more, reactions: reactions(world, `issues/${issue.number}`) };
}

function workflowAddresses(world: World): Document {
  const url = `${world.url}${repositoryPath(world)}/actions/workflows/77`;
  const at = "2026-01-01T00:00:00Z";
  return { url, html_url: url, badge_url: url, created_at: at, updated_at: at };
}

function shortPull(world: World, { number, pull }: Pull, sha: string): Document {
  const { id, name } = world.repository;
  const repo = { id, name, url: `${world.url}${repositoryPath(world)}` };
  return {
    ...{ id: 100_000 + number, number, url: `${repo.url}/pulls/${number}` },
    ...{ head: { ref: pull.headBranch, sha, repo }, base: { ref: pull.base, sha: "a".repeat(40), repo } },
  };
}
