import type { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import { clientOf, refusalTo } from "../support/github-api/client.ts";
import {
  aComment,
  aLabel,
  anIssue,
  aPull,
  aThread,
  aUser,
  type Role,
  startGithubApi,
} from "../support/github-api/server.ts";

const BOT = "github-actions[bot]";
const AT = { owner: "octo", repo: "demo" };
const HEAD = "b".repeat(40);
const OWN = { ...AT, issue_number: 5 };
const LABELS = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels";
const REVIEWERS = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
const MUTATION =
  "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }";
const DONE = /^done$/u;
const NO_RIGHT = /^403 Resource not accessible by integration/u;

/** Asks, as somebody whose token has these permissions. */
type Ask = (octokit: Octokit) => Promise<unknown>;
type May = Readonly<Record<string, "read" | "write">>;

const PULLS: May = { "pull-requests": "write" };
const add =
  (...labels: string[]): Ask =>
  async (octokit) =>
    octokit.request(LABELS, { ...OWN, labels });
const make =
  (label: object): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/labels", { ...AT, name: "new", ...label });
const look: Ask = async (octokit) =>
  octokit.request("GET /repos/{owner}/{repo}/labels/{name}", { ...AT, name: "There" });
const review =
  (pull_number: number, event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT", body = "b"): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", { ...AT, pull_number, event, body });
const request =
  (...reviewers: string[]): Ask =>
  async (octokit) =>
    octokit.request(REVIEWERS, { ...AT, pull_number: 5, reviewers });
const comment =
  (issue_number: number, body: string): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...AT, issue_number, body });
const edit =
  (body: string): Ask =>
  async (octokit) =>
    octokit.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { ...AT, comment_id: 40, body });
const describePull =
  (body: string): Ask =>
  async (octokit) =>
    octokit.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { ...AT, pull_number: 5, body });
const entitle =
  (title: string): Ask =>
  async (octokit) =>
    octokit.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { ...AT, pull_number: 5, title });
const reply =
  (body: string): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies", {
      ...{ ...AT, pull_number: 5, comment_id: 60, body },
    });
const react =
  (comment_id: number): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
      ...AT,
      comment_id,
      content: "eyes",
    });
const ready: Ask = async (octokit) => octokit.graphql(MUTATION, { id: "PR_5" });

