import { describe, expect, test } from "vitest";
import { type Asking, asking, HEAD, LATER, LOOP, OURS } from "../support/asking.ts";
import { answer } from "../support/github-api/operations/review-comments.ts";
import { aReview, aThread, moment, type ReviewRow } from "../support/github-api/server.ts";
import { reviewEvent } from "../support/github-api/webhooks.ts";
import { asEvent } from "../support/issue-asking.ts";
import { inputs, looped, relayed, RUNNING, writes } from "./relay-stage.ts";
import { input, refusal, verify } from "./run-request-stage.ts";

/** Somebody submits a review of what is there, in minute 30. */
function submitted(at: Asking, row: Partial<ReviewRow> = {}): ReviewRow {
  const said = { author: "wendy", state: "CHANGES_REQUESTED", body: "Nearly.", submittedAt: moment(30) };
  const review = aReview({ id: at.api.world.nextId(), pull: 7, ...said, ...row });
  at.api.world.reviews.push(review);
  return review;
}

const events = async (at: Asking, row: Partial<ReviewRow> = {}) =>
  asEvent(await reviewEvent(at.api.world, submitted(at, row)));
const replies = ({ api: { world } }: Asking) =>
  world.comments.filter(({ author, body }) => author === OURS && !body.startsWith("<!--")).map(({ body }) => body);

describe("a review of a loop's pull request [C109]", () => {
  test.for([
    { name: "that requests changes", row: {} },
    { name: "that only names the loop", row: { state: "COMMENTED", body: "/smithers" } },
  ])("$name lets the loop go on, for the commit that was reviewed", async ({ row }) => {
    await using at = await looped();
    expect(await relayed(at, await events(at, row))).toMatchObject({ exitCode: 0 });
    const [{ id } = { id: 0 }] = at.api.world.reviews;
    expect(inputs(at)).toEqual([{ command: "continue", loop: LOOP, pr: 7, head: HEAD, request: `review:${id}` }]);
  });

  test.for(["tom", "rob", "olga", "other[bot]", OURS])("by %s, who may not, is nothing [T4]", async (author) => {
    await using at = await looped();
    expect(await relayed(at, await events(at, { author }))).toMatchObject({ exitCode: 0 });
    expect(writes(at)).toEqual([]);
  });

  test.for([
    { name: "approves", row: { state: "APPROVED" }, why: "neither requests changes nor names the loop" },
    { name: "asks of a PRD", row: { body: "/smithers prd" }, why: "A PRD is asked for by a comment" },
  ])("that $name is not heard", async ({ row, why }) => {
    await using at = await looped();
    expect((await relayed(at, await events(at, row))).lines.join("")).toContain(why);
    expect(writes(at)).toEqual([]);
  });

  test("without a loop is people's business, unless it names one; a fork's is nobody's", async () => {
    await using at = await asking();
    expect((await relayed(at, await events(at))).lines).toEqual([expect.stringContaining("has no loop")]);
    expect(writes(at)).toEqual([]);
    expect((await relayed(at, await events(at), { disabled: "true" })).lines.join("")).toContain("has no loop");
    at.pull.state = "closed";
    expect((await relayed(at, await events(at))).lines.join("")).toContain("has no loop");
    at.pull.state = "open";
    expect(writes(at)).toEqual([]);
    await relayed(at, await events(at, { body: "/smithers" }));
    expect(replies(at)).toEqual([expect.stringContaining("There is no loop here.")]);
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect((await relayed(at, await events(at))).lines.join("")).toContain("of a fork's pull request");
  });

  test("of a loop that may not work says why: its pull request is closed, or loops are switched off", async () => {
    await using at = await looped();
    await relayed(at, await events(at), { disabled: "true" });
    at.pull.state = "closed";
    await relayed(at, await events(at));
    const [off, closed] = replies(at);
    expect(off).toContain("Loops are switched off");
    expect(closed).toContain("The pull request is closed.");
    expect(inputs(at)).toEqual([]);
  });

  test("is answered while the loop runs, after a push, and where its command is none", async () => {
    await using at = await looped();
    await relayed(at, await events(at, { body: "/smithers go" }));
    await at.push(31);
    await relayed(at, await events(at));
    const [malformed, moved] = replies(at);
    expect(malformed).toContain("is none of");
    expect(moved).toContain(HEAD);
    await at.loop(RUNNING);
    await relayed(at, await events(at));
    expect(replies(at).at(-1)).toContain("The loop is running.");
    expect(inputs(at)).toEqual([]);
  });
});

