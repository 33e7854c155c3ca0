import { describe, expect, test } from "vitest";
import { markerOf } from "../../src/views/github/markers.ts";
import type { RunRow } from "../support/github-api/world.ts";
import { asking, checkFailed, commented, labeled, LOOP, OURS, type Asking } from "../support/asking.ts";
import { answers, inputs, looped, relayed, RUNNING, writes } from "./relay-stage.ts";

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

  const ended = (conclusion: string) => (run: RunRow) => ({ ...run, status: "completed", conclusion });
  test.for<[what: string, become: (run: RunRow) => RunRow | null, lost: string | null]>([
    ["is cancelled", ended("cancelled"), "was cancelled before it began"],
    ["cannot begin", ended("startup_failure"), "could not begin"],
    ["is to be approved", ended("action_required"), "waits until somebody approves it"],
    ["skips its jobs", ended("skipped"), "has skipped all of its jobs"],
    ["is not there", () => null, "is still not shown by GitHub after a minute"],
    ["waits for its group", (run) => ({ ...run, status: "pending" }), null],
    ["waits for a machine", (run) => run, null],
    ["has failed, which it tells itself", ended("failure"), null],
  ])("the run that was asked for %s [C88]", async ([, become, lost]) => {
    await using at = await looped();
    const { world } = at.api;
    world.onDispatch = ({ runId }) => {
      const index = world.runs.findIndex(({ id }) => id === runId);
      const [run] = world.runs.splice(index, 1);
      const now = run === undefined ? null : become(run);
      if (now !== null) world.runs.push(now);
    };
    const comment = at.comment("/smithers continue");
    const { exitCode } = await relayed(at, commented(comment));
    const { reactions, replies } = answers(at, comment.id);
    expect([exitCode, reactions]).toEqual(lost === null ? [0, ["eyes", "rocket"]] : [1, ["eyes", "confused"]]);
    expect(replies.join("")).toContain(lost === null ? "" : `its run ${lost}`);
  });

  test("a run that GitHub does not show for half a minute is not called lost [C88, C148]", async () => {
    await using at = await looped();
    const { world } = at.api;
    world.onDispatch = () =>
      at.api.fail("actions/get-workflow-run", { status: 404, body: { message: "Not Found" } }, 5);
    const comment = at.comment("/smithers continue");
    const { exitCode } = await relayed(at, commented(comment));
    const { reactions, replies } = answers(at, comment.id);
    expect([exitCode, reactions, replies]).toEqual([0, ["eyes", "rocket"], []]);
  });

  test("a label whose event cannot be found", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    at.api.fail("issues/list-events", { status: 500, body: { message: "Oops" } }, 2);
    const { exitCode, lines } = await relayed(at, labeled("smithers:continue", "wendy"));
    const [untold, unfound] = ["Whether earlier requests got lost cannot be told", "cannot be found again"];
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining(untold), expect.stringContaining(unfound)],
    });
    expect(at.api.world.comments.at(-1)?.body).toContain("cannot be found again");
    expect(at.pull.labels).toEqual([]);
  });

  test("a status that cannot be said", async () => {
    await using at = await looped();
    at.api.fail("issues/create-comment", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers status")));
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toContain("How the loop stands could not be said: GitHub answered 500");
  });

  test("an event that does not name the default branch", async () => {
    await using at = await looped();
    const event = commented(at.comment("/smithers continue"), { repository: {} });
    expect(await relayed(at, event)).toMatchObject({ exitCode: 1, lines: [expect.stringContaining("default one")] });
  });

  test("a pull request that cannot be read: nobody knows who may be told", async () => {
    await using at = await looped();
    at.api.fail("pulls/get", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers continue")));
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining("cannot be read: GitHub answered 500")],
    });
    expect(writes(at)).toEqual([]);
  });

  const may = { actions: "write", contents: "write", "pull-requests": "write" } as const;
  const NOTHING = { reactions: [], replies: [] };
  const told = (line: string) => ({
    reactions: ["eyes", "confused"],
    replies: [expect.stringContaining(`give the job permissions: ${line}`)],
  });

  test.for([
    { body: "/smithers stop", loop: RUNNING, lacks: { contents: "read" }, line: "contents: write", seen: told },
    { body: "/smithers continue", loop: {}, lacks: { actions: "read" }, line: "actions: write", seen: told },
    { body: "/smithers continue", loop: {}, lacks: { contents: undefined }, line: "contents: read", seen: told },
    { body: "/smithers continue", loop: RUNNING, lacks: { actions: undefined }, line: "actions: read", seen: told },
    { body: "/smithers status", loop: {}, lacks: { "pull-requests": "read" }, line: "pull-requests: write" },
    { body: "/smithers stop", loop: {}, lacks: { "pull-requests": "read" }, line: "pull-requests: write" },
    { body: "/smithers nonsense", loop: {}, lacks: { "pull-requests": "read" }, line: "pull-requests: write" },
  ] as const)("a permission that $body needs: $line", async ({ body, loop, lacks, line, ...more }) => {
    const permissions = Object.entries({ ...may, ...lacks }).flatMap(([scope, level]) =>
      level === undefined ? [] : [[scope, level] as const],
    );
    await using at = await asking(Object.fromEntries(permissions));
    await at.loop({ state: { status: "paused_hard_stop" }, ...loop });
    at.comment(markerOf({ workflow: "w", job: "j", loopId: LOOP }), { author: OURS });
    const comment = at.comment(body, { author: "wendy" });
    const { exitCode, lines } = await relayed(at, commented(comment));
    expect(exitCode).toBe(1);
    expect(lines.join("\n")).toContain(`permissions: ${line}`);
    expect(answers(at, comment.id)).toEqual("seen" in more ? more.seen(line) : NOTHING);
  });

  test("whether somebody has pushed since", async () => {
    await using at = await looped();
    at.api.fail("repos/list-activities", { status: 500, body: { message: "Oops" } });
    const comment = at.comment("/smithers continue");
    expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 1 });
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining("cannot be told: GitHub answered 500")]);
  });

  test("where the branch of a check that failed is now", async () => {
    await using at = await asking();
    at.api.fail("git/get-ref", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, checkFailed("wendy", { pull_requests: [], head_branch: "main" }));
    expect({ exitCode, lines }).toEqual({ exitCode: 1, lines: [expect.stringContaining("where the branch is now")] });
  });

  test("not that a label or a reaction could not be set: what was asked is done", async () => {
    await using at = await asking({ ...may, "pull-requests": "read" });
    await at.loop({ state: { status: "paused_hard_stop" } });
    expect(await relayed(at, commented(at.comment("/smithers continue")))).toMatchObject({ exitCode: 0 });
    await at.label("smithers:continue", "wendy");
    const { exitCode, lines } = await relayed(at, labeled("smithers:continue", "wendy"));
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: [expect.stringContaining("! The label smithers:continue is left"), expect.stringContaining("was started")],
    });
    expect(inputs(at)).toHaveLength(2);
  });
});
