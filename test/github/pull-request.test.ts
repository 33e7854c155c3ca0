import { describe, expect, test } from "vitest";
import { publishPullRequest, type PullRequestWish } from "../../src/github/own-pull-request.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { BOT, HEAD, MARKER, ownBody, ownPull, type Stage, stage } from "./stage.ts";

const LIST = "pulls/list";
const GET = "pulls/get";
const CREATE = "pulls/create";
const UPDATE = "pulls/update";
const AUTHOR = "graphql/repository";

function wish(overrides: Partial<PullRequestWish> = {}): PullRequestWish {
  const text = { title: "Title", body: ownBody("Body"), marker: MARKER };
  return { branch: "smithers/a", base: "main", ...text, draft: false, known: null, ...overrides };
}

function publish(at: Stage, overrides: Partial<PullRequestWish> = {}) {
  return publishPullRequest(at.github(), wish(overrides));
}

/** The open pull requests of the loop's branch. */
function open({ api }: Stage) {
  return api.world.issues.filter(({ state, pull }) => state === "open" && pull?.headBranch === "smithers/a");
}

describe.concurrent("a loop's pull request", () => {
  test("is created if it does not exist, as a draft if wanted", async () => {
    await using at = await stage();
    const published = await publish(at, { draft: true });
    expect(published).toMatchObject({ ok: true, value: { draft: true, created: true, notes: [] } });
    expect(open(at)).toMatchObject([
      { title: "Title", body: ownBody("Body"), author: BOT, pull: { base: "main", draft: true, headSha: HEAD } },
    ]);
    expect(published).toMatchObject({ value: { number: open(at)[0]?.number, url: expect.stringMatching(/^http/u) } });
    expect(at.asked()).toEqual([LIST, CREATE]);
  });

  test("is found again by its branch, and not written where nothing has changed", async () => {
    await using at = await stage();
    await publish(at);
    at.asked();
    const [pull] = open(at);
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: pull?.number, created: false, notes: [] } });
    expect(at.asked()).toEqual([LIST, AUTHOR]);
  });

  test("is asked for by its number where that is known", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull());
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { number: 7, created: false } });
    expect(at.asked()).toEqual([GET]);
  });

  test("line ends and blanks at the end are not a change", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ body: ownBody("one\r\ntwo") }));
    await publish(at, { known: 7, body: ownBody("one\ntwo\n") });
    expect(at.asked()).toEqual([GET]);
  });

  test.for([
    { what: "title", change: { title: "New" }, sent: { title: "New" } },
    { what: "body", change: { body: ownBody("New") }, sent: { body: ownBody("New") } },
  ])("only the $what is written where only that has changed", async ({ change, sent }) => {
    await using at = await stage();
    at.api.world.issues.push(ownPull());
    expect(await publish(at, { known: 7, ...change })).toMatchObject({
      ok: true,
      value: { created: false, notes: [] },
    });
    expect(at.api.requests.at(-1)).toMatchObject({ operation: UPDATE, body: sent });
    expect(open(at)).toMatchObject([change]);
  });

  test("is found among more pull requests than are listed at once", async () => {
    await using at = await stage();
    const others = Array.from({ length: 101 }, (_, index) => ownPull({ number: index + 8, headBranch: "other" }));
    at.api.world.issues.push(ownPull(), ...others);
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: 7, created: false } });
    expect(at.asked()).toEqual([LIST, AUTHOR]);
  });

  test("that somebody has turned to another base is still the loop's", async () => {
    await using at = await stage();
    await at.api.world.refs.set("refs/heads/next", "c".repeat(40));
    at.api.world.issues.push(ownPull({ base: "next" }));
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: 7, created: false } });
    expect(open(at)).toMatchObject([{ pull: { base: "next" } }]);
  });

  test("is not mistaken for a fork's with a branch of the same name", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ headRepositoryId: 9 }));
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { created: true } });
    expect(open(at)).toHaveLength(2);
  });

  test("is looked for by its branch where the known number is of something else", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ number: 8 }));
    expect(await publish(at, { known: 99 })).toMatchObject({ ok: true, value: { number: 8 } });
    at.api.world.issues.push(ownPull({ number: 99, headBranch: "other" }));
    expect(await publish(at, { known: 99 })).toMatchObject({ ok: true, value: { number: 8 } });
  });

  test.for([
    { what: "closed", merged: false, why: "pull request #7 was closed" },
    { what: "merged", merged: true, why: "pull request #7 was merged" },
  ])("that was $what gets no successor", async ({ merged, why }) => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ state: "closed", merged }));
    expect(await publish(at, { known: 7 })).toEqual({ ok: false, trouble: { kind: "closed", because: why } });
    expect(open(at)).toEqual([]);
  });

  test("that was closed, and opened again by somebody, is that one", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ state: "closed" }), ownPull({ number: 8 }));
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { number: 8, created: false } });
  });
});

