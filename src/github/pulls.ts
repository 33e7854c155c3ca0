import type { Result } from "../core/result.ts";
import { AccountAnswer } from "./accounts.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { isSameText } from "./comments.ts";
import { RepositoryId } from "./event-payload.ts";
import { CONVERT_TO_DRAFT, MARK_READY } from "./queries.ts";
import { ask, type Refused, statusOf } from "./refusal.ts";

/** The pull request that a request names, as it is now. */
export interface NamedPullRequest {
  readonly number: number;
  readonly open: boolean;
  readonly merged: boolean;
  readonly headSha: string;
  /** where the branch is that it is for */
  readonly baseSha: string;
  /** the branch that it is for, without `refs/heads/` */
  readonly baseBranch: string;
  readonly draft: boolean;
  /** without `refs/heads/` */
  readonly headBranch: string;
  /** whether its commits come from another repository, or from one that is gone */
  readonly fork: boolean;
  /** login; null: the account is gone */
  readonly author: string | null;
  readonly body: string;
  /** their names */
  readonly labels: readonly string[];
}

/** Reads a pull request (`pull-requests: read`). Never throws. */
export async function readPullRequest(github: Github, number: number): Promise<Result<NamedPullRequest, Refused>> {
  return ask("pull-requests: read", async () => {
    const { data } = await github.rest.pulls.get({ pull_number: number });
    return {
      number: data.number,
      open: data.state === "open",
      merged: data.merged,
      headSha: data.head.sha,
      baseSha: data.base.sha,
      baseBranch: data.base.ref,
      draft: data.draft ?? false,
      headBranch: data.head.ref,
      fork: RepositoryId.parse(data.head.repo)?.id !== github.repository.id,
      author: AccountAnswer.parse(data.user)?.login ?? null,
      body: data.body ?? "",
      labels: data.labels.map(({ name }) => name),
    };
  });
}

/** Whether an open pull request begins or ends at a branch: without it, GitHub would close that (`pull-requests: read`). */
export async function isNeeded(github: Github, branch: string): Promise<Result<boolean, Refused>> {
  const open = async (which: { readonly head: string } | { readonly base: string }): Promise<boolean> =>
    (await github.rest.pulls.list({ state: "open", per_page: 1, ...which })).data.length > 0;
  const head = `${github.repository.owner}:${branch}`;
  return ask("pull-requests: read", async () => (await open({ head })) || (await open({ base: branch })));
}

/** What everything about pull requests needs. */
export const PERMISSION = "pull-requests: write";

/** How a pull request should look. */
interface Look {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** What is looked at of a pull request. */
export interface PullRequest extends Look {
  readonly number: number;
  /** for people */
  readonly url: string;
  /** for GraphQL */
  readonly nodeId: string;
  /** the branch that it is for, without `refs/heads/` */
  readonly base: string;
  readonly state: "open" | "closed";
  readonly merged: boolean;
}

interface Place {
  readonly branch: string;
  readonly base: string;
}

/** The part of GitHub's answers that is the same in all of them. */
type Answer = Pick<
  Awaited<ReturnType<Github["rest"]["pulls"]["list"]>>["data"][number],
  "number" | "html_url" | "node_id" | "title" | "body" | "draft" | "state" | "merged_at" | "base"
> & { readonly head: { readonly ref: string; readonly repo: { readonly id: number | bigint } | null } };

/**
 * The pull request with a number, if it belongs to this branch of our repository; else undefined.
 *
 * @throws what Octokit throws
 */
export async function known(github: Github, number: number, branch: string): Promise<PullRequest | undefined> {
  try {
    const { data } = await github.rest.pulls.get({ pull_number: number });
    return isOf(github, branch, data) ? pullRequestOf(data) : undefined;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * The open pull request of a branch: one into the wished base before others.
 *
 * @throws what Octokit throws
 */
export async function findOpen(github: Github, { branch, base }: Place): Promise<PullRequest | undefined> {
  const head = `${github.repository.owner}:${branch}`;
  const { data } = await github.rest.pulls.list({ head, state: "open", per_page: 100 });
  // GitHub lists everything where it does not understand `head`.
  const ours = data.filter((answer) => isOf(github, branch, answer));
  const found = ours.find((answer) => answer.base.ref === base) ?? ours[0];
  return found && pullRequestOf(found);
}

/** @throws what Octokit throws */
export async function openNew(github: Github, wish: Place & Look): Promise<PullRequest> {
  const { branch: head, base, title, body, draft } = wish;
  const opening = () => github.rest.pulls.create({ head, base, title, body, draft });
  return pullRequestOf((await onceKnown(github.signal, opening)).data);
}

function isOf({ repository }: Github, branch: string, { head }: Answer): boolean {
  return head.ref === branch && head.repo !== null && Number(head.repo.id) === repository.id;
}

function pullRequestOf(answer: Answer): PullRequest {
  return {
    number: answer.number,
    url: answer.html_url,
    nodeId: answer.node_id,
    base: answer.base.ref,
    title: answer.title,
    body: answer.body ?? "",
    draft: answer.draft ?? false,
    state: answer.state === "open" ? "open" : "closed",
    merged: answer.merged_at !== null,
  };
}

const DRAFT_PERMISSION = "pull-requests: write and contents: write (some organisations allow it to no job's token)";

/**
 * Writes what differs. A pull request that looks different is better than none: failures become notes. Never throws.
 *
 * @returns whether it is a draft now, and what still differs and why, as sentences without a final full stop
 */
export async function updatePullRequest(
  github: Github,
  found: PullRequest,
  wish: Look,
): Promise<{ readonly draft: boolean; readonly notes: readonly string[] }> {
  const notes = await writeTexts(github, found, wish);
  if (found.draft === wish.draft) return { draft: found.draft, notes };
  const mutation = wish.draft ? CONVERT_TO_DRAFT : MARK_READY;
  const toggled = await ask(DRAFT_PERMISSION, () =>
    onceKnown(github.signal, () => github.graphql(mutation, { pullRequestId: found.nodeId })),
  );
  if (toggled.ok) return { draft: wish.draft, notes };
  const left = wish.draft ? "ready for review instead of a draft" : "a draft, although it is ready for review";
  const note = `pull request #${found.number} is left ${left}: ${toggled.trouble.because}`;
  return { draft: found.draft, notes: [...notes, note] };
}

async function writeTexts(github: Github, found: PullRequest, { title, body }: Look): Promise<readonly string[]> {
  const changed = {
    ...(isSameText(found.title, title) ? {} : { title }),
    ...(isSameText(found.body, body) ? {} : { body }),
  };
  if (Object.keys(changed).length === 0) return [];
  const written = await ask(PERMISSION, () =>
    onceKnown(github.signal, () => github.rest.pulls.update({ pull_number: found.number, ...changed })),
  );
  return written.ok ? [] : [`the text of pull request #${found.number} is an older one: ${written.trouble.because}`];
}
