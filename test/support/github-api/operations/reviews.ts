import { z } from "zod";
import { repositoryPath } from "../documents.ts";
import { headOf, reviewDocument, simplePull } from "../issue-documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, listed, NOT_FOUND, refused } from "../operation.ts";
import type { World } from "../world.ts";
import { pullIn } from "./pulls.ts";

const NewReview = z.object({
  commit_id: z.string().optional(),
  body: z.string().default(""),
  event: z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]).optional(),
  comments: z.array(z.object({ path: z.string(), body: z.string(), line: z.number().optional() })).default([]),
});

const STATES = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;

/** Reviews of pull requests. */
export const REVIEWS: Handlers = {
  "pulls/list-reviews": {
    needs: { "pull-requests": "read" },
    handle: (exchange) => {
      const { world } = exchange;
      const pull = pullIn(exchange);
      if (pull === undefined) return NOT_FOUND;
      const rows = world.reviews.filter((row) => row.pull === pull.number).toSorted((a, b) => a.id - b.id);
      const path = `${repositoryPath(world)}/pulls/${pull.number}/reviews`;
      return listed(exchange, path, rows, (row) => reviewDocument(world, row));
    },
  },
  "pulls/request-reviewers": { needs: { "pull-requests": "write" }, handle: requestReviewers },
  "pulls/get-review": {
    needs: { "pull-requests": "read" },
    handle: (exchange) => {
      const { world, params } = exchange;
      const review = world.reviews.find(({ id }) => String(id) === params["review_id"]);
      if (review === undefined || review.pull !== pullIn(exchange)?.number) return NOT_FOUND;
      return { status: 200, body: reviewDocument(world, review) };
    },
  },
  "pulls/create-review": { needs: { "pull-requests": "write" }, handle: createReview },
  "pulls/update-review": {
    needs: { "pull-requests": "write" },
    handle: (exchange) => {
      const { world, params, login } = exchange;
      const pull = pullIn(exchange);
      const review = world.reviews.find(({ id }) => String(id) === params["review_id"]);
      if (pull === undefined || review?.pull !== pull.number) return NOT_FOUND;
      if (review.author !== login) return refused(403, "Resource not accessible by integration");
      review.body = bodyOf(exchange, z.object({ body: z.string() })).body;
      return { status: 200, body: reviewDocument(world, review) };
    },
  },
};

/** All of them or none: GitHub asks nobody where one cannot be asked. */
async function requestReviewers(exchange: Exchange): Promise<Answer> {
  const { world } = exchange;
  const pull = pullIn(exchange);
  if (pull === undefined) return NOT_FOUND;
  const { reviewers } = bodyOf(exchange, z.object({ reviewers: z.array(z.string()).default([]) }));
  const isAuthor = (login: string): boolean => login.toLowerCase() === pull.author.toLowerCase();
  if (reviewers.some(isAuthor)) return refused(422, "Review cannot be requested from pull request author.");
  const { owner, name } = world.repository;
  if (reviewers.some((login) => !isCollaborator(world, login)))
    return refused(
      422,
      `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${owner}/${name} repository.`,
    );
  for (const login of reviewers) if (!pull.pull.requested.includes(login)) pull.pull.requested.push(login);
  return { status: 201, body: await simplePull(world, pull) };
}

/** An App that is installed is none, whatever its token may do. */
function isCollaborator({ users }: World, login: string): boolean {
  const user = [...users.values()].find((row) => row.login.toLowerCase() === login.toLowerCase());
  return user !== undefined && user.type === "User" && user.role !== "none";
}

async function createReview(exchange: Exchange): Promise<Answer> {
  const { world, login } = exchange;
  const pull = pullIn(exchange);
  if (pull === undefined) return NOT_FOUND;
  const { event, body, comments, commit_id: commit } = bodyOf(exchange, NewReview);
  const wrong = (problem: string): Answer => refused(422, "Unprocessable Entity", [problem]);
  if (login === pull.author && event === "REQUEST_CHANGES")
    return wrong("Can not request changes on your own pull request");
  if (login === pull.author && event === "APPROVE") return wrong("Can not approve your own pull request");
  if (login === "github-actions[bot]" && event === "APPROVE" && !world.settings.actionsMayCreatePulls)
    return refused(403, "GitHub Actions is not permitted to create or approve pull requests.");
  if (event !== undefined && event !== "APPROVE" && body === "") return wrong("Body cannot be blank");
  if (body.length > 65_536) return wrong("Body is too long (maximum is 65536 characters)");
  if (commit !== undefined && !(await world.refs.has(commit)))
    return wrong("The pull request review commit is not part of the pull request");
  for (const { path, line } of comments) {
    if (line === undefined || !world.settings.lineIsInDiff(path, line)) return wrong("Line could not be resolved");
  }
  const row = {
    ...{ id: world.nextId(), pull: pull.number, author: login, body, minimized: null, reactions: [] },
    ...{ state: event === undefined ? "PENDING" : STATES[event], commit: commit ?? (await headOf(world, pull)) },
    ...{ submittedAt: world.now(), comments: comments.map(({ line = null, ...comment }) => ({ ...comment, line })) },
  };
  world.reviews.push(row);
  pull.pull.requested = pull.pull.requested.filter((asked) => asked !== login);
  return { status: 200, body: reviewDocument(world, row) };
}
