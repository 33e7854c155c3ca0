import { z } from "zod";
import type { Result } from "../../core/result.ts";
import { AccountAnswer } from "../accounts.ts";
import type { Github } from "../client.ts";
import type { Account } from "../event-payload.ts";
import { pages, read } from "../graphql.ts";
import { REVIEW_EDIT, REVIEW_THREADS } from "../queries.ts";
import { ask, isPassing, type Refused } from "../refusal.ts";

/** A review as somebody has submitted it. */
export interface Review {
  readonly id: number;
  /** null: the account is gone */
  readonly author: Account | null;
  /** as in `changes_requested` */
  readonly state: string;
  readonly body: string;
  /** the commit that they looked at; null: it is gone */
  readonly commit: string | null;
  /** milliseconds since the epoch */
  readonly submittedAt: number;
  /** when its own text was last changed; null: never */
  readonly editedAt: number | null;
}

/** What is said of one place of a pull request. */
export interface Thread {
  /** of what began it, which alone can be answered */
  readonly id: number;
  readonly path: string;
  /** of the file as the pull request has it; null: the file as a whole, or lines that are not there any more */
  readonly lines: { readonly from: number; readonly to: number } | null;
  readonly comments: readonly ThreadComment[];
}

interface ThreadComment {
  readonly body: string;
  /** milliseconds since the epoch; null: never */
  readonly editedAt: number | null;
  readonly own: boolean;
  /** the review that it belongs to */
  readonly review: number | null;
}

const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Id = z.coerce.number().int().positive();
const Edited = z.object({ node: z.object({ lastEditedAt: Moment.nullable() }) });

/** Reads a review of a pull request (`pull-requests: read`). Never throws. */
export async function readReview(github: Github, number: number, id: number): Promise<Result<Review, Refused>> {
  return ask("pull-requests: read", async () => {
    const { data } = await github.rest.pulls.getReview({ pull_number: number, review_id: id });
    const { node } = Edited.parse(await github.graphql(REVIEW_EDIT, { id: data.node_id }));
    return {
      id,
      author: AccountAnswer.parse(data.user),
      state: data.state.toLowerCase(),
      body: data.body,
      commit: data.commit_id,
      submittedAt: Date.parse(data.submitted_at ?? ""),
      editedAt: node.lastEditedAt,
    };
  });
}

const Comment = z
  .object({
    ...{ fullDatabaseId: Id, body: z.string(), lastEditedAt: Moment.nullable() },
    ...{ viewerDidAuthor: z.boolean(), pullRequestReview: z.object({ fullDatabaseId: Id }).nullable() },
  })
  .transform(({ fullDatabaseId: id, body, lastEditedAt, viewerDidAuthor: own, pullRequestReview }) => {
    const review = pullRequestReview?.fullDatabaseId ?? null;
    return { id, body, editedAt: lastEditedAt, own, review };
  });

const ThreadAnswer = z
  .object({
    ...{ path: z.string(), line: z.int().nullable(), startLine: z.int().nullable(), diffSide: z.string() },
    top: z.object({ nodes: z.tuple([Comment]) }),
    comments: z.object({ nodes: z.array(Comment) }),
  })
  .transform(({ path, line, startLine, diffSide, top, comments }): Thread => {
    // Lines that the pull request takes out are those of another file.
    const isThere = line !== null && diffSide !== "LEFT";
    // A place may begin among the lines that are taken out, and those have other numbers.
    const lines = isThere ? { from: Math.min(startLine ?? line, line), to: line } : null;
    // However many answer, what began the thread is what its author said.
    const [first] = top.nodes;
    return { id: first.id, path, lines, comments: [first, ...comments.nodes.filter(({ id }) => id !== first.id)] };
  });

/** What is said of single places of a pull request (`pull-requests: read`), the newest first. Never throws. */
export async function readThreads(github: Github, number: number): Promise<Result<readonly Thread[], Refused>> {
  return ask("pull-requests: read", async () => {
    const found: Thread[] = [];
    const shape = z.object({ reviewThreads: pageShape });
    const pageBefore = async (before: string | null) =>
      (await read(github, REVIEW_THREADS, { number, before }, shape)).reviewThreads;
    for await (const page of pages(pageBefore)) found.push(...page.toReversed());
    return found;
  });
}

const pageShape = z.object({
  pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
  nodes: z.array(ThreadAnswer.nullable()).nullable(),
});

/**
 * Answers in a thread (`pull-requests: write`). Not repeated by itself: where GitHub's answer is lost, it may be there.
 * Never throws.
 *
 * @param id of what began the thread
 */
export async function answerThread(
  github: Github,
  { number, id }: { readonly number: number; readonly id: number },
  body: string,
): Promise<Result<"answered" | "untold", Refused>> {
  return ask("pull-requests: write", async () => {
    try {
      const params = { pull_number: number, comment_id: id, body };
      await github.rest.pulls.createReplyForReviewComment({ ...params, request: { retries: 0 } });
      return "answered" as const;
    } catch (error) {
      if (isPassing(error)) return "untold" as const;
      throw error;
    }
  });
}
