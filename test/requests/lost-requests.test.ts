import { describe, expect, test } from "vitest";
import { markerOf } from "../../src/views/github/markers.ts";
import { aComment, aReview, aRun, moment } from "../support/github-api/server.ts";
import { commentEvent, reviewEvent } from "../support/github-api/webhooks.ts";
import { asEvent, type IssueAsking, issueAsking } from "../support/issue-asking.ts";
import { asking, type Asking, commented, OURS, RELAY, type StoredLoop } from "../support/asking.ts";
import { answers, inputs, looped, relayed } from "./relay-stage.ts";

const SAVED: StoredLoop = { state: { status: "paused_hard_stop", updated_at: moment(10).toISOString() } };

/** Somebody has asked, and a relay has handed it on. */
function handedOn(at: Asking, body: string, minute: number, contents: readonly string[] = ["eyes", "rocket"]) {
  const reactions = contents.map((content, index) => ({ id: 70 + index, author: OURS, content }));
  const when = { createdAt: moment(minute), updatedAt: moment(minute) };
  return at.comment(body, { author: "wendy", reactions, ...when });
}

test("what was asked and came to nothing is told by the next relay, once [C88]", async () => {
  await using at = await looped(SAVED);
  const lost = handedOn(at, "/smithers continue with v2", 20);
  for (const _ of ["the next", "the one after"]) await relayed(at, commented(at.comment("/smithers status")));
  const { reactions, replies } = answers(at, lost.id);
  expect(reactions).toEqual(["eyes", "rocket", "confused"]);
  const told = replies.filter((body) => body.includes(`#issuecomment-${lost.id}) asked for \`/smithers continue\``));
  expect(told).toEqual([expect.stringContaining("nothing came of it")]);
});

test.for([
  { operation: "issues/create-comment", what: "the answer cannot be written", marks: ["eyes", "rocket"] },
  { operation: "reactions/create-for-issue-comment", what: "the mark cannot be put", marks: ["eyes", "rocket"] },
])("where $what, it is told once all the same [C88]", async ({ operation, marks }) => {
  await using at = await looped(SAVED);
  at.api.world.now = () => moment(30);
  const lost = handedOn(at, "/smithers continue", 20);
  const told = () => at.api.world.comments.filter(({ body }) => body.includes("came of it"));
  const ask = () => relayed(at, commented(at.comment("/smithers status")));
  at.api.fail(operation, { status: 403, body: { message: "Resource not accessible by integration" } }, 3);
  await ask();
  expect(answers(at, lost.id).reactions).toEqual(marks);
  for (const _ of ["the next", "the one after"]) await ask();
  expect(told()).toHaveLength(1);
});

test("only our own account's reactions say what was handed on and told: another bot's 🚀 is nothing, nor its 😕 [C88]", async () => {
  await using at = await looped(SAVED);
  const asked = handedOn(at, "/smithers continue", 20, []);
  const said = (id: number, author: string, content: string) => void asked.reactions.push({ id, author, content });
  const told = () => at.api.world.comments.filter(({ body }) => body.includes("came of it"));
  said(90, "renovate[bot]", "rocket");
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toEqual([]);
  said(91, OURS, "rocket");
  said(92, "renovate[bot]", "confused");
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toHaveLength(1);
});

test.for<[what: string, prepare: (at: Asking) => unknown]>([
  ["what a run has begun with", (at) => handedOn(at, "/smithers continue", 9)],
  ["what was never handed on", (at) => handedOn(at, "/smithers continue", 20, ["eyes"])],
  ["what lets nobody work", (at) => handedOn(at, "/smithers status", 20)],
  ["other words", (at) => handedOn(at, "well done", 20)],
  [
    "what a run that waits may still do",
    (at) => {
      at.api.world.runs.push(aRun({ id: 77, status: "pending", conclusion: null, createdAt: moment(20) }));
      return handedOn(at, "/smithers continue", 20);
    },
  ],
])("nothing is told of $0 [C88]", async ([, prepare]) => {
  await using at = await looped(SAVED);
  prepare(at);
  const comment = at.comment("/smithers status");
  expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 0 });
  expect(at.api.world.comments.filter(({ body }) => body.includes("came of it"))).toEqual([]);
  expect(answers(at, comment.id).reactions).toEqual(["eyes", "rocket"]);
});

