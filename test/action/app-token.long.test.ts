import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCancelled } from "../support/ci/cancelled.ts";
import { startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { anApp } from "../support/github-api/server.ts";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const APP = { "app-id": "4711", "app-private-key": KEY.export({ type: "pkcs1", format: "pem" }).toString() };
const HOUR_AND_A_HALF = 90;

test("a loop that outlives its first token goes on with the next, and publishes with it [C90]", async () => {
  const task = scriptedTask([
    { files: { "late.txt": "an hour and a half" }, lastMessage: "More to do." },
    { files: { "done.txt": "" }, lastMessage: "Done." },
  ]);
  await using ci = await startCi({ ...task, byRef: true, permissions: {} });
  await using machine = await ci.machine();
  const late = path.join(machine.workspace, "late.txt");
  ci.api.world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
  // GitHub's clock and the job's move together.
  ci.api.world.now = () => new Date(Date.now() + (existsSync(late) ? HOUR_AND_A_HALF * 60_000 : 0));
  const env = { ...timeIsUpOnce(ci, machine, "late.txt"), LATE_CLOCK_MINUTES: String(HOUR_AND_A_HALF) };
  const job = await machine.run({ env, inputs: { ...task.inputs, ...APP, "job-timeout-minutes": "300" } });
  expect(job.outputs).toMatchObject({
    status: "completed",
    iterations: "2",
    "pr-number": expect.stringMatching(/^\d+$/u),
  });
  const minted = ci.api.requests.filter(({ operation }) => operation === "apps/create-installation-access-token");
  expect(minted).toHaveLength(2);
  const pull = ci.api.world.issues.find(({ number }) => String(number) === job.outputs["pr-number"]);
  expect(pull?.author).toBe("the-app[bot]");
  expect(await ci.remote.git("ls-tree", "--name-only", `refs/heads/${job.outputs["branch"]}`)).toContain("done.txt");
  expect(job.log).not.toMatch(/ghs_\w/u);
});

test("post of a cancelled job makes a token of its own and saves the loop with it [C90] [C91]", async () => {
  await using task = await hangingTask("apps-post");
  await task.turnOn("hang-in-turn-1");
  await using ci = await startCi({ files: HANGING_FILES, byRef: true, permissions: {}, publishes: false });
  ci.api.world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
  await using machine = await ci.machine();
  const job = await runCancelled(machine, {
    ...task,
    inputs: { ...task.inputs, ...APP },
    cancelWhen: () => task.hangs("turn"),
  });
  expect(job.conclusion).toBe("cancelled");
  const shown = new Set(ci.remote.requests.map(({ authorization = "" }) => authorization));
  expect(shown.size).toBeGreaterThanOrEqual(1);
  expect(await ci.refOf("apps-post")).toMatch(/^[0-9a-f]{40}$/u);
  expect([...ci.api.world.tokens.keys()].filter((name) => name.startsWith("ghs_")).length).toBeLessThanOrEqual(1);
  // The line that has the runner hide a token is taken by the runner, and shown to nobody.
  const seen = [job.log, ...job.posts.map(({ log }) => log)].join("\n").replaceAll(/^::add-mask::.*$/gmu, "");
  expect(seen).not.toMatch(/ghs_\w/u);
});
