import { describe, expect, test } from "vitest";
import { DONE } from "../../src/core/result.ts";
import { ownPushOf, unchangedSince } from "../../src/requests/pinned-head.ts";
import { asking, HEAD, LATER } from "../support/asking.ts";
import { aState } from "../support/builders.ts";
import { moment } from "../support/github-api/server.ts";

const NOTHING = async () => null;
const sight = (minute: number, head = HEAD) => ({
  ...{ branch: "feature", head, at: moment(minute).getTime(), ownPush: NOTHING },
});

describe("whether a branch has stayed as somebody saw it [T6]", () => {
  test("a branch that was pushed to before has", async () => {
    await using at = await asking();
    expect(await unchangedSince(at.github, sight(30))).toEqual(DONE);
    expect(at.api.requests).toHaveLength(1);
  });

  test("a push after it voids what was seen, one that was taken back too, and one in the same second", async () => {
    await using at = await asking();
    await at.push(31);
    expect(await unchangedSince(at.github, sight(30, LATER))).toEqual({
      ok: false,
      trouble: {
        kind: "moved",
        because: `feature was pushed to since, at 2026-11-20T03:31:00Z: it is at ${LATER} now`,
      },
    });
    await at.push(32, HEAD);
    expect(await unchangedSince(at.github, sight(30))).toMatchObject({ ok: false });
    expect(await unchangedSince(at.github, { ...sight(32), at: moment(32).getTime() + 999 })).toMatchObject({
      ok: false,
    });
    expect(await unchangedSince(at.github, { ...sight(32), at: moment(32).getTime() + 1_000 })).toEqual(DONE);
  });

  test.for([
    {
      name: "GitHub does not know of the last push yet",
      head: LATER,
      branch: "feature",
      why: "does not know yet when",
    },
    { name: "GitHub knows of no push", head: HEAD, branch: "other", why: "does not say when other was pushed to" },
  ])("what cannot be told counts as a push: $name", async ({ head, branch, why }) => {
    await using at = await asking();
    const seen = await unchangedSince(at.github, { ...sight(30, head), branch });
    expect(seen).toEqual({ ok: false, trouble: { kind: "moved", because: expect.stringContaining(why) } });
  });

  test.for([
    { what: "is accepted", head: HEAD, pushed: 29, branch: "other", ok: true },
    { what: "that came after what was seen is not", head: HEAD, pushed: 31, branch: "other", ok: false },
    { what: "is not the head", head: LATER, pushed: 29, branch: "other", ok: false },
    {
      what: "is accepted where only an earlier one is listed",
      own: LATER,
      head: LATER,
      pushed: 29,
      branch: "feature",
      ok: true,
    },
    { what: "that is not the head is not, either", head: LATER, pushed: 29, branch: "feature", ok: false },
    {
      what: "is nothing where somebody has pushed since",
      head: HEAD,
      pushed: 29,
      since: 31,
      branch: "feature",
      ok: false,
    },
  ])("the loop's own last push $what, where GitHub does not list it yet [C88]", async (row) => {
    const { own = HEAD, head, pushed, branch, since, ok } = row;
    await using at = await asking();
    if (since !== undefined) await at.push(since, LATER);
    const ownPush = async () => ({ head: own, at: moment(pushed).getTime() });
    expect(await unchangedSince(at.github, { ...sight(30, head), branch, ownPush })).toMatchObject({ ok });
  });

  test("what a loop has pushed last is what its state says, and when that was written", () => {
    const github = { ...{ branch: "feature", head: HEAD, pull_request: null }, authorised_by: null, obeyed: null };
    const state = aState({ github: { ...github, continuations: 0 } });
    expect(ownPushOf(state)).toEqual({ head: HEAD, at: Date.parse(state.updated_at) });
    expect([ownPushOf(undefined), ownPushOf(aState())]).toEqual([null, null]);
  });

  test("so does a token that may not ask, and a GitHub that fails", async () => {
    await using at = await asking({});
    expect(await unchangedSince(at.github, sight(30))).toEqual({
      ok: false,
      trouble: {
        kind: "unknown",
        because:
          "whether feature was pushed to since cannot be told: the token may not do this; give the job permissions: contents: read",
      },
    });
    at.api.fail("repos/list-activities", { status: 500, body: { message: "Oops" } });
    expect(await unchangedSince(at.github, sight(30))).toMatchObject({ ok: false });
  });
});
