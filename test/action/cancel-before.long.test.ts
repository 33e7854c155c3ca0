import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CODEX_VERSION } from "../../src/config/settings/agent.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { startNpmRegistry } from "../support/npm-registry.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** The step left at once, nothing of it is left, and post has nothing to say. */
function expectQuietEnd({ conclusion, main, posts }: Job): void {
  expect(conclusion).toBe("cancelled");
  expect(main.sent.map(({ signal }) => signal)).toEqual(["SIGINT"]);
  expect(main.log).toContain("SIGINT: this step is being cancelled");
  expect(posts.map(({ log, summary, result }) => [log, summary, result])).toEqual([["", "", "success"]]);
}

const CODEX = {
  prompt: "Write done.txt.",
  sandbox: "workspace-write",
  "success-sh": "test -f done.txt",
  "job-timeout-minutes": "60",
};

describe("a job that is cancelled before its loop runs [W-46]", () => {
  test("while the loop is being restored: the loop stays where it is, and the next run has it", async () => {
    await using task = await hangingTask("restore");
    await task.turnOn("never-done");
    await using first = await ci.machine();
    const begun = await first.run({ ...task, inputs: { ...task.inputs, "max-iterations": "1" } });
    expect(begun.outputs).toMatchObject({ status: "stopped_max_iterations" });
    const stands = await ci.refOf("restore");

    let asked = false;
    ci.remote.fault = ({ url }) => {
      asked ||= url.includes("git-upload-pack");
      return "hang";
    };
    await using second = await ci.machine();
    expectQuietEnd(await second.run({ ...task, cancelWhen: () => asked }));
    ci.remote.fault = undefined;
    ci.results.heal();
    ci.results.fail("GetCacheEntryDownloadURL", "hang", 1);
    const asks = () => ci.results.requests.some(({ method }) => method === "GetCacheEntryDownloadURL");
    expectQuietEnd(await second.run({ ...task, cancelWhen: asks }));
    expect(await ci.refOf("restore")).toBe(stands);

    await task.turnOff("never-done");
    expect((await second.run(task)).outputs).toMatchObject({ status: "completed", iterations: "2" });
  });

  test("while the agent is being installed: npm ends with it", async () => {
    await using registry = await startNpmRegistry([], { hangs: true });
    await using machine = await ci.machine();
    const job = await machine.run({
      inputs: { ...CODEX, "loop-id": "install", "provider-version": "9.9.9" },
      env: { npm_config_registry: registry.url },
      cancelWhen: () => registry.requests.length > 0,
    });
    expectQuietEnd(job);
    expect(await ci.refOf("install")).toBe("");
  });

  test("while the sandbox is being tried: what it started ends with it", async () => {
    await using bin = await tempFolder("bin-");
    const [codex, tried] = [path.join(bin.path, "codex"), path.join(bin.path, "tried")];
    const hang = `trap '' INT TERM; setsid sleep 300 & touch '${tried}'; sleep 300`;
    await writeFile(codex, `#!/bin/sh\n[ "$1" = --version ] && exec echo 'codex-cli ${CODEX_VERSION}'\n${hang}\n`);
    await chmod(codex, 0o755);
    await using machine = await ci.machine();
    const job = await machine.run({
      inputs: { ...CODEX, "loop-id": "preflight" },
      env: { PATH: `${bin.path}:${process.env["PATH"] ?? ""}` },
      cancelWhen: () => existsSync(tried),
    });
    expect(existsSync(tried)).toBe(true);
    expectQuietEnd(job);
  });
});
