import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRunning } from "../../src/os/process-tree.ts";
import { unsealFile } from "../../src/os/seal.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, type HangingTask, hangingTask } from "../support/ci/hanging-task.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { unzipped } from "../support/zip.ts";
import { told } from "./publish-stage.ts";

const run = promisify(execFile);
const STATE_KEY = "a-state-key-of-24-letters";

/** In its first turn the agent works, then does what the test has written for it, and hangs. */
const FILES = {
  ...HANGING_FILES,
  "agent.sh": `echo work > work.txt; echo KEY=1 > .env; echo token-that-writes > seen.txt
if [ -e "$SWITCHES/attack.sh" ]; then . "$SWITCHES/attack.sh"; fi\n${HANGING_FILES["agent.sh"] ?? ""}`,
};

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, files: FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

interface Robbery {
  readonly inputs?: Record<string, string>;
  readonly attack?: string;
  /** whether the folder goes with the file */
  readonly whole?: boolean;
}

/** Main is killed in the first turn, and what it has handed over is removed before. */
async function robbed(task: HangingTask, options: Robbery = {}) {
  await using machine = await ci.machine({ ladder: { interruptMs: 0, terminateMs: 0 } });
  const at = path.join(machine.runner.folders.temp, "smithers", "hand-over");
  const written = `grep -q 'follows..:..[0-9a-f]' "$f" && grep -q 'sent..:\\[\\]' "$f"`;
  const rob = `f=$(find '${at}' -name hand-over.json); until ${written}; do sleep 0.02; done; rm -r "${options.whole === true ? at : "$f"}"`;
  const commands = path.join(machine.runner.folders.temp, "_runner_file_commands");
  const attack = (options.attack ?? "true").replaceAll("@COMMANDS@", commands);
  await writeFile(path.join(task.env["SWITCHES"] ?? "", "attack.sh"), `${attack}; ${rob}\n`);
  await task.turnOn("hang-in-turn-1");
  return await machine.run({
    ...task,
    inputs: { ...task.inputs, "agent-isolation": "off", ...options.inputs },
    cancelWhen: () => task.hangs("turn"),
  });
}

function filesOf({ runId }: Job): Record<string, Buffer> | undefined {
  const found = ci.api.world.artifacts.find(({ name }) => name === `unproved-work-${runId}-1`);
  return found?.zip === undefined ? undefined : unzipped(found.zip);
}

/** The names of the files that a bundle changes, in a fresh clone. */
async function changedBy(bundle: Buffer): Promise<readonly string[]> {
  await using folder = await tempFolder();
  const git = async (...args: string[]) => (await run("git", args, { cwd: folder.path })).stdout;
  await git("clone", "-q", ci.remote.folder, ".");
  await writeFile(path.join(folder.path, "work.bundle"), bundle);
  await git("fetch", "-q", "./work.bundle", "refs/smithers/unproved");
  return (await git("diff", "--name-only", "HEAD", "FETCH_HEAD")).trim().split("\n");
}

