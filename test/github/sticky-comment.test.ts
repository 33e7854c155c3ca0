import { describe, expect, test } from "vitest";
import { type StickyComment, stickyComment } from "../../src/github/sticky-comment.ts";
import { markerOf } from "../../src/views/github/markers.ts";
import { aComment, type CommentRow } from "../support/github-api/server.ts";
import { BOT, type Stage, stageWithPull } from "./stage.ts";

const WORKFLOW = ".github/workflows/smithers.yml";
const MARKER = markerOf({ workflow: WORKFLOW, job: "loop", loopId: "a" });
const QUERY = "graphql/repository";
const CREATE = "issues/create-comment";
const UPDATE = "issues/update-comment";
const DELETE = "issues/delete-comment";
const FOLD = "graphql/minimizeComment";

/** The comment of the loop `a` on the pull request 7. */
function comment(at: Stage, access = at.github()): StickyComment {
  return stickyComment(access, { number: 7, marker: MARKER });
}

function ofBot(id: number, body: string, overrides: Partial<CommentRow> = {}): CommentRow {
  return aComment({ id, issue: 7, author: BOT, body, ...overrides });
}

function bodies({ api }: Stage): string[] {
  return api.world.comments.map(({ body }) => body);
}

describe.concurrent("the one comment of a loop", () => {
  test("is created once and then updated in place", async () => {
    await using at = await stageWithPull();
    const sticky = comment(at);
    expect(await sticky.put("one")).toMatchObject({ ok: true, value: { how: "created", notes: [] } });
    expect(at.asked()).toEqual([QUERY, CREATE, QUERY]);
    expect(await sticky.put("two")).toMatchObject({ ok: true, value: { how: "updated", notes: [] } });
    expect(at.asked()).toEqual([UPDATE]);
    expect(bodies(at)).toEqual([`${MARKER}\n\ntwo`]);
  });

  test("is found again by the next run", async () => {
    await using at = await stageWithPull();
    const first = await comment(at).put("one");
    at.asked();
    expect(await comment(at).put("two")).toEqual({
      ok: true,
      value: { ...(first.ok ? first.value : {}), how: "updated" },
    });
    expect(at.asked()).toEqual([QUERY, UPDATE]);
    expect(bodies(at)).toEqual([`${MARKER}\n\ntwo`]);
  });

  test("is not written where it says the same already", async () => {
    await using at = await stageWithPull();
    const sticky = comment(at);
    await sticky.put("one");
    at.asked();
    expect(await sticky.put(`${MARKER}\n\none\n`)).toMatchObject({ ok: true, value: { how: "unchanged" } });
    expect(at.asked()).toEqual([]);
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "unchanged" } });
    expect(at.asked()).toEqual([QUERY]);
  });

  test("is created again where somebody has deleted it", async () => {
    await using at = await stageWithPull();
    const sticky = comment(at);
    await sticky.put("one");
    at.api.world.comments.length = 0;
    at.asked();
    expect(await sticky.put("two")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(at.asked()).toEqual([UPDATE, CREATE, QUERY]);
    expect(await sticky.put("three")).toMatchObject({ ok: true, value: { how: "updated" } });
    expect(bodies(at)).toEqual([`${MARKER}\n\nthree`]);
  });

  test("is nobody else's, and not a text of ours that quotes it [T15]", async () => {
    await using at = await stageWithPull();
    at.api.world.comments.push(aComment({ id: 1, issue: 7, author: "mallory", body: `${MARKER}\n\nforged` }));
    at.api.world.comments.push(ofBot(2, `> quoted\n\n${MARKER}`));
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(bodies(at)).toEqual([`${MARKER}\n\nforged`, `> quoted\n\n${MARKER}`, `${MARKER}\n\none`]);
  });

  test("is found among 300", async () => {
    await using at = await stageWithPull();
    const others = Array.from({ length: 300 }, (_, index) => aComment({ id: index + 2, issue: 7, body: "hello" }));
    at.api.world.comments.push(ofBot(1, `${MARKER}\n\none`), ...others);
    expect(await comment(at).put("two")).toMatchObject({ ok: true, value: { how: "updated" } });
    expect(at.asked()).toEqual([QUERY, QUERY, QUERY, QUERY, UPDATE]);
    expect(bodies(at)[0]).toBe(`${MARKER}\n\ntwo`);
  });

  test("is created among 300", async () => {
    await using at = await stageWithPull();
    const others = Array.from({ length: 300 }, (_, index) => aComment({ id: index + 1, issue: 7, body: "hello" }));
    at.api.world.comments.push(...others);
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(at.asked()).toEqual([QUERY, QUERY, QUERY, CREATE, QUERY]);
  });

  test("has its calls obeyed one after the other", async () => {
    await using at = await stageWithPull();
    const sticky = comment(at);
    const all = await Promise.all([sticky.put("one"), sticky.put("two"), sticky.put("three")]);
    expect(all.map((put) => put.ok && put.value.how)).toEqual(["created", "updated", "updated"]);
    expect(bodies(at)).toEqual([`${MARKER}\n\nthree`]);
  });
});

