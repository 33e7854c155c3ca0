import { describe, expect, test } from "vitest";
import { startNextRun } from "../../src/publish/publisher.ts";
import { LOOP, type PublishStage, publishStage, type StageJob } from "./publish-stage.ts";

/** What people read when the next run should start; what was dispatched. */
async function start(at: PublishStage, given?: StageJob) {
  const job = await at.job(given);
  const why = await startNextRun(LOOP, job.context, at.access(), job.teller);
  const { dispatches } = at.api.world;
  return { why, notices: job.notices, dispatched: dispatches.map(({ ref, inputs }) => [ref, inputs["smithers"]]) };
}

const INPUT = JSON.stringify({ command: "continue", loop: LOOP, self: true });

describe.concurrent("self-continue: the loop starts its next run", () => {
  test("on the branch that this one runs on", async () => {
    await using at = await publishStage();
    await at.push("dev");
    expect(await start(at, { env: { GITHUB_REF: "refs/heads/dev" } })).toEqual({
      ...{ why: null, notices: [] },
      dispatched: [["dev", INPUT]],
    });
  });

  test("on the default one, where this one runs on none", async () => {
    await using at = await publishStage();
    const env = { GITHUB_REF: "refs/pull/7/merge" };
    expect(await start(at, { env })).toMatchObject({ why: null, dispatched: [["main", INPUT]] });
  });

  test.for([
    {
      name: "a missing permission",
      status: 403,
      message: "Resource not accessible by integration",
      why: /permissions: actions: write/u,
    },
    {
      name: "a policy",
      status: 403,
      message: "Event 'workflow_dispatch' is not allowed to trigger Actions workflows",
      why: /policy of the organisation/u,
    },
    {
      name: "an input that is not declared",
      status: 422,
      message: 'Unexpected inputs provided: ["smithers"]',
      why: /does not declare the input; add on: workflow_dispatch: inputs: smithers/u,
    },
    {
      name: "no trigger",
      status: 422,
      message: "Workflow does not have 'workflow_dispatch' trigger",
      why: /add workflow_dispatch to its on:/u,
    },
    {
      name: "a disabled workflow",
      status: 422,
      message: "Cannot trigger a 'workflow_dispatch' on a disabled workflow",
      why: /enable it on the repository's page Actions/u,
    },
    { name: "a fault", status: 500, message: "oops", why: /GitHub answered 500/u },
  ])("$name parks it, once, and a person is told", async ({ status, message, why }) => {
    await using at = await publishStage();
    at.api.fail("actions/create-workflow-dispatch", { status, body: { message } }, 9);
    const done = await start(at);
    expect(done).toMatchObject({ why: expect.stringMatching(why), dispatched: [] });
    expect(done.notices).toEqual([expect.stringContaining("Nothing is lost: the loop goes on with the next run")]);
    const asked = at.api.requests.filter(({ operation }) => operation === "actions/create-workflow-dispatch");
    expect(asked).toHaveLength(1);
  });
});