test("what was handed on a moment ago is not lost, though no list has its run yet; later it is [C148, C88]", async () => {
  await using at = await looped(SAVED);
  const { world } = at.api;
  const just = handedOn(at, "/smithers continue", 20);
  just.reactions.splice(1, 1, { id: 90, author: OURS, content: "rocket", at: new Date(moment(30).getTime() - 59_000) });
  world.runs.push(aRun({ id: 77, status: "queued", conclusion: null, createdAt: moment(29) }));
  const told = () => world.comments.filter(({ body }) => body.includes("came of it"));
  at.api.lag("actions/list-workflow-runs", 1);
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toEqual([]);
  world.runs.splice(-1);
  const createdAt = new Date(moment(30).getTime() + 1_000);
  await relayed(at, commented(at.comment("/smithers status", { createdAt, updatedAt: createdAt })));
  expect(told()).toHaveLength(1);
});

test("a run of somebody else's request that works now does not hide what got lost [C161]", async () => {
  await using at = await looped(SAVED);
  const lost = handedOn(at, "/smithers continue", 20);
  at.api.world.runs.push(aRun({ id: 77, status: "in_progress", conclusion: null, createdAt: moment(25) }));
  await relayed(at, commented(at.comment("/smithers status")));
  expect(answers(at, lost.id).reactions).toEqual(["eyes", "rocket", "confused"]);
});

const at40 = { createdAt: moment(40), updatedAt: moment(40) };

function commentedOnIssue({ api: { world } }: IssueAsking, body: string, minute: number) {
  const row = aComment({ id: world.nextId(), issue: 12, author: "wendy", body, createdAt: moment(minute) });
  world.comments.push(row);
  return asEvent(commentEvent(world, row));
}

/** What was said on the issue of what came to nothing. */
const toldOn = ({ api: { world } }: Asking, number: number) =>
  world.comments
    .filter(({ issue, body }) => issue === number && body.includes("nothing came of it"))
    .map(({ body }) => body);
/** The run that was started last is cancelled in the queue, before it has begun. */
const cancelLast = ({ api: { world } }: Asking) => {
  const run = world.runs.pop();
  if (run !== undefined) world.runs.push({ ...run, status: "completed", conclusion: "cancelled" });
};

describe("an order on an issue whose run is cancelled before there is any loop [C161]", () => {
  const orders = [
    {
      by: "the label",
      order: async (at: IssueAsking) => (await at.labelIssue("smithers", "wendy")).event,
      says: "The label smithers, which wendy had put on, asked for `/smithers start`",
    },
    {
      by: "a comment",
      order: async (at: IssueAsking) => at.commentOnIssue("/smithers start").event,
      says: "asked for `/smithers start`",
    },
  ];

  test.for(orders)("by $by is told by the next relay there, once", async ({ order, says }) => {
    await using at = await issueAsking();
    await relayed(at, await order(at));
    cancelLast(at);
    at.api.world.now = () => moment(40);
    for (const minute of [40, 45]) await relayed(at, commentedOnIssue(at, "/smithers status", minute));
    expect(toldOn(at, 12)).toEqual([expect.stringContaining(says)]);
  });

  test.for(orders)(
    "by $by is not told while its run waits, nor where a loop has said something since",
    async ({ order }) => {
      await using at = await issueAsking();
      await relayed(at, await order(at));
      at.api.world.now = () => moment(40);
      await relayed(at, commentedOnIssue(at, "/smithers status", 40));
      cancelLast(at);
      // It began and its record is gone since: its comment shows that it was there.
      const body = markerOf({ workflow: "smithers.yml", job: "loop", loopId: "demo-loop-issue-12-0123456789" });
      at.api.world.comments.push(aComment({ id: 900, issue: 12, author: OURS, body, createdAt: moment(31) }));
      await relayed(at, commentedOnIssue(at, "/smithers status", 45));
      expect(toldOn(at, 12)).toEqual([]);
    },
  );

  test("that is given again is not told of itself, and the one before is", async () => {
    await using at = await issueAsking();
    await relayed(at, (await at.labelIssue("smithers", "wendy")).event);
    cancelLast(at);
    at.api.world.now = () => moment(40);
    await relayed(at, (await at.labelIssue("smithers", "wendy")).event);
    expect([toldOn(at, 12).length, inputs(at).length]).toEqual([1, 2]);
  });

  test("is left alone where so much was said since that the answer may be among it", async () => {
    await using at = await issueAsking();
    await relayed(at, at.commentOnIssue("/smithers start").event);
    cancelLast(at);
    for (let id = 1_000; id < 1_100; id += 1)
      at.api.world.comments.push(aComment({ id, issue: 12, body: "+1", createdAt: moment(31) }));
    await relayed(at, commentedOnIssue(at, "/smithers status", 40));
    expect(toldOn(at, 12)).toEqual([]);
  });
});

