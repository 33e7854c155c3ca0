import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/core/errors.ts";
import { type GithubLink, MOST_CONTINUATIONS } from "../../src/core/state.ts";
import { refuseForLoop, type RunRequest, verifyRunRequest } from "../../src/requests/run-request.ts";
import { publishStage, refusalOf } from "../publish/publish-stage.ts";
import { anEvent, asking, dispatched, HEAD, LATER, LOOP, OURS } from "../support/asking.ts";
import { aState } from "../views/a-state.ts";
import { accessOf, input, NOBODY, refusal, verify, writes } from "./run-request-stage.ts";

describe("nobody asks", () => {
  test.for([
    { name: "on a schedule", event: anEvent("schedule", { schedule: "17 3 * * *" }) },
    { name: "by a push", event: anEvent("push", { sender: { login: "alice", type: "User" } }) },
    { name: "by a dispatch without a word", event: dispatched(" ", "alice"), asker: "alice" },
    { name: "by a dispatch without the input", event: dispatched(undefined, "alice"), asker: "alice" },
    { name: "by a program's dispatch", event: dispatched(undefined, OURS) },
  ])("$name: a trigger, and who is to be told of the ending [C25, C87]", async ({ event, asker = null }) => {
    await using at = await asking();
    expect(await verifyRunRequest(event, accessOf(at), [])).toEqual({ ...NOBODY, asker });
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

  test("a program is a trigger, and may do what triggers may [C25]", async () => {
    await using at = await asking();
    const goesOn = JSON.stringify({ command: "continue", loop: LOOP });
    expect(await verify(at, goesOn)).toEqual({ ...NOBODY, command: "continue", loopId: LOOP });
    expect(await refusal(verify(at, "cancel"))).toContain("REQUEST_NOT_ALLOWED cancel takes a person");
    expect(await refusal(verify(at, "reset-circuit", "other[bot]"))).toContain("REQUEST_NOT_ALLOWED");
    expect(await verify(at, "continue", "renovate[bot]")).toMatchObject({ by: "trigger", asker: null });
  });

  test("a loop that goes on by itself with a person's token does not speak as that person [T20, C25]", async () => {
    await using at = await asking();
    const goesOn = JSON.stringify({ command: "continue", loop: LOOP, self: true });
    expect(await verify(at, goesOn, "wendy")).toEqual({ ...NOBODY, command: "continue", loopId: LOOP });
    const cancels = JSON.stringify({ command: "cancel", loop: LOOP, self: true });
    expect(await refusal(verify(at, cancels, "wendy"))).toContain("REQUEST_NOT_ALLOWED cancel takes a person");
  });

  test("a story's loop is its waves', whoever asks for it by name [D-29]", async () => {
    await using at = await asking();
    const words = await refusal(verify(at, input(null, { loop: "prd-shop.us-003.1" }), "wendy"));
    expect(words).toContain("STORY_OF_A_WAVE This is US-003 of the PRD shop");
    expect(writes(at)).toEqual([]);
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
    { name: "a prd without a verb", text: "prd", said: "has a wrong verb" },
    { name: "fields of their own", text: input(null, { guidance: "x" }), said: "fields that there are not" },
  ])("$name is refused before anything is done [C9]", async ({ text, said }) => {
    await using at = await asking();
    const words = await refusal(verify(at, text, "wendy"));
    expect(words).toMatch(/^REQUEST_FORGED /u);
    expect(words).toContain(said);
    expect(writes(at)).toEqual([]);
  });

  test("a PRD is refused by a job that has no story of it, and is nobody's request in one that has", async () => {
    await using at = await asking();
    const text = '{"command":"prd","prd":"billing","verb":"run"}';
    expect(await refusal(verify(at, text, "wendy"))).toContain("NO_PLAN_HERE A PRD is for a workflow with job: plan");
    expect(await verifyRunRequest(dispatched(text, "wendy"), accessOf(at), [], true)).toEqual(NOBODY);
    expect(writes(at)).toEqual([]);
  });

  test("another head than there is, is stale; a fork's pull request is refused", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input(null, { head: LATER }), "wendy"))).toContain("REQUEST_STALE");
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    expect(await refusal(verify(at, input(null), "wendy"))).toContain("REQUEST_NOT_ALLOWED This pull request comes");
  });

  test("a refusal says how to ask", async () => {
    await using at = await asking();
    const error: unknown = await verify(at, "merge", "wendy").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ problems: [{ next: expect.stringContaining("with a new comment or label") }] });
  });
});

