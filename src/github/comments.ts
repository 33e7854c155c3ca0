import type { Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import type { Account } from "./event-payload.ts";
import { ask, type Refused } from "./refusal.ts";

/** A comment in its current form. */
interface Comment {
  readonly id: number;
  readonly body: string;
  /** null: the account is gone */
  readonly author: Account | null;
  /** of the issue or pull request that it is on */
  readonly number: number;
  /** milliseconds since the epoch */
  readonly createdAt: number;
  /** whether it was changed after it was written */
  readonly edited: boolean;
}

/** What a comment is on, as the permissions of a token know it. */
export type CommentedOn = "issues" | "pull-requests";

/** Reads a comment (`pull-requests: read` or `issues: read`, by what it is on). Never throws. */
export async function readComment(
  github: Github,
  id: number,
  on: CommentedOn = "pull-requests",
): Promise<Result<Comment, Refused>> {
  return ask(`${on}: read`, async () => {
    const { data } = await github.rest.issues.getComment({ comment_id: id });
    const { user, issue_url: issue, created_at: createdAt, updated_at: updatedAt } = data;
    return {
      id,
      body: data.body ?? "",
      author: user === null ? null : { login: user.login, type: user.type },
      number: Number(/\/(\d+)$/u.exec(issue)?.[1] ?? 0),
      createdAt: Date.parse(createdAt),
      edited: createdAt !== updatedAt,
    };
  });
}

/** Answers on a pull request (`pull-requests: write`) or an issue (`issues: write`). Never throws. */
export async function reply(
  github: Github,
  number: number,
  body: string,
  on: CommentedOn = "pull-requests",
): Promise<Result<unknown, Refused>> {
  return ask(`${on}: write`, () => github.rest.issues.createComment({ issue_number: number, body }));
}

/** 👀 seen, 🚀 done, 😕 refused */
export type Reaction = "eyes" | "rocket" | "confused";

/**
 * Reacts to a comment, only once for repeated calls (`pull-requests: write` or `issues: write`). Never throws.
 *
 * @returns whether this was the first such reaction of our account: of several at one moment, GitHub says so to one
 */
export async function react(
  github: Github,
  commentId: number,
  reaction: Reaction,
  on: CommentedOn = "pull-requests",
): Promise<Result<{ readonly first: boolean }, Refused>> {
  return ask(`${on}: write`, async () => {
    const { status } = await github.rest.reactions.createForIssueComment({ comment_id: commentId, content: reaction });
    return { first: status === 201 };
  });
}

/** Whether two texts are the same to GitHub, which keeps neither line ends nor what is blank at the end as they are. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replaceAll("\r\n", "\n").trimEnd());
  return a === b;
}
