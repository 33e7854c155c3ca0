import { z } from "zod";
import type { Access } from "../access.ts";
import { readAgain } from "../ask-again.ts";
import { COMMENTS, PULL_REQUEST_AUTHOR, REVIEWS } from "./queries.ts";

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

/** @throws Error when an answer does not look as asked for */
function read<T extends z.ZodType>(shape: T, data: unknown): z.output<T> {
  const answer = shape.safeParse(data);
  if (!answer.success) throw new Error("GitHub's answer is not what it should be");
  return answer.data;
}

const CommentsAnswer = z.object({
  repository: z.object({ pullRequest: z.object({ comments: pageOf(Comment) }) }),
});
const ReviewsAnswer = z.object({
  repository: z.object({ pullRequest: z.object({ reviews: pageOf(Remark) }) }),
});

const AuthorAnswer = z.object({ repository: z.object({ pullRequest: z.object({ viewerDidAuthor: z.boolean() }) }) });

/**
 * Whether we opened a pull request ourselves (`pull-requests: read`).
 *
 * @throws what Octokit throws, and Error when the answer does not look as asked for
 */
export async function isOwnPullRequest(access: Access, number: number): Promise<boolean> {
  const { octokit, repository, signal } = access;
  const { owner, name } = repository;
  const variables = { owner, name, number, request: { signal } };
  const data: unknown = await readAgain(signal, () => octokit.graphql(PULL_REQUEST_AUTHOR, variables));
  return read(AuthorAnswer, data).repository.pullRequest.viewerDidAuthor;
}

interface Page<T> {
  readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
  readonly nodes: readonly (T | null)[] | null;
}

/**
 * Our own comments on a pull request, page by page from the end, in no particular order within a page
 * (`pull-requests: read`). Whoever has found what they looked for stops asking.
 */
export function ownComments(access: Access, number: number): AsyncGenerator<readonly OwnComment[]> {
  return backwards(access, number, COMMENTS, (data) => read(CommentsAnswer, data).repository.pullRequest.comments);
}

/** The same of our own reviews. */
export function ownReviews(access: Access, number: number): AsyncGenerator<readonly Own[]> {
  return backwards(access, number, REVIEWS, (data) => read(ReviewsAnswer, data).repository.pullRequest.reviews);
}

async function* backwards<T extends { readonly viewerDidAuthor: boolean }>(
  { octokit, repository, signal }: Access,
  number: number,
  query: string,
  pageIn: (data: unknown) => Page<T>,
): AsyncGenerator<readonly T[]> {
  for (let before: string | null = null; ;) {
    const { owner, name } = repository;
    const variables = { owner, name, number, before, request: { signal } };
    const data: unknown = await readAgain(signal, () => octokit.graphql(query, variables));
    const { nodes, pageInfo } = pageIn(data);
    // Anybody can paste what we hide in ours.
    yield (nodes ?? []).filter((node) => node !== null).filter(({ viewerDidAuthor }) => viewerDidAuthor);
    if (!pageInfo.hasPreviousPage || pageInfo.startCursor === null) return;
    before = pageInfo.startCursor;
  }
}
