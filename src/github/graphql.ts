import { z } from "zod";
import type { Result } from "../core/result.ts";
import { readAgain } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { COMMENTS, MINIMIZE, PULL_REQUEST_AUTHOR, REVIEWS } from "./queries.ts";
import { ask, type Refused } from "./refusal.ts";

/** A comment or a review of a pull request that we wrote ourselves. */
export interface Own {
  /** for GraphQL */
  readonly id: string;
  readonly body: string;
  readonly url: string;
  /** folded already */
  readonly isMinimized: boolean;
}

export interface OwnComment extends Own {
  /** for the REST API; later ones are larger */
  readonly restId: number;
}

const Remark = z.object({
  id: z.string(),
  body: z.string(),
  url: z.string(),
  viewerDidAuthor: z.boolean(),
  isMinimized: z.boolean(),
});
const Comment = Remark.extend({ fullDatabaseId: z.coerce.number().int().positive() }).transform(
  ({ fullDatabaseId, ...rest }) => ({ ...rest, restId: fullDatabaseId }),
);

function pageOf<T extends z.ZodType>(node: T) {
  return z.object({
    pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
    nodes: z.array(node.nullable()).nullable(),
  });
}

const Answer = z.object({ repository: z.object({ pullRequest: z.unknown() }) });

/** @throws what Octokit throws, and Error when the answer does not look as asked for */
async function read<T extends z.ZodType>(
  github: Github,
  query: string,
  variables: { readonly number: number; readonly before?: string | null },
  shape: T,
): Promise<z.output<T>> {
  const data = await readAgain(github.signal, () => github.graphql(query, variables));
  const answer = shape.safeParse(Answer.safeParse(data).data?.repository.pullRequest);
  if (!answer.success) throw new Error("GitHub's answer is not what it should be");
  return answer.data;
}

/**
 * Whether we opened a pull request ourselves (`pull-requests: read`).
 *
 * @throws what Octokit throws, and Error when the answer does not look as asked for
 */
export async function isOwnPullRequest(github: Github, number: number): Promise<boolean> {
  const shape = z.object({ viewerDidAuthor: z.boolean() });
  return (await read(github, PULL_REQUEST_AUTHOR, { number }, shape)).viewerDidAuthor;
}

/**
 * Our own comments on a pull request, page by page from the end, in no particular order within a page (`pull-requests:
 * read`). Only fetches the pages that are read.
 */
export function ownComments(github: Github, number: number): AsyncGenerator<readonly OwnComment[]> {
  const shape = z.object({ comments: pageOf(Comment) });
  return backwards(async (before) => (await read(github, COMMENTS, { number, before }, shape)).comments);
}

/** The same of our own reviews. */
export function ownReviews(github: Github, number: number): AsyncGenerator<readonly Own[]> {
  const shape = z.object({ reviews: pageOf(Remark) });
  return backwards(async (before) => (await read(github, REVIEWS, { number, before }, shape)).reviews);
}

async function* backwards<T extends { readonly viewerDidAuthor: boolean }>(
  pageBefore: (cursor: string | null) => Promise<z.output<ReturnType<typeof pageOf<z.ZodType<T>>>>>,
): AsyncGenerator<readonly T[]> {
  for (let before: string | null = null; ;) {
    const { nodes, pageInfo } = await pageBefore(before);
    // Anybody can paste what we hide in ours.
    yield (nodes ?? []).filter((node) => node !== null).filter(({ viewerDidAuthor }) => viewerDidAuthor);
    if (!pageInfo.hasPreviousPage || pageInfo.startCursor === null) return;
    before = pageInfo.startCursor;
  }
}

/** Folds our own comments or reviews as outdated (`pull-requests: write`), unless they are. Never throws. */
export async function minimize(github: Github, remarks: readonly Own[]): Promise<Result<unknown, Refused>> {
  return ask("pull-requests: write", async () => {
    for (const { id } of remarks.filter(({ isMinimized }) => !isMinimized)) {
      await github.graphql(MINIMIZE, { subjectId: id });
    }
  });
}
