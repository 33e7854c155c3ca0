import { isPull, type Pull } from "../issue-documents.ts";
import { addComment, scopeOf } from "../operations/comments.ts";
import { type CommitOrder, commitOnBranch } from "./commit-on-branch.ts";
import { type Asked, comment, review, rowOf, subject } from "./objects.ts";
import { demand, refusal, unknownNode } from "./refusals.ts";

interface Order<T> {
  readonly input: T & { readonly clientMutationId?: string | null };
}

const MOST = 65_536;

/** What can be done, by name; the schema has found the arguments right. */
export function mutations(asked: Asked): Readonly<Record<string, unknown>> {
  return {
    addComment: ({ input }: Order<{ subjectId: string; body: string }>) => {
      const row = rowOf(asked, input.subjectId);
      if (!("issue" in row)) throw unknownNode(input.subjectId);
      demand(asked.may, scopeOf(asked.world, row.issue.number, "write"));
      refuseLong(input.body);
      const node = comment(asked, addComment(asked.world, row.issue.number, asked.login, input.body));
      const edge = { node, cursor: "" };
      return { ...echo(input), commentEdge: edge, timelineEdge: edge, subject: subject(asked, row.issue) };
    },
    updateIssueComment: ({ input }: Order<{ id: string; body: string }>) => {
      const row = commentOf(asked, input.id);
      refuseLong(input.body);
      Object.assign(row, { body: input.body, updatedAt: asked.world.now() });
      return { ...echo(input), issueComment: comment(asked, row) };
    },
    deleteIssueComment: ({ input }: Order<{ id: string }>) => {
      const row = commentOf(asked, input.id);
      asked.world.comments.splice(asked.world.comments.indexOf(row), 1);
      return echo(input);
    },
    minimizeComment: ({ input }: Order<{ subjectId: string; classifier: string }>) => {
      const row = rowOf(asked, input.subjectId);
      if ("issue" in row) throw unknownNode(input.subjectId);
      const folded = "comment" in row ? row.comment : row.review;
      const number = "comment" in row ? row.comment.issue : row.review.pull;
      demand(asked.may, scopeOf(asked.world, number, "write"));
      folded.minimized = input.classifier;
      return {
        ...echo(input),
        minimizedComment: "comment" in row ? comment(asked, row.comment) : review(asked, row.review),
      };
    },
    addReaction: ({ input }: Order<{ subjectId: string; content: string }>) => {
      const row = rowOf(asked, input.subjectId);
      if (!("review" in row)) throw new Error("only reviews are reacted to here");
      demand(asked.may, scopeOf(asked.world, row.review.pull, "write"));
      const known = row.review.reactions.find(
        ({ author, content }) => author === asked.login && content === input.content,
      );
      const { login: author, world } = asked;
      if (known === undefined)
        row.review.reactions.push({ id: world.nextId(), author, content: input.content, at: world.now() });
      return {
        ...echo(input),
        reaction: { __typename: "Reaction", id: `RE_${row.review.id}`, content: input.content },
      };
    },
    convertPullRequestToDraft: (order: Order<{ pullRequestId: string }>) => setDraft(asked, order, true),
    markPullRequestReadyForReview: (order: Order<{ pullRequestId: string }>) => setDraft(asked, order, false),
    createCommitOnBranch: async ({ input }: Order<CommitOrder>) => {
      return { ...echo(input), ...(await commitOnBranch(asked, input)) };
    },
  };
}

function echo({ clientMutationId = null }: { readonly clientMutationId?: string | null }) {
  return { clientMutationId };
}

function refuseLong(body: string): void {
  if (body.length > MOST) throw refusal("UNPROCESSABLE", `Body is too long (maximum is ${MOST} characters)`);
}

function commentOf(asked: Asked, id: string) {
  const row = rowOf(asked, id);
  if (!("comment" in row)) throw unknownNode(id);
  demand(asked.may, scopeOf(asked.world, row.comment.issue, "write"));
  return row.comment;
}

/** A job's token needs `contents` too, and in some organisations may not do it at all. */
function setDraft(asked: Asked, { input }: Order<{ pullRequestId: string }>, draft: boolean) {
  const pull = pullOf(asked, input.pullRequestId);
  demand(asked.may, { "pull-requests": "write", contents: "write" });
  if (!asked.world.settings.draftsMayChange) throw refusal("FORBIDDEN", "Resource not accessible by integration");
  if (pull.state === "closed") throw refusal("UNPROCESSABLE", "Pull request is closed");
  pull.pull.draft = draft;
  return { ...echo(input), pullRequest: subject(asked, pull) };
}

function pullOf(asked: Asked, id: string): Pull {
  const row = rowOf(asked, id);
  if ("issue" in row && isPull(row.issue)) return row.issue;
  throw unknownNode(id);
}
