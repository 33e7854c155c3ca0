import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readContext } from "../../src/github/context.ts";
import { workflowNamed } from "../../src/github/runner/workflow.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** What every runner sets. */
const COMMON = {
  CI: "true",
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "octo/demo",
  GITHUB_JOB: "loop",
  GITHUB_REF: "refs/heads/main",
  GITHUB_SHA: "a".repeat(40),
  GITHUB_EVENT_NAME: "workflow_dispatch",
  RUNNER_TEMP: "/tmp",
  RUNNER_TOOL_CACHE: "/opt/hostedtoolcache",
};

/** What runners that are not GitHub's set besides, and leave out; by their sources. */
const RUNNERS = {
  "act 0.2.87": {
    ...{ ACT: "true", GITHUB_WORKFLOW: "fix until green", GITHUB_ACTION: "0", GITHUB_RUN_ID: "1" },
    ...{ GITHUB_SERVER_URL: "https://github.com", GITHUB_API_URL: "https://api.github.com" },
  },
  "act_runner of Gitea": {
    ...{ GITEA_ACTIONS: "true", GITHUB_WORKFLOW: "smithers.yml", GITHUB_ACTION: "3", GITHUB_RUN_ID: "77" },
    ...{ GITHUB_RUN_ATTEMPT: "2", GITHUB_SERVER_URL: "https://git.example.org" },
    GITHUB_API_URL: "https://git.example.org/api/v1",
  },
  "forgejo-runner": {
    ...{ FORGEJO_ACTIONS: "true", GITEA_ACTIONS: "true", GITHUB_WORKFLOW: ".github/workflows/smithers.yml" },
    ...{ GITHUB_ACTION: "3", GITHUB_RUN_ID: "77", GITHUB_RUN_ATTEMPT: "1", GITHUB_REPOSITORY_ID: "" },
    ...{ GITHUB_SERVER_URL: "https://codeberg.example", GITHUB_API_URL: "https://codeberg.example/api/v1" },
  },
} as const;

const EVENT = JSON.stringify({ repository: { id: 42, default_branch: "main" } });

async function checkout(files: Readonly<Record<string, string>>) {
  const folder = await tempFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder.path, name)), { recursive: true });
    await writeFile(path.join(folder.path, name), text);
  }
  return folder;
}

describe("a runner that is not GitHub's", () => {
  test.each(Object.entries(RUNNERS))("what %s leaves out is derived", async (_runner, own) => {
    await using work = await checkout({
      ".github/workflows/smithers.yml": "name: fix until green\non: push\n",
      ".github/workflows/ci.yml": "on: push\n",
      "event.json": EVENT,
    });
    const env = {
      ...COMMON,
      ...own,
      GITHUB_WORKSPACE: work.path,
      GITHUB_EVENT_PATH: path.join(work.path, "event.json"),
    };
    expect(readContext(env)).toMatchObject({
      repository: { owner: "octo", name: "demo", id: 42 },
      attempt: Number("GITHUB_RUN_ATTEMPT" in own ? own.GITHUB_RUN_ATTEMPT : 1),
      workflow: { path: ".github/workflows/smithers.yml", file: "smithers.yml", ref: "refs/heads/main" },
      environment: "self-hosted",
      unsaid: [],
    });
  });

  test.each(Object.entries(RUNNERS))("what cannot be derived of %s is told, and done without", async (_runner, own) => {
    await using work = await checkout({});
    const context = readContext({ ...COMMON, ...own, GITHUB_WORKSPACE: work.path });
    expect(context).toMatchObject({ repository: { id: 0 }, workflow: { path: "", file: "" } });
    expect(context.unsaid).toEqual([
      expect.stringContaining("GITHUB_WORKFLOW_REF"),
      expect.stringContaining("GITHUB_REPOSITORY_ID"),
    ]);
  });
});

describe("which file a workflow is in", () => {
  const workflow = async (name: string, files: Readonly<Record<string, string>>) => {
    await using work = await checkout(files);
    return workflowNamed(name, { workspace: work.path, ref: "refs/heads/main" }).path;
  };

  test.each([
    ["by its name", "CI loop", { ".github/workflows/a.yaml": "# c\n\nname: CI loop\n" }, ".github/workflows/a.yaml"],
    ["in quotation marks", "a: b", { ".gitea/workflows/a.yml": 'name: "a: b" # x\n' }, ".gitea/workflows/a.yml"],
    ["before a comment", "loop", { ".forgejo/workflows/a.yml": "name: loop   # mine\n" }, ".forgejo/workflows/a.yml"],
    [
      "by its file, before any name",
      "b.yml",
      { ".github/workflows/b.yml": "", ".github/workflows/c.yml": "name: b.yml\n" },
      ".github/workflows/b.yml",
    ],
    ["not the name of a job or step", "loop", { ".github/workflows/a.yml": "jobs:\n  a:\n    name: loop\n" }, ""],
    [
      "not where two have it",
      "x",
      { ".github/workflows/a.yml": "name: x\n", ".github/workflows/b.yml": "name: x\n" },
      "",
    ],
    ["not from another folder", "x", { "docs/a.yml": "name: x\n" }, ""],
    ["not from what is no file", "x", { ".github/workflows/a.yml/b": "name: x\n" }, ""],
  ])("%s", async (_how, name, files, found) => {
    expect(await workflow(name, files)).toBe(found);
  });
});
