import { describe, expect, test } from "vitest";
import { type AskedFor, verifyAsked } from "../../../src/app/action/asked.ts";
import { OperationalError, UsageError } from "../../../src/core/errors.ts";
import { anEvent, type Asking, asking, dispatched, HEAD, LATER, LOOP, OURS } from "../../support/asking.ts";
import { runDocument, userDocument } from "../../support/github-api/documents.ts";
import { aRun, type RunRow } from "../../support/github-api/server.ts";

const NOBODY: AskedFor = {
  by: "trigger",
  asker: null,
  guidance: null,
  command: null,
  loopId: null,
  pullRequest: null,
  head: null,
};

/** What a relay would have written, with what is said otherwise. */
function input(request: string | null, more: Readonly<Record<string, unknown>> = {}): string {
  const said = { command: "continue", loop: LOOP, pr: 7, head: HEAD, ...more };
  return JSON.stringify(request === null ? said : { ...said, request });
}

function verify(at: Asking, smithers: string | undefined, by = OURS): Promise<AskedFor> {
  return verifyAsked(dispatched(smithers, by), { access: at.access, allowedBots: ["renovate[bot]"] });
}

/** The code and the words of a refusal. */
async function refusal(doing: Promise<unknown>): Promise<string> {
  try {
    return `not refused: ${JSON.stringify(await doing)}`;
  } catch (error) {
    if (error instanceof UsageError) return `${error.problems[0]?.code ?? ""} ${error.message}`;
    if (error instanceof OperationalError) return `${error.code} ${error.message}`;
    throw error;
  }
}

function expectNothing(at: Asking): void {
  expect(at.api.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}

describe("nobody asks", () => {
  test.for([
    { name: "on a schedule", event: anEvent("schedule", { schedule: "17 3 * * *" }) },
    { name: "by a push", event: anEvent("push", { sender: { login: "alice", type: "User" } }) },
    { name: "by a dispatch without a word", event: dispatched(" ", "alice") },
    { name: "by a dispatch without the input", event: dispatched(undefined, "alice") },
  ])("$name: a trigger (C25)", async ({ event }) => {
    await using at = await asking();
    expect(await verifyAsked(event, { access: at.access, allowedBots: [] })).toEqual(NOBODY);
    expect(at.api.requests).toEqual([]);
  });
});

describe("a comment that a relay names", () => {
  test("is read again: its words, its author, their permission, the pull request", async () => {
    await using at = await asking();
    const { id } = at.comment("/smithers continue use the v2 API\r\nand test it", { author: "wendy" });
    expect(await verify(at, input(`comment:${id}`))).toEqual({
      ...{ by: "person", asker: "wendy", guidance: "use the v2 API\nand test it", command: "continue" },
      ...{ loopId: LOOP, pullRequest: 7, head: HEAD },
    });
    expectNothing(at);
  });

  test("of a bot that is listed counts, and what ends a loop holds for every commit", async () => {
    await using at = await asking();
    const { id } = at.comment("/smithers cancel", { author: "renovate[bot]" });
    await at.push(31);
    expect(await verify(at, input(`comment:${id}`, { command: "cancel", head: null }))).toMatchObject({
      ...{ by: "person", asker: "renovate[bot]", guidance: null, command: "cancel", head: null },
    });
  });

  test.for([
    { name: "by a stranger", row: { author: "olga" }, said: "REQUEST_NOT_ALLOWED olga has no write permission" },
    { name: "by somebody who may read", row: { author: "rob" }, said: "REQUEST_NOT_ALLOWED rob has no write" },
    { name: "by somebody who may triage", row: { author: "tom" }, said: "REQUEST_NOT_ALLOWED tom has the triage role" },
    { name: "by a bot", row: { author: "other[bot]" }, said: "REQUEST_NOT_ALLOWED other[bot] is a bot" },
    { name: "by ourselves", row: { author: OURS }, said: "REQUEST_FORGED Nobody stands behind that comment" },
    {
      name: "that was edited",
      row: { updatedAt: new Date("2026-11-20T03:31:00Z") },
      said: "REQUEST_NOT_ALLOWED The comment was edited",
    },
    {
      name: "with another command",
      row: { body: "/smithers cancel" },
      said: "REQUEST_FORGED That comment does not ask for continue",
    },
    {
      name: "without a command",
      row: { body: "well done" },
      said: "REQUEST_FORGED That comment does not ask for continue",
    },
    {
      name: "on another pull request",
      row: { issue: 8 },
      said: "REQUEST_FORGED That comment is not on the pull request",
    },
  ])("$name is refused before anything is done", async ({ row, said }) => {
    await using at = await asking();
    at.api.world.issues.push({ ...at.pull, number: 8 });
    const { id } = at.comment("/smithers continue", row);
    expect(await refusal(verify(at, input(`comment:${id}`)))).toContain(said);
    expectNothing(at);
  });

  test("T15: that there is not, or whose pull request is not named, is forged", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("comment:4711")))).toBe(
      "REQUEST_FORGED There is no such comment. Nothing was done.",
    );
    const { id } = at.comment("/smithers continue");
    expect(await refusal(verify(at, input(`comment:${id}`, { pr: null })))).toContain("REQUEST_FORGED");
    expect(await refusal(verify(at, input(`comment:${id}`, { head: null })))).toContain("for which commit it holds");
  });

  test("T6: is stale after a push, before or after the relay looked", async () => {
    await using at = await asking();
    const { id } = at.comment("/smithers continue");
    await at.push(31);
    expect(await refusal(verify(at, input(`comment:${id}`)))).toBe(
      `REQUEST_STALE This was asked for commit ${HEAD}, and the branch is at ${LATER} now. Nothing was done.`,
    );
    expect(await refusal(verify(at, input(`comment:${id}`, { head: LATER })))).toContain(
      "REQUEST_STALE feature was pushed",
    );
  });

  test("on a pull request that is closed, or a fork's, is refused", async () => {
    await using at = await asking();
    const { id } = at.comment("/smithers continue");
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await refusal(verify(at, input(`comment:${id}`)))).toContain(
      "REQUEST_NOT_ALLOWED This pull request comes from",
    );
    at.pull.state = "closed";
    expect(await refusal(verify(at, input(`comment:${id}`)))).toContain(
      "REQUEST_NOT_ALLOWED Pull request #7 is closed",
    );
  });

  test.for(["issues/get-comment", "pulls/get", "repos/get-collaborator-permission-level"])(
    "cannot be verified while %s fails",
    async (operation) => {
      await using at = await asking();
      const { id } = at.comment("/smithers continue");
      at.api.fail(operation, { status: 500, body: { message: "Oops" } });
      expect(await refusal(verify(at, input(`comment:${id}`)))).toContain("REQUEST_UNVERIFIED");
    },
  );

  test("cannot be verified without a token", async () => {
    const asked = verifyAsked(dispatched(input("comment:1"), OURS), { access: undefined, allowedBots: [] });
    expect(await refusal(asked)).toContain("REQUEST_UNVERIFIED Who asks for this run cannot be verified: there is no");
  });
});

