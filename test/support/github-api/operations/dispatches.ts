import { z } from "zod";
import { jobDocument, repositoryPath, runDocument } from "../documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, NOT_FOUND, page, refused } from "../operation.ts";
import type { WorkflowRow } from "../rows.ts";
import { aRun, type JobRow, type World } from "../world.ts";

const Order = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  return_run_details: z.boolean().default(false),
});

/** Starting workflows, and what came of it. */
export const DISPATCHES: Handlers = {
  "actions/create-workflow-dispatch": { needs: { actions: "write" }, handle: dispatch },
  "actions/get-workflow": {
    needs: { actions: "read" },
    handle: ({ world, params }) => {
      const workflow = workflowIn(world, params);
      return workflow === undefined ? NOT_FOUND : { status: 200, body: workflowDocument(world, workflow) };
    },
  },
  "actions/list-workflow-runs-for-repo": { needs: { actions: "read" }, handle: listRuns },
  "actions/list-jobs-for-workflow-run": {
    needs: { actions: "read" },
    handle: (exchange) => {
      const { world, params, query } = exchange;
      const run = params["run_id"];
      if (!world.runs.some(({ id }) => String(id) === run)) return NOT_FOUND;
      const all = world.jobs.filter((row) => String(row.runId) === run);
      // Unless all are asked for, a job that was run again is only told as it was the last time.
      const last = (row: JobRow): boolean =>
        !all.some(({ name, attempt }) => name === row.name && attempt > row.attempt);
      const rows = query.get("filter") === "all" ? all : all.filter(last);
      const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/actions/runs/${run}/jobs`, rows);
      return {
        status: 200,
        body: { total_count: rows.length, jobs: shown.map((row) => jobDocument(world, row)) },
        headers,
      };
    },
  },
};

function workflowIn({ workflows }: World, params: Readonly<Record<string, string>>): WorkflowRow | undefined {
  return workflows.find(({ path }) => path.endsWith(`/${params["workflow_id"]}`));
}

function workflowDocument(world: World, { path }: WorkflowRow) {
  const url = `${world.url}${repositoryPath(world)}/actions/workflows/${path.slice(path.lastIndexOf("/") + 1)}`;
  const at = "2026-01-01T00:00:00Z";
  const named = { id: 77, node_id: "W_77", name: "smithers", path, state: "active" };
  return { ...named, created_at: at, updated_at: at, url, html_url: url, badge_url: url };
}

async function dispatch(exchange: Exchange): Promise<Answer> {
  const { world, params, login } = exchange;
  const workflow = workflowIn(world, params);
  if (workflow === undefined) return NOT_FOUND;
  const { ref, inputs, return_run_details: details } = bodyOf(exchange, Order);
  const [branch, tip] = await resolve(world, ref);
  // What was pushed a moment ago may not be known here yet.
  const seen = world.settings.dispatchesSee.shift() ?? tip;
  const sha = seen === "" ? undefined : seen;
  if (sha === undefined) return refused(422, `No ref found for: ${ref}`);
  const strange = Object.keys(inputs).filter((name) => workflow.inputs?.includes(name) === false);
  if (strange.length > 0) return refused(422, `Unexpected inputs provided: ${JSON.stringify(strange)}`);
  const odd = Object.entries(inputs).find(([, value]) => typeof value === "object");
  if (odd !== undefined) return refused(422, `Provided value for input '${odd[0]}' is not a string`);
  if (!world.settings.dispatchAllowed)
    return refused(403, "Event 'workflow_dispatch' is not allowed to trigger Actions workflows");
  const runId = world.nextId();
  const fresh = { status: "queued", conclusion: null, createdAt: world.now(), path: workflow.path, actor: login };
  world.runs.push(aRun({ id: runId, branch, sha, headRepositoryId: world.repository.id, ...fresh }));
  const texts = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
  world.dispatched({ workflow: workflow.path, ref: branch, inputs: texts, login, runId });
  if (!details) return { status: 204 };
  const url = `${world.url}${repositoryPath(world)}/actions/runs/${runId}`;
  return { status: 200, body: { workflow_run_id: runId, run_url: url, html_url: url } };
}

/** Branches and tags only: a commit or the merge ref of a pull request is nothing to run on. */
async function resolve({ refs }: World, given: string): Promise<readonly [string, string | undefined]> {
  for (const kind of ["refs/heads/", "refs/tags/"]) {
    const name = given.startsWith(kind) ? given.slice(kind.length) : given;
    const sha = await refs.get(kind + name);
    if (sha !== undefined) return [name, sha];
  }
  return [given, undefined];
}

function listRuns(exchange: Exchange): Answer {
  const { world, query } = exchange;
  const wanted = (name: string, value: string | null): boolean => (query.get(name) ?? value) === value;
  const status = query.get("status");
  const rows = world.runs
    .filter((run) => wanted("branch", run.branch) && wanted("event", run.event) && wanted("head_sha", run.sha))
    .filter((run) => status === null || run.status === status || run.conclusion === status)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/actions/runs`, rows);
  return {
    status: 200,
    body: { total_count: rows.length, workflow_runs: shown.map((run) => runDocument(world, run)) },
    headers,
  };
}