/** What GitHub does, by the rows of the facts that were read, and what the stand-in answers. */
test.for<[behaviour: string, may: May, ask: Ask, answer: RegExp]>([
  ["a label that exists is put on with pull-requests alone", PULLS, add("there"), DONE],
  [
    "a label that does not exist is not made with pull-requests alone",
    PULLS,
    add("new"),
    /^403 You do not have permission to create labels on this repository\..*"code":"unauthorized"/u,
  ],
  [
    "nor is one of several that exists then put on",
    PULLS,
    add("there", "new"),
    /^403 You do not have permission to create labels/u,
  ],
  ["with issues as well it is made", { ...PULLS, issues: "write" }, add("new"), DONE],
  ["labels are made with issues", { issues: "write" }, make({ color: "d73a4a", description: "d" }), DONE],
  ["and not with pull-requests", PULLS, make({}), NO_RIGHT],
  [
    "a label is not made twice, whatever the case of its letters",
    { issues: "write" },
    make({ name: "THERE" }),
    /^422 .*already_exists/u,
  ],
  [
    "a colour is six digits without #",
    { issues: "write" },
    make({ color: "#d73a4a" }),
    /^422 .*"field":"color","code":"invalid"/u,
  ],
  [
    "a description has 100 characters",
    { issues: "write" },
    make({ description: "x".repeat(101) }),
    /^422 .*description is too long/u,
  ],
  ["a label is seen with pull-requests", { "pull-requests": "read" }, look, DONE],
  ["and with issues", { issues: "read" }, look, DONE],
  ["and with neither it is not", { contents: "write" }, look, NO_RIGHT],
  [
    "nobody approves their own pull request",
    PULLS,
    review(5, "APPROVE"),
    /^422 .*Can not approve your own pull request/u,
  ],
  [
    "nor requests changes on it",
    PULLS,
    review(5, "REQUEST_CHANGES"),
    /^422 .*Can not request changes on your own pull request/u,
  ],
  ["a comment on it is taken", PULLS, review(5, "COMMENT"), DONE],
  ["a review has a text", PULLS, review(5, "COMMENT", ""), /^422 .*Body cannot be blank/u],
  ["a review of 65,536 characters is taken", PULLS, review(5, "COMMENT", "x".repeat(65_536)), DONE],
  ["a longer one is not", PULLS, review(5, "COMMENT", "x".repeat(65_537)), /^422 .*Body is too long/u],
  ["a collaborator is asked for a review, one who may only read as well", PULLS, request("rita"), DONE],
  ["its author is not", PULLS, request(BOT), /^422 Review cannot be requested from pull request author\./u],
  ["a stranger is not", PULLS, request("mallory"), /^422 Reviews may only be requested from collaborators\./u],
  ["nor is anybody together with one", PULLS, request("rita", "mallory"), /^422 Reviews may only be requested/u],
  ["a bot is no collaborator", PULLS, request("app[bot]"), /^422 Reviews may only be requested/u],
  ["reading pull requests is not enough to ask", { "pull-requests": "read" }, request("rita"), NO_RIGHT],
  ["a comment of 65,536 characters is taken", PULLS, comment(5, "x".repeat(65_536)), DONE],
  ["a longer one is not", PULLS, comment(5, "x".repeat(65_537)), /^422 .*Body is too long/u],
  ["nor is one made longer", PULLS, edit("x".repeat(65_537)), /^422 .*Body is too long/u],
  ["a pull request's text of 65,536 characters is taken", PULLS, describePull("x".repeat(65_536)), DONE],
  ["a longer one is not", PULLS, describePull("x".repeat(65_537)), /^422 .*Body is too long/u],
  ["a title of 256 characters is taken", PULLS, entitle("x".repeat(256)), DONE],
  ["a longer one is not", PULLS, entitle("x".repeat(257)), /^422 .*title is too long/u],
  ["an answer in a thread of 65,536 characters is taken", PULLS, reply("x".repeat(65_536)), DONE],
  ["a longer one is not", PULLS, reply("x".repeat(65_537)), /^422 .*Body is too long/u],
  ["a comment on an issue takes issues", PULLS, comment(6, "b"), NO_RIGHT],
  ["a reaction to a comment of a pull request takes pull-requests", PULLS, react(40), DONE],
  ["one to a comment of an issue takes issues", PULLS, react(41), NO_RIGHT],
  ["which is enough there", { issues: "write" }, react(41), DONE],
  ["a draft is made ready with contents as well", { ...PULLS, contents: "write" }, ready, DONE],
  ["and not without", PULLS, ready, /Resource not accessible by integration/u],
])("%s [C85, C113]", async ([, permissions, ask, answer]) => {
  await using api = await startGithubApi({ tokens: { t: { login: BOT, permissions } } });
  const { world } = api;
  await world.refs.set("refs/heads/feature", HEAD);
  world.issues.push(aPull({ number: 5, author: BOT, draft: true }), anIssue({ number: 6 }));
  world.comments.push(aComment({ id: 40, issue: 5, body: "b" }), aComment({ id: 41, issue: 6, body: "b" }));
  world.threads.push(aThread({ id: 60, pull: 5, review: 70, path: "a.txt", line: 1 }, "b"));
  world.labels.push(aLabel({ name: "there", color: "123456" }));
  const roles: Readonly<Record<string, Role>> = { rita: "read", mallory: "none", "app[bot]": "none" };
  for (const [login, role] of Object.entries(roles)) world.users.set(login, aUser({ login, role }));
  const told = await refusalTo(ask(clientOf(api, "t")));
  expect(told).toMatch(answer);
  // What is refused has left nothing behind.
  const left = [world.issues[0]?.labels, world.issues[0]?.pull?.requested].flat();
  expect(told === "done" ? [] : left).toEqual([]);
  expect(api.problems).toEqual([]);
});