describe("a label that a relay names", () => {
  test("is looked at again, with who put it on", async () => {
    await using at = await asking();
    const id = await at.label("smithers:continue", "wendy");
    expect(await verify(at, input(`label:${id}`))).toMatchObject({ by: "person", asker: "wendy", guidance: null });
  });

  test.for([
    { name: "by somebody who may triage", label: "smithers:continue", author: "tom", said: "REQUEST_NOT_ALLOWED tom" },
    { name: "that means something else", label: "smithers:cancel", author: "alice", said: "REQUEST_FORGED That label" },
    { name: "that is none of ours", label: "bug", author: "alice", said: "REQUEST_FORGED That label" },
  ])("$name is refused", async ({ label, author, said }) => {
    await using at = await asking();
    const id = await at.label(label, author);
    expect(await refusal(verify(at, input(`label:${id}`)))).toContain(said);
  });

  test("T15: whose event there is not, or is another, is forged; after a push it is stale", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("label:4711")))).toContain(
      "REQUEST_FORGED No label was put on in that event",
    );
    const id = await at.label("smithers:continue", "alice");
    await at.push(31);
    expect(await refusal(verify(at, input(`label:${id}`, { head: LATER })))).toContain("REQUEST_STALE");
  });
});

describe("a failed run that a relay names", () => {
  const FAILED = { id: 88, path: ".github/workflows/ci.yml", branch: "feature", sha: HEAD, conclusion: "failure" };

  /** GitHub knows a failed run, which `actor` caused and `again` ran once more. */
  function failed(
    at: Asking,
    { actor = "wendy", again = actor, ...row }: Partial<RunRow> & { actor?: string; again?: string } = {},
  ) {
    const { world } = at.api;
    const run = runDocument(world, aRun({ ...FAILED, ...row }));
    const people = { actor: userDocument(world, actor), triggering_actor: userDocument(world, again) };
    at.api.fail("actions/get-workflow-run", { status: 200, body: { ...run, ...people } });
  }

  test("is looked at again, with everybody who stands behind it; nobody asks in person", async () => {
    await using at = await asking();
    failed(at, { actor: "wendy", again: "alice" });
    expect(await verify(at, input("run:88"))).toEqual({
      ...{ by: "trigger", asker: null, guidance: null, command: "continue", loopId: LOOP, pullRequest: 7, head: HEAD },
    });
    failed(at, { branch: "main", sha: "a".repeat(40) });
    const bare = { loop: null, pr: null, head: "a".repeat(40), command: "start" };
    expect(await verify(at, input("run:88", bare))).toMatchObject({
      by: "trigger",
      command: "start",
      pullRequest: null,
    });
  });

  test.for([
    {
      name: "has not failed",
      row: { conclusion: "success" },
      more: {},
      said: "REQUEST_FORGED That run has not failed",
    },
    { name: "was for another commit", row: { sha: LATER }, more: {}, said: "REQUEST_FORGED That run was for another" },
    {
      name: "is asked for what takes a person",
      row: {},
      more: { command: "cancel" },
      said: "REQUEST_NOT_ALLOWED cancel",
    },
    { name: "T5: was an outsider's", row: { actor: "olga" }, more: {}, said: "REQUEST_NOT_ALLOWED olga" },
    { name: "T5: was run again by an outsider", row: { again: "rob" }, more: {}, said: "REQUEST_NOT_ALLOWED rob" },
    { name: "was ours", row: { actor: OURS }, more: {}, said: `REQUEST_NOT_ALLOWED ${OURS}` },
    {
      name: "T7: was a fork's",
      row: { headRepositoryId: 9 },
      more: {},
      said: "REQUEST_NOT_ALLOWED wendy ran it for a fork",
    },
    { name: "was another branch's", row: { branch: "other" }, more: {}, said: "REQUEST_NOT_ALLOWED Pull request #7" },
    {
      name: "was a branch's that is gone",
      row: { branch: "gone" },
      more: { pr: null },
      said: "REQUEST_FORGED The branch",
    },
  ])("$name: refused", async ({ row, more, said }) => {
    await using at = await asking();
    failed(at, row);
    expect(await refusal(verify(at, input("run:88", more)))).toContain(said);
    expectNothing(at);
  });

  test("T6: is stale when there is a newer commit", async () => {
    await using at = await asking();
    await at.push(31);
    failed(at);
    expect(await refusal(verify(at, input("run:88")))).toContain(`REQUEST_STALE This was asked for commit ${HEAD}`);
  });

  test("there is not: forged; nobody stands behind: forged; GitHub fails: not verified", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("run:89")))).toContain("REQUEST_FORGED There is no such run");
    at.api.world.runs.push(aRun(FAILED));
    expect(await refusal(verify(at, input("run:88")))).toContain("REQUEST_FORGED Nobody stands behind that run");
    failed(at);
    at.api.fail("repos/get-collaborator-permission-level", { status: 500, body: { message: "Oops" } });
    expect(await refusal(verify(at, input("run:88")))).toContain("REQUEST_UNVERIFIED");
  });
});

