import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asking, ciRights } from "../../src/job/github-preflight.ts";
import { githubOf } from "../support/github-api/client.ts";
import type { Token } from "../support/github-api/server.ts";
import { BOT, type JobOnStage, type PublishStage, publishStage } from "../publish/publish-stage.ts";

const MAY: Token["permissions"] = { actions: "read", statuses: "read" };
const CI = "name: CI\non:\n  push:\n  workflow_dispatch:\n";
const READABLE = { right: "readable" };
const NOT_ALLOWED = { right: "missing", why: "the token may not even read that", next: "" };

let at: PublishStage;
let job: JobOnStage;

beforeAll(async () => {
  at = await publishStage();
  job = await at.job();
  at.api.world.workflows.push({ path: ".github/workflows/ci.yml", inputs: [] });
});
afterAll(async () => at[Symbol.asyncDispose]());

interface Given {
  readonly workflow?: string;
  readonly file?: string;
  readonly may?: Token["permissions"];
}

/** Looks with a token that may no more than this. */
async function look({ workflow = "ci.yml", file = CI, may = MAY }: Given) {
  const folder = path.join(job.context.workspace, ".github", "workflows");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "ci.yml"), file);
  at.api.world.tokens.set("t", { login: BOT, permissions: may });
  const asking: Asking = async (question) => question(githubOf(at.api, AbortSignal.timeout(20_000)));
  return ciRights(job.context, { workflow, tip: null }, asking);
}

test.each<[string, Given, object]>([
  ["all is there", {}, { run: READABLE, status: READABLE }],
  ["without a right", { may: {} }, { run: NOT_ALLOWED, status: NOT_ALLOWED }],
  [
    "a workflow that nobody can start",
    { file: CI.replace("workflow_dispatch:", "pull_request: # workflow_dispatch:") },
    { run: { right: "missing", next: "Add workflow_dispatch: to its on:, here and on the default branch." } },
  ],
  [
    "a workflow that nobody can start without inputs, as a loop does",
    { file: `${CI}    inputs: { target: { required: true } }\n` },
    { run: { right: "missing", why: expect.stringContaining("has no workflow_dispatch that needs no inputs") } },
  ],
  [
    "a workflow with inputs that have a default",
    { file: `${CI}    inputs: { target: { required: true, default: all } }\n` },
    { run: READABLE },
  ],
  ["a file that is no YAML, of which nothing is known", { file: "on: [\n" }, { run: READABLE }],
  [
    "a workflow that is not on the default branch",
    { workflow: "new.yml" },
    { run: { right: "missing", why: "GitHub knows no new.yml on the default branch" } },
  ],
  [
    "the loop's own workflow",
    { workflow: "smithers.yml" },
    { run: { right: "missing", why: "smithers.yml is the workflow that this loop runs in" } },
  ],
])("whether CI can be asked is seen before anything is spent: %s [C7, C13]", async (_title, given, wanted) => {
  expect(await look(given)).toMatchObject(wanted);
});

test("without a token nothing is known", async () => {
  const unknown = { right: "unknown", because: "untold", why: "there is no token to ask with" };
  const rights = await ciRights(job.context, { workflow: "ci.yml", tip: null }, async () => null);
  expect(rights).toEqual({ workflow: "ci.yml", run: unknown, status: unknown });
});
