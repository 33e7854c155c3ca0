import { statusOf } from "./github-refusal.ts";
import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";

/** What everything about pull requests needs. */
export const PERMISSION = "pull-requests: write";

/** What is looked at of a pull request. */
export interface PullRequest {
  readonly number: number;
  /** for people */
  readonly url: string;
  /** for GraphQL */
  readonly nodeId: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly state: "open" | "closed";
  readonly merged: boolean;
}

/** The part of GitHub's answers that is the same in all of them. */
interface Answer {
  readonly number: number;
  readonly html_url: string;
  readonly node_id: string;
  readonly title: string;
  readonly body: string | null;
  readonly draft?: boolean | undefined;
  readonly state: string;
  readonly merged_at: string | null;
  readonly head: { readonly ref: string; readonly repo: { readonly id: number | bigint } | null };
}

interface Place {
  readonly branch: string;
  readonly base: string;
}

/**
 * The pull request with a number, if it is one of this branch of our repository; else undefined.
 *
 * @throws what Octokit throws
 */
export async function known(access: Access, number: number, branch: string): Promise<PullRequest | undefined> {
  const { octokit, repository, signal } = access;
  try {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      owner: repository.owner,
      repo: repository.name,
      pull_number: number,
      request: { signal },
    });
    return isOf(access, branch, data) ? pullRequestOf(data) : undefined;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/**
 * The open pull request of a branch, whatever it is to be merged into: one into the wished base before others.
 *
 * @throws what Octokit throws
 */
export async function findOpen(access: Access, { branch, base }: Place): Promise<PullRequest | undefined> {
  const { octokit, repository, signal } = access;
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls", {
    owner: repository.owner,
    repo: repository.name,
    head: `${repository.owner}:${branch}`,
    state: "open",
    per_page: 100,
    request: { signal },
  });
  // GitHub lists everything where it does not understand `head`.
  const ours = data.filter((answer) => isOf(access, branch, answer));
  const found = ours.find((answer) => answer.base.ref === base) ?? ours[0];
  return found && pullRequestOf(found);
}

/** @throws what Octokit throws */
export async function openNew(
  { octokit, repository, signal }: Access,
  wish: Place & { readonly title: string; readonly body: string; readonly draft: boolean },
): Promise<PullRequest> {
  const { data } = await onceKnown(signal, () =>
    octokit.request("POST /repos/{owner}/{repo}/pulls", {
      owner: repository.owner,
      repo: repository.name,
      head: wish.branch,
      base: wish.base,
      title: wish.title,
      body: wish.body,
      draft: wish.draft,
      request: { signal },
    }),
  );
  return pullRequestOf(data);
}

function isOf({ repository }: Access, branch: string, { head }: Answer): boolean {
  return head.ref === branch && head.repo !== null && Number(head.repo.id) === repository.id;
}

function pullRequestOf(answer: Answer): PullRequest {
  return {
    number: answer.number,
    url: answer.html_url,
    nodeId: answer.node_id,
    title: answer.title,
    body: answer.body ?? "",
    draft: answer.draft ?? false,
    state: answer.state === "open" ? "open" : "closed",
    merged: answer.merged_at !== null,
  };
}
