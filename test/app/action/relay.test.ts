import { describe, expect, test } from "vitest";
import { relay } from "../../../src/app/action/relay.ts";
import type { RelayJob } from "../../../src/app/action/relay-job.ts";
import { markerOf } from "../../../src/views/github-markers.ts";
import {
  anAccount,
  type Asking,
  asking,
  checkFailed,
  commented,
  dispatched,
  type Event,
  HEAD,
  labeled,
  LATER,
  LOOP,
  OURS,
  parse,
  type StoredLoop,
} from "../../support/asking.ts";

const CONTROL = `refs/smithers-control/${LOOP}`;

interface Relayed {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

async function relayed(at: Asking, context: Event, more: Partial<RelayJob> = {}): Promise<Relayed> {
  const lines: string[] = [];
  const log = { line: (text: string) => lines.push(text), warning: (text: string) => lines.push(`! ${text}`) };
  const lookup = { branch: "smithers/<loop-id>", parse };
  const job = { context, access: at.access, log, lookup, relayTo: null, allowedBots: [], disabled: null, ...more };
  return { exitCode: await relay(job), lines };
}

/** A pull request with a loop, which one of our comments names. */
async function looped(stored: StoredLoop = {}): Promise<Asking> {
  const at = await asking();
  await at.loop({ state: { status: "paused_hard_stop" }, ...stored });
  at.comment(markerOf({ workflow: "smithers.yml", job: "loop", loopId: LOOP }), { author: OURS });
  return at;
}

const RUNNING: StoredLoop = { state: { status: "running" }, run: "in_progress" };

/** What was dispatched, as the worker reads it. */
function inputs(at: Asking): readonly unknown[] {
  return at.api.world.dispatches.map(({ inputs: { smithers = "" } }): unknown => JSON.parse(smithers));
}

/** What a comment got for answers: reactions, then the text of comments after it. */
function answers(at: Asking, id: number) {
  const { comments } = at.api.world;
  const comment = comments.find((row) => row.id === id);
  const reactions = comment?.reactions.map(({ content }) => content) ?? [];
  return { reactions, replies: comments.filter((row) => row.author === OURS && row.id > id).map(({ body }) => body) };
}

/** Nothing that anybody could see was done. */
function expectNothing(at: Asking): void {
  const writes = at.api.requests.filter(({ method, path }) => method !== "GET" && path !== "/graphql");
  expect(writes.map(({ operation }) => operation)).toEqual([]);
}

describe("a comment", () => {
  test("/smithers continue by somebody who may starts the worker, and none of its words travel", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers continue use the v2 API", { author: "wendy" });
    const { exitCode, lines } = await relayed(at, commented(comment));
    expect(inputs(at)).toEqual([
      { command: "continue", loop: LOOP, pr: 7, head: HEAD, request: `comment:${comment.id}` },
    ]);
    expect(at.api.world.dispatches).toMatchObject([{ workflow: ".github/workflows/smithers.yml", ref: "main" }]);
    expect(answers(at, comment.id)).toEqual({ reactions: ["eyes", "rocket"], replies: [] });
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: [expect.stringMatching(/^smithers\.yml was started for wendy \(continue\): http/u)],
    });
  });

  test("starts the workflow that is named, where relay and worker are two", async () => {
    await using at = await looped();
    at.api.world.workflows.push({ path: ".github/workflows/worker.yml", inputs: ["smithers"] });
    await relayed(at, commented(at.comment("/smithers continue")), { relayTo: "worker.yml" });
    expect(at.api.world.dispatches).toMatchObject([{ workflow: ".github/workflows/worker.yml" }]);
  });

  test("/smithers start begins a loop where there is none", async () => {
    await using at = await asking();
    const comment = at.comment("/smithers start fix it");
    await relayed(at, commented(comment));
    expect(inputs(at)).toEqual([{ command: "start", pr: 7, head: HEAD, request: `comment:${comment.id}` }]);
  });

  test.for(["pause", "stop", "cancel"])(
    "/smithers %s reaches a loop that runs, whatever was pushed",
    async (command) => {
      await using at = await looped(RUNNING);
      const comment = at.comment(`/smithers ${command}`, { author: "wendy" });
      await at.push(31);
      const { exitCode } = await relayed(at, commented(comment), { disabled: "1" });
      expect(exitCode).toBe(0);
      expect(await at.refs("refs/smithers-control/")).toEqual([`${CONTROL}/${command}/wendy-${comment.id}`]);
      expect(answers(at, comment.id).reactions).toEqual(["eyes", "rocket"]);
      expect(at.api.world.dispatches).toEqual([]);
    },
  );

  test("/smithers cancel of a parked loop is the worker's", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers cancel");
    await relayed(at, commented(comment));
    expect(inputs(at)).toEqual([{ command: "cancel", loop: LOOP, pr: 7, request: `comment:${comment.id}` }]);
    expect(await at.refs("refs/smithers-control/")).toEqual([]);
  });

  test("/smithers status is answered once", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers status");
    const { lines } = await relayed(at, commented(comment));
    expect(answers(at, comment.id)).toEqual({
      reactions: ["eyes", "rocket"],
      replies: [expect.stringContaining("/smithers continue")],
    });
    expect(lines).toEqual([`Loop ${LOOP} is paused_hard_stop.`]);
  });

  test("a relay costs few requests", async () => {
    await using at = await looped();
    const before = at.api.requests.length;
    await relayed(at, commented(at.comment("/smithers continue")));
    expect(at.api.requests.length - before).toBeLessThanOrEqual(12);
  });
});

