import { describe, expect, test } from "vitest";
import { type Intent, readIntent, type ReadIntent } from "../../src/requests/intent.ts";
import {
  anAccount,
  anEvent,
  checkFailed,
  commented,
  dispatched,
  type Event,
  HEAD,
  labeled,
  OURS,
} from "../support/asking.ts";
import { aComment, moment } from "../support/github-api/server.ts";

const comment = (body: string, author = "wendy") => aComment({ id: 30, issue: 7, body, author });
const read = (event: Event): ReadIntent => readIntent(event, ["smithers.yml", "worker.yml"]);

function intentOf(event: Event): Intent {
  const found = read(event);
  if (found.kind !== "asked") throw new Error(`not asked: ${JSON.stringify(found)}`);
  return found.intent;
}

describe("what an event asks for", () => {
  test("a comment asks for its command, with its text, in the name of its author", () => {
    expect(intentOf(commented(comment("/smithers continue use v2\r\nand test it")))).toEqual({
      ...{
        way: "comment",
        actor: anAccount("wendy"),
        behind: [],
        pullRequest: 7,
        place: 7,
        issue: null,
        request: { kind: "comment", id: 30 },
      },
      ...{ label: null, headSha: null, headBranch: null, fork: false, at: moment(30).getTime() },
      ...{ command: "continue", text: "use v2\nand test it" },
    });
  });

  test("a label asks for what it says, for the commit that was there; its event has to be looked up", () => {
    expect(intentOf(labeled("Smithers:Cancel", "tom"))).toMatchObject({
      ...{
        way: "label",
        command: "cancel",
        text: "",
        actor: anAccount("tom"),
        pullRequest: 7,
        request: null,
        at: null,
      },
      ...{ label: "Smithers:Cancel", headSha: HEAD, headBranch: "feature", fork: false },
    });
    expect(intentOf(labeled("smithers:continue", "tom", { repo: null }))).toMatchObject({
      command: "continue",
      fork: true,
    });
    expect(intentOf(labeled("smithers:continue", "tom", { repo: { id: 9, full_name: "f/demo" } })).fork).toBe(true);
  });

  test("a check that failed asks in the name of all who stand behind it [T5]", () => {
    const event = checkFailed("wendy", { triggering_actor: anAccount("olga") });
    expect(intentOf(event)).toMatchObject({
      ...{ way: "workflow_run", command: "continue", pullRequest: 7, request: { kind: "run", id: 88 }, headSha: HEAD },
      ...{
        actor: anAccount("wendy"),
        behind: [anAccount("wendy"), anAccount("olga")],
        fork: false,
        headBranch: "feature",
      },
    });
    expect(intentOf(checkFailed("wendy", { head_repository: { id: 9 }, pull_requests: [] }))).toMatchObject({
      ...{ fork: true, pullRequest: null },
    });
    // A pull request of the default branch is not worked on: nobody could review what is pushed there.
    expect(intentOf(checkFailed("wendy", { head_branch: "main" }))).toMatchObject({
      ...{ pullRequest: null, headBranch: "main" },
    });
  });

  test("what is meant for us and not understood keeps its author", () => {
    const found = read(commented(comment("/smithers merge")));
    expect(found).toMatchObject({ kind: "malformed", origin: { actor: anAccount("wendy"), pullRequest: 7 } });
  });

  const stop = comment("/smithers stop");
  test.for([
    { name: "an edit that changed nothing", event: commented(stop, { action: "edited" }), why: "says what it said" },
    { name: "a deleted comment", event: commented(stop, { action: "deleted" }), why: "Only new comments" },
    { name: "a comment on nothing", event: commented(stop, { issue: null }), why: "is not known" },
    {
      name: "somebody else's doing",
      event: commented(stop, { sender: anAccount("olga") }),
      why: "author is not known",
    },
    { name: "no comment", event: commented(stop, { comment: null }), why: "author is not known" },
    { name: "other words", event: commented(comment("well done")), why: "not for the loop" },
    { name: "nobody", event: commented(stop, { sender: null }), why: "Nobody stands behind" },
    { name: "another label", event: labeled("bug", "wendy"), why: "No label of ours" },
    { name: "our own label", event: labeled("smithers:paused", OURS), why: "No label of ours" },
    {
      name: "a label's end",
      event: anEvent("pull_request", {
        action: "unlabeled",
        label: { name: "smithers:continue" },
        sender: anAccount("a"),
      }),
      why: "No label of ours",
    },
    { name: "a label without a head", event: labeled("smithers:continue", "wendy", { sha: 1 }), why: "is not known" },
    { name: "a check that passed", event: checkFailed("wendy", { conclusion: "success" }), why: "No run has failed" },
    { name: "no run", event: checkFailed("wendy", { id: "x" }), why: "No run has failed" },
    {
      name: "our own failure",
      event: checkFailed("wendy", { path: ".github/workflows/worker.yml" }),
      why: "the loop's own",
    },
    { name: "a plain dispatch", event: dispatched(undefined, "wendy"), why: "is empty" },
    { name: "a dispatch", event: dispatched(" continue ", "wendy"), why: "A relay is for comments" },
    { name: "a dispatch of no command", event: dispatched("merge", "wendy"), why: "A relay is for comments" },
    {
      name: "a review",
      event: anEvent("pull_request_review", { sender: anAccount("wendy") }),
      why: "Only a review that was just submitted",
    },
  ])("$name asks for nothing", ({ event, why }) => {
    expect(read(event)).toEqual({ kind: "ignored", why: expect.stringContaining(why) });
  });
});
