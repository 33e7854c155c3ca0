import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/core/errors.ts";
import { readContext } from "../../src/github/context.ts";
import { readEventPayload } from "../../src/github/event-payload.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ENV = {
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "octo/demo",
  GITHUB_REPOSITORY_ID: "1001",
  GITHUB_RUN_ID: "12345678901",
  GITHUB_RUN_ATTEMPT: "2",
  GITHUB_WORKFLOW_REF: "octo/demo/.github/workflows/smithers.yml@refs/heads/feature/a@b",
  GITHUB_JOB: "loop",
  GITHUB_ACTION: "__self",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_API_URL: "https://api.github.com",
  GITHUB_REF: "refs/heads/feature/a@b",
  GITHUB_EVENT_NAME: "workflow_dispatch",
  GITHUB_WORKSPACE: "/w",
  RUNNER_TEMP: "/t",
  RUNNER_TOOL_CACHE: "/tools",
  RUNNER_ENVIRONMENT: "github-hosted",
};

test("what the runner says is read", () => {
  expect(readContext(ENV)).toEqual({
    repository: { owner: "octo", name: "demo", id: 1001 },
    runId: 12_345_678_901,
    attempt: 2,
    workflow: { path: ".github/workflows/smithers.yml", file: "smithers.yml", ref: "refs/heads/feature/a@b" },
    job: "loop",
    step: "__self",
    serverUrl: "https://github.com",
    apiUrl: "https://api.github.com",
    ref: "refs/heads/feature/a@b",
    sha: null,
    eventName: "workflow_dispatch",
    event: readEventPayload(""),
    workspace: "/w",
    temp: "/t",
    toolCache: "/tools",
    environment: "github-hosted",
    unsaid: [],
  });
});

test.for([
  { name: "outside of GitHub Actions", env: {}, what: "GITHUB_REPOSITORY, GITHUB_WORKSPACE" },
  { name: "without a run id", env: { ...ENV, GITHUB_RUN_ID: "x" }, what: "GITHUB_RUN_ID not set or not understood" },
  { name: "when the runner does not say so", env: { ...ENV, GITHUB_ACTIONS: "" }, what: "does not run as a step" },
])("a clear refusal $name", ({ env, what }) => {
  const read = () => readContext(env);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(what);
});

test("a runner without a tool cache has none, and one that does not name its kind is somebody's own", () => {
  const context = readContext({ ...ENV, RUNNER_TOOL_CACHE: undefined, RUNNER_ENVIRONMENT: undefined });
  expect(context).toMatchObject({ toolCache: null, environment: "self-hosted" });
});

test("the event's payload is read from its file; one that is not there is empty", async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, "event.json");
  await writeFile(file, JSON.stringify({ repository: { private: true }, sender: { login: "ann", type: "User" } }));
  expect(readContext({ ...ENV, GITHUB_EVENT_PATH: file }).event).toMatchObject({
    visibility: "private",
    sender: { login: "ann", type: "User" },
  });
  expect(readContext({ ...ENV, GITHUB_EVENT_PATH: `${file}.gone` }).event.visibility).toBe("unknown");
});