describe("T4: whoever may not ask gets a line in the log and nothing else", () => {
  test.for([
    { name: "somebody who may read", author: "rob", line: "rob has no write permission" },
    { name: "a stranger", author: "olga", line: "olga has no write permission" },
    { name: "somebody who may triage", author: "tom", line: "tom has the triage role" },
    { name: "a bot that nobody listed", author: "dependabot[bot]", line: "dependabot[bot] is a bot" },
    { name: "we ourselves", author: OURS, line: `${OURS} is the loop's own account` },
  ])("$name", async ({ author, line }) => {
    await using at = await looped();
    for (const body of ["/smithers continue", "/smithers stop", "/smithers status", "/smithers nonsense"]) {
      const { exitCode, lines } = await relayed(at, commented(at.comment(body, { author })));
      expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringContaining(line)] });
    }
    await at.label("smithers:continue", author);
    expect(await relayed(at, labeled("smithers:continue", author))).toMatchObject({ exitCode: 0 });
    expect(at.pull.labels).toEqual(["smithers:continue"]);
    expectNothing(at);
  });

  test("somebody who cannot be looked up", async () => {
    await using at = await looped();
    at.api.fail("repos/get-collaborator-permission-level", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers continue")));
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      "! alice cannot be looked up: GitHub answered 500 (Oops).",
      expect.stringContaining("alice could not be looked up"),
    ]);
    expectNothing(at);
  });

  test("a bot that is listed may", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers continue", { author: "renovate[bot]" });
    await relayed(at, commented(comment), { allowedBots: ["renovate[bot]"] });
    expect(inputs(at)).toHaveLength(1);
  });
});

describe("what is not for us is ignored", () => {
  test.for([
    {
      name: "a comment on an issue",
      make: (event: Event) => ({ ...event, event: { ...event.event, pullRequest: null } }),
    },
    { name: "an edited comment", make: (event: Event) => ({ ...event, event: { ...event.event, action: "edited" } }) },
    { name: "a dispatch", make: () => dispatched("continue", "alice") },
  ])("$name", async ({ make }) => {
    await using at = await looped();
    const event = make(commented(at.comment("/smithers continue")));
    expect(await relayed(at, event)).toEqual({ exitCode: 0, lines: [expect.stringMatching(/^Nothing to do\. /u)] });
    expect(at.api.requests).toEqual([]);
  });
});

