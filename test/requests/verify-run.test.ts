import { describe, expect, test } from "vitest";
import { asking, HEAD, LATER, LOOP, OURS, type Asking } from "../support/asking.ts";
import { aRun, type RunRow } from "../support/github-api/server.ts";
import { input, NOBODY, refusal, verify, writes } from "./run-request-stage.ts";

describe("a failed run that a relay names", () => {
  const FAILED = { id: 88, path: ".github/workflows/ci.yml", branch: "feature", sha: HEAD, conclusion: "failure" };

  /** GitHub knows a failed run. */
  function failed(at: Asking, row: Partial<RunRow> = {}): void {
    at.api.world.runs.push(aRun({ ...FAILED, actor: "wendy", ...row }));
  }

  test("is looked at again, with everybody who stands behind it; nobody asks in person", async () => {
    await using at = await asking();
    failed(at, { actor: "wendy", triggeringActor: "alice" });
    expect(await verify(at, input("run:88"))).toEqual({
      ...{
        ...NOBODY,
        request: "run:88",
        command: "continue",
        loopId: LOOP,
        pullRequest: 7,
        headBranch: "feature",
        head: HEAD,
      },
      failed: expect.objectContaining({
        id: 88,
        path: ".github/workflows/ci.yml",
        headSha: HEAD,
        event: "workflow_dispatch",
      }),
    });
    failed(at, { id: 89, branch: "main", sha: "a".repeat(40) });
    const bare = { loop: null, pr: null, head: "a".repeat(40), command: "start" };
    expect(await verify(at, input("run:89", bare))).toMatchObject({
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
    { name: "was an outsider's [T5]", row: { actor: "olga" }, more: {}, said: "REQUEST_NOT_ALLOWED olga" },
    {
      name: "was run again by an outsider [T5]",
      row: { triggeringActor: "rob" },
      more: {},
      said: "REQUEST_NOT_ALLOWED rob",
    },
    { name: "was ours", row: { actor: OURS }, more: {}, said: `REQUEST_NOT_ALLOWED ${OURS}` },
    {
      name: "was a fork's [T7]",
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
  ])("refused: one that $name", async ({ row, more, said }) => {
    await using at = await asking();
    failed(at, row);
    expect(await refusal(verify(at, input("run:88", more)))).toContain(said);
    expect(writes(at)).toEqual([]);
  });

  test("is stale when there is a newer commit [T6]", async () => {
    await using at = await asking();
    await at.push(31);
    failed(at);
    expect(await refusal(verify(at, input("run:88")))).toContain(`REQUEST_STALE This was asked for commit ${HEAD}`);
  });

  test("there is not: forged; GitHub fails: not verified", async () => {
    await using at = await asking();
    expect(await refusal(verify(at, input("run:89")))).toContain("REQUEST_FORGED There is no such run");
    failed(at);
    at.api.fail("repos/get-collaborator-permission-level", { status: 500, body: { message: "Oops" } });
    expect(await refusal(verify(at, input("run:88")))).toContain("REQUEST_UNVERIFIED");
  });
});