function aLink(overrides: Partial<GithubLink> = {}): GithubLink {
  const pull = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
  const known = { authorised_by: null, obeyed: null, continuations: 0 };
  return { branch: `smithers/${LOOP}`, head: null, pull_request: pull, ...known, ...overrides };
}

/** What is said to somebody who asks about a loop; "goes on" when nothing speaks against it. */
async function heard(runRequest: Partial<RunRequest>, github: GithubLink | null): Promise<string> {
  return refusalOf((async () => refuseForLoop({ ...NOBODY, ...runRequest }, aState({ github })))());
}

const GOES_ON = "not refused: undefined";

describe.concurrent("what this run is asked for [C25]", () => {
  test("a run that nobody dispatched asks GitHub nothing", async () => {
    await using at = await publishStage();
    const job = await at.job({ event: { name: "schedule", payload: {} } });
    const refuse = async () => Promise.reject(new Error("nobody is to be asked"));
    expect(await verifyRunRequest(job.context, { until: refuse, within: refuse }, [])).toMatchObject({
      by: "trigger",
      command: null,
    });
  });

  test.each(["pause", "stop", "status"])("%s is for a loop that runs: nothing is done", async (smithers) => {
    await using at = await publishStage();
    const job = await at.job({ smithers });
    expect(await refusalOf(verifyRunRequest(job.context, at.github, []))).toBe(
      `NO_LOOP_RUNS: ${smithers} is for a loop that runs, and this run would only begin. Nothing was done.`,
    );
  });

  test.each(["go on", '{"command":"continue","extra":1}', "continue please"])("%s is no command", async (smithers) => {
    await using at = await publishStage();
    const job = await at.job({ smithers });
    expect(await refusalOf(verifyRunRequest(job.context, at.github, []))).toMatch(/^REQUEST_FORGED: /u);
  });

  test.each(["continue", "cancel", "reset-circuit", "start"] as const)(
    "%s by hand is that person's word",
    async (smithers) => {
      await using at = await publishStage();
      const job = await at.job({ smithers });
      expect(await verifyRunRequest(job.context, at.github, [])).toMatchObject({
        by: "person",
        asker: "alice",
        command: smithers,
      });
    },
  );
});

describe("whose loop it is [T15]", () => {
  const ON_7 = { pullRequest: 7, loopId: LOOP, headBranch: `smithers/${LOOP}` };

  test.for<[what: string, runRequest: Partial<RunRequest>, github: GithubLink | null, said: string]>([
    ["its own pull request", ON_7, aLink(), GOES_ON],
    ["none yet, and its branch", ON_7, aLink({ pull_request: null }), GOES_ON],
    ["none is named", { loopId: LOOP }, aLink(), GOES_ON],
    ["another pull request", { ...ON_7, pullRequest: 8 }, aLink(), "OTHER_LOOP"],
    ["none yet, and another branch", { ...ON_7, headBranch: "main" }, aLink({ pull_request: null }), "OTHER_LOOP"],
    ["it knows of nothing on GitHub", ON_7, null, "OTHER_LOOP"],
  ])("%s", async ([, runRequest, github, said]) => {
    expect((await heard(runRequest, github)).split(": ")[0]).toBe(said.split(": ")[0]);
  });

  test("a comment lets it go on once, and failing checks so often only", async () => {
    const comment = { ...ON_7, request: "comment:5" };
    expect(await heard(comment, aLink({ obeyed: "comment:4" }))).toBe(GOES_ON);
    expect(await heard(comment, aLink({ obeyed: "comment:5" }))).toMatch(/^OBEYED_ALREADY: .*comment:5/u);
    const run = { loopId: LOOP, request: "run:9" };
    expect(await heard(run, aLink({ continuations: MOST_CONTINUATIONS - 1 }))).toBe(GOES_ON);
    expect(await heard(run, aLink({ continuations: MOST_CONTINUATIONS }))).toMatch(/^TOO_OFTEN: /u);
    expect(await heard(comment, aLink({ continuations: MOST_CONTINUATIONS }))).toBe(GOES_ON);
  });

  test("a loop that there is not yet is nobody's", () => {
    expect(() => refuseForLoop({ ...NOBODY, ...ON_7 }, undefined)).not.toThrow();
  });
});