describe("work of which nothing is proved is saved for people", () => {
  test("the workspace is an artifact without its secrets, nothing is published, and no run goes on from it [T15]", async () => {
    await using task = await hangingTask("robbed");
    const job = await robbed(task);
    const files = filesOf(job) ?? {};
    expect(Object.keys(files).toSorted()).toEqual(["README.txt", "work.bundle"]);
    expect(await changedBy(files["work.bundle"] ?? Buffer.from(""))).toEqual(["turns.txt", "work.txt"]);
    expect(told(job)).toContain("What the main step handed over cannot be proved");
    expect(told(job)).toContain(`was uploaded as the artifact unproved-work-${job.runId}-1`);
    expect(job.posts.map(({ result }) => result)).toEqual(["failure"]);
    expect(ci.api.world.statuses.filter(({ state }) => state === "success")).toEqual([]);

    for (const name of ["attack.sh", "hang-in-turn-1"]) await task.turnOff(name);
    await using machine = await ci.machine();
    const next = await machine.run({ ...task, inputs: { ...task.inputs, carriers: "artifact" } });
    expect(next.log).not.toContain("unproved-work");
  });

  test("also where the whole folder is removed [T15]", async () => {
    await using task = await hangingTask("removed");
    const job = await robbed(task, { whole: true });
    expect(Object.keys(filesOf(job) ?? {}).toSorted()).toEqual(["README.txt", "work.bundle"]);
    expect(told(job)).toContain("What the main step handed over cannot be proved");
    expect(job.posts.map(({ result }) => result)).toEqual(["failure"]);
  });

  test("without any secret left-overs are ended, the work saved, and the ending says so, and that credentials stay out [T13, T15]", async () => {
    await using task = await hangingTask("no-secret");
    await using machine = await ci.machine({ ladder: { interruptMs: 0, terminateMs: 0 } });
    const key = "http.https://example.com/.extraheader";
    const config = async (...args: string[]) =>
      (await run("git", ["config", ...args], { cwd: machine.workspace })).stdout;
    await config(key, "AUTHORIZATION: basic of-the-checkout");
    const pids = path.join(task.env["SWITCHES"] ?? "", "pids");
    const stray = `env -u SMITHERS_TREE setsid sh -c 'echo $$ >> "${pids}"; exec sleep 300' &`;
    const gone = `git config --get-all ${key} > "$SWITCHES/seen"; ${stray} until [ -s "${pids}" ]; do sleep 0.02; done`;
    await writeFile(path.join(task.env["SWITCHES"] ?? "", "attack.sh"), `${gone}\n`);
    await task.turnOn("hang-in-turn-1");
    // Without a token nothing can be asked whether the loop has begun.
    const alone = { "github-token": "", carriers: "artifact", "begin-without-answer": "true" };
    const inputs = { ...task.inputs, ...alone, "agent-isolation": "off" };
    const job = await machine.run({ ...task, inputs, cancelWhen: () => task.hangs("turn") });
    expect(await readFile(path.join(task.env["SWITCHES"] ?? "", "seen"), "utf8")).toBe("");
    expect(await readFile(path.join(machine.workspace, ".git/config"), "utf8")).not.toContain("of-the-checkout");
    expect(told(job)).toContain("Run actions/checkout again before a step that needs them");
    const [pid = ""] = (await readFile(pids, "utf8")).split("\n");
    expect(isRunning(Number(pid))).toBe(false);
    expect(told(job)).toContain("could hand nothing over");
    expect(Object.keys(filesOf(job) ?? {})).toContain("work.bundle");
    expect(job.posts.map(({ result }) => result)).toEqual(["success"]);
  });

  test("with a state-key it is encrypted [T16]", async () => {
    await using task = await hangingTask("sealed");
    const files = filesOf(await robbed(task, { inputs: { "state-key": STATE_KEY } })) ?? {};
    expect(Object.keys(files).toSorted()).toEqual(["README.txt", "work.bundle.sealed"]);
    await using folder = await tempFolder();
    const [sealed, plain] = [path.join(folder.path, "sealed"), path.join(folder.path, "plain")];
    await writeFile(sealed, files["work.bundle.sealed"] ?? "");
    await unsealFile(STATE_KEY, sealed, plain);
    expect(existsSync(plain)).toBe(true);
  });

  test("what the agent puts into the runner's files starts nothing while it is saved [T11]", async () => {
    await using task = await hangingTask("planted");
    await using folder = await tempFolder();
    const planted = path.join(folder.path, "planted");
    const ran = path.join(folder.path, "ran");
    await mkdir(planted);
    for (const name of ["git", "node", "ps", "sh"]) {
      await writeFile(path.join(planted, name), `#!/bin/sh\necho ${name} >> '${ran}'\nexit 1\n`, { mode: 0o755 });
    }
    const attack = `for f in '@COMMANDS@'/set_env_*; do printf 'BASH_ENV=${planted}/sh\\nGIT_DIR=/nowhere\\n' >> "$f"; done
      for f in '@COMMANDS@'/add_path_*; do echo '${planted}' >> "$f"; done`;
    const job = await robbed(task, { attack });
    expect(job.main.path).toEqual([planted]);
    expect(Object.keys(filesOf(job) ?? {})).toContain("work.bundle");
    expect(existsSync(ran)).toBe(false);
  });
});
