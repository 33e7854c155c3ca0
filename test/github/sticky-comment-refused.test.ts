import { afterAll, describe, expect, test } from "vitest";
import { type StickyComment, stickyComment } from "../../src/github/sticky-comment.ts";
import { markerOf } from "../../src/views/github/markers.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { aComment, type CommentRow } from "../support/github-api/server.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { BOT, type Stage, stage, stageWithPull, unprocessable } from "./stage.ts";

/** GitHub's client spaces its writes, and asks again after a while: that it does is tried in `client.test.ts`. */
const pauses = shortPauses();
afterAll(() => pauses[Symbol.dispose]());

const WORKFLOW = ".github/workflows/smithers.yml";
const MARKER = markerOf({ workflow: WORKFLOW, job: "loop", loopId: "a" });
const QUERY = "graphql/repository";
const CREATE = "issues/create-comment";
const UPDATE = "issues/update-comment";

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

const NO_COMMENTS = {
  data: {
    repository: { subject: { comments: { pageInfo: { hasPreviousPage: false, startCursor: null }, nodes: [] } } },
  },
};

describe.concurrent("where GitHub does not do it", () => {
  const PERMISSION = "the token may not do this; give the job permissions: pull-requests: write";

  test("because the token may not read", async () => {
    await using at = await stageWithPull({});
    expect(await comment(at).put("one")).toEqual({ ok: false, trouble: { kind: "refused", because: PERMISSION } });
  });

  test("because the token may not write", async () => {
    await using at = await stageWithPull({ "pull-requests": "read" });
    expect(await comment(at).put("one")).toEqual({ ok: false, trouble: { kind: "refused", because: PERMISSION } });
  });

  test("because the pull request does not exist", { timeout: 20_000 }, async () => {
    await using at = await stage();
    expect(await comment(at).put("one")).toMatchObject({ ok: false, trouble: { kind: "refused" } });
    expect(at.asked().every((operation) => operation === QUERY)).toBe(true);
  });

  test("because the text is too long", async () => {
    await using at = await stageWithPull();
    const why = "the text is longer than the 65,536 characters that GitHub takes";
    expect(await comment(at).put("x".repeat(65_537))).toEqual({
      ok: false,
      trouble: { kind: "refused", because: why },
    });
  });

  test.for<{ name: string; fault: Fault }>([
    { name: "500", fault: { status: 500, body: { message: "Oops" } } },
    { name: "a cut connection", fault: "drop" },
  ])("$name: what is read is read again", async ({ fault }) => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, fault, 2);
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(at.asked()).toEqual([QUERY, QUERY, QUERY, CREATE, QUERY]);
  });

  test("500 when creating: it may have been created, and is looked for", async () => {
    await using at = await stageWithPull();
    at.api.fail(QUERY, { status: 200, body: NO_COMMENTS });
    at.api.fail(CREATE, { status: 500, body: { message: "Oops" } });
    at.api.world.comments.push(ofBot(1, `${MARKER}\n\none`));
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(bodies(at)).toEqual([`${MARKER}\n\none`]);
  });

  test("500 when creating, and it was not: the next attempt makes it", async () => {
    await using at = await stageWithPull();
    at.api.fail(CREATE, { status: 500, body: { message: "Oops" } });
    const sticky = comment(at);
    expect(await sticky.put("one")).toEqual({
      ok: false,
      trouble: { kind: "unreachable", because: "GitHub answered 500 (Oops)" },
    });
    expect(await sticky.put("one")).toMatchObject({ ok: true, value: { how: "created" } });
    expect(bodies(at)).toEqual([`${MARKER}\n\none`]);
  });

  test("a failed update leaves the comment where it is", async () => {
    await using at = await stageWithPull();
    const sticky = comment(at);
    await sticky.put("one");
    at.api.fail(UPDATE, { status: 500, body: { message: "Oops" } });
    expect(await sticky.put("two")).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    expect(await sticky.put("three")).toMatchObject({ ok: true, value: { how: "updated" } });
    expect(bodies(at)).toEqual([`${MARKER}\n\nthree`]);
  });

  test("what GitHub does not know yet is written a moment later", async () => {
    await using at = await stageWithPull();
    at.api.fail(CREATE, unprocessable("Could not resolve to a node with the global id of 'PR_x'."));
    expect(await comment(at).put("one")).toMatchObject({ ok: true, value: { how: "created" } });
  });

  test.for([QUERY, CREATE])("an answer to %s that never comes ends with the signal", async (operation) => {
    await using at = await stageWithPull();
    at.api.fail(operation, "hang");
    const why = "GitHub did not answer in time";
    expect(await comment(at, at.github(AbortSignal.timeout(300))).put("one")).toEqual({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
  });
});
