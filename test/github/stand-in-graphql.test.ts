import { describe, expect, test } from "vitest";
import { z } from "zod";
import { clientOf, refusalTo } from "../support/github-api/client.ts";
import { queryProblems } from "../support/github-api/graphql/schema.ts";
import { aComment, aPull, aReview, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const BOT = "github-actions[bot]";
const TOKENS = {
  t: { login: BOT, permissions: { "pull-requests": "write", contents: "write" } },
  poor: { login: BOT, permissions: { "pull-requests": "read" } },
} as const;

async function start(): Promise<GithubApi> {
  const api = await startGithubApi({ tokens: TOKENS });
  api.world.issues.push(aPull({ number: 5, author: BOT }));
  return api;
}

const PAGE = `query ($owner: String!, $repo: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $repo) {
    issueOrPullRequest(number: $number) {
      __typename
      ... on PullRequest { id isDraft comments(last: 2, before: $before) { ...part } }
      ... on Issue { id comments(last: 2, before: $before) { ...part } }
    }
  }
}
fragment part on IssueCommentConnection {
  pageInfo { hasPreviousPage startCursor }
  nodes { id databaseId body viewerDidAuthor isMinimized author { login } }
}`;
const DRAFT =
  "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
const READY =
  "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
const ADD =
  "mutation ($id: ID!, $body: String!) { addComment(input: { subjectId: $id, body: $body }) { commentEdge { node { id } } } }";
const UPDATE =
  "mutation ($id: ID!, $body: String!) { updateIssueComment(input: { id: $id, body: $body }) { issueComment { body } } }";
const DELETE = "mutation ($id: ID!) { deleteIssueComment(input: { id: $id }) { clientMutationId } }";
const FOLD = `mutation ($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized minimizedReason } }
}`;

const REACT =
  "mutation ($id: ID!, $content: ReactionContent!) { addReaction(input: { subjectId: $id, content: $content }) { reaction { content } } }";
const REACTIONS = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) { reviews(last: 5) { nodes { id reactionGroups { content viewerHasReacted } } } }
  }
}`;
const Reviewed = z.object({
  pullRequest: z.object({
    reviews: z.object({ nodes: z.array(z.object({ id: z.string(), reactionGroups: z.array(z.unknown()) })) }),
  }),
});

describe("the stand-in for GitHub's GraphQL API", () => {
  test("comments are read from the end, page by page", async () => {
    await using api = await start();
    for (const id of [41, 42, 43])
      api.world.comments.push(aComment({ id, issue: 5, body: `${id}`, author: id === 43 ? BOT : "alice" }));
    const where = { owner: "octo", repo: "demo", number: 5 };
    const last = await clientOf(api).graphql(PAGE, where);
    expect(last).toMatchObject({
      repository: {
        issueOrPullRequest: {
          __typename: "PullRequest",
          comments: {
            pageInfo: { hasPreviousPage: true },
            nodes: [
              { id: "IC_42", databaseId: 42, viewerDidAuthor: false, author: { login: "alice" } },
              { id: "IC_43", databaseId: 43, viewerDidAuthor: true, author: { login: "github-actions" } },
            ],
          },
        },
      },
    });
    const before = Buffer.from("cursor:1").toString("base64");
    expect(await clientOf(api).graphql(PAGE, { ...where, before })).toMatchObject({
      repository: {
        issueOrPullRequest: { comments: { pageInfo: { hasPreviousPage: false }, nodes: [{ id: "IC_41" }] } },
      },
    });
    expect(api.problems).toEqual([]);
  });

  test("comments are added, changed, folded and deleted, in the same world as the REST API's", async () => {
    await using api = await start();
    const { graphql } = clientOf(api);
    await graphql(ADD, { id: "PR_5", body: "hello" });
    const [own] = api.world.comments;
    expect(own).toMatchObject({ issue: 5, author: BOT, body: "hello" });
    const id = `IC_${own?.id}`;
    await graphql(UPDATE, { id, body: "new" });
    expect(await graphql(FOLD, { id })).toMatchObject({
      minimizeComment: { minimizedComment: { isMinimized: true, minimizedReason: "outdated" } },
    });
    expect(own).toMatchObject({ body: "new", minimized: "OUTDATED" });
    await graphql(DELETE, { id });
    expect(api.world.comments).toEqual([]);
    api.world.reviews.push(aReview({ id: 7, pull: 5 }));
    await graphql(FOLD, { id: "PRR_7" });
    expect(api.world.reviews).toMatchObject([{ minimized: "OUTDATED" }]);
    expect(await refusalTo(graphql(DELETE, { id }))).toMatch(/Could not resolve to a node with the global id of/u);
    expect(api.requests.map(({ operation }) => operation)).toContain("graphql/minimizeComment");
    expect(api.problems).toEqual([]);
  });

  test("a pull request becomes a draft and ready again, if the token may", async () => {
    await using api = await start();
    const { graphql } = clientOf(api);
    const draft = () => api.world.issues[0]?.pull?.draft;
    await graphql(DRAFT, { id: "PR_5" });
    expect(draft()).toBe(true);
    await graphql(READY, { id: "PR_5" });
    expect(draft()).toBe(false);
    expect(await refusalTo(clientOf(api, "poor").graphql(DRAFT, { id: "PR_5" }))).toMatch(
      /not accessible by integration/u,
    );
    api.world.settings.draftsMayChange = false;
    expect(await refusalTo(graphql(DRAFT, { id: "PR_5" }))).toMatch(/not accessible by integration/u);
    expect(draft()).toBe(false);
    expect(api.problems).toEqual([]);
  });

  test("a review is reacted to once by each account, if the token may, and says who looks [C161]", async () => {
    await using api = await start();
    api.world.reviews.push(aReview({ id: 70, pull: 5, author: "alice" }));
    const { graphql } = clientOf(api);
    const asked = { owner: "octo", repo: "demo", number: 5 };
    const { repository } = z.object({ repository: Reviewed }).parse(await graphql(REACTIONS, asked));
    const [review] = repository.pullRequest.reviews.nodes;
    expect(review?.reactionGroups).toHaveLength(8);
    const order = { id: review?.id, content: "ROCKET" };
    expect(await refusalTo(clientOf(api, "poor").graphql(REACT, order))).toMatch(/not accessible by integration/u);
    for (const _ of [1, 2]) await graphql(REACT, order);
    expect(api.world.reviews[0]?.reactions).toMatchObject([{ author: BOT, content: "ROCKET" }]);
    const after = JSON.stringify(await graphql(REACTIONS, asked));
    expect(after.match(/"viewerHasReacted":true/gu)).toHaveLength(1);
    expect(api.problems).toEqual([]);
  });

  test("what the schema does not know is a problem, and so is what we do not do", async () => {
    await using api = await start();
    await refusalTo(clientOf(api).graphql('{ repository(owner: "octo", name: "demo") { unheardOf } }'));
    await refusalTo(clientOf(api).graphql('{ repository(owner: "octo", name: "demo") { stargazerCount } }'));
    expect(api.problems).toEqual([
      expect.stringContaining('Cannot query field "unheardOf"'),
      expect.stringContaining(
        "graphql/repository: Cannot return null for non-nullable field Repository.stargazerCount",
      ),
    ]);
    api.fail("graphql/viewer", { status: 502 });
    expect(await refusalTo(clientOf(api).graphql("{ viewer { login } }"))).toMatch(/^502 /u);
    expect(await clientOf(api).graphql("{ viewer { login } }")).toEqual({ viewer: { login: BOT } });
    expect(await refusalTo(clientOf(api, "nobody").graphql("{ viewer { login } }"))).toMatch(/^401 /u);
  });
});

test("queries are held to GitHub's schema without a server, too", () => {
  expect([PAGE, DRAFT, READY, ADD, UPDATE, DELETE, FOLD, REACT, REACTIONS].flatMap(queryProblems)).toEqual([]);
  expect(queryProblems("query { nothing }")).toHaveLength(1);
  expect(queryProblems("query {")).toEqual([expect.stringContaining("Syntax Error")]);
});
