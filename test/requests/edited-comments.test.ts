import { describe, expect, test } from "vitest";
import { type Asking, commented, type Event, OURS } from "../support/asking.ts";
import { answers, inputs, looped, relayed, writes } from "./relay-stage.ts";

/** A comment that said something else before somebody has edited it. */
function edited(at: Asking, from: string, to: string, more: Partial<Parameters<Asking["comment"]>[1]> = {}) {
  const comment = at.comment(to, { author: "wendy", ...more });
  comment.updatedAt = new Date(comment.updatedAt.getTime() + 60_000);
  return { comment, event: eventOf(comment, from) };
}

function eventOf(comment: Parameters<typeof commented>[0], from: string, more: Readonly<Record<string, unknown>> = {}) {
  return commented(comment, { action: "edited", changes: { body: { from } }, ...more });
}

describe("an edit orders nothing, and who has made it is told so once [C115]", () => {
  test.for([
    { what: "words into an order", from: "hello", to: "/smithers continue", said: "edited into an order" },
    { what: "an order into another", from: "/smithers continue", to: "/smithers cancel", said: "An order was edited" },
    { what: "an order's words", from: "/smithers start a", to: "/smithers start b", said: "else it is void" },
    { what: "an order into words", from: "/smithers continue", to: "never mind", said: "An order was edited" },
    { what: "what is no order into one", from: "/smithers contniue", to: "/smithers continue", said: "was edited" },
    { what: "words for a PRD", from: "hello", to: "/smithers prd run", said: "edited into an order" },
  ])("$what", async ({ from, to, said }) => {
    await using at = await looped();
    const { comment, event } = edited(at, from, to);
    for (const more of [{}, {}, { relayTo: "worker.yml" }]) {
      expect(await relayed(at, event, more)).toMatchObject({ exitCode: 0 });
    }
    expect(await relayed(at, eventOf({ ...comment, body: "/smithers pause" }, to))).toMatchObject({ exitCode: 0 });
    const { reactions, replies } = answers(at, comment.id);
    expect(reactions).toEqual(["confused"]);
    expect(replies).toEqual([expect.stringContaining(said)]);
    expect(replies[0]).toContain("Write what you want as a new comment.");
    expect(inputs(at)).toEqual([]);
    expect(await at.refs("refs/smithers-control/")).toEqual([]);
  });

  test("the order that was handed on before it was edited stays one, and is told of", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers continue", { author: "wendy" });
    await relayed(at, commented(comment));
    const event = eventOf({ ...comment, body: "/smithers continue with v2" }, comment.body);
    await relayed(at, event);
    expect(answers(at, comment.id)).toEqual({
      reactions: ["eyes", "rocket", "confused"],
      replies: [expect.stringContaining("What it said first holds where its run had begun by then; else it is void.")],
    });
    expect(inputs(at)).toHaveLength(1);
  });

  test("one that was refused before has said already that a new comment is needed", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers contniue", { author: "wendy" });
    await relayed(at, commented(comment));
    await relayed(at, eventOf({ ...comment, body: "/smithers continue" }, comment.body));
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining("one that is edited is not read again")]);
  });

  test("who has edited it is asked after, and not who wrote it [T4]", async () => {
    await using at = await looped();
    const { comment } = edited(at, "hello", "/smithers continue");
    const by = (login: string): Event =>
      eventOf(comment, "hello", { sender: { login, type: login === OURS ? "Bot" : "User" } });
    for (const login of ["olga", "tom", OURS]) await relayed(at, by(login));
    expect(writes(at)).toEqual([]);
    await relayed(at, by("alice"));
    expect(answers(at, comment.id).replies).toHaveLength(1);
  });

  test("on a fork's pull request that is what is told [T7]", async () => {
    await using at = await looped();
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    const { comment, event } = edited(at, "hello", "/smithers continue");
    await relayed(at, event);
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining("comes from a fork")]);
  });

  test.for<[what: string, event: (at: Asking) => Event]>([
    ["other words", (at) => edited(at, "hello", "hello all").event],
    ["what stayed as it was", (at) => edited(at, "/smithers stop", "/smithers stop").event],
    ["an edit without a word of before", (at) => commented(at.comment("/smithers stop"), { action: "edited" })],
    ["an edit of nothing", (at) => eventOf(at.comment("/smithers stop"), "hello", { comment: null })],
  ])("nothing is said of $0", async ([, event]) => {
    await using at = await looped();
    expect(await relayed(at, event(at))).toEqual({ exitCode: 0, lines: [expect.stringMatching(/^Nothing to do\. /u)] });
    expect(at.api.requests).toEqual([]);
  });

  test("a run that was started again answers where the first one died before it could", async () => {
    await using at = await looped();
    const { comment, event } = edited(at, "hello", "/smithers continue");
    at.api.fail("issues/create-comment", { status: 422, body: { message: "Oops" } }, 1);
    expect(await relayed(at, event)).toMatchObject({ exitCode: 1 });
    await relayed(at, { ...event, attempt: 2 });
    expect(answers(at, comment.id).replies).toHaveLength(1);
  });

  test("a comment that is gone is not answered, and a workflow that may not answer is red", async () => {
    await using at = await looped();
    const { event } = edited(at, "hello", "/smithers continue");
    at.api.fail("reactions/create-for-issue-comment", { status: 403, body: { message: "No." } }, 1);
    expect(await relayed(at, event)).toMatchObject({ exitCode: 1 });
    at.api.world.comments.pop();
    expect(await relayed(at, event)).toMatchObject({ exitCode: 0 });
  });
});
