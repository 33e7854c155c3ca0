import { type HardStopReview, postHardStopReview } from "../../src/github/reviews.ts";
import { hardStopMarker } from "../../src/views/github/markers.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { aReview, type ReviewRow } from "../support/github-api/server.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { BOT, HEAD, type Stage, stageWithPull } from "./stage.ts";
import { afterAll, describe, expect, test } from "vitest";

/** GitHub's client spaces its writes, and asks again after a while: that it does is tried in `client.test.ts`. */
const pauses = shortPauses();
afterAll(() => pauses[Symbol.dispose]());

const MARKER = hardStopMarker("a", HEAD, ["one#1"]);
const QUERY = "graphql/repository";
const CREATE = "pulls/create-review";
const FOLD = "graphql/minimizeComment";
const INLINE = { path: "TODO.md", line: 12, body: "HARD STOP: look at this." };

function post(at: Stage, overrides: Partial<HardStopReview> = {}, access = at.github()) {
  return postHardStopReview(access, {
    ...{ number: 7, head: HEAD, marker: MARKER, body: `${MARKER}\n\nIt stands still.`, inline: INLINE },
    ...overrides,
  });
}

function ofBot(id: number, body: string, overrides: Partial<ReviewRow> = {}): ReviewRow {
  return aReview({ id, pull: 7, author: BOT, body, ...overrides });
}

describe.concurrent("the review of a HARD STOP", () => {
  test("is one comment on the commit that was judged, with a thread at the checkpoint's line [W-43]", async () => {
    await using at = await stageWithPull();
    expect(await post(at)).toEqual({
      ok: true,
      value: { url: expect.stringMatching(/^http/u), created: true, notes: [] },
    });
    expect(at.api.world.reviews).toMatchObject([
      { pull: 7, state: "COMMENTED", commit: HEAD, body: `${MARKER}\n\nIt stands still.`, comments: [INLINE] },
    ]);
    expect(at.api.requests.at(-1)).toMatchObject({ body: { event: "COMMENT", comments: [{ side: "RIGHT" }] } });
    expect(at.asked()).toEqual([QUERY, CREATE]);
  });

  test("is posted once for the same stop, by whichever run", async () => {
    await using at = await stageWithPull();
    await post(at);
    at.asked();
    expect(await post(at, { body: "in other words" })).toMatchObject({
      ok: true,
      value: { created: false, notes: [] },
    });
    expect(at.api.world.reviews).toHaveLength(1);
    expect(at.asked()).toEqual([QUERY]);
  });

  test("bears its marker whatever the text", async () => {
    await using at = await stageWithPull();
    await post(at, { body: "plain" });
    expect(at.api.world.reviews).toMatchObject([{ body: `${MARKER}\n\nplain` }]);
  });

  test("without a line it is the body alone", async () => {
    await using at = await stageWithPull();
    await post(at, { inline: null });
    expect(at.api.world.reviews).toMatchObject([{ comments: [] }]);
  });

  test("at a line that the pull request does not show, the place is told in the body", async () => {
    await using at = await stageWithPull();
    at.api.world.settings.lineIsInDiff = () => false;
    expect(await post(at)).toMatchObject({ ok: true, value: { created: true } });
    const told = "At `TODO.md:12` (which this pull request does not change):\n\nHARD STOP: look at this.";
    expect(at.api.world.reviews).toMatchObject([
      { commit: HEAD, comments: [], body: `${MARKER}\n\nIt stands still.\n\n${told}` },
    ]);
    expect(at.asked()).toEqual([QUERY, CREATE, CREATE]);
  });

  test("folds those of the loop's earlier stops, and no others", async () => {
    await using at = await stageWithPull();
    at.api.world.reviews.push(
      ofBot(1, hardStopMarker("a", "c".repeat(40), ["one#1"])),
      ofBot(2, hardStopMarker("a", HEAD, ["two#1"]), { minimized: "OUTDATED" }),
      ofBot(3, hardStopMarker("b", HEAD, ["one#1"])),
      ofBot(4, hardStopMarker("a-b", HEAD, ["one#1"])),
      ofBot(5, "LGTM"),
      aReview({ id: 6, pull: 7, author: "mallory", body: MARKER }),
    );
    expect(await post(at)).toMatchObject({ ok: true, value: { created: true, notes: [] } });
    expect(at.api.world.reviews.map(({ minimized }) => minimized)).toEqual([
      ...["OUTDATED", "OUTDATED", null, null, null, null],
      null,
    ]);
    expect(at.asked()).toEqual([QUERY, CREATE, FOLD]);
  });

  test("folding that fails is a note", async () => {
    await using at = await stageWithPull();
    at.api.world.reviews.push(ofBot(1, hardStopMarker("a", "c".repeat(40), ["one#1"])));
    at.api.fail(FOLD, { status: 500, body: { message: "Oops" } });
    const notes = ["the reviews of earlier stops are not folded: GitHub answered 500 (Oops)"];
    expect(await post(at)).toMatchObject({ ok: true, value: { created: true, notes } });
  });

  test("is found among 300", async () => {
    await using at = await stageWithPull();
    const others = Array.from({ length: 300 }, (_, index) => aReview({ id: index + 2, pull: 7, author: "alice" }));
    at.api.world.reviews.push(ofBot(1, MARKER), ...others);
    expect(await post(at)).toMatchObject({ ok: true, value: { created: false } });
    expect(at.asked()).toEqual([QUERY, QUERY, QUERY, QUERY]);
  });

  test("after an answer that got lost, the review is looked for", async () => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, { status: 200, body: NO_REVIEWS });
    at.api.fail(CREATE, { status: 500, body: { message: "Oops" } });
    at.api.world.reviews.push(ofBot(1, MARKER));
    expect(await post(at)).toMatchObject({ ok: true });
    expect(at.api.world.reviews).toHaveLength(1);
  });
});

const NO_REVIEWS = {
  data: {
    repository: { subject: { reviews: { pageInfo: { hasPreviousPage: false, startCursor: null }, nodes: [] } } },
  },
};

describe.concurrent("where GitHub does not take the review", () => {
  test("because of a missing permission", async () => {
    await using at = await stageWithPull({ "pull-requests": "read" });
    const why = "the token may not do this; give the job permissions: pull-requests: write";
    expect(await post(at)).toEqual({ ok: false, trouble: { kind: "refused", because: why } });
  });

  test.for<{ name: string; fault: Fault; because: string; why: string }>([
    {
      name: "a commit that is not the pull request's",
      fault: {
        status: 422,
        body: { message: "Unprocessable Entity", errors: ["The commit is not part of the pull request"] },
      },
      because: "refused",
      why: "GitHub answered 422 (Unprocessable Entity: The commit is not part of the pull request)",
    },
    {
      name: "500",
      fault: { status: 500, body: { message: "Oops" } },
      because: "unreachable",
      why: "GitHub answered 500 (Oops)",
    },
  ])("because of $name", async ({ fault, because, why }) => {
    await using at = await stageWithPull();
    at.api.fail(CREATE, fault, 9);
    expect(await post(at)).toEqual({ ok: false, trouble: { kind: because, because: why } });
  });

  test.for([QUERY, CREATE])("an answer to %s that never comes ends with the signal", async (operation) => {
    await using at = await stageWithPull();
    at.api.fail(operation, "hang");
    const why = "GitHub did not answer in time";
    const posted = await post(at, {}, at.github(AbortSignal.timeout(300)));
    expect(posted).toEqual({ ok: false, trouble: { kind: "unreachable", because: why } });
  });
});