test("a review whose run is cancelled is told by the next relay, once, by its 😕 [C161]", async () => {
  await using at = await looped(SAVED);
  const { world } = at.api;
  world.now = () => moment(30);
  const row = aReview({
    id: 500,
    pull: 7,
    author: "wendy",
    state: "CHANGES_REQUESTED",
    body: "Nearly.",
    submittedAt: moment(30),
  });
  world.reviews.push(row);
  await relayed(at, asEvent(await reviewEvent(world, row)));
  expect(row.reactions.map(({ content }) => content)).toEqual(["ROCKET"]);
  await relayed(at, commented(at.comment("/smithers status", at40)));
  expect(toldOn(at, 7)).toEqual([]);
  cancelLast(at);
  for (const _ of ["the next", "the one after"]) await relayed(at, commented(at.comment("/smithers status", at40)));
  expect(toldOn(at, 7)).toEqual([
    expect.stringMatching(/\[The review\]\(https:\S+#pullrequestreview-500\) asked for `\/smithers continue`/u),
  ]);
  expect(row.reactions.map(({ content }) => content)).toEqual(["ROCKET", "CONFUSED"]);
});

test.for([
  {
    operation: "graphql/addReaction",
    what: "the review cannot be marked",
    says: "No reaction could be put on the review",
  },
  { operation: "pulls/get-review", what: "the review cannot be read", says: "No reaction could be put on the review" },
])("a review is handed on although $what [C161]", async ({ operation, says }) => {
  await using at = await looped(SAVED);
  const row = aReview({ id: 500, pull: 7, author: "wendy", state: "CHANGES_REQUESTED", submittedAt: moment(30) });
  at.api.world.reviews.push(row);
  at.api.fail(operation, { status: 403, body: { message: "Resource not accessible by integration" } });
  const { exitCode, lines } = await relayed(at, asEvent(await reviewEvent(at.api.world, row)));
  expect([exitCode, inputs(at).length]).toEqual([0, 1]);
  expect(lines.join("\n")).toContain(says);
});

test.for(["issues/list-comments", "issues/list-events", "actions/list-workflow-runs"])(
  "a GitHub that does not say by %s keeps nobody from an answer",
  async (operation) => {
    await using at = await looped(SAVED);
    handedOn(at, "/smithers continue", 20);
    at.api.fail(operation, { status: 422, body: { message: "Oops" } });
    const comment = at.comment("/smithers status");
    const { exitCode, lines } = await relayed(at, commented(comment));
    expect([exitCode, answers(at, comment.id).reactions]).toEqual([0, ["eyes", "rocket"]]);
    expect(lines.join("\n")).toContain("Whether earlier requests got lost cannot be told");
  },
);

describe("an order for a PRD whose run is cancelled in the queue [C161]", () => {
  const text = JSON.stringify({ project: "demo", userStories: [{ id: "US-001", title: "Read it", priority: 1 }] });

  /** Somebody has ordered it, in minute 20, and a run was made for it that ended so. */
  async function ordered(
    conclusion: string | null,
    body = "/smithers prd run",
    names: readonly string[] = ["billing"],
  ) {
    const at = await asking({ ...RELAY, issues: "write" });
    const { world } = at.api;
    at.files(Object.fromEntries(names.map((name) => [`.daedalus/prds/${name}/prd.json`, text])));
    for (const file of ["prd.yml", "worker.yml"])
      world.workflows.push({ path: `.github/workflows/${file}`, inputs: ["smithers"] });
    const [path, status] = [".github/workflows/prd.yml", conclusion === null ? "pending" : "completed"] as const;
    world.runs.push(aRun({ id: 77, path, event: "workflow_dispatch", status, conclusion, createdAt: moment(20) }));
    return { at, lost: handedOn(at, body, 20) };
  }
  const OWN = { relayTo: "worker.yml", relayPrdTo: "prd.yml" };
  const next = async (at: Asking, body: string) => relayed(at, commented(at.comment(body, at40)), OWN);

  test.each([
    ["/smithers prd run", "/smithers prd status", "/smithers prd billing run"],
    ["/smithers prd billing accept US-001", "/smithers prd", "/smithers prd billing accept US-001"],
    ["/smithers prd retry US-001 with v2", "/smithers status", "/smithers prd billing retry US-001"],
  ])("%s is told by the next relay there, %s, once", async (body, later, command) => {
    const { at, lost } = await ordered("cancelled", body);
    await using _ = at;
    await next(at, later);
    await next(at, later);
    expect(toldOn(at, 7)).toEqual([expect.stringContaining(`#issuecomment-${lost.id}) asked for \`${command}\`, and`)]);
    expect(answers(at, lost.id).reactions).toEqual(["eyes", "rocket", "confused"]);
  });

  const wave = { number: 1, commit: "b".repeat(40), run: 77, is_open: false, stories: [] };
  const ledger = { schema: 1, prd: "billing", revision: 4, obeyed: null, idle_waves: 0, stories: {}, wave: null };
  test.each<[what: string, conclusion: string | null, order: string, prepare: (at: Asking) => unknown]>([
    ["one whose run waits", null, "/smithers prd run", () => undefined],
    ["one whose run has ended by itself", "failure", "/smithers prd run", () => undefined],
    ["a question", "cancelled", "/smithers prd status", () => undefined],
    [
      "one that its loop has begun with",
      "cancelled",
      "/smithers prd run",
      (at) => at.loop({ loopId: "prd-billing", number: null }),
    ],
    [
      "one that a wave has begun with",
      "cancelled",
      "/smithers prd run",
      (at) => at.record("refs/smithers-prd/billing", { ...ledger, wave: { ...wave, begun_at: moment(21) } }),
    ],
    [
      "one that was obeyed",
      "cancelled",
      "/smithers prd accept US-001",
      (at) => at.record("refs/smithers-prd/billing", { ...ledger, obeyed: "comment:30" }),
    ],
  ])("nothing is told of %s", async (_what, conclusion, order, prepare) => {
    const { at, lost } = await ordered(conclusion, order);
    await using _ = at;
    expect(lost.id).toBe(30);
    await prepare(at);
    await next(at, "/smithers prd status");
    expect(toldOn(at, 7)).toEqual([]);
    expect(answers(at, lost.id).reactions).toEqual(["eyes", "rocket"]);
  });

  test("nothing is told where it is not known which PRD was meant, or how that stands", async () => {
    const { at } = await ordered("cancelled", "/smithers prd run", ["billing", "shop"]);
    await using _ = at;
    await next(at, "/smithers prd billing");
    await at.record("refs/smithers-prd/billing", { schema: 99 });
    handedOn(at, "/smithers prd billing run", 21);
    const { lines } = await next(at, "/smithers status");
    expect(toldOn(at, 7)).toEqual([]);
    expect(lines.join("\n")).toContain("Whether earlier requests got lost cannot be told");
    at.api.fail("repos/get-content", { status: 403, body: { message: "no" } }, 9);
    expect((await next(at, "/smithers status")).lines.join("\n")).toContain("cannot be told");
  });
});