describe.concurrent("one that a person has opened of the loop's branch by hand", () => {
  const MINE = { author: "alice", title: "Mine", body: "My words.", draft: true };

  test.for([
    { name: "in their own words", pull: MINE, asks: [LIST] },
    { name: "with our marker pasted", pull: { ...MINE, body: ownBody("My words.") }, asks: [LIST, AUTHOR] },
    { name: "with the account that we use, too", pull: { ...MINE, author: BOT }, asks: [LIST] },
    {
      name: "with that account, for another loop",
      pull: { ...MINE, author: BOT, body: ownBody("").replace("loop a", "loop b") },
      asks: [LIST],
    },
  ])("is theirs: $name", async ({ pull, asks }) => {
    await using at = await stage();
    at.api.world.issues.push(ownPull(pull));
    const found = { ok: true, value: { number: 7, created: false, own: false, draft: true, notes: [] } };
    expect(await publish(at)).toMatchObject(found);
    expect(at.asked()).toEqual(asks);
    expect(open(at)).toMatchObject([{ title: "Mine", body: pull.body, pull: { draft: true } }]);
  });

  test("is found in the place of the loop's own that was closed, and when it comes at the same moment", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull({ state: "closed" }), ownPull({ ...MINE, number: 8 }));
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { number: 8, own: false } });
    at.api.fail(LIST, { status: 200, body: [] });
    expect(await publish(at, { draft: true })).toMatchObject({ ok: true, value: { number: 8, own: false, notes: [] } });
    expect(open(at)).toMatchObject([{ number: 8, title: "Mine" }]);
  });

  test("is not taken for anything as long as GitHub does not say whose it is", async () => {
    await using at = await stage();
    at.api.world.issues.push(ownPull());
    at.api.fail(AUTHOR, { status: 401, body: { message: "Bad credentials" } });
    expect(await publish(at)).toMatchObject({ ok: false, trouble: { kind: "refused" } });
    expect(open(at)).toHaveLength(1);
  });
});

describe.concurrent("never two pull requests for one loop", () => {
  test("another run was faster", async () => {
    await using at = await stage();
    at.api.fail(LIST, { status: 200, body: [] });
    at.api.world.issues.push(ownPull({ title: "Theirs" }));
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: 7, created: false } });
    expect(open(at)).toMatchObject([{ title: "Title" }]);
    expect(at.asked()).toEqual([LIST, CREATE, LIST, AUTHOR, UPDATE]);
  });

  test("another run was faster, and the list does not know it yet", async () => {
    await using at = await stage();
    at.api.fail(LIST, { status: 200, body: [] }, 2);
    at.api.world.issues.push(ownPull());
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: 7, created: false } });
    expect(at.asked()).toEqual([LIST, CREATE, LIST, LIST, AUTHOR]);
  });

  test("two runs at once", async () => {
    await using at = await stage();
    const both = await Promise.all([publish(at), publish(at)]);
    expect(both.map((published) => published.ok)).toEqual([true, true]);
    expect(open(at)).toHaveLength(1);
  });

  test.for<{ name: string; fault: Fault }>([
    { name: "500", fault: { status: 500, body: { message: "Oops" } } },
    { name: "a cut connection", fault: "drop" },
  ])("GitHub's answer got lost after it had created it: $name", async ({ fault }) => {
    await using at = await stage();
    at.api.fail(LIST, { status: 200, body: [] });
    at.api.fail(CREATE, fault);
    at.api.world.issues.push(ownPull());
    expect(await publish(at)).toMatchObject({ ok: true, value: { number: 7 } });
    expect(open(at)).toHaveLength(1);
  });
});

describe.concurrent("draft and ready", () => {
  const TO_DRAFT = "graphql/convertPullRequestToDraft";
  const TO_READY = "graphql/markPullRequestReadyForReview";
  const MAY = { "pull-requests": "write", contents: "write" } as const;

  test("a draft becomes ready, and a ready one a draft", async () => {
    await using at = await stage(MAY);
    at.api.world.issues.push(ownPull({ draft: true }));
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { draft: false, notes: [] } });
    expect(at.asked()).toEqual([GET, TO_READY]);
    expect(open(at)).toMatchObject([{ pull: { draft: false } }]);
    expect(await publish(at, { known: 7, draft: true })).toMatchObject({ ok: true, value: { draft: true, notes: [] } });
    expect(at.asked()).toEqual([GET, TO_DRAFT]);
    expect(open(at)).toMatchObject([{ pull: { draft: true } }]);
  });

  test.for([
    { name: "left a draft", is: true, left: "a draft, although it is ready for review" },
    { name: "left ready", is: false, left: "ready for review instead of a draft" },
  ])("where the token may not change it, it is $name with a note", async ({ is, left }) => {
    await using at = await stage({ "pull-requests": "write" });
    at.api.world.issues.push(ownPull({ draft: is }));
    const why =
      "the token may not do this; give the job permissions: pull-requests: write and contents: write (some " +
      "organisations allow it to no job's token)";
    const notes = [`pull request #7 is left ${left}: ${why}`];
    expect(await publish(at, { known: 7, draft: !is })).toMatchObject({ ok: true, value: { draft: is, notes } });
    expect(open(at)).toMatchObject([{ pull: { draft: is } }]);
  });

  test("what GitHub does not know yet is turned a moment later", async () => {
    await using at = await stage(MAY);
    at.api.world.issues.push(ownPull({ draft: true }));
    const message = "Could not resolve to a node with the global id of 'PR_7'";
    at.api.fail(TO_READY, { status: 200, body: { data: null, errors: [{ type: "NOT_FOUND", message }] } });
    expect(await publish(at, { known: 7 })).toMatchObject({ ok: true, value: { draft: false, notes: [] } });
    expect(at.asked()).toEqual([GET, TO_READY, TO_READY]);
  });
});
