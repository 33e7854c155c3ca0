import { describe, expect, test } from "vitest";
import { verifyRunRequest } from "../../src/requests/run-request.ts";
import { asking, dispatched, HEAD, LATER, LOOP, OURS } from "../support/asking.ts";
import { aRun } from "../support/github-api/server.ts";
import { input, refusal, verify, writes } from "./run-request-stage.ts";

describe("a comment that a relay names", () => {
  test("is read again: its words, its author, their permission, the pull request", async () => {
    await using at = await asking();
    const { id } = at.comment("/smithers continue use the v2 API\r\nand test it", { author: "wendy" });
    expect(await verify(at, input(`comment:${id}`))).toEqual({
      ...{ by: "person", asker: "wendy", guidance: "use the v2 API\nand test it", command: "continue" },
      ...{ request: `comment:${id}`, loopId: LOOP, pullRequest: 7, headBranch: "feature", head: HEAD },
    });
    expect(writes(at)).toEqual([]);
  });

  test("/smithers fix: the run is looked at again, and the newest is found where none is named [C100]", async () => {
    await using at = await asking();
    const failed = { path: ".github/workflows/ci.yml", sha: HEAD, branch: "feature", conclusion: "failure" };
    const lint = { ...failed, path: ".github/workflows/lint.yml" };
    at.api.world.runs.push(aRun({ ...failed, id: 80 }), aRun({ ...lint, id: 81 }));
    const { id } = at.comment("/smithers fix the clock", { author: "wendy" });
    const asked = { command: "fix", run: 80 };
    expect(await verify(at, input(`comment:${id}`, asked))).toMatchObject({
      ...{ by: "person", asker: "wendy", guidance: "the clock", command: "fix", failed: { id: 80, path: failed.path } },
    });
    expect(await verify(at, input(`comment:${id}`, { command: "fix" }))).toMatchObject({ failed: { id: 81 } });
    expect(await verify(at, input(null, { command: "fix", head: null }), "wendy")).toMatchObject({
      failed: { id: 81 },
    });
  });

  test.for([
    { name: "has never failed", row: { conclusion: "success" }, said: "REQUEST_FORGED That run has not failed" },
    { name: "was for another commit", row: { sha: LATER }, said: "REQUEST_FORGED That run was for another commit" },
    {
      name: "was for a fork's commit",
      row: { headRepositoryId: 2 },
      said: "REQUEST_NOT_ALLOWED That run was for a commit",
    },
  ])("/smithers fix of a run that $name is refused before anything is done [C100, T7]", async ({ row, said }) => {
    await using at = await asking();
    const failed = { path: ".github/workflows/ci.yml", sha: HEAD, branch: "feature", conclusion: "failure" };
    at.api.world.runs.push(aRun({ ...failed, id: 80, ...row }));
    const { id } = at.comment("/smithers fix");
    expect(await refusal(verify(at, input(`comment:${id}`, { command: "fix", run: 80 })))).toContain(said);
    expect(writes(at)).toEqual([]);
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
    expect(writes(at)).toEqual([]);
  });

  test("that there is not, or whose pull request is not named, is forged [T15]", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("comment:4711")))).toBe(
      "REQUEST_FORGED There is no such comment. Nothing was done.",
    );
    const { id } = at.comment("/smithers continue");
    expect(await refusal(verify(at, input(`comment:${id}`, { pr: null })))).toContain("REQUEST_FORGED");
    expect(await refusal(verify(at, input(`comment:${id}`, { head: null })))).toContain("for which commit it holds");
  });

  test("is stale after a push, before or after the relay looked [T6]", async () => {
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
    const asked = verifyRunRequest(dispatched(input("comment:1"), OURS), undefined, []);
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

  test("whose event there is not, or is another, is forged; after a push it is stale [T15]", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("label:4711")))).toContain(
      "REQUEST_FORGED No label was put on in that event",
    );
    const id = await at.label("smithers:continue", "alice");
    await at.push(31);
    expect(await refusal(verify(at, input(`label:${id}`, { head: LATER })))).toContain("REQUEST_STALE");
  });
});