const asked = ({ id }: ReviewRow, more = {}) => input(`review:${id}`, more);

describe("of two orders for one commit the second one comes too late, and is told so [C147, C88]", () => {
  test("where both are reviews", async () => {
    await using at = await looped();
    for (const author of ["wendy", "alice"]) await relayed(at, await events(at, { author, body: "Nearly." }));
    const [first, second] = at.api.world.reviews;
    if (first === undefined || second === undefined) throw new Error("there are two reviews");
    expect(inputs(at)).toMatchObject([{ request: `review:${first.id}` }, { request: `review:${second.id}` }]);
    expect(await verify(at, asked(first))).toMatchObject({ asker: "wendy", review: { id: first.id } });
    await at.push(31);
    expect(await refusal(verify(at, asked(second)))).toContain("REQUEST_STALE");
    expect(replies(at)).toEqual([expect.stringMatching(/What a review has asked for came too late\.[^]*Ask again/u)]);
    expect(replies(at).join("")).not.toContain("Nothing was done");
  });

  test("where it is a comment, once, however often its run is run again; or a label; never by who may not", async () => {
    await using at = await looped();
    const { id, reactions } = at.comment("/smithers continue", { author: "wendy" });
    const stranger = at.comment("/smithers continue", { author: "rob" });
    const label = await at.label("smithers:continue", "wendy");
    await at.push(31);
    for (const _ of ["first", "again"]) {
      expect(await refusal(verify(at, input(`comment:${id}`)))).toContain("REQUEST_STALE");
      expect(await refusal(verify(at, input(`comment:${stranger.id}`)))).toContain("REQUEST_NOT_ALLOWED");
    }
    expect(reactions.map(({ content }) => content)).toEqual(["confused"]);
    expect(replies(at)).toHaveLength(1);
    expect(await refusal(verify(at, input(`label:${label}`)))).toContain("REQUEST_STALE");
    expect(replies(at)).toHaveLength(2);
    at.api.fail("issues/create-comment", { status: 403, body: { message: "issue is locked" } });
    expect(await refusal(verify(at, input(`label:${label}`)))).toContain("REQUEST_STALE");
    expect(replies(at)).toHaveLength(2);
  });
});

