import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { mirrorCi } from "../../src/publish/trusted-ci.ts";
import type { TokenKind } from "../../src/views/github/facts.ts";
import { aJob, aPull, aRun } from "../support/github-api/server.ts";
import { aState } from "../views/a-state.ts";
import { DONE, known, prepared } from "./publish-prepared.ts";
import { BOT, BRANCH, type PublishStage, publishStage } from "./publish-stage.ts";

const BASE: Readonly<Record<string, string>> = {
  ".github/workflows/ci.yml":
    "on: workflow_dispatch\njobs:\n  test:\n    steps:\n      - uses: ./.github/actions/setup\n  called:\n    uses: ./.github/workflows/called.yml\n",
  ".github/workflows/called.yml": "on: workflow_call\njobs:\n  x:\n    steps:\n      - uses: ./tools/image\n",
  ".github/workflows/elsewhere.yml": "jobs:\n  test:\n    steps:\n      - uses: ./checked/out/later\n",
  ".github/workflows/broken.yml": "jobs: [\n",
  ".github/workflows/outside.yml": "jobs:\n  test:\n    steps:\n      - uses: ./.github/actions/reaching\n",
  ".github/workflows/whole.yml": "jobs:\n  test:\n    steps:\n      - uses: ./\n",
  ".github/actions/setup/action.yml": "runs:\n  using: composite\n  steps:\n    - run: ./setup.sh\n      shell: bash\n",
  ".github/actions/setup/setup.sh": "true\n",
  ".github/actions/reaching/action.yaml": "runs:\n  using: node24\n  main: ../../../dist/index.js\n",
  "tools/image/Dockerfile": "FROM scratch\n",
  "action.yml": "runs:\n  using: node24\n  main: dist/index.js\n",
};

let runs = 100;

/** A commit on top of the base with these files, on which CI has run. */
async function judged(at: PublishStage, files: Readonly<Record<string, string>>, workflow = "ci.yml") {
  const top = await at.git("rev-parse", "--show-toplevel");
  await at.git("checkout", "-q", "-B", "work", "origin/main");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true });
    await writeFile(path.join(top, name), text);
  }
  await at.git("add", "-A");
  await at.git("commit", "-q", "--allow-empty", "-m", "work");
  await at.git("push", "-q", "-f", at.remote.folder, "work");
  const sha = await at.git("rev-parse", "HEAD");
  const id = (runs += 10);
  const { world } = at.api;
  world.runs.push(aRun({ id, path: `.github/workflows/${workflow}`, branch: "work", sha }));
  const jobs = { test: "success", lint: "failure", deploy: "skipped" };
  for (const [nth, [name, conclusion]] of Object.entries(jobs).entries())
    world.jobs.push(aJob({ id: id + nth, runId: id, name, conclusion }));
  const mirror = async (token: TokenKind = "github-token") => {
    world.statuses.splice(0);
    const required = await mirrorCi(at.access(), { id, workflow, sha, base: "main", token });
    return { required, set: world.statuses.map(({ context, state, sha: on }) => [context, state, on === sha]) };
  };
  return { mirror, sha };
}

