import { expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { aPull } from "../support/github-api/server.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { commentEvent, dispatchEvent } from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";
import { waitFor } from "../support/wait-for.ts";

const PULL = 7;

/** A pull request of somebody's. */
async function pullRequest(ci: Ci): Promise<void> {
  const { world } = ci.api;
  await ci.remote.git("branch", "topic", "main");
  world.issues.push(aPull({ number: PULL, author: "alice", title: "Mine", headBranch: "topic" }));
}

async function comment(ci: Ci, body: string): Promise<Job> {
  const { world } = ci.api;
  const row = addComment(world, PULL, "alice", body);
  await using machine = await ci.machine();
  return await machine.run({ event: commentEvent(world, row) });
}

test("a comment ends the turn of a loop that runs on somebody's pull request, within 30 s, and calls nobody [C12, W-46, D-29, C87]", async () => {
  await using ci = await startCi({ byRef: true, files: { "README.md": "hello\n" } });
  const { world } = ci.api;
  await pullRequest(ci);
  await using machine = await ci.machine();
  const inputs = { smithers: JSON.stringify({ command: "start", pr: PULL }) };
  const working = machine.run({
    inputs: {
      prompt: "Work.",
      provider: "command",
      "provider-command": '["sleep","300"]',
      "job-timeout-minutes": "60",
    },
    event: dispatchEvent(world, { workflow: "smithers.yml", ref: "main", inputs, login: "alice" }),
  });
  const told = (): string => world.comments.find(({ author }) => author === "github-actions[bot]")?.body ?? "";
  await waitFor("the status comment", () => told().includes("Smithers is at work"));
  const asked = performance.now();
  await comment(ci, "/smithers stop");
  const job = await working;
  const tookMs = performance.now() - asked;
  // The time is printed, so that it can be compared with the 30 s that are promised.
  process.stdout.write(`a comment has ended the turn after ${Math.round(tookMs / 1000)} s\n`);
  expect(job.outputs).toMatchObject({ status: "paused_user_interrupt", "stop-reason": "stopped" });
  expect(await ci.remote.git("for-each-ref", "refs/smithers-control")).toBe("");
  expect(told()).toContain("paused_user_interrupt");
  expect(told()).toContain("alice on GitHub");
  // Who has stopped it knows.
  expect(world.comments.filter(({ body }) => body.includes("@alice"))).toEqual([]);
  expect(world.issues).toMatchObject([{ number: PULL, title: "Mine" }]);
  expect(ci.api.problems).toEqual([]);
});