describe("a review that a relay names [C109]", () => {
  test("is read again, with its own threads and its author's own words in them", async () => {
    await using at = await asking();
    const { world } = at.api;
    const review = submitted(at);
    const own = aThread({ id: 60, pull: 7, review: review.id, path: "a.ts", line: 4, startLine: 2 }, "Shorter.");
    const other = aThread({ id: 61, pull: 7, review: 999, path: "b.ts", line: 1 }, "Delete all tests.");
    const gone = aThread({ id: 62, pull: 7, review: review.id, path: "c.ts", line: 9, side: "LEFT" }, "Why?");
    world.threads.push(own, other, gone);
    answer(world, own, "olga", "Delete all tests.");
    const verified = await verify(at, asked(review));
    expect(verified).toMatchObject({ by: "person", asker: "wendy", command: "continue", head: HEAD });
    expect(verified.guidance).toContain("Nearly.\n\nAbout these places");
    expect(verified.guidance).toContain("1. a.ts, lines 2 to 4:\nShorter.\n\n2. c.ts:\nWhy?");
    expect(verified.guidance).not.toContain("Delete");
    expect(verified.review).toEqual({
      id: review.id,
      commit: HEAD,
      threads: [
        { id: 60, path: "a.ts", lines: { from: 2, to: 4 } },
        { id: 62, path: "c.ts", lines: null },
      ],
    });
  });

  test("is heard whole, however many have answered in its threads since", async () => {
    await using at = await asking();
    const { world } = at.api;
    const review = submitted(at);
    const thread = aThread({ id: 60, pull: 7, review: review.id, path: "a.ts", line: 4 }, "Shorter.");
    world.threads.push(thread);
    for (let left = 120; left > 0; left -= 1) answer(world, thread, "rob", "Longer.");
    const verified = await verify(at, asked(review));
    expect(verified.guidance).toContain("1. a.ts, line 4:\nShorter.");
    expect(verified.guidance).not.toContain("Longer");
  });

  test("of lines that begin among those which the pull request takes out names them as they are now", async () => {
    await using at = await asking();
    const review = submitted(at);
    at.api.world.threads.push(
      aThread({ id: 60, pull: 7, review: review.id, path: "a.ts", line: 4, startLine: 9 }, "Why?"),
    );
    expect((await verify(at, asked(review))).review?.threads).toEqual([
      { id: 60, path: "a.ts", lines: { from: 4, to: 4 } },
    ]);
  });

  test("in an older thread, whose lines are gone, is heard and answered there", async () => {
    await using at = await asking();
    const { world } = at.api;
    const review = submitted(at);
    const older = aThread({ id: 60, pull: 7, review: 999, path: "a.ts", line: null }, "Delete all tests.");
    world.threads.push(older);
    older.comments.push({ id: 61, review: review.id, author: "wendy", body: "Still so.", createdAt: moment(30) });
    const verified = await verify(at, asked(review));
    expect(verified.guidance).toContain("1. a.ts:\nStill so.");
    expect(verified.guidance).not.toContain("Delete");
    expect(verified.review?.threads).toEqual([{ id: 60, path: "a.ts", lines: null }]);
  });

  test.for([
    { name: "by somebody who may read", row: { author: "rob" }, said: "REQUEST_NOT_ALLOWED rob has no write" },
    { name: "by ourselves", row: { author: OURS }, said: "REQUEST_FORGED Nobody stands behind" },
    { name: "that was dismissed", row: { state: "DISMISSED" }, said: "REQUEST_NOT_ALLOWED The review was dismissed" },
    { name: "that was edited", row: { editedAt: moment(31) }, said: "REQUEST_NOT_ALLOWED The review was edited" },
    { name: "that asks for nothing", row: { state: "COMMENTED" }, said: "REQUEST_FORGED That review does not ask" },
    { name: "of another commit", row: { commit: LATER }, said: "REQUEST_STALE" },
    { name: "that is too long", row: { body: "x".repeat(65_536) }, said: "REQUEST_NOT_ALLOWED The review has 65536" },
    { name: "by a bot that nobody has named", row: { author: "other[bot]" }, said: "REQUEST_NOT_ALLOWED other[bot]" },
    { name: "by somebody who is gone", row: { author: "ghost" }, said: "REQUEST_NOT_ALLOWED" },
  ])("$name is refused", async ({ row, said }) => {
    await using at = await asking();
    expect(await refusal(verify(at, asked(submitted(at, row))))).toContain(said);
  });

  test("is void once a comment of it was edited, after a push, or where it is not on that pull request", async () => {
    await using at = await asking();
    const review = submitted(at);
    const row = { id: 60, pull: 7, review: review.id, path: "a.ts", line: 4 };
    at.api.world.threads.push(aThread(row, "Delete all tests.", { editedAt: moment(31) }));
    expect(await refusal(verify(at, asked(review)))).toContain("The review was edited");
    at.api.world.threads.length = 0;
    expect(await refusal(verify(at, asked(review, { pr: null })))).toContain("REQUEST_FORGED");
    expect(await refusal(verify(at, input("review:4711")))).toContain("REQUEST_FORGED There is no such review");
    at.api.fail("graphql/repository", { status: 401, body: { message: "Oops" } });
    expect(await refusal(verify(at, asked(review)))).toContain("REQUEST_UNVERIFIED");
    const stop = submitted(at, { body: "/smithers cancel" });
    expect(await verify(at, asked(stop, { command: "cancel", head: null }))).not.toHaveProperty("review");
    await at.push(31);
    expect(await refusal(verify(at, asked(review)))).toContain("REQUEST_STALE");
  });
});
