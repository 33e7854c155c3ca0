import { describe, expect, test } from "vitest";
import { callPeople, type People } from "../../src/publish/call-people.ts";
import type { Status, StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { OpenPullRequest } from "../../src/views/github/facts.ts";
import { githubOf } from "../support/github-api/client.ts";
import { anIssue, aPull, aReview, aUser, startGithubApi } from "../support/github-api/server.ts";
import { aView } from "../views/a-state.ts";
import { COMPLETED, ended, PAUSED } from "../views/publication-facts.ts";
import { BOT, publishStage } from "./publish-stage.ts";
import { DONE, HALF, known, prepared, there } from "./publish-prepared.ts";

const HEAD = "b".repeat(40);
const QUESTION: StopReason = { kind: "question", question: "Which port?" };

function by(login: string | null, state: Partial<LoopState> = DONE): Partial<LoopState> {
  const link = { branch: "feature", head: HEAD, pull_request: null, obeyed: null, continuations: 0 };
  return { ...state, github: { ...link, authorised_by: login } };
}

interface Case {
  readonly what: string;
  readonly state?: Partial<LoopState>;
  readonly people?: Partial<People>;
  readonly pull?: Partial<OpenPullRequest>;
  /** whose pull request it is */
  readonly author?: string;
  readonly reviewed?: string;
  /** whose token it is */
  readonly own?: string;
  readonly asked: readonly string[];
  readonly mentioned: readonly string[];
}

test.for<Case>([
  {
    what: "who let it run is asked for a review of what is ready",
    state: by("alice"),
    asked: ["alice"],
    mentioned: [],
  },
  {
    what: "and mentioned where it is a draft",
    state: by("alice"),
    pull: { draft: true },
    asked: [],
    mentioned: ["alice"],
  },
  { what: "its author is mentioned instead", state: by("alice"), author: "alice", asked: [], mentioned: ["alice"] },
  { what: "who is no collaborator, too", state: by("mallory"), asked: [], mentioned: ["mallory"] },
  { what: "a bot is nobody", state: by("renovate[bot]"), asked: [], mentioned: [] },
  { what: "nor is the loop's own account", state: by("Alice"), own: "alice", asked: [], mentioned: [] },
  {
    what: "who has reviewed this very commit is left alone",
    state: by("alice"),
    reviewed: HEAD,
    asked: [],
    mentioned: [],
  },
  {
    what: "who has reviewed an older one is asked",
    state: by("alice"),
    reviewed: "c".repeat(40),
    asked: ["alice"],
    mentioned: [],
  },
  {
    what: "reviewers are asked instead of who let it run",
    state: by("alice"),
    people: { reviewers: ["rita", "@bob"] },
    asked: ["rita", "bob"],
    mentioned: [],
  },
  {
    what: "one who cannot be asked keeps none from being asked",
    people: { reviewers: ["mallory", "rita"] },
    asked: ["rita"],
    mentioned: ["mallory"],
  },
  {
    what: "notify mentions people and teams",
    people: { notify: ["bob", "octo/devs"] },
    asked: [],
    mentioned: ["bob", "octo/devs"],
  },
  {
    what: "nobody twice",
    people: { reviewers: ["bob"], notify: ["Bob", "rita"] },
    pull: { draft: true },
    asked: [],
    mentioned: ["bob", "rita"],
  },
  { what: "none tells nobody", state: by("alice"), people: { notify: ["none"] }, asked: [], mentioned: [] },
  {
    what: "none beside reviewers asks these",
    state: by("alice"),
    people: { notify: ["none"], reviewers: ["rita"] },
    asked: ["rita"],
    mentioned: [],
  },
])("who is told of an ending: $what [C87]", async (row) => {
  const { own = BOT, author = BOT, pull = {}, people = {}, state = by(null) } = row;
  await using api = await startGithubApi({ tokens: { t: { login: own, permissions: { "pull-requests": "write" } } } });
  await api.world.refs.set("refs/heads/feature", HEAD);
  for (const login of ["bob", "rita"]) api.world.users.set(login, aUser({ login, role: "read" }));
  const issue = aPull({ number: 7, author });
  api.world.issues.push(issue);
  // GitHub tells of a hundred at once, the oldest first.
  for (let id = 1; id <= 100; id++) api.world.reviews.push(aReview({ id, pull: 7, author: "zoe" }));
  if (row.reviewed !== undefined)
    api.world.reviews.push(aReview({ id: 101, pull: 7, author: "alice", commit: row.reviewed }));
  const pullRequest = { number: 7, url: "https://github.com/o/r/pull/7", own: true, draft: false, ...pull };
  const told = { reviewers: [], notify: [], began: null, ...people };
  const access = githubOf(api, AbortSignal.timeout(20_000));
  const mentioned = await callPeople(access, told, aView(state), { pullRequest, head: HEAD });
  expect([new Set(issue.pull.requested), mentioned]).toEqual([new Set(row.asked), row.mentioned]);
});

const TOLD: Readonly<Record<string, StopReason>> = {
  completed: COMPLETED,
  paused_hard_stop: PAUSED,
  blocked: QUESTION,
  circuit_open: { kind: "no_progress", count: 3 },
  stopped_max_iterations: { kind: "max_iterations", max: 3 },
  stopped_budget: { kind: "tokens", spent: 9, max: 8 },
  error: { kind: "gate_unrunnable", problem: { code: "X", what: "no npm", next: "install it" } },
};
const UNTOLD: Readonly<Record<string, StopReason>> = {
  paused_time_budget: { kind: "time_budget" },
  paused_user_interrupt: { kind: "paused", by: "alice" },
  canceled: { kind: "canceled", by: "alice" },
  waiting: { kind: "usage_limit", until: "2026-11-26T00:00:00.000Z", message: "later" },
  "another run's": { kind: "superseded", by: "run 2" },
};

describe("which endings are told [C87]", () => {
  const rows = (endings: typeof TOLD, isTold: boolean) =>
    Object.entries(endings).map(([name, reason]) => ({ name, reason, isTold, more: {} }));
  const story = { loop_id: "prd-shop.us-001.1" };
  test.for<{ name: string; reason: StopReason | null; isTold: boolean; more: Partial<LoopState> }>([
    ...rows(TOLD, true),
    ...rows(UNTOLD, false),
    { name: "a story of a wave", reason: QUESTION, isTold: false, more: story },
    { name: "a run that died", reason: null, isTold: false, more: { status: "running" satisfies Status } },
  ])("$name: $isTold", async ({ reason, isTold, more }) => {
    const state = { ...(reason === null ? {} : ended(reason)), ...more };
    await using api = await startGithubApi({ tokens: { t: { login: BOT, permissions: {} } } });
    const access = githubOf(api, AbortSignal.timeout(20_000));
    const pullRequest = { number: 7, url: "https://github.com/o/r/pull/7", own: true, draft: true };
    const people = { reviewers: [], notify: ["octo/devs"], began: null };
    const mentioned = await callPeople(access, people, aView(state), { pullRequest, head: HEAD });
    expect(mentioned).toEqual(isTold ? ["octo/devs"] : []);
  });
});

test("without a person, who committed what it began from is told, if they may write here [C87]", async () => {
  await using at = await publishStage();
  const { pullRequest } = known(at);
  const { world } = at.api;
  for (const login of ["carol", "dave"]) world.users.set(login, aUser({ login }));
  world.users.set("eve", aUser({ login: "eve", role: "read" }));
  const commit = async (committer: string, author: string): Promise<string> => {
    const who = (name: string, email: string) => ["-c", `${name}.name=X`, "-c", `${name}.email=${email}`];
    const text = ["commit", "-q", "--allow-empty", "-m", "x"];
    await at.git(...who("committer", committer), ...who("author", author), ...text);
    return at.git("rev-parse", "HEAD");
  };
  const noreply = (login: string) => `17+${login}@users.noreply.github.com`;
  for (const [committer, author, login] of [
    [noreply("carol"), noreply("dave"), "carol"],
    ["noreply@github.com", noreply("dave"), "dave"],
    [noreply("eve"), noreply("github-actions[bot]"), null],
    ["nobody@example.org", "nobody@example.org", null],
  ] as const) {
    const began = await commit(committer, author);
    await at.git("push", "-q", "-f", at.remote.folder, "HEAD:refs/heads/began");
    const mentioned = await callPeople(at.access(), { reviewers: [], notify: [], began }, aView(HALF), {
      head: began,
      pullRequest,
    });
    expect(mentioned).toEqual(login === null ? [] : [login]);
  }
});

test("one mention for an ending: in the review of a HARD STOP, in a comment of its own when blocked, a review at the end [C87]", async () => {
  await using at = await publishStage();
  const { run } = await prepared(at, at.access(), { notify: [] });
  const { world } = at.api;
  const facts = known(at);
  const says = (name: string) => [...world.reviews, ...world.comments].filter(({ body }) => body.includes(`@${name}`));
  const twice = async (state: Partial<LoopState>) => {
    await run(state, facts);
    await run(state, facts);
  };
  await twice(by("alice", HALF));
  expect(there(at)).toMatchObject({ reviews: 1, comments: 1 });
  expect(says("alice")).toMatchObject([{ state: "COMMENTED" }]);
  expect(world.reviews[0]?.body).toContain("@alice: the loop waits for a person.");

  await twice(by("alice", ended(QUESTION)));
  expect(there(at)).toMatchObject({ reviews: 1, comments: 2 });
  const [, call] = says("alice");
  expect(call?.body).toMatch(
    /^<!-- smithers:call question\.\S+ .* -->\n\n@alice: the loop waits for a person\.\n\n## 🚧/u,
  );
  expect(call?.body).toContain("**Next:** Answer it, then go on with: `/smithers continue`");

  await twice(by("alice", ended(QUESTION, { iteration: 4 })));
  const calls = world.comments.filter(({ body }) => body.includes("smithers:call"));
  expect(calls.map(({ minimized }) => minimized)).toEqual(["OUTDATED", null]);

  await twice(by("alice", DONE));
  expect(world.issues[0]?.pull).toMatchObject({ draft: false, requested: ["alice"] });
  expect(says("alice")).toHaveLength(3);
});

test("a loop that has nothing yet but its issue calls people there, and another one calls nobody [C87, C108]", async () => {
  await using at = await publishStage();
  const { world } = at.api;
  world.issues.push(anIssue({ number: 12, author: "mallory" }));
  const { run } = await prepared(at, at.access(), { notify: [] });
  const blocked = by("alice", ended(QUESTION));
  const nowhere = { ahead: false, pullRequest: null };
  await run(blocked, nowhere);
  expect(world.comments).toEqual([]);
  if (blocked.github === undefined || blocked.github === null) throw new Error("it is on GitHub");
  const onIssue = { ...blocked, github: { ...blocked.github, issue: 12 } };
  await run(onIssue, nowhere);
  await run(onIssue, nowhere);
  const calls = world.comments.filter(({ body }) => body.includes("@alice: the loop waits for a person."));
  expect(calls).toMatchObject([{ issue: 12 }]);
});