describe.concurrent("two runs at once", () => {
  test("keep the older comment, and it says what the last of them had to say", async () => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, { status: 200, body: NO_COMMENTS });
    at.api.world.comments.push(ofBot(1, `${MARKER}\n\ntheirs`));
    expect(await comment(at).put("ours")).toMatchObject({ ok: true, value: { how: "created", notes: [] } });
    expect(at.asked()).toEqual([QUERY, CREATE, QUERY, DELETE, UPDATE]);
    expect(bodies(at)).toEqual([`${MARKER}\n\nours`]);
  });

  test("a duplicate that is gone already harms nothing", async () => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, { status: 200, body: NO_COMMENTS });
    at.api.fail(DELETE, { status: 404, body: { message: "Not Found" } });
    at.api.world.comments.push(ofBot(1, `${MARKER}\n\ntheirs`));
    expect(await comment(at).put("ours")).toMatchObject({ ok: true, value: { notes: [] } });
  });

  test("a duplicate that cannot be deleted is a note", async () => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, { status: 200, body: NO_COMMENTS });
    at.api.fail(DELETE, { status: 500, body: { message: "Oops" } });
    at.api.world.comments.push(ofBot(1, `${MARKER}\n\ntheirs`));
    const notes = ["a second status comment is left: GitHub answered 500 (Oops)"];
    expect(await comment(at).put("ours")).toMatchObject({ ok: true, value: { notes } });
  });
});

const NO_COMMENTS = {
  data: {
    repository: { subject: { comments: { pageInfo: { hasPreviousPage: false, startCursor: null }, nodes: [] } } },
  },
};

describe.concurrent("comments of other loops", () => {
  const of = (marks: { workflow?: string; job?: string; loopId?: string }) =>
    `${markerOf({ workflow: WORKFLOW, job: "loop", loopId: "b", ...marks })}\n\nold`;

  test("of the same workflow and job are folded, all others are not", async () => {
    await using at = await stageWithPull();
    at.api.world.comments.push(
      ofBot(1, of({})),
      ofBot(2, of({ loopId: "c" }), { minimized: "OUTDATED" }),
      ofBot(3, of({ job: "other" })),
      ofBot(4, of({ workflow: ".github/workflows/x.yml" })),
      ofBot(5, "hello"),
      aComment({ id: 6, issue: 7, author: "mallory", body: of({}) }),
    );
    expect(await comment(at).put("new")).toMatchObject({ ok: true, value: { how: "created", notes: [] } });
    expect(at.api.world.comments.map(({ minimized }) => minimized)).toEqual([
      ...["OUTDATED", "OUTDATED", null, null, null, null],
      null,
    ]);
    expect(at.asked()).toEqual([QUERY, CREATE, QUERY, FOLD]);
  });

  test("that cannot be folded are a note", async () => {
    await using at = await stageWithPull();
    at.api.world.comments.push(ofBot(1, of({})));
    at.api.fail(FOLD, { status: 500, body: { message: "Oops" } });
    const notes = ["older status comments are not folded: GitHub answered 500 (Oops)"];
    expect(await comment(at).put("new")).toMatchObject({ ok: true, value: { how: "created", notes } });
  });
});
