import { expect, test } from "vitest";
import { readEventPayload } from "../../src/github/event-payload.ts";
import { ApiDescription } from "../support/github-api/description.ts";
import {
  aComment,
  anIssue,
  anIssueEvent,
  aPull,
  aReview,
  aRun,
  emptyWorld,
  type World,
} from "../support/github-api/server.ts";
import {
  closedEvent,
  commentEvent,
  dispatchEvent,
  type Event,
  labelEvent,
  reviewEvent,
  workflowRunEvent,
} from "../support/github-api/webhooks.ts";

const DESCRIPTION = new ApiDescription();
const BOT = "github-actions[bot]";
const COMMENT = aComment({ id: 40, issue: 5, body: "/smithers continue" });

function world(): World {
  const empty = Object.assign(emptyWorld(), { url: "http://127.0.0.1:1" });
  empty.issues.push(aPull({ number: 5, labels: ["bug"] }), anIssue({ number: 6 }));
  return empty;
}

const CASES: readonly { name: string; schema: string; event: (on: World) => Event | Promise<Event> }[] = [
  { name: "a comment on a pull request", schema: "issue-comment-created", event: (on) => commentEvent(on, COMMENT) },
  {
    name: "a comment on an issue",
    schema: "issue-comment-created",
    event: (on) => commentEvent(on, { ...COMMENT, issue: 6 }),
  },
  { name: "an edited comment", schema: "issue-comment-edited", event: (on) => commentEvent(on, COMMENT, "edited") },
  {
    name: "a label on a pull request",
    schema: "pull-request-labeled",
    event: (on) => labelEvent(on, anIssueEvent({ id: 1, issue: 5 })),
  },
  {
    name: "a label on an issue",
    schema: "issues-labeled",
    event: (on) => labelEvent(on, anIssueEvent({ id: 1, issue: 6 })),
  },
  {
    name: "a merged pull request",
    schema: "pull-request-closed",
    event: (on) => {
      on.issues.push(aPull({ number: 8, state: "closed", merged: true }));
      return closedEvent(on, 8);
    },
  },
  {
    name: "a dispatch",
    schema: "workflow-dispatch",
    event: (on) =>
      dispatchEvent(on, {
        workflow: ".github/workflows/smithers.yml",
        ref: "main",
        inputs: { smithers: "x" },
        login: BOT,
      }),
  },
  {
    name: "the end of a run",
    schema: "workflow-run-completed",
    event: (on) => workflowRunEvent(on, aRun({ id: 9, conclusion: "failure", event: "pull_request" }), [5]),
  },
  {
    name: "a review",
    schema: "pull-request-review-submitted",
    event: (on) => reviewEvent(on, aReview({ id: 7, pull: 5, author: "alice" })),
  },
];

test.for(CASES)("$name is told as GitHub tells it", async ({ schema, event }) => {
  const { payload } = await event(world());
  expect(DESCRIPTION.webhookProblems(schema, payload)).toEqual([]);
});

test("what the Action reads of the events is in them", async () => {
  const read = async (event: Event | Promise<Event>) => readEventPayload(JSON.stringify((await event).payload));
  expect(await read(commentEvent(world(), COMMENT))).toMatchObject({
    ...{ pullRequest: { number: 5, head: null }, visibility: "private", sender: { login: "alice", type: "User" } },
  });
  expect(await read(labelEvent(world(), anIssueEvent({ id: 1, issue: 5 })))).toMatchObject({
    pullRequest: { number: 5, head: { sha: "b".repeat(40), ref: "feature", repository: { id: 1001 } } },
  });
});
