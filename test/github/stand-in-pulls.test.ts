import type { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import { clientOf, refusalTo } from "../support/github-api/client.ts";
import { aComment, aPull, aStatus, aUser, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const BOT = "github-actions[bot]";
const REPOSITORY = { owner: "octo", repo: "demo" };
const HEAD = "b".repeat(40);
const ALL = { "pull-requests": "write", issues: "write", statuses: "write", contents: "write" } as const;

async function start(): Promise<{ api: GithubApi; octokit: Octokit } & AsyncDisposable> {
  const api = await startGithubApi({
    tokens: { t: { login: BOT, permissions: ALL }, poor: { login: BOT, permissions: { issues: "write" } } },
  });
  await api.world.refs.set("refs/heads/feature", HEAD);
  return { api, octokit: clientOf(api), [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

test("a pull request is created once, found by its head, changed, and follows its branch", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  const fresh = { ...REPOSITORY, title: "t", head: "feature", base: "main", draft: true };
  const { data } = await octokit.request("POST /repos/{owner}/{repo}/pulls", fresh);
  expect(data).toMatchObject({ draft: true, user: { login: BOT, type: "Bot" }, head: { sha: HEAD, ref: "feature" } });
  expect(await refusalTo(octokit.request("POST /repos/{owner}/{repo}/pulls", fresh))).toMatch(
    /^422 .*A pull request already exists for octo:feature\./u,
  );
  const list = async (head: string) =>
    (await octokit.request("GET /repos/{owner}/{repo}/pulls", { ...REPOSITORY, head, state: "open" })).data.length;
  expect([await list("octo:feature"), await list("octo:other"), await list("other")]).toEqual([1, 0, 1]);
  await octokit.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
    ...{ ...REPOSITORY, pull_number: data.number, title: "new", state: "closed" },
  });
  await api.world.refs.set("refs/heads/feature", "c".repeat(40));
  const again = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
    ...{ ...REPOSITORY, pull_number: data.number },
  });
  expect(again.data).toMatchObject({ title: "new", state: "closed", head: { sha: "c".repeat(40) } });
  expect(api.problems).toEqual([]);
});

test("what cannot become a pull request is refused in GitHub's words", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  const create = async (head: string, base = "main") =>
    refusalTo(octokit.request("POST /repos/{owner}/{repo}/pulls", { ...REPOSITORY, title: "t", head, base }));
  await api.world.refs.set("refs/heads/same", "a".repeat(40));
  expect(await create("same")).toMatch(/^422 .*No commits between main and same/u);
  expect(await create("nowhere")).toMatch(/^422 .*"field":"head","code":"invalid"/u);
  api.world.settings.actionsMayCreatePulls = false;
  expect(await create("feature")).toMatch(/^403 GitHub Actions is not permitted to create or approve pull requests\./u);
  expect(api.problems).toEqual([]);
});

test("reviews: comments at lines of the difference only, no verdict on one's own", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  api.world.issues.push(aPull({ number: 5, author: BOT }), aPull({ number: 6, author: "alice" }));
  api.world.settings.lineIsInDiff = (path, line) => path === "a.ts" && line < 10;
  const review = async (pull_number: number, event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT", line?: number) => {
    const comments = line === undefined ? [] : [{ path: "a.ts", line, body: "here" }];
    const asked = { ...REPOSITORY, pull_number, event, body: "b", comments };
    return refusalTo(octokit.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", asked));
  };
  expect(await review(5, "REQUEST_CHANGES")).toMatch(/^422 .*Can not request changes on your own pull request/u);
  expect(await review(5, "APPROVE")).toMatch(/^422 .*Can not approve your own pull request/u);
  expect(await review(6, "REQUEST_CHANGES")).toBe("done");
  expect(await review(5, "COMMENT", 12)).toMatch(/^422 .*Line could not be resolved/u);
  expect(await review(5, "COMMENT", 3)).toBe("done");
  const [, own] = api.world.reviews;
  expect(own).toMatchObject({ pull: 5, commit: HEAD, comments: [{ path: "a.ts", line: 3, body: "here" }] });
  const at = { ...REPOSITORY, pull_number: 5 };
  const change = { ...at, review_id: own?.id ?? 0, body: "new" };
  await octokit.request("PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", change);
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", at);
  expect(data).toMatchObject([{ body: "new", state: "COMMENTED", user: { login: BOT } }]);
  expect(api.problems).toEqual([]);
});

