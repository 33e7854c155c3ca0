import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { aJob, type Dispatch } from "../support/github-api/server.ts";
import { end, FILES, stateOf, tipOf, work } from "./publish-stage.ts";

const CI = ".github/workflows/ci.yml";
const WORKFLOW = "name: CI\non:\n  workflow_dispatch:\njobs: {}\n";
const REWRITTEN = `${WORKFLOW}# always green\n`;
const HARMLESS = { "done.txt": "{{iteration}}\n", "told.txt": "{{prompt}}" };
const HOSTILE = { ...HARMLESS, [CI]: REWRITTEN };

/** What the agent does, turn by turn. */
const SCRIPTS = {
  "stays.json": { turns: [{ files: HOSTILE }] },
  "commits.json": { turns: [{ files: HOSTILE, commit: "mine" }] },
  "undoes.json": { turns: [{ files: HOSTILE }, { files: { ...HARMLESS, [CI]: WORKFLOW } }] },
};
const INPUTS = { "ci-workflow": "ci.yml", "success-sh": "test -f done.txt" };

let ci: Ci;
const dispatches: Dispatch[] = [];

beforeAll(async () => {
  const scripts = Object.entries(SCRIPTS).map(([name, script]) => [name, JSON.stringify(script)] as const);
  ci = await startCi({ byRef: true, files: { ...FILES, ...Object.fromEntries(scripts), [CI]: WORKFLOW } });
  const { world } = ci.api;
  world.workflows.push({ path: CI, inputs: [] });
  // CI is green, whatever it is asked about.
  world.onDispatch = (dispatch) => {
    dispatches.push(dispatch);
    const at = world.runs.findIndex(({ id }) => id === dispatch.runId);
    const run = world.runs[at];
    if (run === undefined) throw new Error("there is no such run");
    world.runs[at] = { ...run, status: "completed", conclusion: "success" };
    const steps = { "Run npm test": "success" };
    world.jobs.push(aJob({ id: run.id + 100_000, runId: run.id, name: "test", conclusion: "success", steps, log: "" }));
  };
});
afterAll(() => end(ci));

/** What every branch and ref of the server says of the workflow, where it has one. */
async function workflowsOnServer(): Promise<ReadonlySet<string>> {
  const refs = (await ci.remote.git("for-each-ref", "--format=%(refname)")).split("\n");
  const shown = refs.map(async (ref) => {
    const places = [`${ref}:${CI}`, `${ref}:tree/${CI}`];
    return Promise.all(places.map(async (place) => ci.remote.git("show", place).catch(() => "")));
  });
  return new Set((await Promise.all(shown)).flat().filter((text) => text !== ""));
}

describe("an agent that rewrites the workflow which judges it", { timeout: 120_000 }, () => {
  test.for([
    ["and leaves it so", "stays"],
    ["and commits that by itself", "commits"],
  ] as const)("%s is told, then stopped: nothing is pushed, dispatched or completed [T17]", async ([, loop]) => {
    dispatches.length = 0;
    await using machine = await ci.machine();
    const job = await work(ci, loop, { ...INPUTS, script: `${loop}.json` }, { on: machine });
    expect(job.outputs).toMatchObject({ status: "blocked", "stop-reason": "protected_paths", iterations: "2" });
    expect(dispatches).toEqual([]);
    expect(await workflowsOnServer()).toEqual(new Set([WORKFLOW.trim()]));
    expect(await tipOf(ci, `smithers/${loop}`)).toBe("");
    const state = await stateOf(ci, loop);
    expect(state.stop_reason).toEqual({ kind: "protected_paths", count: 1, paths: [CI] });
    expect(await readFile(path.join(machine.workspace, CI), "utf8")).toBe(REWRITTEN);
    expect(job.main.log).toContain(CI);
  });

  test("and undoes it when it is told goes on, and is judged by the workflow of before [T17]", async () => {
    dispatches.length = 0;
    const job = await work(ci, "undoes", { ...INPUTS, script: "undoes.json" });
    expect(job.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(dispatches).toHaveLength(1);
    const tip = await tipOf(ci, "smithers/undoes");
    expect(await ci.remote.git("show", `${tip}:told.txt`)).toContain(`that you may not change:\n- ${CI}`);
    expect(await workflowsOnServer()).toEqual(new Set([WORKFLOW.trim()]));
  });

  test("may do so where the workflow opens the path, and the token may write there: then it judges nothing [T17, C118]", async () => {
    dispatches.length = 0;
    ci.remote.workflowTokens.add(ci.remote.writeToken);
    const job = await work(ci, "open", { ...INPUTS, script: "stays.json", "protected-paths": `!${CI}` });
    expect(job.outputs).toMatchObject({ status: "error", iterations: "1" });
    expect(dispatches).toEqual([]);
    expect(job.main.summary).toContain(`${CI} is not as in main, and what a branch says itself proves nothing`);
    const tip = await tipOf(ci, "smithers/open");
    expect(await ci.remote.git("show", `${tip}:${CI}`)).toBe(REWRITTEN.trim());
  });
});
