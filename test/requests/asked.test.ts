import { describe, expect, test } from "vitest";
import { verifyAsked } from "../../src/requests/asked.ts";
import { UsageError } from "../../src/core/errors.ts";
import { anEvent, asking, dispatched, HEAD, LATER, LOOP } from "../support/asking.ts";
import { input, NOBODY, refusal, verify, writes } from "./asked-stage.ts";

describe("nobody asks", () => {
  test.for([
    { name: "on a schedule", event: anEvent("schedule", { schedule: "17 3 * * *" }) },
    { name: "by a push", event: anEvent("push", { sender: { login: "alice", type: "User" } }) },
    { name: "by a dispatch without a word", event: dispatched(" ", "alice") },
    { name: "by a dispatch without the input", event: dispatched(undefined, "alice") },
  ])("$name: a trigger (C25)", async ({ event }) => {
    await using at = await asking();
    expect(await verifyAsked(event, { access: at.github, allowedBots: [] })).toEqual(NOBODY);
    expect(at.api.requests).toEqual([]);
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
      ...{ by: "person", asker: "wendy", loopId: LOOP, pullRequest: 7, headBranch: "feature", head: HEAD },
    });
  });

  test("a program is a trigger, and may do what triggers may (C25)", async () => {
    await using at = await asking();
    const goesOn = JSON.stringify({ command: "continue", loop: LOOP });
    expect(await verify(at, goesOn)).toEqual({ ...NOBODY, command: "continue", loopId: LOOP });
    expect(await refusal(verify(at, "cancel"))).toContain("REQUEST_NOT_ALLOWED cancel takes a person");
    expect(await refusal(verify(at, "reset-circuit", "other[bot]"))).toContain("REQUEST_NOT_ALLOWED");
    expect(await verify(at, "continue", "renovate[bot]")).toMatchObject({ by: "trigger", asker: null });
  });

  test("T20, C25: a loop that goes on by itself with a person's token does not speak as that person", async () => {
    await using at = await asking();
    const goesOn = JSON.stringify({ command: "continue", loop: LOOP, self: true });
    expect(await verify(at, goesOn, "wendy")).toEqual({ ...NOBODY, command: "continue", loopId: LOOP });
    const cancels = JSON.stringify({ command: "cancel", loop: LOOP, self: true });
    expect(await refusal(verify(at, cancels, "wendy"))).toContain("REQUEST_NOT_ALLOWED cancel takes a person");
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
    expect(writes(at)).toEqual([]);
  });

  test("another head than there is, is stale; a fork's pull request is refused", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input(null, { head: LATER }), "wendy"))).toContain("REQUEST_STALE");
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await refusal(verify(at, input(null), "wendy"))).toContain("REQUEST_NOT_ALLOWED This pull request comes");
  });

  test("whoever is refused is told how to ask", async () => {
    await using at = await asking();
    const error: unknown = await verify(at, "merge", "wendy").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ problems: [{ next: expect.stringContaining("with a new comment or label") }] });
  });
});
