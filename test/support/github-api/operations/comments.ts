import { z } from "zod";
import { repositoryPath } from "../documents.ts";
import { commentDocument, reactionDocument } from "../issue-documents.ts";
import {
  type Answer,
  bodyOf,
  type Exchange,
  type Handlers,
  invalid,
  listed,
  type Needs,
  NOT_FOUND,
} from "../operation.ts";
import type { CommentRow } from "../rows.ts";
import type { World } from "../world.ts";

type Asked = Pick<Exchange, "world" | "params">;

const Text = z.object({ body: z.string() });
const MOST = 65_536;

/** Comments of issues and pull requests, and reactions on them. Editing changes `updated_at`. */
export const COMMENTS: Handlers = {
  "issues/get-comment": {
    needs: ofComment("read"),
    handle: ({ world, params }) => {
      const comment = commentIn(world, params);
      return comment === undefined ? NOT_FOUND : { status: 200, body: commentDocument(world, comment) };
    },
  },
  "issues/list-comments": { needs: ofIssue("read"), handle: listComments },
  "issues/create-comment": { needs: ofIssue("write"), handle: createComment },
  "issues/update-comment": {
    needs: ofComment("write"),
    handle: (exchange) => {
      const { world, params } = exchange;
      const comment = commentIn(world, params);
      if (comment === undefined) return NOT_FOUND;
      const { body } = bodyOf(exchange, Text);
      if (wrongBody(body) !== undefined) return wrongBody(body) ?? NOT_FOUND;
      Object.assign(comment, { body, updatedAt: world.now() });
      return { status: 200, body: commentDocument(world, comment) };
    },
  },
  "issues/delete-comment": {
    needs: ofComment("write"),
    handle: ({ world, params }) => {
      const comment = commentIn(world, params);
      if (comment === undefined) return NOT_FOUND;
      world.comments.splice(world.comments.indexOf(comment), 1);
      return { status: 204 };
    },
  },
  "reactions/create-for-issue-comment": { needs: ofComment("write"), handle: react },
  "reactions/list-for-issue-comment": {
    needs: ofComment("read"),
    handle: (exchange) => {
      const { world, params } = exchange;
      const comment = commentIn(world, params);
      if (comment === undefined) return NOT_FOUND;
      const path = `${repositoryPath(world)}/issues/comments/${comment.id}/reactions`;
      return listed(exchange, path, comment.reactions, (row) => reactionDocument(world, comment, row));
    },
  },
};

/** Comments of a pull request belong to pull requests as far as permissions go. */
export function ofIssue(level: "read" | "write"): (asked: Asked) => Needs {
  return ({ world, params }) => scopeOf(world, Number(params["issue_number"]), level);
}

function ofComment(level: "read" | "write"): (asked: Asked) => Needs {
  return ({ world, params }) => scopeOf(world, commentIn(world, params)?.issue ?? 0, level);
}

/** What a token needs for what belongs to an issue; for one that there is not, nothing: the answer is 404. */
export function scopeOf({ issues }: World, number: number, level: "read" | "write"): Needs {
  const issue = issues.find((row) => row.number === number);
  if (issue === undefined) return {};
  return issue.pull === null ? { issues: level } : { "pull-requests": level };
}

function commentIn({ comments }: World, params: Readonly<Record<string, string>>): CommentRow | undefined {
  return comments.find(({ id }) => String(id) === params["comment_id"]);
}

function listComments(exchange: Exchange): Answer {
  const { world, params, query } = exchange;
  const number = params["issue_number"];
  if (!world.issues.some((row) => String(row.number) === number)) return NOT_FOUND;
  const since = Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z");
  const rows = world.comments
    .filter((row) => String(row.issue) === number && row.updatedAt.getTime() >= since)
    .toSorted((a, b) => a.id - b.id);
  const path = `${repositoryPath(world)}/issues/${number}/comments`;
  return listed(exchange, path, rows, (row) => commentDocument(world, row));
}

/** Why a text cannot be a comment. */
function wrongBody(body: string): Answer | undefined {
  if (body.trim() === "") return invalid("IssueComment", "data", "unprocessable", "Body cannot be blank");
  if (body.length <= MOST) return undefined;
  return invalid("IssueComment", "data", "unprocessable", `Body is too long (maximum is ${MOST} characters)`);
}

function createComment(exchange: Exchange): Answer {
  const { world, params, login } = exchange;
  const issue = world.issues.find(({ number }) => String(number) === params["issue_number"]);
  if (issue === undefined) return NOT_FOUND;
  const { body } = bodyOf(exchange, Text);
  const wrong = wrongBody(body);
  if (wrong !== undefined) return wrong;
  const comment = addComment(world, issue.number, login, body);
  return { status: 201, body: commentDocument(world, comment) };
}

/** Somebody comments, now. */
export function addComment(world: World, issue: number, author: string, body: string): CommentRow {
  const at = world.now();
  const row = { id: world.nextId(), issue, author, body, createdAt: at, updatedAt: at, minimized: null, reactions: [] };
  world.comments.push(row);
  return row;
}

const Reaction = z.object({ content: z.string() });

function react(exchange: Exchange): Answer {
  const { world, params, login } = exchange;
  const comment = commentIn(world, params);
  if (comment === undefined) return NOT_FOUND;
  const { content } = bodyOf(exchange, Reaction);
  const known = comment.reactions.find((row) => row.author === login && row.content === content);
  if (known !== undefined) return { status: 200, body: reactionDocument(world, comment, known) };
  const reaction = { id: world.nextId(), author: login, content, at: world.now() };
  comment.reactions.push(reaction);
  return { status: 201, body: reactionDocument(world, comment, reaction) };
}
