import { describe, expect, test } from "vitest";
import type { RelayJob } from "../../../src/app/action/relay-job.ts";
import { markerOf } from "../../../src/views/github-markers.ts";
import {
  asking,
  commented,
  dispatched,
  labeled,
  LATER,
  LOOP,
  OURS,
  type Asking,
  type Event,
} from "../../support/asking.ts";
import { answers, inputs, looped, relayed, RUNNING, writes } from "./relay-stage.ts";

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
    expect(writes(at)).toEqual([]);
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
    expect(writes(at)).toEqual([]);
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
  /** What was done after a comment of somebody who may ask. */
  async function doneAfter(at: Asking, body: string, more: Partial<RelayJob> = {}) {
    const comment = at.comment(body, { author: "wendy" });
    const { exitCode } = await relayed(at, commented(comment), more);
    const handedOn = [...inputs(at), ...(await at.refs("refs/smithers-control/"))];
    return { exitCode, handedOn, ...answers(at, comment.id) };
  }
  const refused = (reason: string) => ({
    exitCode: 0,
    handedOn: [],
    reactions: ["eyes", "confused"],
    replies: [expect.stringContaining(reason)],
  });

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
    expect(await doneAfter(at, body)).toEqual(refused(reason));
  });

  test.for(["continue", "pause", "cancel", "status", "reset-circuit"])("%s without a loop", async (command) => {
    await using at = await asking();
    expect(await doneAfter(at, `/smithers ${command}`)).toEqual(refused("There is no loop on this pull request"));
  });

  test("a loop that runs does not go on twice", async () => {
    await using at = await looped(RUNNING);
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused("The loop is running"));
  });

  test("a closed pull request", async () => {
    await using at = await looped();
    at.pull.state = "closed";
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused("The pull request is closed"));
  });

  test("T7: a fork's pull request", async () => {
    await using at = await looped();
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused("comes from a fork"));
  });

  test("loops that are switched off", async () => {
    await using at = await looped();
    expect(await doneAfter(at, "/smithers continue", { disabled: "true" })).toEqual(refused("Loops are switched off"));
  });

  test("T6: a branch that was pushed to after the comment", async () => {
    await using at = await looped();
    await at.push(31);
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused(LATER));
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

  test("a label whose event cannot be found", async () => {
    await using at = await looped();
    await at.label("smithers:continue", "wendy");
    at.api.fail("issues/list-events", { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, labeled("smithers:continue", "wendy"));
    expect({ exitCode, lines }).toEqual({ exitCode: 1, lines: [expect.stringContaining("cannot be found again")] });
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
