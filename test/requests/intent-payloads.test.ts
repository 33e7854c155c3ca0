import { describe, expect, test } from "vitest";
import { readEventPayload } from "../../src/github/event-payload.ts";
import { dispatchedWith } from "../../src/github/intent-input.ts";
import { readIntent, type ReadIntent } from "../../src/requests/intent.ts";
import { anAccount, type Asking, asking, HEAD, OURS } from "../support/asking.ts";
import { ApiDescription } from "../support/github-api/description.ts";
import { aPull, aRun } from "../support/github-api/server.ts";
import {
  commentEvent,
  dispatchEvent,
  type Event,
  labelEvent,
  workflowRunEvent,
} from "../support/github-api/webhooks.ts";

const REPOSITORY = { id: 1001, owner: "octo", name: "demo" };
const description = new ApiDescription();

/** What is read from a payload that GitHub's own description finds nothing wrong with. */
function read({ name, payload }: Event, kind: string): ReadIntent {
  expect(description.webhookProblems(kind, payload)).toEqual([]);
  const event = readEventPayload(JSON.stringify(payload));
  expect(event).toMatchObject({ defaultBranch: "main", visibility: "private" });
  return readIntent({ eventName: name, event, repository: REPOSITORY }, ["smithers.yml"]);
}

async function lastLabel(at: Asking, login: string): Promise<Event> {
  await at.label("smithers:continue", login);
  const row = at.api.world.issueEvents.at(-1);
  if (row === undefined) throw new Error("there is no label");
  return labelEvent(at.api.world, row);
}

describe("payloads as GitHub sends them", () => {
  test("a comment, and one that was edited", async () => {
    await using at = await asking();
    const comment = at.comment("/smithers continue use v2", { author: "wendy" });
    expect(read(commentEvent(at.api.world, comment), "issue-comment-created")).toMatchObject({
      kind: "asked",
      intent: {
        ...{ command: "continue", text: "use v2", actor: anAccount("wendy"), pullRequest: 7 },
        ...{ request: { kind: "comment", id: comment.id }, at: comment.createdAt.getTime() },
      },
    });
    expect(read(commentEvent(at.api.world, comment, "edited"), "issue-comment-edited")).toMatchObject({
      ...{ kind: "edited", reason: expect.stringContaining("edited into an order") },
      origin: { actor: anAccount("wendy"), pullRequest: 7, place: 7, request: { kind: "comment", id: comment.id } },
    });
  });

  test("a label, also on a fork's pull request", async () => {
    await using at = await asking();
    const asked = { command: "continue", actor: anAccount("tom"), headSha: HEAD, headBranch: "feature", fork: false };
    expect(read(await lastLabel(at, "tom"), "pull-request-labeled")).toMatchObject({ intent: asked });
    at.api.world.issues.splice(0, 1, aPull({ number: 7, headRepositoryId: 9 }));
    expect(read(await lastLabel(at, "tom"), "pull-request-labeled")).toMatchObject({ intent: { fork: true } });
  });

  test("a run that failed, with everybody behind it", async () => {
    await using at = await asking();
    const where = { path: ".github/workflows/ci.yml", branch: "feature", sha: HEAD };
    const run = aRun({ id: 88, ...where, conclusion: "failure", actor: "olga", triggeringActor: "wendy" });
    expect(read(workflowRunEvent(at.api.world, run, [7]), "workflow-run-completed")).toMatchObject({
      intent: {
        ...{ way: "workflow_run", pullRequest: 7, headSha: HEAD, headBranch: "feature", fork: false },
        ...{
          actor: anAccount("wendy"),
          behind: [anAccount("olga"), anAccount("wendy")],
          request: { kind: "run", id: 88 },
        },
      },
    });
  });

  test("a dispatch", async () => {
    await using at = await asking();
    const dispatch = {
      workflow: ".github/workflows/smithers.yml",
      ref: "main",
      inputs: { smithers: "continue" },
      login: OURS,
    };
    const sent = dispatchEvent(at.api.world, dispatch);
    expect(read(sent, "workflow-dispatch")).toMatchObject({ kind: "ignored" });
    const event = readEventPayload(JSON.stringify(sent.payload));
    expect(event.sender).toEqual(anAccount(OURS));
    expect(dispatchedWith({ eventName: sent.name, event })).toMatchObject({ command: "continue" });
  });
});
