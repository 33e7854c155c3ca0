import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { unzipped } from "../support/zip.ts";

const SAID = "The words of the agent.";
const TASK = scriptedTask([{ files: { "done.txt": "done\n" }, lastMessage: SAID }]);
const WITHHELD = "Prompts, messages of the agent and diffs are left out of this page";

test.each([
  { readers: "members of a private repository", isPrivate: true, key: {}, file: "loop/report.html" },
  { readers: "everybody", isPrivate: false, key: {}, file: "loop/report.html" },
  {
    readers: "who has the key",
    isPrivate: false,
    key: { "state-key": "k".repeat(32) },
    file: "loop/report.html.sealed",
  },
])("a job's artifact has the page about its loop, for $readers [C136]", async ({ isPrivate, key, file }) => {
  await using ci = await startCi({ ...TASK, publishes: false, private: isPrivate });
  await using machine = await ci.machine();
  const job = await machine.run({ inputs: { ...TASK.inputs, ...key } });
  expect([job.conclusion, job.outputs["status"]]).toEqual(["success", "completed"]);
  const files = unzipped(ci.api.world.artifacts.at(-1)?.zip ?? new Uint8Array());
  expect(Object.keys(files).filter((name) => name.includes("report.html"))).toEqual([file]);
  const page = Buffer.from(files[file] ?? "").toString();
  const isSealed = file.endsWith(".sealed");
  expect(page.includes("<!doctype html>")).toBe(!isSealed);
  expect(page.includes(SAID)).toBe(isPrivate);
  expect(page.includes(WITHHELD)).toBe(!isPrivate && !isSealed);
});
