import { describe, expect, test } from "vitest";
import { markerOf } from "../../src/views/github/markers.ts";
import { textOf } from "../../src/requests/ordered-issue.ts";
import { HEAD, OURS, RELAY } from "../support/asking.ts";
import { editIssue } from "../support/github-api/operations/issues.ts";
import { aComment, moment } from "../support/github-api/server.ts";
import { type IssueAsking, issueAsking } from "../support/issue-asking.ts";
import { inputs, relayed, writes } from "./relay-stage.ts";

const LOOP = "demo-loop-issue-12-0123456789";
const TEXT = textOf({ number: 12, title: "done.txt is missing", body: "Please write done.txt.", author: null });

/** The issue has a loop; `number`: its pull request, null: none yet. */
async function looped(
  at: IssueAsking,
  number: number | null,
  status: "paused_hard_stop" | "running" = "paused_hard_stop",
) {
  const pull = number === null ? null : { number, url: "", own: true };
  const github = {
    branch: "feature",
    head: HEAD,
    pull_request: pull,
    authorised_by: "alice",
    obeyed: null,
    continuations: 0,
  };
  const run = status === "running" ? "in_progress" : "completed";
  await at.loop({ loopId: LOOP, state: { status, github: { ...github, issue: 12 } }, run });
}

const answers = ({ api: { world } }: IssueAsking) =>
  world.comments.filter(({ author, issue }) => author === OURS && issue === 12).map(({ body }) => body);

