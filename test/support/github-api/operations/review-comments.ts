import { z } from "zod";
import { type Document, instant, repositoryPath, userDocument } from "../documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, NOT_FOUND, refused } from "../operation.ts";
import type { ThreadCommentRow, ThreadRow } from "../rows.ts";
import type { World } from "../world.ts";
import { pullIn } from "./pulls.ts";

const MOST = 65_536;

/** What is said of single places of a pull request. */
export const REVIEW_COMMENTS: Handlers = {
  "pulls/create-reply-for-review-comment": { needs: { "pull-requests": "write" }, handle: reply },
};

/** Only what began a thread can be answered: GitHub knows no answers to answers. */
function reply(exchange: Exchange): Answer {
  const { world, params, login } = exchange;
  const pull = pullIn(exchange);
  const thread = world.threads.find(
    ({ id, pull: number }) => String(id) === params["comment_id"] && number === pull?.number,
  );
  if (pull === undefined || thread === undefined) return NOT_FOUND;
  const { body } = bodyOf(exchange, z.object({ body: z.string() }));
  if (body.trim() === "") return refused(422, "Validation Failed", ["Body cannot be blank"]);
  if (body.length > MOST)
    return refused(422, "Validation Failed", [`Body is too long (maximum is ${MOST} characters)`]);
  return { status: 201, body: commentDocument(world, thread, answer(world, thread, login, body)) };
}

/** Somebody answers in a thread, now. */
export function answer(world: World, thread: ThreadRow, author: string, body: string): ThreadCommentRow {
  const row = { id: world.nextId(), review: world.nextId(), author, body, createdAt: world.now() };
  thread.comments.push(row);
  return row;
}

function commentDocument(world: World, thread: ThreadRow, row: ThreadCommentRow): Document {
  const { id, review, author, body, createdAt, editedAt = createdAt } = row;
  const pull = `${world.url}${repositoryPath(world)}/pulls/${thread.pull}`;
  const url = `${world.url}${repositoryPath(world)}/pulls/comments/${id}`;
  const html = `https://github.com${repositoryPath(world).slice("/repos".length)}/pull/${thread.pull}#discussion_r${id}`;
  const commit = "b".repeat(40);
  return {
    ...{ id, node_id: `PRRC_${id}`, url, html_url: html, pull_request_url: pull, pull_request_review_id: review },
    ...{ path: thread.path, side: thread.side ?? "RIGHT", diff_hunk: "@@ -1 +1 @@", body },
    ...(thread.line === null ? {} : { line: thread.line }),
    ...{ commit_id: commit, original_commit_id: commit, in_reply_to_id: thread.id, author_association: "NONE" },
    ...{ user: userDocument(world, author), created_at: instant(createdAt), updated_at: instant(editedAt) },
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
  };
}
