import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);
const PLANTED = ["git", "tar", "zstd", "gzip", "ps", "npm", "node", "sh"];

/** The agent plants programs in the first turn, where a step before has put a folder of the workspace onto PATH. */
const FILES = {
  ...HANGING_FILES,
  "agent.sh": `. "$SWITCHES/plant.sh"\n${HANGING_FILES["agent.sh"] ?? ""}`,
};

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

test("post carries away a killed job's work and starts no program that its agent has planted in the workspace [T12]", async () => {
  await using traces = await tempFolder("traces-");
  await using task = await hangingTask("planted-programs");
  const switches = task.env["SWITCHES"] ?? "";
  await task.turnOn("hang-in-turn-1");
  await using machine = await ci.machine({ ladder: { interruptMs: 0, terminateMs: 0 } });
  const bin = path.join(machine.workspace, "node_modules/.bin");
  const made = path.join(switches, "planted");
  await mkdir(made);
  for (const name of PLANTED) {
    const text = `#!/bin/sh\n: > '${traces.path}/${name}-'$$\nexec /usr/bin/env PATH='${process.env["PATH"] ?? ""}' ${name} "$@"\n`;
    await writeFile(path.join(made, name), text);
    await chmod(path.join(made, name), 0o755);
  }
  // Last, so that the agent's own programs are not the planted ones until it hangs.
  const plant = `mkdir -p node_modules/.bin; echo '*' > node_modules/.gitignore; cp '${made}'/* node_modules/.bin/; PATH=\${PATH#*:}\n`;
  await writeFile(path.join(switches, "plant.sh"), plant);
  const PATH = [bin, process.env["PATH"]].join(path.delimiter);
  const job = await machine.run({ ...task, env: { ...task.env, PATH }, cancelWhen: () => task.hangs("turn") });
  expect(await readdir(bin)).toEqual(expect.arrayContaining(["git", "tar"]));
  expect(job.posts.map(({ log, result }) => [log.includes("carrying away"), result])).toEqual([[true, "success"]]);
  expect(await readdir(traces.path)).toEqual([]);
  const { stdout } = await run("git", ["ls-remote", ci.remote.folder, "refs/smithers-loops/*"]);
  expect(stdout).not.toBe("");
});