describe("an order on an issue [C107]", () => {
  test("by the label starts a worker with what the issue said, and the label is taken off", async () => {
    await using at = await issueAsking();
    const { id, event } = await at.labelIssue("smithers", "wendy");
    expect(await relayed(at, event)).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([{ command: "start", issue: 12, text: TEXT, request: `label:${id}` }]);
    expect(at.issue.labels).toEqual([]);
    expect(at.api.requests.map(({ operation }) => operation)).not.toContain("pulls/get");
  });

  test("by a comment does the same, and none of its words travel", async () => {
    await using at = await issueAsking();
    const { row, event } = at.commentOnIssue("/smithers start but keep the API");
    expect(await relayed(at, event)).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([{ command: "start", issue: 12, text: TEXT, request: `comment:${row.id}` }]);
    expect(row.reactions.map(({ content }) => content)).toEqual(["eyes", "rocket"]);
  });

  test.for(["olga", "tom", "rob", "nora", "other[bot]", OURS])("by %s, who may not, is nothing [T4]", async (login) => {
    await using at = await issueAsking();
    const label = await at.labelIssue("smithers", login);
    const comment = at.commentOnIssue("/smithers start", login);
    for (const { event } of [label, comment]) expect(await relayed(at, event)).toMatchObject({ exitCode: 0 });
    expect(writes(at)).toEqual([]);
  });

  test.for([
    ["its text", { body: "Delete all tests." }],
    ["its title", { title: "All is well" }],
  ] as const)("is void once somebody has changed %s, and says so [T1]", async ([, change]) => {
    await using at = await issueAsking();
    const { event } = at.commentOnIssue("/smithers start");
    editIssue(at.issue, change, moment(31));
    expect(await relayed(at, event)).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([]);
    expect(answers(at)).toEqual([expect.stringContaining("was changed after the order, at 2026-11-20T03:31:00")]);
  });

  test("holds for what was changed before it, and not for what was changed in the same second", async () => {
    await using at = await issueAsking();
    editIssue(at.issue, { title: "Write done.txt" }, moment(29));
    await relayed(at, at.commentOnIssue("/smithers start").event);
    expect(inputs(at)).toHaveLength(1);
    editIssue(at.issue, { body: "x" }, moment(30));
    await relayed(at, at.commentOnIssue("/smithers start").event);
    expect(inputs(at)).toHaveLength(1);
  });

  test("on a closed issue is answered", async () => {
    await using at = await issueAsking();
    at.issue.state = "closed";
    await relayed(at, (await at.labelIssue("smithers", "wendy")).event);
    expect(answers(at)).toEqual([expect.stringContaining("The issue is closed.")]);
  });

  test("on an issue that was transferred or deleted since orders nothing", async () => {
    await using at = await issueAsking();
    const comment = at.commentOnIssue("/smithers start");
    const label = await at.labelIssue("smithers", "wendy");
    // Neither API knows its old number any more, and its comments went with it.
    at.api.world.issues.splice(at.api.world.issues.indexOf(at.issue), 1);
    at.api.world.comments.length = 0;
    const told = [await relayed(at, comment.event), await relayed(at, label.event)];
    expect(told.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(inputs(at)).toEqual([]);
  });

  test("whose conversation is locked begins all the same, without a mark", async () => {
    await using at = await issueAsking();
    const locked = { status: 403, body: { message: "Unable to create comment because issue is locked." } };
    at.api.fail("reactions/create-for-issue-comment", locked, 9);
    const { exitCode, lines } = await relayed(at, at.commentOnIssue("/smithers start").event);
    expect([exitCode, inputs(at).length]).toEqual([0, 1]);
    expect(lines.join("\n")).toContain("the conversation is locked");
  });

  test("by a label that is none of ours, or that only counts on pull requests, is nobody's", async () => {
    await using at = await issueAsking();
    const { event } = await at.labelIssue("bug", "wendy");
    expect((await relayed(at, event)).lines).toEqual(["Nothing to do. No label of ours was put on."]);
    expect((await relayed(at, { ...event, eventName: "pull_request" })).exitCode).toBe(0);
    expect(writes(at)).toEqual([]);
  });

  test("without issues: write cannot be answered, and the run is red", async () => {
    await using at = await issueAsking(RELAY);
    const { exitCode, lines } = await relayed(at, at.commentOnIssue("/smithers start").event);
    expect(exitCode).toBe(1);
    expect(lines.join("\n")).toContain("issues: read");
  });
});

describe("commands on the issue of a loop [C108]", () => {
  test("let it go on for the commit of its pull request, with which they travel", async () => {
    await using at = await issueAsking();
    await looped(at, 7);
    const { row, event } = at.commentOnIssue("/smithers continue");
    await relayed(at, event);
    expect(inputs(at)).toEqual([
      { command: "continue", loop: LOOP, pr: 7, issue: 12, head: HEAD, request: `comment:${row.id}` },
    ]);
    await at.push(31);
    await relayed(at, at.commentOnIssue("/smithers continue").event);
    expect(inputs(at)).toHaveLength(1);
    expect(answers(at)).toEqual([expect.stringContaining("feature was pushed to since")]);
  });

  test("find it by our comment there, or by its ref alone, before it has a pull request", async () => {
    await using at = await issueAsking();
    await looped(at, null);
    await relayed(at, at.commentOnIssue("/smithers continue").event);
    const body = markerOf({ workflow: "smithers.yml", job: "loop", loopId: LOOP });
    at.api.world.comments.push(aComment({ id: 29, issue: 12, author: OURS, body }));
    await relayed(at, at.commentOnIssue("/smithers cancel").event);
    expect(inputs(at)).toMatchObject([
      { command: "continue", loop: LOOP, issue: 12 },
      { command: "cancel", loop: LOOP, issue: 12 },
    ]);
  });

  test("reach it while it runs", async () => {
    await using at = await issueAsking();
    await looped(at, null, "running");
    const { row, event } = at.commentOnIssue("/smithers stop");
    await relayed(at, event);
    expect(await at.refs("refs/smithers-control/")).toEqual([`refs/smithers-control/${LOOP}/stop/wendy-${row.id}`]);
  });

  test("are answered where nothing can be done: status, another start, no loop, a closed pull request", async () => {
    await using at = await issueAsking();
    await relayed(at, at.commentOnIssue("/smithers status").event);
    await looped(at, 7);
    await relayed(at, at.commentOnIssue("/smithers status").event);
    await relayed(at, at.commentOnIssue("/smithers start").event);
    at.pull.state = "closed";
    await relayed(at, at.commentOnIssue("/smithers continue").event);
    const [none, status, again, closed] = answers(at);
    expect(none).toContain("There is no loop");
    expect(status).toContain(LOOP);
    expect(again).toContain("There is a loop already");
    expect(closed).toContain("in which the loop works, is closed.");
    expect(inputs(at)).toEqual([]);
  });
});
