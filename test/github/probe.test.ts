import { describe, expect, test } from "vitest";
import type { Github } from "../../src/github/client.ts";
import { probePeople, probePullRequests, probeWorkflow } from "../../src/github/probes.ts";
import type { Fault } from "../support/github-api/faults.ts";
import type { Token } from "../support/github-api/server.ts";
import { type Stage, stage } from "./stage.ts";

const MAY: Token["permissions"] = { actions: "read", "pull-requests": "read" };
const NOT_ALLOWED = { right: "missing", why: "the token may not even read that", next: "" };

const PULLS = "pulls/list";
const WORKFLOW = "actions/get-workflow";

/** Asks both questions with our own client, which would ask again where that is allowed. */
async function ask(at: Stage, github: Github = at.patient()) {
  const [pulls, workflow] = await Promise.all([probePullRequests(github), probeWorkflow(github, "smithers.yml")]);
  expect(at.asked().toSorted()).toEqual([WORKFLOW, PULLS]);
  return { pulls, workflow };
}

function says(status: number, message: string): Fault {
  return { status, body: { message, documentation_url: "https://docs.github.com/x" } };
}

describe("what a token may do, as far as it shows without writing", () => {
  test("what can be read, and what time it is there", async () => {
    await using at = await stage(MAY);
    const { pulls, workflow } = await ask(at);
    expect([pulls.right, workflow.right]).toEqual([{ right: "readable" }, { right: "readable" }]);
    expect(Math.abs(pulls.aheadMs ?? Infinity)).toBeLessThan(60_000);
    expect(Math.abs(workflow.aheadMs ?? Infinity)).toBeLessThan(60_000);
  });

  test("GitHub's time is that of its answer", async () => {
    await using at = await stage(MAY);
    const then = new Date(Date.now() - 3_600_000).toUTCString();
    at.api.fail(PULLS, { status: 200, body: [], headers: { date: then } });
    expect((await ask(at)).pulls.aheadMs).toBeGreaterThanOrEqual(3_600_000);
    at.api.fail(PULLS, { status: 200, body: [], headers: { date: "tomorrow" } });
    expect((await ask(at)).pulls).toEqual({ right: { right: "readable" }, aheadMs: null });
  });

  test("a permission that is missing", async () => {
    await using at = await stage({});
    const { pulls, workflow } = await ask(at);
    expect([pulls, workflow]).toEqual([
      { right: NOT_ALLOWED, aheadMs: null },
      { right: NOT_ALLOWED, aheadMs: null },
    ]);
  });

  test("a workflow that somebody has disabled", async () => {
    await using at = await stage(MAY);
    const { data } = await at.github().rest.actions.getWorkflow({ workflow_id: "smithers.yml" });
    at.api.fail(WORKFLOW, { status: 200, body: { ...data, state: "disabled_manually" } });
    at.asked();
    const { workflow } = await ask(at);
    expect(workflow.right).toEqual({
      right: "missing",
      why: "smithers.yml is disabled",
      next: "Enable it on the repository's page Actions.",
    });
  });

  test("a token that nobody knows, and one that the repository is not shown to", async () => {
    await using at = await stage(MAY);
    const next = "Give the step a github-token that is valid here.";
    at.api.fail(PULLS, says(401, "Bad credentials"));
    expect((await ask(at)).pulls.right).toEqual({ right: "missing", why: "GitHub does not know the token", next });
    at.api.fail(PULLS, says(404, "Not Found"));
    const why = "GitHub does not show the repository to the token";
    expect((await ask(at)).pulls.right).toEqual({ right: "missing", why, next: "" });
  });

  test.each([
    ["untold", says(403, "Your address is not on the list."), "GitHub refused (Your address is not on the list.)"],
    ["unreachable", says(500, "Oops"), "GitHub answered 500 (Oops)"],
    ["unreachable", "drop", expect.stringMatching(/^GitHub cannot be reached/u)],
  ] as const)("what is only unknown is asked once (%s): %j", async (because, fault, why) => {
    await using at = await stage(MAY);
    at.api.fail(PULLS, fault, 3);
    expect((await ask(at)).pulls).toEqual({ right: { right: "unknown", because, why }, aheadMs: null });
  });

  test("a workflow that GitHub does not know may only not be on the default branch yet", async () => {
    await using at = await stage(MAY);
    at.api.fail(WORKFLOW, says(404, "Not Found"));
    expect((await ask(at)).workflow.right).toMatchObject({ right: "unknown", because: "untold" });
  });

  test("GitHub is waited for no longer than somebody waits", async () => {
    await using at = await stage(MAY);
    at.api.fail(PULLS, "hang");
    const access = at.patient(AbortSignal.timeout(300));
    const { right } = await probePullRequests(access);
    expect(right).toEqual({ right: "unknown", because: "unreachable", why: "GitHub did not answer in time" });
  });
});

test("whom reviewers and notify name is asked of GitHub, teams and bots are not [C111]", async () => {
  await using at = await stage(MAY);
  at.api.world.users.set("rita", { login: "rita", type: "User", role: "read" });
  const github = at.patient();
  expect(await probePeople(github, ["none", "octo/team", "app[bot]"])).toBeNull();
  expect(at.asked()).toEqual([]);
  expect(await probePeople(github, ["@rita", "rita"])).toEqual({ right: "there" });
  expect(await probePeople(github, ["rita", "ritta"])).toMatchObject({
    right: "missing",
    why: expect.stringContaining("knows no ritta who"),
  });
  at.api.fail("repos/get-collaborator-permission-level", "drop", 9);
  expect(await probePeople(github, ["rita"])).toMatchObject({ right: "unknown" });
});
