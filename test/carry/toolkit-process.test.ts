import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { callToolkit, type ToolkitCall, type ToolkitProcess } from "../../src/carry/toolkit.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SERVE = new URL("../../src/carry/serve-toolkit.ts", import.meta.url).href;
/** Does what it is told, and says which process it is, and where. */
const PROGRAM = `import { serveToolkit } from "${SERVE}";
await serveToolkit(async ({ say = "", fail, hang, die, pid }) => {
  console.log(say);
  if (fail) throw new Error(fail);
  if (die && (pid ?? process.pid) === process.pid) process.exit(3);
  if (hang) await new Promise((resolve) => setTimeout(resolve, 600_000));
  return { pid: process.pid, cwd: process.cwd(), workspace: process.env.GITHUB_WORKSPACE };
});
`;
const shape = z.object({ pid: z.int(), cwd: z.string(), workspace: z.string() });

async function stage() {
  const folder = await tempFolder("toolkit-");
  const program = path.join(folder.path, "program.mjs");
  await writeFile(program, PROGRAM);
  const scratch = path.join(folder.path, "scratch");
  const options = { program, env: { ...process.env, ACTIONS_RUNTIME_TOKEN: "t" }, scratch, mark: "toolkit-process" };
  const spare: ToolkitProcess[] = [];
  const call = (request: object, use: Parameters<typeof callToolkit>[4], signal = AbortSignal.timeout(20_000)) =>
    callToolkit(options, { request: { ...request }, workspace: folder.path }, shape, signal, use);
  const asked = async (request: object, use: Parameters<typeof callToolkit>[4], signal?: AbortSignal) => {
    const answer = await call(request, use, signal);
    if (!answer.ok) throw new Error(answer.trouble.because);
    return answer.value.pid;
  };
  return {
    ...{ folder: folder.path, scratch, options, spare, call, asked },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(spare.splice(0).map((waiting) => waiting.end()));
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a process that has done a call does another, in its own folder, after that of the first is gone [C171]", async () => {
  await using at = await stage();
  const first = path.join(at.folder, "first");
  await mkdir(first);
  const signal = AbortSignal.timeout(20_000);
  const page = { request: { say: "request: (409)" }, workspace: first };
  const done = await callToolkit(at.options, Promise.resolve(page), shape, signal, { to: at.spare });
  expect(done).toMatchObject({ ok: true, value: { cwd: first, workspace: first } });
  expect(at.spare).toHaveLength(1);
  await rm(first, { recursive: true });
  const next = await at.call({}, { from: at.spare });
  const pid = done.ok ? done.value.pid : 0;
  expect(next).toEqual({ ok: true, value: { pid, cwd: at.folder, workspace: at.folder } });
  expect([at.spare, isRunning(pid), await readdir(at.scratch)]).toEqual([[], false, []]);
});

test("what a call has printed is not why the next one fails [C171]", async () => {
  await using at = await stage();
  await at.asked({ say: "request: (409)" }, { to: at.spare });
  const failed = await at.call({ fail: "no words that are known" }, { from: at.spare });
  expect(failed).toMatchObject({ ok: false, trouble: { because: "the service gave no reason that is known" } });
});

test.each([
  ["is refused", { fail: "request: (400)" }, "the service does not know artifacts of this kind (400)"],
  ["ends its process", { say: "request: (403)", die: true }, "the service refuses this to the run's token (403)"],
])("no process is left for another call by one that %s [C171]", async (_, request, because) => {
  await using at = await stage();
  expect(await at.call(request, { to: at.spare })).toMatchObject({ ok: false, trouble: { because } });
  expect([at.spare, await readdir(at.scratch)]).toEqual([[], []]);
});

test.each([
  ["has ended while it waited", async (pid: number) => void process.kill(pid, "SIGKILL"), {}],
  ["ends in the middle of the call", async () => {}, { die: true }],
])("a process that %s is replaced by a new one [C171]", async (_, before, request) => {
  await using at = await stage();
  const pid = await at.asked({}, { to: at.spare });
  await before(pid);
  const next = await at.asked({ ...request, pid }, { from: at.spare });
  expect(next).not.toBe(pid);
  expect(at.spare).toEqual([]);
});

test("the time of a call that is done ends nothing; that of the next one does, and no other process begins [C171]", async () => {
  await using at = await stage();
  const first = new AbortController();
  const pid = await at.asked({}, { to: at.spare }, first.signal);
  first.abort();
  const starts = path.join(at.folder, "starts");
  await writeFile(at.options.program, `import { writeFileSync } from "node:fs"; writeFileSync("${starts}", "");`);
  const late = await at.call({ hang: true }, { from: at.spare }, AbortSignal.timeout(300));
  expect([late.ok, isRunning(pid), existsSync(starts)]).toEqual([false, false, false]);
});

test("a call that is made when its process has ended harms nobody [C171]", async () => {
  await using at = await stage();
  await rm(at.options.program);
  const wrong: unknown[] = [];
  const heard = (error: unknown) => void wrong.push(error);
  process.prependListener("uncaughtException", heard);
  const made = new AbortController();
  const making = new Promise<ToolkitCall>((resolve) => {
    made.signal.addEventListener("abort", () => resolve({ request: {}, workspace: at.folder }));
  });
  const late = await callToolkit(at.options, making, shape, AbortSignal.timeout(20_000));
  made.abort();
  await nextRound();
  process.off("uncaughtException", heard);
  expect([late.ok, wrong, await readdir(at.scratch)]).toEqual([false, [], []]);
});

test.each([
  ["ends lines elsewhere", { cwd: "a\u2028b\u2029c" }],
  ["is long", { say: "x".repeat(300_000) }],
])("a call arrives whole whose text %s [C171]", async (_, request) => {
  await using at = await stage();
  expect(await at.call(request, {})).toMatchObject({ ok: true, value: { workspace: at.folder } });
});

test("a failure of which very much is said is told as any other [C171]", async () => {
  await using at = await stage();
  const failed = await at.call({ fail: `request: (400) ${"x".repeat(300_000)}` }, {});
  expect(failed).toMatchObject({ trouble: { because: "the service does not know artifacts of this kind (400)" } });
});

test.each([
  ["waits", () => {}],
  ["is stopped", (pid: number) => void process.kill(pid, "SIGSTOP")],
])("a process that %s is ended in time with its folder [C171, T19]", async (_, before) => {
  await using at = await stage();
  const pid = await at.asked({}, { to: at.spare });
  before(pid);
  await Promise.all(at.spare.map((waiting) => waiting.end()));
  expect([isRunning(pid), await readdir(at.scratch)]).toEqual([false, []]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
