import { afterAll, expect, test } from "vitest";
import { done, failed } from "../../src/core/result.ts";
import { removeCaches } from "../../src/github/caches.ts";
import { createGithub } from "../../src/github/client.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { aCache, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

/** GitHub's client spaces its writes, and asks again after a while: that it does is tried in `client.test.ts`. */
const pauses = shortPauses();
afterAll(() => pauses[Symbol.dispose]());

const TOKENS = {
  writer: { login: "bot", permissions: { actions: "write" } },
  reader: { login: "bot", permissions: { actions: "read" } },
} as const;
const PREFIX = "smithers-v1-demo-0123456789-";

async function start(): Promise<GithubApi> {
  const api = await startGithubApi({ tokens: TOKENS });
  api.world.caches.push(
    aCache({ id: 1, key: `${PREFIX}00000001-1-1` }),
    aCache({ id: 2, key: `${PREFIX}00000002-2-1`, ref: "refs/heads/dev" }),
    aCache({ id: 3, key: `${PREFIX}00000003-3-1` }),
    aCache({ id: 4, key: "smithers-v1-demo-0123456780-00000009-1-1" }),
    aCache({ id: 5, key: "npm-cache" }),
  );
  return api;
}

function remove(api: GithubApi, { token = "writer", keep = null as string | null, withinMs = 30_000 } = {}) {
  const repository = { owner: "octo", name: "demo", id: 1001 };
  const github = createGithub({ token, apiUrl: api.url, repository, signal: AbortSignal.timeout(withinMs) });
  return removeCaches(github, { prefix: PREFIX, keep });
}

function left(api: GithubApi): number[] {
  return api.world.caches.map(({ id }) => id);
}

test.concurrent("a finished loop leaves no cache entries, and others keep theirs", async () => {
  await using api = await start();
  expect(await remove(api)).toEqual(done({ removed: 3 }));
  expect(left(api)).toEqual([4, 5]);
  expect(api.problems).toEqual([]);
});

test.concurrent("while a loop lives only entries older than the kept one go", async () => {
  await using api = await start();
  expect(await remove(api, { keep: `${PREFIX}00000002-2-1` })).toEqual(done({ removed: 1 }));
  expect(left(api)).toEqual([2, 3, 4, 5]);
});

test.concurrent("where the kept entry is not to be seen nothing goes", async () => {
  await using api = await start();
  expect(await remove(api, { keep: `${PREFIX}00000009-2-1` })).toEqual(done({ removed: 0 }));
  expect(left(api)).toHaveLength(5);
});

test.concurrent("entries on further pages are found", async () => {
  await using api = await start();
  api.world.caches.length = 0;
  for (let id = 1; id <= 101; id += 1) api.world.caches.push(aCache({ id, key: `${PREFIX}${id}` }));
  expect(await remove(api, { keep: `${PREFIX}2` })).toEqual(done({ removed: 1 }));
});

test.concurrent("an entry that has gone in between is not a failure", async () => {
  await using api = await start();
  api.fail("actions/delete-actions-cache-by-id", { status: 404, body: { message: "Not Found" } });
  expect(await remove(api, { keep: `${PREFIX}00000002-2-1` })).toEqual(done({ removed: 1 }));
});

test.concurrent("a token that may not is told which permission it needs", async () => {
  await using api = await start();
  expect(await remove(api, { token: "reader" })).toEqual(
    failed({
      kind: "refused",
      because: "the token may not do this; give the job permissions: actions: write",
      removed: 0,
    }),
  );
  expect(left(api)).toHaveLength(5);
});

test.concurrent("a failure in the middle is told with what was done, and never thrown", async () => {
  await using api = await start();
  api.fail("actions/get-actions-cache-list", "hang");
  expect(await remove(api, { withinMs: 200 })).toEqual(
    failed({ kind: "unreachable", because: "GitHub did not answer in time", removed: 0 }),
  );
  // One of its own: the request that nobody waits for any more may come late.
  await using other = await start();
  other.fail("actions/get-actions-cache-list", { status: 403, body: { message: "You have been blocked" } });
  expect(await remove(other)).toEqual(
    failed({ kind: "refused", because: "GitHub refused (You have been blocked)", removed: 0 }),
  );
});