describe("whoever may ask and cannot have it is told why, once", () => {
  async function expectRefused(at: Asking, body: string, reason: string, more: Partial<RelayJob> = {}): Promise<void> {
    const comment = at.comment(body, { author: "wendy" });
    const { exitCode } = await relayed(at, commented(comment), more);
    expect(exitCode).toBe(0);
    expect(answers(at, comment.id)).toEqual({
      reactions: ["eyes", "confused"],
      replies: [expect.stringContaining(reason)],
    });
    expect(at.api.world.dispatches).toEqual([]);
    expect(await at.refs("refs/smithers-control/")).toEqual([]);
  }

  test.for([
    { body: "/smithers merge", reason: "is none of" },
    { body: " /smithers continue", reason: "beginning of a comment" },
    { body: "/smithers continue\r/smithers cancel", reason: "beginning of a comment" },
    { body: "<!-- x -->/smithers continue", reason: "beginning of a comment" },
    { body: "/smithers con\u200Btinue", reason: "none of" },
    { body: "/smithers stop now", reason: "Nothing may follow stop" },
    { body: "/smithers pause", reason: "The loop does not run" },
    { body: "/smithers start", reason: "There is a loop already" },
  ])("$body", async ({ body, reason }) => {
    await using at = await looped();
    await expectRefused(at, body, reason);
  });

  test.for(["continue", "pause", "cancel", "status", "reset-circuit"])("%s without a loop", async (command) => {
    await using at = await asking();
    await expectRefused(at, `/smithers ${command}`, "There is no loop on this pull request");
  });

  test("a loop that runs does not go on twice", async () => {
    await using at = await looped(RUNNING);
    await expectRefused(at, "/smithers continue", "The loop is running");
  });

  test("a closed pull request", async () => {
    await using at = await looped();
    at.pull.state = "closed";
    await expectRefused(at, "/smithers continue", "The pull request is closed");
  });

  test("T7: a fork's pull request", async () => {
    await using at = await looped();
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    await expectRefused(at, "/smithers continue", "comes from a fork");
  });

  test("loops that are switched off", async () => {
    await using at = await looped();
    await expectRefused(at, "/smithers continue", "Loops are switched off", { disabled: "true" });
  });

  test("T6: a branch that was pushed to after the comment", async () => {
    await using at = await looped();
    await at.push(31);
    await expectRefused(at, "/smithers continue", LATER);
  });

  test("T1: a comment that was changed or deleted since", async () => {
    await using at = await looped();
    const comment = at.comment("/smithers continue", { author: "wendy" });
    const event = commented(comment);
    comment.updatedAt = new Date(comment.updatedAt.getTime() + 1_000);
    await relayed(at, event);
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining("The comment was edited")]);
    const gone = at.comment("/smithers continue");
    at.api.world.comments.pop();
    await relayed(at, commented(gone));
    expect(at.api.world.dispatches).toEqual([]);
  });
});

describe("what should have worked fails the job, and is said", () => {
  test.for([
    {
      name: "a policy",
      prepare: (at: Asking) => (at.api.world.settings.dispatchAllowed = false),
      reason: "a policy of the organisation",
    },
    {
      name: "an undeclared input",
      prepare: (at: Asking) =>
        at.api.world.workflows.splice(0, 1, { path: ".github/workflows/smithers.yml", inputs: [] }),
      reason: "does not declare the input",
    },
    {
      name: "a loop that cannot be read",
      prepare: (at: Asking) => at.api.fail("git/get-ref", { status: 500, body: { message: "Oops" } }),
      reason: "The loop cannot be read",
    },
  ])("$name", async ({ prepare, reason }) => {
    await using at = await looped();
    prepare(at);
    const comment = at.comment("/smithers continue");
    const { exitCode, lines } = await relayed(at, commented(comment));
    expect(exitCode).toBe(1);
    expect(lines).toEqual([expect.stringContaining(reason)]);
    expect(answers(at, comment.id)).toEqual({
      reactions: ["eyes", "confused"],
      replies: [expect.stringContaining(reason)],
    });
  });

  test("a pull request that cannot be read: nobody knows who may be told", async () => {
    await using at = await looped();
    at.api.fail("pulls/get", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers continue")));
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining("cannot be read: GitHub answered 500")],
    });
    expectNothing(at);
  });

  test("permissions that are missing are named, and nothing is thrown", async () => {
    await using at = await asking({ contents: "read", "pull-requests": "read", actions: "read" });
    await at.loop(RUNNING);
    at.comment(markerOf({ workflow: "w", job: "j", loopId: LOOP }), { author: OURS });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers stop")));
    expect(exitCode).toBe(1);
    expect(lines.join("\n")).toContain("permissions: contents: write");
    expect(lines.join("\n")).toContain("permissions: pull-requests: write");
  });
});

