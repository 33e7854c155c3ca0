import { publishPullRequest, type PullRequestWish } from "../../src/github/own-pull-request.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { HEAD, MARKER, ownBody, ownPull, type Stage, stage, unprocessable } from "./stage.ts";
import { afterAll, describe, expect, test } from "vitest";

/** GitHub's client spaces its writes, and asks again after a while: that it does is tried in `client.test.ts`. */
const pauses = shortPauses();
afterAll(() => pauses[Symbol.dispose]());

const LIST = "pulls/list";
const CREATE = "pulls/create";
const UPDATE = "pulls/update";

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

describe.concurrent("where GitHub does not create it", () => {
  test("because the repository's setting forbids it", async () => {
    await using at = await stage();
    at.api.world.settings.actionsMayCreatePulls = false;
    expect(await publish(at)).toEqual({
      ok: false,
      trouble: {
        kind: "forbidden_by_setting",
        because: expect.stringContaining("“Allow GitHub Actions to create and approve pull requests”"),
      },
    });
  });

  test("because there is nothing to publish", async () => {
    await using at = await stage();
    await at.api.world.refs.set("refs/heads/main", HEAD);
    const why = "smithers/a has no commit that main has not got";
    expect(await publish(at)).toEqual({ ok: false, trouble: { kind: "nothing_to_publish", because: why } });
  });

  test("because its head is not known yet, it is asked again", async () => {
    await using at = await stage();
    at.api.fail(CREATE, {
      status: 422,
      body: { message: "Validation Failed", errors: [{ field: "head", code: "invalid" }] },
    });
    expect(await publish(at)).toMatchObject({ ok: true, value: { created: true } });
    expect(at.asked()).toEqual([LIST, CREATE, CREATE]);
  });

  test("because the branch is gone, that is told", { timeout: 20_000 }, async () => {
    await using at = await stage();
    await at.api.world.refs.delete("refs/heads/smithers/a");
    expect(await publish(at)).toEqual({
      ok: false,
      trouble: { kind: "refused", because: "GitHub does not know the branch smithers/a" },
    });
  });

  test("because the base branch is gone, that is told with what to do", async () => {
    await using at = await stage();
    await at.api.world.refs.delete("refs/heads/main");
    const why = "there is no branch main for it to be merged into; bring it back, or set `base` to another one";
    expect(await publish(at)).toEqual({ ok: false, trouble: { kind: "refused", because: why } });
  });

  test("because it has no drafts, it is a normal one with a note", async () => {
    await using at = await stage();
    at.api.fail(CREATE, unprocessable("Draft pull requests are not supported in this repository."));
    const notes = ["the pull request is no draft: GitHub has no drafts in this repository"];
    expect(await publish(at, { draft: true })).toMatchObject({
      ok: true,
      value: { created: true, draft: false, notes },
    });
    expect(open(at)).toMatchObject([{ pull: { draft: false } }]);
  });

  test.for<{ name: string; operation: string; fault: Fault; because: string; why: string }>([
    {
      name: "401",
      operation: LIST,
      fault: { status: 401, body: { message: "Bad credentials" } },
      because: "refused",
      why: "GitHub does not know the token",
    },
    {
      name: "500 for good",
      operation: LIST,
      fault: { status: 500, body: { message: "Oops" } },
      because: "unreachable",
      why: "GitHub answered 500 (Oops)",
    },
    {
      name: "500 when creating",
      operation: CREATE,
      fault: { status: 500, body: { message: "Oops" } },
      because: "unreachable",
      why: "GitHub answered 500 (Oops)",
    },
    {
      name: "a text that is too long",
      operation: CREATE,
      fault: unprocessable("Body is too long (maximum is 65536 characters)"),
      because: "refused",
      why: "the text is longer than the 65,536 characters that GitHub takes",
    },
  ])("$name", async ({ operation, fault, because, why }) => {
    await using at = await stage();
    at.api.fail(operation, fault, 9);
    expect(await publish(at)).toEqual({ ok: false, trouble: { kind: because, because: why } });
    expect(open(at)).toEqual([]);
  });
});

test.concurrent("a pull request whose text cannot be written is better than none", async () => {
  await using at = await stage();
  at.api.world.issues.push(ownPull());
  at.api.fail(UPDATE, { status: 403, body: { message: "Resource not accessible by integration" } });
  const why = "the token may not do this; give the job permissions: pull-requests: write";
  const notes = [`the text of pull request #7 is an older one: ${why}`];
  expect(await publish(at, { title: "New" })).toMatchObject({ ok: true, value: { number: 7, notes } });
});

test.concurrent("what GitHub does not know yet is written a moment later", async () => {
  await using at = await stage();
  at.api.world.issues.push(ownPull());
  at.api.fail(UPDATE, unprocessable("Could not resolve to a node with the global id of 'PR_x'."));
  expect(await publish(at, { title: "New" })).toMatchObject({ ok: true, value: { notes: [] } });
  expect(at.asked()).toEqual([LIST, "graphql/repository", UPDATE, UPDATE]);
});