describe("somebody starts the workflow by hand", () => {
  test("a person speaks for themselves, in a word or in JSON", async () => {
    await using at = await asking();
    expect(await verify(at, "continue", "wendy")).toEqual({
      ...NOBODY,
      by: "person",
      asker: "wendy",
      command: "continue",
    });
    expect(await verify(at, input(null), "wendy")).toMatchObject({
      ...{ by: "person", asker: "wendy", loopId: LOOP, pullRequest: 7, head: HEAD },
    });
  });

  test("a program is a trigger, and may do what triggers may (C25)", async () => {
    await using at = await asking();
    const goesOn = JSON.stringify({ command: "continue", loop: LOOP });
    expect(await verify(at, goesOn)).toEqual({ ...NOBODY, command: "continue", loopId: LOOP });
    expect(await refusal(verify(at, "cancel"))).toContain("REQUEST_NOT_ALLOWED cancel takes a person");
    expect(await refusal(verify(at, "reset-circuit", "other[bot]"))).toContain("REQUEST_NOT_ALLOWED");
  });

  test.for([
    { name: "a word that is none", text: "merge", said: "names none of the commands" },
    { name: "a loop outside of its folder", text: input(null, { loop: "../x" }), said: "has a wrong loop" },
    { name: "a loop's name too long", text: input(null, { loop: "a".repeat(101) }), said: "has a wrong loop" },
    { name: "a head that is no commit", text: input(null, { head: "main" }), said: "has a wrong head" },
    {
      name: "a head without its pull request",
      text: input(null, { pr: null }),
      said: "a commit without its pull request",
    },
    {
      name: "a pull request that there is not",
      text: input(null, { pr: 4711 }),
      said: "There is no pull request #4711",
    },
    { name: "a strange request", text: input("comment:x"), said: "has a wrong request" },
    { name: "a prd without a name", text: "prd", said: "needs the name of a PRD" },
    { name: "fields of their own", text: input(null, { guidance: "x" }), said: "fields that there are not" },
  ])("C9: $name is refused before anything is done", async ({ text, said }) => {
    await using at = await asking();
    const words = await refusal(verify(at, text, "wendy"));
    expect(words).toMatch(/^REQUEST_FORGED /u);
    expect(words).toContain(said);
    expectNothing(at);
  });

  test("another head than there is, is stale; a fork's pull request is refused", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input(null, { head: LATER }), "wendy"))).toContain("REQUEST_STALE");
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await refusal(verify(at, input(null), "wendy"))).toContain("REQUEST_NOT_ALLOWED Pull request #7 comes from");
  });

  test("whoever is refused is told how to ask", async () => {
    await using at = await asking();
    const error: unknown = await verify(at, "merge", "wendy").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ problems: [{ next: expect.stringContaining("with a new comment or label") }] });
  });
});
