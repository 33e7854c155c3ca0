import { describe, expect, test } from "vitest";
import { anAccount, asking, checkFailed, commented, HEAD, labeled, LATER, LOOP, OURS } from "../support/asking.ts";
import { aRun } from "../support/github-api/server.ts";
import { answers, inputs, looped, relayed, RUNNING, writes } from "./relay-stage.ts";

const CONTROL = `refs/smithers-control/${LOOP}`;

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

  test("/smithers start begins a loop if none exists", async () => {
    await using at = await asking();
    const comment = at.comment("/smithers start fix it");
    await relayed(at, commented(comment));
    expect(inputs(at)).toEqual([{ command: "start", pr: 7, head: HEAD, request: `comment:${comment.id}` }]);
  });

  test("/smithers fix names the newest run that failed for the commit, of another workflow and no fork [C100]", async () => {
    await using at = await asking();
    const failed = { path: ".github/workflows/ci.yml", sha: HEAD, branch: "feature", conclusion: "failure" };
    at.api.world.runs.push(
      aRun({ ...failed, id: 80 }),
      aRun({ ...failed, id: 81 }),
      aRun({ ...failed, id: 82, headRepositoryId: 2 }),
      aRun({ ...failed, id: 83, path: ".github/workflows/smithers.yml" }),
      aRun({ ...failed, id: 84, sha: LATER }),
      aRun({ ...failed, id: 79, conclusion: "success" }),
    );
    const comment = at.comment("/smithers fix look at the clock", { author: "wendy" });
    const { exitCode } = await relayed(at, commented(comment));
    const request = `comment:${comment.id}`;
    expect({ exitCode, asked: inputs(at) }).toEqual({
      exitCode: 0,
      asked: [{ command: "fix", pr: 7, head: HEAD, run: 81, request }],
    });
    const label = await at.label("smithers:fix", "wendy");
    await relayed(at, labeled("smithers:fix", "wendy"));
    expect(inputs(at).at(-1)).toMatchObject({ command: "fix", run: 81, request: `label:${label}` });
  });

  test("/smithers fix without a failed run is answered, and nothing starts [C100]", async () => {
    await using at = await asking();
    const comment = at.comment("/smithers fix");
    const { exitCode } = await relayed(at, commented(comment));
    expect(exitCode).toBe(0);
    expect(answers(at, comment.id).replies.join("")).toContain("No run of another workflow has failed");
    at.api.fail("actions/list-workflow-runs-for-repo", { status: 500, body: {} }, 9);
    expect((await relayed(at, commented(at.comment("/smithers fix")))).exitCode).toBe(1);
    expect(inputs(at)).toEqual([]);
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

  test.for(["pause", "stop", "cancel", "status"])(
    "/smithers %s reaches a loop that has just begun on somebody's pull request, and has said nothing there yet",
    async (command) => {
      await using at = await asking();
      await at.loop(RUNNING);
      const comment = at.comment(`/smithers ${command}`, { author: "wendy" });
      expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 0 });
      expect(answers(at, comment.id).reactions).toEqual(["eyes", "rocket"]);
    },
  );

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
    expect(at.api.requests.length - before).toBeLessThanOrEqual(16);
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

  test("is void after a push, is taken off, and both commits are named [T6]", async () => {
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

  test("on a fork's pull request is refused [T7]", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    await relayed(at, labeled("smithers:continue", "wendy", { repo: { id: 9, full_name: "f/demo" } }));
    expect(at.api.world.dispatches).toEqual([]);
    expect(at.api.world.comments.at(-1)?.body).toContain("comes from a fork");
  });
});

describe("two workflows that hear the same", () => {
  const TAKEN = { exitCode: 0, lines: [expect.stringMatching(/^i .*by another workflow/u)] };

  test("one obeys a comment, and the other one says so in its log", async () => {
    await using at = await looped();
    at.api.world.workflows.push({ path: ".github/workflows/worker.yml", inputs: ["smithers"] });
    const comment = at.comment("/smithers continue");
    const both = await Promise.all([
      relayed(at, commented(comment), { relayTo: "worker.yml" }),
      relayed(at, commented(comment)),
    ]);
    expect(both).toContainEqual(TAKEN);
    expect(inputs(at)).toHaveLength(1);
    expect(answers(at, comment.id)).toEqual({ reactions: ["eyes", "rocket"], replies: [] });
  });

  test.for(["/smithers status", "/smithers nonsense"])("%s gets one answer", async (body) => {
    await using at = await looped();
    const comment = at.comment(body);
    await relayed(at, commented(comment));
    expect(await relayed(at, commented(comment))).toEqual(TAKEN);
    expect(answers(at, comment.id).replies).toHaveLength(1);
  });

  test("one obeys a label", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    const event = labeled("smithers:continue", "wendy");
    const both = await Promise.all([relayed(at, event), relayed(at, event)]);
    expect(both).toContainEqual(TAKEN);
    expect(inputs(at)).toHaveLength(1);
  });

  test("a run that somebody starts again is not a second workflow", async () => {
    await using at = await looped();
    at.api.world.settings.dispatchAllowed = false;
    const event = commented(at.comment("/smithers continue"));
    expect(await relayed(at, event)).toMatchObject({ exitCode: 1 });
    at.api.world.settings.dispatchAllowed = true;
    expect(await relayed(at, { ...event, attempt: 2 })).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toHaveLength(1);
    await at.label("smithers:continue", "wendy");
    at.pull.labels.pop();
    const label = { ...labeled("smithers:continue", "wendy"), attempt: 2 };
    expect(await relayed(at, label)).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toHaveLength(2);
  });
});

describe("a check that fails", () => {
  test("lets the loop of its pull request go on", async () => {
    await using at = await looped();
    expect(await relayed(at, checkFailed("wendy"))).toMatchObject({ exitCode: 0 });
    expect(inputs(at)).toEqual([{ command: "continue", loop: LOOP, pr: 7, head: HEAD, request: "run:88" }]);
  });

  test("starts a loop if none exists, also for a branch without a pull request", async () => {
    await using at = await asking();
    await relayed(at, checkFailed("wendy"));
    await relayed(at, checkFailed("wendy", { pull_requests: [], head_branch: "main", head_sha: "a".repeat(40) }));
    expect(inputs(at)).toEqual([
      { command: "start", pr: 7, head: HEAD, request: "run:88" },
      { command: "start", head: "a".repeat(40), request: "run:88" },
    ]);
  });

  test("is repaired by a loop of its own, where the one on the pull request is over with another task", async () => {
    await using at = await looped({ state: { status: "completed", stop_reason: { kind: "promise", verified: true } } });
    await relayed(at, checkFailed("wendy"));
    expect(inputs(at)).toEqual([{ command: "start", pr: 7, head: HEAD, request: "run:88" }]);
  });

  test.for([
    {
      name: "an outsider stands behind it [T5]",
      event: checkFailed("wendy", { actor: anAccount("olga") }),
      line: "olga has no",
    },
    {
      name: "it was a fork's commit [T7]",
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
      line: "is gone",
    },
  ])("is not listened to when $name", async ({ event, line }) => {
    await using at = await looped();
    const { exitCode, lines } = await relayed(at, event);
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringContaining(line)] });
    expect(writes(at)).toEqual([]);
  });
});