describe("a label", () => {
  test("lets the loop go on for the commit that was there, and can be used again", async () => {
    await using at = await looped();
    const id = await at.label("smithers:continue", "wendy");
    expect(await relayed(at, labeled("smithers:continue", "wendy"))).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([{ command: "continue", loop: LOOP, pr: 7, head: HEAD, request: `label:${id}` }]);
    expect(at.pull.labels).toEqual([]);
  });

  test("smithers:cancel ends a loop that runs", async () => {
    await using at = await looped(RUNNING);
    const id = await at.label("smithers:cancel", "alice");
    await relayed(at, labeled("smithers:cancel", "alice"));
    expect(await at.refs("refs/smithers-control/")).toEqual([`${CONTROL}/cancel/alice-${id}`]);
  });

  test("T6: is void after a push, is taken off, and both commits are named", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    await at.push(31);
    await relayed(at, labeled("smithers:continue", "wendy"));
    expect(at.api.world.dispatches).toEqual([]);
    expect(at.pull.labels).toEqual([]);
    const reply = at.api.world.comments.at(-1)?.body ?? "";
    expect(reply).toContain(HEAD);
    expect(reply).toContain(LATER);
  });

  test("T7: on a fork's pull request is refused", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    await relayed(at, labeled("smithers:continue", "wendy", { repo: { id: 9, full_name: "f/demo" } }));
    expect(at.api.world.dispatches).toEqual([]);
    expect(at.api.world.comments.at(-1)?.body).toContain("comes from a fork");
  });
});

describe("a check that fails", () => {
  test("lets the loop of its pull request go on", async () => {
    await using at = await looped();
    expect(await relayed(at, checkFailed("wendy"))).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([{ command: "continue", loop: LOOP, pr: 7, head: HEAD, request: "run:88" }]);
  });

  test("starts a loop where there is none, also for a branch without a pull request", async () => {
    await using at = await asking();
    await relayed(at, checkFailed("wendy"));
    await relayed(at, checkFailed("wendy", { pull_requests: [], head_branch: "main", head_sha: "a".repeat(40) }));
    expect(inputs(at)).toEqual([
      { command: "start", pr: 7, head: HEAD, request: "run:88" },
      { command: "start", head: "a".repeat(40), request: "run:88" },
    ]);
  });

  test.for([
    {
      name: "T5: an outsider stands behind it",
      event: checkFailed("wendy", { actor: anAccount("olga") }),
      line: "olga has no",
    },
    {
      name: "T7: it was a fork's commit",
      event: checkFailed("wendy", { head_repository: { id: 9 } }),
      line: "for a fork's",
    },
    { name: "we caused it ourselves", event: checkFailed(OURS), line: "own account" },
    {
      name: "there is a newer commit",
      event: checkFailed("wendy", { head_sha: LATER }),
      line: `about commit ${LATER}`,
    },
    {
      name: "the branch is gone",
      event: checkFailed("wendy", { pull_requests: [], head_branch: "gone" }),
      line: "cannot be told",
    },
  ])("is not listened to when $name", async ({ event, line }) => {
    await using at = await looped();
    const { exitCode, lines } = await relayed(at, event);
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringContaining(line)] });
    expectNothing(at);
  });
});
