import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { tempFolder } from "../support/temp-folder.ts";
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
  for (const text of [SAID, TASK.inputs["prompt"] ?? ""])
    expect([text, page.includes(text)]).toEqual([text, isPrivate]);
  expect(page.includes(WITHHELD)).toBe(!isPrivate && !isSealed);
});

test.each([
  { readers: "members of a private repository", isPrivate: true },
  { readers: "everybody, without the agent's words", isPrivate: false },
])("one click shows the page to $readers: summary and comment link it [C137, C171, T3]", async ({ isPrivate }) => {
  await using ci = await startCi({ ...TASK, private: isPrivate });
  await using machine = await ci.machine();
  await using folder = await tempFolder();
  const started = path.join(folder.path, "started");
  const observer = path.join(folder.path, "observer.mjs");
  const note = `appendFileSync(${JSON.stringify(started)}, process.argv[1] + "\\n")`;
  await writeFile(observer, `import { appendFileSync } from "node:fs"; ${note};`);
  const job = await machine.run({ inputs: TASK.inputs, env: { NODE_OPTIONS: `--import=${observer}` } });
  expect([job.conclusion, job.outputs["status"]]).toEqual(["success", "completed"]);
  const programs = (await readFile(started, "utf8")).split("\n");
  expect(programs.filter((program) => program.endsWith("/dist/artifact/index.js"))).toHaveLength(1);
  const [page, ...more] = ci.api.world.pages;
  const [bundle] = ci.api.world.artifacts;
  expect([page?.name, more]).toEqual([`${bundle?.name}.html`, []]);
  const bytes = Buffer.from(page?.zip ?? "");
  expect(bytes.equals(Buffer.from(unzipped(bundle?.zip ?? new Uint8Array())["loop/report.html"] ?? ""))).toBe(true);
  expect(bytes.includes(SAID)).toBe(isPrivate);
  const link = `/o/r/actions/runs/${page?.runId}/artifacts/${page?.id})`;
  const [comment] = ci.api.world.comments;
  for (const text of [job.main.summary, comment?.body ?? ""]) {
    expect(text).toContain(link);
    expect(text.includes("it has no prompts, messages and changes")).toBe(!isPrivate);
  }
});

test.each([
  { why: "a server without single files", set: { refusesFiles: true }, inputs: {} },
  { why: "act, Gitea or Forgejo", set: { isOlder: true }, inputs: {} },
  { why: "a state-key, and its artifact's name taken,", set: {}, inputs: { "state-key": "k".repeat(32) } },
])("with $why the loop's artifact has the page, and the line that opens it is said [C137]", async ({ set, inputs }) => {
  await using ci = await startCi(TASK);
  Object.assign(ci.results.artifacts, set);
  const isSealed = "state-key" in inputs;
  if (isSealed) ci.results.fail("CreateArtifact", { status: 409, body: { code: "already_exists", msg: "taken" } }, 1);
  await using machine = await ci.machine();
  const job = await machine.run({ inputs: { ...TASK.inputs, ...inputs } });
  expect([job.conclusion, job.outputs["status"]]).toEqual(["success", "completed"]);
  expect(ci.api.world.pages).toEqual([]);
  const [bundle] = ci.api.world.artifacts;
  expect(bundle?.name.endsWith(".2")).toBe(isSealed);
  const get = `gh run download ${bundle?.runId} -R o/r -n ${bundle?.name} -D ${bundle?.name}`;
  const [comment] = ci.api.world.comments;
  for (const text of [job.main.summary, comment?.body ?? ""]) {
    expect(text).toContain(
      `/o/r/actions/runs/${bundle?.runId}/artifacts/${bundle?.id}), downloaded and opened by \`${get}`,
    );
    expect(text).toContain(`${get} && smithers report ${bundle?.name} --open`);
    expect(text.includes("SMITHERS_STATE_KEY")).toBe(isSealed);
  }
  expect(job.log.includes("the service does not know artifacts of this kind (400)")).toBe(!isSealed);
});

test("no secret of the job is in the bytes that are uploaded, wherever it was said [C137, T16]", async () => {
  const secret = "sk-not-for-a-page-0123456789";
  const task = scriptedTask([{ files: { "done.txt": `${secret}\n` }, lastMessage: `I found ${secret}.` }]);
  await using ci = await startCi({ ...task, publishes: false, private: true });
  await using machine = await ci.machine();
  const asks = { prompt: `Never say ${secret}.`, "success-sh": "cat done.txt && test -f done.txt", "api-key": secret };
  await machine.run({ inputs: { ...task.inputs, ...asks } });
  const [page] = ci.api.world.pages;
  const text = Buffer.from(page?.zip ?? "").toString();
  expect([text.includes("I found ***."), text.includes("Never say ***.")]).toEqual([true, true]);
  expect(text).not.toContain(secret);
});