test("comments, reactions and labels leave behind who did what and when", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  api.world.issues.push(aPull({ number: 5 }));
  api.world.comments.push(aComment({ id: 40, issue: 5, body: "/smithers status" }));
  const on = { ...REPOSITORY, issue_number: 5 };
  const { data: own } = await octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    ...{ ...on, body: "hello" },
  });
  const at = { ...REPOSITORY, comment_id: own.id };
  await octokit.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { ...at, body: "new" });
  const { data: seen } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", on);
  expect(seen.map(({ body, user }) => [body, user?.login])).toEqual([
    ["/smithers status", "alice"],
    ["new", BOT],
  ]);
  const tooLong = octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    ...{ ...on, body: "x".repeat(65_537) },
  });
  expect(await refusalTo(tooLong)).toMatch(/^422 .*Body is too long/u);
  const eyes = { ...REPOSITORY, comment_id: 40, content: "eyes" as const };
  const react = async () =>
    (await octokit.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", eyes)).status;
  expect([await react(), await react()]).toEqual([201, 200]);
  await octokit.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", at);
  expect(api.world.comments.map(({ id }) => id)).toEqual([40]);

  const labels = "/repos/{owner}/{repo}/issues/{issue_number}/labels" as const;
  await octokit.request(`POST ${labels}`, { ...on, labels: ["smithers:paused"] });
  const gone = { ...on, name: "smithers:paused" };
  await octokit.request(`DELETE ${labels}/{name}`, gone);
  expect(await refusalTo(octokit.request(`DELETE ${labels}/{name}`, gone))).toMatch(/^404 Label does not exist/u);
  expect(api.world.labels.map(({ name }) => name)).toEqual(["smithers:paused"]);
  const { data: events } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/events", on);
  expect(events.map(({ event, actor }) => [event, actor?.login])).toEqual([
    ["labeled", BOT],
    ["unlabeled", BOT],
  ]);
  const one = { ...REPOSITORY, event_id: events[0]?.id ?? 0 };
  const { data: event } = await octokit.request("GET /repos/{owner}/{repo}/issues/events/{event_id}", one);
  expect(event).toMatchObject({ event: "labeled", label: { name: "smithers:paused" }, issue: { number: 5 } });
  expect(api.problems).toEqual([]);
});

test("what belongs to a pull request needs `pull-requests`, not `issues`", async () => {
  await using stage = await start();
  const { api } = stage;
  api.world.issues.push(aPull({ number: 5 }));
  const poor = clientOf(api, "poor");
  const comment = { ...REPOSITORY, issue_number: 5, body: "b" };
  expect(await refusalTo(poor.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", comment))).toMatch(
    /^403 Resource not accessible by integration/u,
  );
});

test("statuses: the newest of a context counts, descriptions are short", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  api.world.statuses.push(aStatus({ id: 1, sha: HEAD, context: "CI" }), aStatus({ id: 2, sha: "c".repeat(40) }));
  const set = async (state: "pending" | "success" | "failure", description = "d") =>
    refusalTo(
      octokit.request("POST /repos/{owner}/{repo}/statuses/{sha}", {
        ...{ ...REPOSITORY, sha: HEAD, state, context: "smithers/loop", description },
      }),
    );
  expect([await set("pending"), await set("failure")]).toEqual(["done", "done"]);
  expect(await set("success", "x".repeat(141))).toMatch(/^422 .*description is too long/u);
  const on = { ...REPOSITORY, ref: "feature" };
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/commits/{ref}/status", on);
  expect(data).toMatchObject({
    state: "failure",
    total_count: 2,
    statuses: [{ context: "smithers/loop" }, { context: "CI" }],
  });
  const { data: all } = await octokit.request("GET /repos/{owner}/{repo}/commits/{ref}/statuses", on);
  expect(all.map(({ state, creator }) => [state, creator?.login])).toEqual([
    ["failure", BOT],
    ["pending", BOT],
    ["success", BOT],
  ]);
  expect(api.problems).toEqual([]);
});

test.for([
  { role: "admin", permission: "admin" },
  { role: "maintain", permission: "write" },
  { role: "write", permission: "write" },
  { role: "triage", permission: "read" },
  { role: "none", permission: "none" },
] as const)("the role $role is the permission $permission", async ({ role, permission }) => {
  await using stage = await start();
  const { api, octokit } = stage;
  api.world.users.set("bob", aUser({ login: "bob", role }));
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/collaborators/{username}/permission", {
    ...{ ...REPOSITORY, username: "bob" },
  });
  expect(data).toMatchObject({ permission, role_name: role });
  expect(api.problems).toEqual([]);
});

test("strangers and bots have no permission to be read", async () => {
  await using stage = await start();
  const { api, octokit } = stage;
  api.world.users.set("app[bot]", aUser({ login: "app[bot]" }));
  const ask = async (username: string) =>
    refusalTo(
      octokit.request("GET /repos/{owner}/{repo}/collaborators/{username}/permission", { ...REPOSITORY, username }),
    );
  expect(await ask("mallory")).toMatch(/^404 Not Found/u);
  expect(await ask("app[bot]")).toMatch(/^404 app\[bot\] is not a user/u);
});
