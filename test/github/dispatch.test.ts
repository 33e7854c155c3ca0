import { describe, expect, test } from "vitest";
import { dispatchWorkflow } from "../../src/github/dispatch.ts";
import { type Asking, asking } from "../support/asking.ts";

const ORDER = { workflow: "smithers.yml", ref: "main", inputs: { smithers: '{"command":"continue"}' } };
const dispatch = (at: Asking, order = ORDER) => dispatchWorkflow(at.github, order);

describe("starting a workflow", () => {
  test("it is started with its one input, and GitHub says which run it is", async () => {
    await using at = await asking();
    const answer = await dispatch(at);
    expect(at.api.world.dispatches).toMatchObject([{ ref: "main", inputs: ORDER.inputs }]);
    const [{ runId } = { runId: 0 }] = at.api.world.dispatches;
    expect(answer).toEqual({ ok: true, value: { runId, runUrl: expect.stringMatching(/\/actions\/runs\/\d+$/u) } });
  });

  test("a workflow whose file the runner does not say is not asked for", async () => {
    await using at = await asking();
    expect(await dispatch(at, { ...ORDER, workflow: "" })).toMatchObject({
      ok: false,
      trouble: { kind: "unknown_workflow", because: expect.stringContaining("does not say which file") },
    });
    expect(at.api.world.dispatches).toEqual([]);
  });

  test.for([
    { status: 422, message: 'Invalid request.\n\n"return_run_details" is not a permitted key.' },
    { status: 400, message: "return_run_details is unknown" },
  ])("a server that does not know how to say so ($status) is asked without", async ({ status, message }) => {
    await using at = await asking();
    at.api.fail("actions/create-workflow-dispatch", { status, body: { message } });
    expect(await dispatch(at)).toEqual({ ok: true, value: { runId: null, runUrl: null } });
    expect(at.api.world.dispatches).toHaveLength(1);
  });

  test.for([
    {
      because: "policy",
      status: 403,
      message: "Event 'workflow_dispatch' is not allowed to trigger Actions workflows",
      why: "a policy of the organisation or enterprise does not let this event start workflows",
    },
    {
      because: "permission",
      status: 403,
      message: "Resource not accessible by integration",
      why: "the token may not do this; give the job permissions: actions: write",
    },
    {
      because: "input_undeclared",
      status: 422,
      message: 'Unexpected inputs provided: ["smithers"]',
      why: "smithers.yml does not declare the input; add on: workflow_dispatch: inputs: smithers: { type: string, default: '' }",
    },
    {
      because: "not_dispatchable",
      status: 422,
      message: "Workflow does not have 'workflow_dispatch' trigger",
      why: "smithers.yml on main cannot be started by hand; add workflow_dispatch to its on:",
    },
    {
      because: "disabled",
      status: 422,
      message: "Cannot trigger a 'workflow_dispatch' on a disabled workflow",
      why: "smithers.yml is disabled; enable it on the repository's page Actions",
    },
    { because: "unknown_ref", status: 422, message: "No ref found for: main", why: "there is no branch main" },
    {
      because: "refused",
      status: 403,
      message: "Repository is archived",
      why: "GitHub refused (Repository is archived)",
    },
    { because: "unreachable", status: 500, message: "Oops", why: "GitHub answered 500 (Oops)" },
    { because: "unreachable", status: 429, message: "slow down", why: "GitHub's rate limit is used up" },
  ])("$status $message is $because", async ({ because, status, message, why }) => {
    await using at = await asking();
    at.api.fail("actions/create-workflow-dispatch", { status, body: { message } });
    expect(await dispatch(at)).toEqual({ ok: false, trouble: { kind: because, because: why } });
    expect(at.api.world.dispatches).toEqual([]);
    expect(at.api.requests).toHaveLength(1);
  });

  test("what is refused without it too is refused", async () => {
    await using at = await asking();
    const body = { message: "return_run_details and more is unknown" };
    at.api.fail("actions/create-workflow-dispatch", { status: 422, body }, 2);
    expect(await dispatch(at)).toMatchObject({ ok: false, trouble: { kind: "refused" } });
    expect(at.api.requests).toHaveLength(2);
  });

  test("what GitHub itself refuses is told apart", async () => {
    await using at = await asking();
    expect(await dispatch(at, { ...ORDER, workflow: "gone.yml" })).toEqual({
      ok: false,
      trouble: {
        kind: "unknown_workflow",
        because: "GitHub knows no gone.yml, or the token may not start it: give the job permissions: actions: write",
      },
    });
    expect(await dispatch(at, { ...ORDER, ref: "a".repeat(40) })).toMatchObject({ trouble: { kind: "unknown_ref" } });
    at.api.world.settings.dispatchAllowed = false;
    expect(await dispatch(at)).toMatchObject({ trouble: { kind: "policy" } });
    await using poor = await asking({ contents: "write" });
    expect(await dispatch(poor)).toMatchObject({ trouble: { kind: "permission" } });
  });

  test("an answer that does not come is not asked for twice: it may have been started", async () => {
    await using at = await asking();
    at.api.fail("actions/create-workflow-dispatch", "drop", 2);
    expect(await dispatch(at)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    expect(at.api.requests).toHaveLength(1);
  });
});
