import { z } from "zod";
import type { Result } from "../core/result.ts";
import { readAgain } from "./ask-again.ts";
import type { Github } from "./client.ts";
import type { CommentedOn } from "./comments.ts";
import { COMMENTS, ISSUE_COMMENTS, MINIMIZE, PULL_REQUEST_AUTHOR, REVIEWS } from "./queries.ts";
import { ask, type Refused } from "./refusal.ts";

/** A comment or a review that we wrote ourselves. */
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

const Answer = z.object({ repository: z.object({ subject: z.unknown() }) });

/**
 * What a query says of its `subject`, an issue or a pull request.
 *
 * @throws what Octokit throws, and Error when the answer does not look as asked for
 */
export async function read<T extends z.ZodType>(
  github: Github,
  query: string,
  variables: { readonly number: number; readonly before?: string | null },
  shape: T,
): Promise<z.output<T>> {
  const data = await readAgain(github.signal, () => github.graphql(query, variables));
  const answer = shape.safeParse(Answer.safeParse(data).data?.repository.subject);
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
 * Our own comments on an issue or a pull request, page by page from the end, in no particular order within a page (`pull-requests: read`, `issues: read`). Only fetches the pages that are read.
 */
export function ownComments(
  github: Github,
  number: number,
  on: CommentedOn = "pull-requests",
): AsyncGenerator<readonly OwnComment[]> {
  const shape = z.object({ comments: pageOf(Comment) });
  const query = on === "issues" ? ISSUE_COMMENTS : COMMENTS;
  return backwards(async (before) => (await read(github, query, { number, before }, shape)).comments);
}

/** The same of our own reviews. */
export function ownReviews(github: Github, number: number): AsyncGenerator<readonly Own[]> {
  const shape = z.object({ reviews: pageOf(Remark) });
  return backwards(async (before) => (await read(github, REVIEWS, { number, before }, shape)).reviews);
}

async function* backwards<T extends { readonly viewerDidAuthor: boolean }>(
  pageBefore: (cursor: string | null) => Promise<z.output<ReturnType<typeof pageOf<z.ZodType<T>>>>>,
): AsyncGenerator<readonly T[]> {
  // Anybody can paste what we hide in ours.
  for await (const page of pages(pageBefore)) yield page.filter(({ viewerDidAuthor }) => viewerDidAuthor);
}

interface Page<T> {
  readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
  readonly nodes: readonly (T | null)[] | null;
}

/** The pages of a list from its end, as far as they are read. */
export async function* pages<T>(pageBefore: (cursor: string | null) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  for (let before: string | null = null; ;) {
    const { nodes, pageInfo } = await pageBefore(before);
    yield (nodes ?? []).filter((node) => node !== null);
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
