import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { outputsOf } from "../../src/job/report.ts";
import { SecretValues } from "../../src/os/secrets.ts";
import { OUTPUTS } from "../../src/config/action.ts";
import { aState } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

const LIMIT = 48 * 1024;

async function outputs(message: string | null, overrides: Parameters<typeof aState>[0] = {}, id: number | null = null) {
  await using temp = await tempFolder();
  const folder = path.join(temp.path, "a-loop");
  await mkdir(folder);
  if (message !== null) await writeFile(path.join(folder, "last_message_iter_2.txt"), message);
  // A state that came from elsewhere may name any path.
  const artifacts = { ...aState().artifacts, last_message_path: "/etc/../elsewhere/last_message_iter_2.txt" };
  const place = { loopId: "a-loop", root: temp.path, stateFile: `${folder}.json`, folder };
  return await outputsOf(aState({ iteration: 2, artifacts, ...overrides }), place, id);
}

test("every output is set, with what the loop came to [C9]", async () => {
  const all = await outputs("Done.", { status: "completed", stop_reason: { kind: "promise", verified: true } }, 12);
  expect(Object.keys(all).toSorted()).toEqual(OUTPUTS.map(({ name }) => name).toSorted());
  expect(all).toMatchObject({
    status: "completed",
    "stop-reason": "promise",
    resumable: "false",
    iterations: "2",
    "final-message": "Done.",
    "artifact-id": "12",
    branch: "",
    "pr-url": "",
  });
});

test("a link in the place of the last message says nothing in an output [T14, T16]", async () => {
  await using temp = await tempFolder();
  const folder = path.join(temp.path, "a-loop");
  await mkdir(folder);
  await writeFile(path.join(temp.path, "key"), "a secret of the machine");
  await symlink(path.join(temp.path, "key"), path.join(folder, "last_message_iter_2.txt"));
  const artifacts = { ...aState().artifacts, last_message_path: "last_message_iter_2.txt" };
  const place = { loopId: "a-loop", root: temp.path, stateFile: `${folder}.json`, folder };
  expect(await outputsOf(aState({ artifacts }), place, null)).toMatchObject({ "final-message": "" });
});

test("a loop that anybody may go on with is resumable, and what is not known is empty [C9]", async () => {
  const all = await outputs(null, { status: "paused_time_budget", stop_reason: { kind: "time_budget" } });
  expect(all).toMatchObject({ resumable: "true", "final-message": "", "artifact-id": "" });
});

test("a long last message is cut [C9]", async () => {
  const { "final-message": message } = await outputs(`${"a".repeat(LIMIT - 1)}ä and more`);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LIMIT + 2);
  expect(message.startsWith("aaa")).toBe(true);
  expect(message).not.toContain("\uFFFD");
});

test("the last message leaves without what nobody may read, also where it is cut [T2, T16]", async () => {
  const secret = "a-value-of-this-job";
  const message = `${"x".repeat(LIMIT - 10)}${secret}`;
  await using temp = await tempFolder();
  await writeFile(path.join(temp.path, "last_message_iter_2.txt"), message);
  const artifacts = { ...aState().artifacts, last_message_path: "last_message_iter_2.txt" };
  const place = { loopId: "a-loop", root: temp.path, stateFile: `${temp.path}.json`, folder: temp.path };
  const all = await outputsOf(aState({ iteration: 2, artifacts }), place, null, new SecretValues([secret]));
  expect(all["final-message"]).toBe(`${"x".repeat(LIMIT - 10)}***`);
});
