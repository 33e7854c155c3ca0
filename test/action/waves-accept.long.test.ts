import { afterEach, expect, test } from "vitest";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";
import { aStory, type LandStage, landStage } from "./land-stage.ts";

let at: LandStage;
afterEach(async () => at[Symbol.asyncDispose]());

const [FIRST, SECOND] = ["prd-shop.us-001.1", "prd-shop.us-002.1"] as const;

/** Somebody asks for a story to be taken as it is, and the run that does it plans and lands. */
async function accept(story: string, run: string): Promise<{ readonly plan: Job; readonly land: Job }> {
  const smithers = JSON.stringify({ command: "prd", prd: "shop", verb: "accept", story });
  const event = dispatchEvent(at.ci.api.world, { workflow: "prd.yml", ref: "main", inputs: { smithers }, login: "me" });
  const plan = await at.plan({ event, github: { run_id: run, actor: "me", triggering_actor: "me" } });
  return { plan, land: await at.land({ github: { run_id: run } }) };
}

test("what is accepted lands as its pull request shows it, before what depends on it begins, and fails nobody else", async () => {
  at = await landStage([aStory(1), aStory(2, { dependsOn: ["US-001"] })]);
  await at.plan();
  await at.leave({ story: "US-001", loop: FIRST, files: { "other.txt": "1\n" } });
  await at.land({ inputs: { "story-attempts": "1" } });
  expect(await at.entry("US-001")).toMatchObject({
    state: "pending",
    blocked: expect.stringContaining("Its attempt is used up. "),
  });
  expect(at.ci.api.world.dispatches).toEqual([]);

  const { plan, land } = await accept("US-001", "8002");
  expect(plan.outputs).toMatchObject({ stories: "0", wave: "1" });
  expect(plan.log).toContain("shows of US-001 lands first");
  expect(land.conclusion).toBe("success");
  expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
  const tip = await at.ci.remote.git("rev-parse", "refs/heads/shop");
  expect(await at.entry("US-001")).toMatchObject({ state: "passed", passed: "accepted", commit: tip });
  const message = await at.ci.remote.git("log", "-1", "--format=%(trailers)", "refs/heads/shop");
  expect(message.trim().split("\n").toSorted()).toEqual([
    ...["Smithers-Accepted-By: me", `Smithers-Loop: ${FIRST}`, "Smithers-Prd: shop", "Smithers-Story: US-001"],
  ]);
  const pull = at.pullOf(`smithers/${FIRST}`);
  expect(pull).toMatchObject({ state: "closed" });
  expect(pull?.comments.join("\n")).toContain("as it was, because it was accepted");
  expect(at.ci.api.world.dispatches).toHaveLength(1);

  const next = { github: { run_id: "8003" } };
  expect((await at.plan(next)).outputs).toMatchObject({ stories: "1", commit: tip });
  await at.leave({ story: "US-002", loop: SECOND, files: { "2.txt": "2\n" } });
  const last = await at.land(next);
  expect(await at.landed()).toEqual(["feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
  expect(last.log).toContain("US-001: test -f 1.txt is red on shop without US-002 as well");
  const report = at.ci.api.world.issues.find((issue) => issue.pull?.headBranch === "shop");
  expect(report).toMatchObject({ title: "PRD shop: 2 of 2 stories passed", pull: { draft: false } });
}, 200_000);

test("what is accepted and does not fit waits for a person again; what shows no work passes without a commit", async () => {
  at = await landStage([aStory(1), aStory(2), aStory(3)]);
  await at.plan();
  await at.leave({ story: "US-001", loop: FIRST, files: { "same.txt": "1\n" } });
  await at.leave({ story: "US-003", loop: "prd-shop.us-003.1", files: { "3.txt": "3\n", "same.txt": "3\n" } });
  await at.land({ inputs: { "story-attempts": "1" } });
  expect(await at.landed()).toEqual(["feat: [US-003] - Story 3"]);

  const first = await accept("US-001", "8002");
  expect(first.land.conclusion).toBe("success");
  expect(await at.landed()).toHaveLength(1);
  const why = expect.stringMatching(/^me has accepted it, and its work cannot land.*does not fit on shop.*same\.txt/su);
  expect(await at.entry("US-001")).toMatchObject({ state: "pending", passed: null, blocked: why, take: 2 });
  const pull = at.pullOf(`smithers/${FIRST}`);
  expect(pull).toMatchObject({ state: "open" });
  expect(pull?.comments.join("\n")).toContain("cannot land");

  const { land } = await accept("US-002", "8003");
  expect(land.log).toContain("no open pull request shows work of it: it passes without a commit");
  expect(await at.landed()).toHaveLength(1);
  expect(await at.entry("US-002")).toMatchObject({ state: "passed", passed: "accepted", commit: null });
  expect((await at.plan({ github: { run_id: "8004" } })).outputs).toMatchObject({ stories: "0" });
}, 200_000);
