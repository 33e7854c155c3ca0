import { z } from "zod";
import type { Result } from "../../core/result.ts";
import { AccountAnswer } from "../accounts.ts";
import type { Github } from "../client.ts";
import type { Account } from "../event-payload.ts";
import { pages, read } from "../graphql.ts";
import { ADD_REACTION, REVIEW_EDIT, REVIEW_REACTIONS, REVIEW_THREADS } from "../queries.ts";
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

const MARKS = { rocket: "ROCKET", confused: "CONFUSED" } as const;

/** A review that a relay of ours has marked as handed on. */
export interface MarkedReview {
  /** for GraphQL */
  readonly node: string;
  readonly url: string;
  /** as in `changes_requested` */
  readonly state: string;
  readonly body: string;
  /** milliseconds since the epoch, as the next one */
  readonly submittedAt: number;
  readonly markedAt: number;
}

const Marked = z.object({
  reviews: z.object({
    nodes: z.array(
      z.object({
        ...{ id: z.string(), url: z.string(), state: z.string(), body: z.string(), submittedAt: Moment.nullable() },
        reactionGroups: z.array(
          z.object({ content: z.string(), createdAt: Moment.nullable(), viewerHasReacted: z.boolean() }),
        ),
      }),
    ),
  }),
});

/** Those of the last reviews that have our 🚀 and not our 😕 (`pull-requests: read`), the oldest first. Never throws. */
export async function readMarkedReviews(
  github: Github,
  number: number,
): Promise<Result<readonly MarkedReview[], Refused>> {
  return ask("pull-requests: read", async () => {
    const { reviews } = await read(github, REVIEW_REACTIONS, { number }, Marked);
    return reviews.nodes.flatMap(({ id: node, url, state, body, submittedAt, reactionGroups }): MarkedReview[] => {
      const [handedOn, told] = [MARKS.rocket, MARKS.confused].map((mark) =>
        reactionGroups.find(({ content, viewerHasReacted }) => viewerHasReacted && content === mark),
      );
      if (handedOn === undefined || told !== undefined || submittedAt === null) return [];
      const markedAt = handedOn.createdAt ?? submittedAt;
      return [{ node, url, state: state.toLowerCase(), body, submittedAt, markedAt }];
    });
  });
}

/** Reacts to a review, which the REST API does not (`pull-requests: write`). Never throws. @param node its id for GraphQL */
export async function markReview(
  github: Github,
  node: string,
  mark: keyof typeof MARKS,
): Promise<Result<unknown, Refused>> {
  const reaction = { subjectId: node, content: MARKS[mark] };
  return ask("pull-requests: write", () => github.graphql(ADD_REACTION, reaction));
}

/** The id of a review for GraphQL (`pull-requests: read`). Never throws. */
export async function nodeOfReview(github: Github, number: number, id: number): Promise<Result<string, Refused>> {
  return ask("pull-requests: read", async () => {
    const { data } = await github.rest.pulls.getReview({ pull_number: number, review_id: id });
    return data.node_id;
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