test("a label keeps its colour and description; who has given a review is not asked any more", async () => {
  const permissions = { ...PULLS, issues: "write" } as const;
  await using api = await startGithubApi({
    tokens: { t: { login: BOT, permissions }, hers: { login: "alice", permissions } },
  });
  await api.world.refs.set("refs/heads/feature", HEAD);
  api.world.issues.push(aPull({ number: 5, author: BOT }));
  const octokit = clientOf(api, "t");
  await make({ name: "smithers", color: "d73a4a", description: "ours" })(octokit);
  const { data: label } = await octokit.request("GET /repos/{owner}/{repo}/labels/{name}", { ...AT, name: "SMITHERS" });
  expect(label).toMatchObject({ name: "smithers", color: "d73a4a", description: "ours" });
  await request("alice")(octokit);
  await request("alice")(octokit);
  const pull = async () =>
    (await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...AT, pull_number: 5 })).data;
  expect((await pull()).requested_reviewers?.map(({ login }) => login)).toEqual(["alice"]);
  await review(5, "APPROVE")(clientOf(api, "hers"));
  expect((await pull()).requested_reviewers).toEqual([]);
  expect(api.problems).toEqual([]);
});

const status =
  (said: object): Ask =>
  async (octokit) =>
    octokit.request("POST /repos/{owner}/{repo}/statuses/{sha}", { ...AT, sha: HEAD, state: "success", ...said });

test.for<[behaviour: string, may: May, ask: Ask, answer: RegExp]>([
  ["a status takes statuses", { statuses: "write" }, status({ context: "test" }), DONE],
  ["reading them is not enough", { statuses: "read" }, status({ context: "test" }), NO_RIGHT],
  [
    "a description has 140 characters",
    { statuses: "write" },
    status({ description: "x".repeat(141) }),
    /^422 .*maximum is 140/u,
  ],
  ["a context has 255", { statuses: "write" }, status({ context: "x".repeat(256) }), /^422 .*maximum is 255/u],
  [
    "a context has 1000 statuses of a commit",
    { statuses: "write" },
    status({ context: "full" }),
    /^422 .*reached the maximum number of statuses/u,
  ],
  ["another context of it has more", { statuses: "write" }, status({ context: "Full" }), DONE],
  [
    "rules of a branch are told to every token",
    {},
    async (octokit) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/rules/branches/{branch}", {
        ...AT,
        branch: "main",
      });
      expect(data).toMatchObject([
        { type: "deletion" },
        { parameters: { required_status_checks: [{ context: "test" }] } },
      ]);
      const none = await octokit.request("GET /repos/{owner}/{repo}/rules/branches/{branch}", { ...AT, branch: "a/b" });
      expect(none.data).toEqual([]);
    },
    DONE,
  ],
])("statuses and rules: %s [C96]", async ([, permissions, ask, answer]) => {
  await using api = await startGithubApi({ tokens: { t: { login: BOT, permissions } } });
  const { refs, requiredChecks, statuses } = api.world;
  await refs.set("refs/heads/feature", HEAD);
  requiredChecks.push({ branch: "main", context: "test", app: null });
  const said = { sha: HEAD, state: "pending", context: "full", description: null, targetUrl: null, author: BOT };
  for (let id = 0; id < 1000; id++) statuses.push({ id, ...said, createdAt: new Date(0) });
  expect(await refusalTo(ask(clientOf(api, "t")))).toMatch(answer);
  expect(api.problems).toEqual([]);
});

test("what a job's own token does starts no run but what it dispatches; a plan may have no rules [C96, C113]", async () => {
  const permissions = { ...PULLS, actions: "write", contents: "write", issues: "write" } as const;
  await using api = await startGithubApi({ tokens: { t: { login: BOT, permissions } } });
  const { world } = api;
  await world.refs.set("refs/heads/main", HEAD);
  world.workflows.push({ path: ".github/workflows/ci.yml", inputs: [] });
  const octokit = clientOf(api, "t");
  await octokit.request("POST /repos/{owner}/{repo}/git/refs", { ...AT, ref: "refs/heads/x", sha: "c".repeat(40) });
  const pull = { ...AT, head: "x", base: "main", title: "x" };
  const { number } = (await octokit.request("POST /repos/{owner}/{repo}/pulls", pull)).data;
  await octokit.request(LABELS, { ...AT, issue_number: number, labels: ["smithers"] });
  expect(world.runs).toEqual([]);
  const dispatch = { ...AT, workflow_id: "ci.yml", ref: "main" };
  await octokit.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", dispatch);
  expect(world.runs).toHaveLength(1);
  world.settings.hasRules = false;
  const rules = octokit.request("GET /repos/{owner}/{repo}/rules/branches/{branch}", { ...AT, branch: "main" });
  expect(await refusalTo(rules)).toMatch(/^403 Upgrade to GitHub Pro/u);
  expect(api.problems).toEqual([]);
});
