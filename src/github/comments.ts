import type { Access } from "./access.ts";
import { type Answer, ask } from "./answer.ts";
import { attempt, type Attempt } from "./attempt.ts";
import type { Account } from "./event-payload.ts";

/** A comment as it is now. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** null: the account is gone */
  readonly author: Account | null;
  /** of the issue or pull request that it is on */
  readonly number: number;
  /** milliseconds since the epoch */
  readonly createdAt: number;
  /** whether it is another than it was when it was written */
  readonly edited: boolean;
}

/** Reads a comment of an issue or pull request (`pull-requests: read`). Never throws. */
export async function readComment({ octokit, repository, signal }: Access, id: number): Promise<Answer<Comment>> {
  return ask("pull-requests: read", async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      owner: repository.owner,
      repo: repository.name,
      comment_id: id,
      request: { signal },
    });
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

/** Answers on a pull request (`pull-requests: write`). Never throws. */
export async function reply({ octokit, repository, signal }: Access, number: number, body: string): Promise<Attempt> {
  return attempt("pull-requests: write", () =>
    octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      owner: repository.owner,
      repo: repository.name,
      issue_number: number,
      body,
      request: { signal },
    }),
  );
}
