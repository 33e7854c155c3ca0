import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { runCancelled } from "../support/ci/cancelled.ts";
import { startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { anApp } from "../support/github-api/server.ts";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const APP = { "app-id": "4711", "app-private-key": KEY.export({ type: "pkcs1", format: "pem" }).toString() };

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
