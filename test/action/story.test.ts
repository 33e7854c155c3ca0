import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { aUser } from "../support/github-api/server.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { commentEvent, dispatchEvent } from "../support/github-api/webhooks.ts";
import { addFile, answer, message } from "../support/model-server.ts";
import type { Job } from "../support/runner/runner.ts";

const INPUTS = {
  prompt: "Move the client to the new API.",
  "success-sh": "test -f done.txt",
  "todo-file": "TODO.md",
  "full-auto": "true",
  "api-key": "sk-secret-key",
  "job-timeout-minutes": "60",
};
const WORK = [
  addFile("a.txt", "a\n"),
  addFile("b.txt", "b\n"),
  addFile("TODO.md", "HARD STOP: which version of the API?\n"),
  addFile("done.txt", "done\n"),
];
const SAYS = "/smithers continue use the v2 API";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({
    files: { "README.md": "hello\n", "TODO.md": "Nothing to look at yet.\n" },
    script: ({ prompts, outputs }) =>
      outputs.length === 0
        ? answer([WORK[prompts.length - 1] ?? message("More?")])
        : answer([message("Worked on it.")]),
  });
  ci.api.world.users.set("mallory", aUser({ login: "mallory", role: "read" }));
});
afterAll(() => ci[Symbol.asyncDispose]());

/** Somebody starts the workflow, on an empty machine. */
async function work(inputs: Record<string, string>, login: string): Promise<Job> {
  const { world } = ci.api;
  await using machine = await ci.machine();
  return await machine.run({
    inputs: INPUTS,
    event: dispatchEvent(world, { workflow: "smithers.yml", ref: "main", inputs, login }),
  });
}

/** Somebody comments on the pull request: a relay without a checkout of its own, prompt or key. */
async function comment(pull: number, login: string, body: string): Promise<{ job: Job; reactions: string[] }> {
  const { world } = ci.api;
  const row = addComment(world, pull, login, body);
  await using machine = await ci.machine();
  const job = await machine.run({ event: commentEvent(world, row) });
  return { job, reactions: row.reactions.map(({ content }) => content) };
}

test("stopped at a checkpoint, reviewed, told how to go on, and done on another machine [C10, C13, W-44]", async () => {
  const { world } = ci.api;
  const first = await work({}, "alice");
  expect(first.outputs).toMatchObject({ status: "paused_hard_stop", iterations: "3", "pr-number": expect.any(String) });
  const number = Number(first.outputs["pr-number"]);
  const pull = world.issues.find((issue) => issue.number === number);
  const branch = first.outputs["branch"];
  expect(pull).toMatchObject({ state: "open", labels: ["smithers:paused"], pull: { headBranch: branch, draft: true } });
  const stopped = await ci.remote.git("rev-parse", `refs/heads/${branch}`);
  expect(world.reviews).toMatchObject([{ state: "COMMENTED", commit: stopped, pull: number }]);
  expect(world.reviews[0]?.body).toContain("which version of the API?");
  expect(world.statuses.at(-1)).toMatchObject({ sha: stopped, context: "smithers/loop", state: "pending" });

  const stranger = await comment(number, "mallory", SAYS);
  expect(stranger.job.conclusion).toBe("success");
  expect(stranger.reactions).toEqual([]);
  expect(world.dispatches).toEqual([]);

  const reviewer = await comment(number, "alice", SAYS);
  expect(reviewer.reactions).toEqual(["eyes", "rocket"]);
  const [dispatch] = world.dispatches;
  expect(dispatch).toMatchObject({ ref: "main", login: "github-actions[bot]" });

  const second = await work(dispatch?.inputs ?? {}, "github-actions[bot]");
  expect(second.outputs).toMatchObject({ status: "completed", iterations: "4", "pr-number": String(number) });
  const heard = ci.model?.requests.find(({ prompts }) => prompts.at(-1)?.includes("use the v2 API"));
  // The same session on the empty machine: it still holds the prompts of the three iterations before.
  expect(heard?.prompts.filter((prompt) => prompt.includes("# smithers/loop"))).toHaveLength(4);
  const done = await ci.remote.git("rev-parse", `refs/heads/${branch}`);
  expect(pull).toMatchObject({ labels: [], pull: { draft: false } });
  expect(world.statuses.at(-1)).toMatchObject({ sha: done, state: "success" });
  expect(await ci.remote.git("merge-base", "--is-ancestor", stopped, done)).toBe("");
  expect(await ci.remote.git("show", "--name-only", "--format=", done)).toBe("done.txt");
  const ours = world.comments.filter(({ author }) => author === "github-actions[bot]");
  expect(ours).toHaveLength(1);
  expect(ours[0]?.body).toContain("completed");
  expect(ci.api.problems).toEqual([]);
});