test("a run's jobs answer what the base's rules ask for, on that commit, where its files are the base's [C96, T17]", async () => {
  await using at = await publishStage();
  const { world } = at.api;
  await judged(at, BASE);
  await at.git("push", "-q", at.remote.folder, "work:main");
  await at.git("fetch", "-q", at.remote.folder, "main:refs/remotes/origin/main");
  const work = await judged(at, { "src.txt": "work\n" });
  expect(await work.mirror()).toEqual({ required: null, set: [] });

  const names = ["test", "deploy", "absent", "smithers/loop"];
  world.requiredChecks.push(...names.map((context) => ({ branch: "main", context, app: null })));
  world.requiredChecks.push(
    { branch: "main", context: "lint", app: 15_368 },
    { branch: "other", context: "x", app: null },
  );
  const skipped = { context: "deploy", why: "its job ended as skipped" };
  const absent = { context: "absent", why: "ci.yml, started by hand, has no job of this name" };
  expect(await work.mirror()).toEqual({
    required: { passed: ["test"], failed: ["lint"], open: [skipped, absent], unread: null },
    set: [
      ["test", "success", true],
      ["lint", "failure", true],
    ],
  });
  expect((await work.mirror("app")).set).toEqual([["test", "success", true]]);

  const distrusted: readonly (readonly [files: Record<string, string>, workflow: string, why: string])[] = [
    [{ ".github/workflows/ci.yml": "jobs: {}\n" }, "ci.yml", ".github/workflows/ci.yml is not as in main"],
    [{ ".github/actions/setup/setup.sh": "exit 0\n" }, "ci.yml", ".github/actions/setup is not as in main"],
    [{ ".github/workflows/called.yml": "jobs: {}\n" }, "ci.yml", ".github/workflows/called.yml is not as in main"],
    [{ "tools/image/run.sh": "true\n" }, "ci.yml", "tools/image is not as in main"],
    [{}, "new.yml", ".github/workflows/new.yml, which it uses, is not in main"],
    [{}, "elsewhere.yml", "checked/out/later, which it uses, is not in main"],
    [{}, "broken.yml", ".github/workflows/broken.yml cannot be read"],
    [{}, "outside.yml", "it uses ../../../dist/index.js, outside of a folder of its own"],
    [{ "src.txt": "work\n" }, "whole.yml", "the repository itself is not as in main"],
  ];
  for (const [files, workflow, why] of distrusted) {
    const { required, set } = await (await judged(at, files, workflow)).mirror();
    expect([workflow, required?.open.find(({ context }) => context === "test")?.why, set]).toEqual([workflow, why, []]);
  }

  const refused = { status: 403, body: { message: "Resource not accessible by integration", documentation_url: "" } };
  at.api.fail("repos/create-commit-status", refused, 1);
  const forbidden = (await work.mirror()).required;
  expect([forbidden?.passed, forbidden?.open.at(-1)?.why]).toEqual([[], expect.stringContaining("statuses: write")]);
  at.api.fail("actions/list-jobs-for-workflow-run", refused, 1);
  expect(await work.mirror()).toMatchObject({ required: { passed: [], failed: [] }, set: [] });
  world.settings.hasRules = false;
  expect(await work.mirror()).toEqual({ required: null, set: [] });
  world.settings.hasRules = true;
  at.api.fail("repos/get-branch-rules", refused, 1);
  expect(await work.mirror()).toMatchObject({
    required: { passed: [], open: [], unread: expect.any(String) },
    set: [],
  });
});

test("the rules of the pull request's own base are asked, whatever the run is of; unread, nothing is said [C96]", async () => {
  await using at = await publishStage();
  const { world } = at.api;
  const { run, commit } = await prepared(at);
  const pull = known(at);
  world.issues.splice(0, 1, aPull({ number: 7, author: BOT, headBranch: BRANCH, base: "release", draft: true }));
  world.runs.push(aRun({ id: 90, path: ".github/workflows/ci.yml", branch: BRANCH, sha: commit }));
  world.requiredChecks.push({ branch: "release", context: "test", app: null });
  const checks = { ...aState().checks, ci_workflow: "ci.yml" };
  const required = async () => (await run({ ...DONE, checks }, pull)).facts.ci?.required;
  const why = "ci.yml, started by hand, has no job of this name";
  expect(await required()).toEqual({ passed: [], failed: [], open: [{ context: "test", why }], unread: null });
  const refused = { message: "Resource not accessible by integration", documentation_url: "" };
  at.api.fail("pulls/get", { status: 403, body: refused }, 1);
  expect(await required()).toMatchObject({ open: [], unread: expect.stringContaining("pull request #7") });
});
