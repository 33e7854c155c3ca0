import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/job/run-stage.ts";
import { saveUnproved } from "../../src/job/save-unproved.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { Sink } from "../reporters/sink.ts";
import { startGithubApi } from "../support/github-api/server.ts";
import { githubContext } from "../support/runner/context.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TOKEN = "token-of-this-job";
/** Where the work may leave, its folder is looked for, which is not there. */
const GOES_ON = "/nowhere/r";

test.each([
  [
    "stays on the machine where everybody reads the repository, whatever the event's file says",
    false,
    TOKEN,
    "others can read",
  ],
  ["stays there where strangers see the repository", false, "", "others can read"],
  ["leaves where GitHub calls the repository private", true, TOKEN, GOES_ON],
  ["leaves where strangers do not see the repository", true, "", GOES_ON],
  ["stays there where GitHub does not say", true, "another-token", "others can read"],
])("work of which nothing is proved %s [T15, T16]", async (_what, isPrivate, token, said) => {
  await using api = await startGithubApi({
    repository: { owner: "o", name: "r", private: isPrivate },
    tokens: { [TOKEN]: { login: "github-actions[bot]", permissions: { metadata: "read" } } },
  });
  await using folder = await tempFolder();
  const event = path.join(folder.path, "event.json");
  await writeFile(event, JSON.stringify({ repository: { private: true } }));
  const env = {
    ...{ GITHUB_ACTIONS: "true", RUNNER_TEMP: folder.path, PATH: "/usr/bin:/bin" },
    ...githubContext({ workspace: "/nowhere/r", run_id: "7", repository: "o/r" }),
    ...{ GITHUB_EVENT_PATH: event, GITHUB_API_URL: api.url, "INPUT_GITHUB-TOKEN": token },
  };
  const sink = new Sink();
  const script = path.join(folder.path, "post/index.js");
  const host: Host = { env, script, stdout: sink, stderr: sink, startedAt: 0, platform: "linux" };
  await saveUnproved(host, [], createRunnerLog(sink));
  expect(sink.text).toContain("was not saved: ");
  expect(sink.text).toContain(said);
});
