import { describe, expect, test } from "vitest";
import type { RelayJob } from "../../src/requests/relay-job.ts";
import { asking, commented, dispatched, labeled, LATER, OURS, type Asking, type Event } from "../support/asking.ts";
import { answers, inputs, looped, relayed, RUNNING, writes } from "./relay-stage.ts";

describe("people who may not ask get a line in the log and nothing else [T4]", () => {
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
    { name: "a deleted comment", make: (event: Event) => ({ ...event, event: { ...event.event, action: "deleted" } }) },
    { name: "a dispatch", make: () => dispatched("continue", "alice") },
  ])("$name", async ({ make }) => {
    await using at = await looped();
    const event = make(commented(at.comment("/smithers continue")));
    expect(await relayed(at, event)).toEqual({ exitCode: 0, lines: [expect.stringMatching(/^Nothing to do\. /u)] });
    expect(at.api.requests).toEqual([]);
  });
});

describe("people who may ask and cannot have it are told why, once", () => {
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
    expect(await doneAfter(at, `/smithers ${command}`)).toEqual(refused("There is no loop here"));
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

  test("a fork's pull request [T7]", async () => {
    await using at = await looped();
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused("comes from a fork"));
  });

  test("loops that are switched off", async () => {
    await using at = await looped();
    expect(await doneAfter(at, "/smithers continue", { disabled: "true" })).toEqual(refused("Loops are switched off"));
  });

  test("a branch that was pushed to after the comment [T6]", async () => {
    await using at = await looped();
    await at.push(31);
    expect(await doneAfter(at, "/smithers continue")).toEqual(refused(LATER));
  });

  test("a comment that was changed or deleted since [T1]", async () => {
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

describe("the pull request of a story of a wave starts nothing by itself [D-29]", () => {
  const LOOP = "prd-shop.us-003.2-1";
  async function ofStory(): Promise<Asking> {
    const at = await asking();
    Object.assign(at.pull.pull ?? {}, { headBranch: `smithers/${LOOP}` });
    await at.loop({ loopId: LOOP, branch: `smithers/${LOOP}`, number: 7, state: { status: "blocked" } });
    return at;
  }

  test.for(["continue", "start anew", "cancel", "reset-circuit"])("/smithers %s: it says what to do", async (words) => {
    await using at = await ofStory();
    const comment = at.comment(`/smithers ${words}`);
    expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 0 });
    const { reactions, replies } = answers(at, comment.id);
    expect(reactions).toEqual(["eyes", "confused"]);
    expect(replies.join("").replaceAll("\\", "")).toContain("/smithers prd shop retry US-003 [words] to have it tried");
    expect(inputs(at)).toEqual([]);
  });

  test("the label says the same, also when the wave has closed the pull request, and status still answers", async () => {
    await using at = await ofStory();
    await at.label("smithers:continue", "alice");
    at.pull.state = "closed";
    expect(await relayed(at, labeled("smithers:continue", "alice"))).toMatchObject({ exitCode: 0 });
    expect(at.pull.labels).toEqual([]);
    expect(at.api.world.comments.at(-1)?.body).toContain("US-003 of the PRD shop");
    at.pull.state = "open";
    const comment = at.comment("/smithers status");
    await relayed(at, commented(comment));
    expect(answers(at, comment.id).reactions).toEqual(["eyes", "rocket"]);
    expect(inputs(at)).toEqual([]);
  });
});
