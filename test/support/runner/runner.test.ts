import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder, type TempFolder } from "../temp-folder.ts";
import { createRunner, type Runner, type RunnerOptions } from "./runner.ts";
import { RUNNER_LADDER } from "./stage.ts";

const ACTION_YML = `
name: fake
inputs:
  loop-id: { description: the id, default: abc }
  some name: { required: true }
  token: { default: "\${{ github.token }}" }
  number: { default: 5 }
runs: { using: node24, main: main.mjs, post: post.mjs }
`;

const HELPERS = `
import fs from "node:fs";
const say = (variable, text) => fs.appendFileSync(process.env[variable], text + "\\n");
const log = (text) => fs.writeSync(1, text + "\\n");
`;

const SHORT = { interruptMs: 200, terminateMs: 200, streamsMs: 200 };

interface Fake extends AsyncDisposable {
  readonly runner: Runner;
}

/** A machine with an action made of two scripts. */
async function fake(main: string, post = "", options: Partial<RunnerOptions> = {}): Promise<Fake> {
  const folder: TempFolder = await tempFolder("fake-action-");
  const actionDir = path.join(folder.path, "action");
  const workspace = path.join(folder.path, "workspace");
  await mkdir(actionDir);
  await mkdir(workspace);
  await writeFile(path.join(actionDir, "action.yml"), ACTION_YML);
  await writeFile(path.join(actionDir, "main.mjs"), HELPERS + main);
  await writeFile(path.join(actionDir, "post.mjs"), HELPERS + post);
  const runner = await createRunner({ actionDir, workspace, ladder: SHORT, ...options });
  return {
    runner,
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const PRINT_ENV = `log(JSON.stringify(process.env));`;

test("an action gets what the runner gives and nothing of the test's environment", async () => {
  process.env["SECRET_OF_THE_TEST"] = "x";
  await using machine = await fake(
    `${PRINT_ENV} log(fs.readFileSync(process.env.GITHUB_EVENT_PATH, "utf8")); log("stdin: " + fs.readFileSync(0, "utf8").length);`,
  );
  const job = await machine.runner.run({
    inputs: { "Loop-Id": "mine", unknown: "1" },
    env: { ACTIONS_RESULTS_URL: "http://127.0.0.1:1/" },
    event: { name: "issues", payload: { action: "opened" } },
    github: { ref_name: "other" },
    expressions: { "github.token": "t0ken" },
  });
  const [line = "", event, stdin] = job.log.split("\n");
  const env: unknown = JSON.parse(line);
  expect(env).toMatchObject({
    "INPUT_LOOP-ID": "mine",
    INPUT_SOME_NAME: "",
    INPUT_TOKEN: "t0ken",
    INPUT_NUMBER: "5",
    INPUT_UNKNOWN: "1",
    ACTIONS_RESULTS_URL: "http://127.0.0.1:1/",
    GITHUB_EVENT_NAME: "issues",
    GITHUB_REF_NAME: "other",
    GITHUB_RUN_ID: job.runId,
    GITHUB_WORKSPACE: machine.runner.folders.workspace,
    RUNNER_TEMP: machine.runner.folders.temp,
    GITHUB_ACTIONS: "true",
  });
  expect(env).not.toHaveProperty("SECRET_OF_THE_TEST");
  expect(env).not.toHaveProperty("GITHUB_TOKEN");
  expect(event).toBe('{"action":"opened"}');
  expect(stdin).toBe("stdin: 0");
  expect(job.conclusion).toBe("success");
  delete process.env["SECRET_OF_THE_TEST"];
});

describe("what an action says", () => {
  test("files: outputs, state for post, environment, path and summary", async () => {
    await using machine = await fake(
      `say("GITHUB_OUTPUT", "a=1\\nb<<X\\n2\\n3\\nX"); say("GITHUB_STATE", "step=two"); say("GITHUB_ENV", "FOR_LATER=yes");
       say("GITHUB_PATH", "/first"); say("GITHUB_PATH", "/second"); say("GITHUB_STEP_SUMMARY", "# hello");`,
      `log(process.env.STATE_step + process.env.FOR_LATER + process.env.PATH.slice(0, 14)); say("GITHUB_STEP_SUMMARY", "post");`,
    );
    const job = await machine.runner.run();
    expect(job.outputs).toEqual({ a: "1", b: "2\n3" });
    expect(job.log).toBe("twoyes/second:/first\n");
    expect(job.main.summary).toBe("# hello\n");
    expect(job.posts.map((post) => post.summary)).toEqual(["post\n"]);
  });

  test("commands on both streams are obeyed, as the real runner does", async () => {
    await using machine = await fake(
      `log("::set-output name=x::y"); fs.writeSync(2, "a ##[save-state name=s]v\\n"); log("::add-mask::hush"); log("hush, says s3cret");`,
      `log(process.env.STATE_s);`,
    );
    const job = await machine.runner.run({ secrets: ["s3cret"] });
    expect(job.outputs).toEqual({ x: "y" });
    expect(job.main.commands.map(({ name }) => name).toSorted()).toEqual(["add-mask", "save-state", "set-output"]);
    // It is not known which of two streams is read first.
    expect(job.log).toContain("***, says ***\n");
    expect(job.log).toContain("\nv\n");
    expect(job.log).not.toContain("hush");
  });

  test.each([
    ["a file command that makes no sense", `say("GITHUB_OUTPUT", "nonsense");`, "Invalid format"],
    ["a disabled command", `log("::set-env name=A::B");`, "A disabled command"],
    ["NODE_OPTIONS", `say("GITHUB_ENV", "NODE_OPTIONS=--x");`, "NODE_OPTIONS"],
  ])("%s fails the step", async (_, main, problem) => {
    await using machine = await fake(main);
    const job = await machine.runner.run();
    expect(job.conclusion).toBe("failure");
    expect(job.main.exitCode).toBe(0);
    expect(job.main.problems.join()).toContain(problem);
  });

  test("a summary that is too long is dropped and fails nothing", async () => {
    await using machine = await fake(`say("GITHUB_STEP_SUMMARY", "x".repeat(1048576));`);
    const { main, conclusion } = await machine.runner.run();
    expect(main.summary).toBe("");
    expect(main.warnings).toHaveLength(1);
    expect(conclusion).toBe("success");
  });
});

describe("how a job ends", () => {
  test.each([
    ["main", `process.exitCode = 1;`, ``],
    ["post", ``, `process.exitCode = 1;`],
  ])("a red %s is a red job, and post runs all the same", async (_, main, post) => {
    await using machine = await fake(main, `${post} log("post ran");`);
    const job = await machine.runner.run();
    expect(job.conclusion).toBe("failure");
    expect(job.log).toBe("post ran\n");
  });

  test("cancelled while main ends itself: one signal, state survives, post runs", async () => {
    await using machine = await fake(
      `say("GITHUB_STATE", "a=1"); process.once("SIGINT", () => { say("GITHUB_STATE", "a=2"); process.exit(0); });
       log("working"); setInterval(() => {}, 1000);`,
      `log("post " + process.env.STATE_a);`,
      { ladder: RUNNER_LADDER },
    );
    const job = await machine.runner.run({ cancelWhen: (log) => log.includes("working") });
    expect(job.conclusion).toBe("cancelled");
    expect(job.main.sent.map(({ signal }) => signal)).toEqual(["SIGINT"]);
    expect(job.log).toBe("working\npost 2\n");
  });

  test("cancelled while main ignores everything: the whole ladder, and post runs", async () => {
    await using machine = await fake(
      `for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => log(name)); log("working"); setInterval(() => {}, 1000);`,
      `log("post");`,
    );
    const job = await machine.runner.run({ cancelWhen: (log) => log.includes("working") });
    expect(job.log).toBe("working\nSIGINT\nSIGTERM\npost\n");
    expect(job.main.sent.map(({ signal }) => signal)).toEqual(["SIGINT", "SIGTERM", "SIGKILL"]);
    expect(job.main.exitCode).toBeNull();
  });

  test("a machine that vanishes takes everything with it, and no post runs", async () => {
    await using machine = await fake(
      `import { spawn } from "node:child_process";
       spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref(); log("working"); setInterval(() => {}, 1000);`,
      `log("post");`,
    );
    const job = await machine.runner.run({ vanishWhen: (log) => log.includes("working") });
    expect(job).toMatchObject({ conclusion: "vanished", log: "working\n", posts: [], outputs: {} });
  });

  test("a child that keeps the log open is not waited for", async () => {
    await using machine = await fake(
      `import { spawn } from "node:child_process";
       const child = spawn("sleep", ["600"], { detached: true, stdio: "inherit" }); child.unref(); say("GITHUB_STATE", "pid=" + child.pid);`,
      `process.kill(Number(process.env.STATE_pid), "SIGKILL");`,
    );
    const job = await machine.runner.run();
    expect(job.conclusion).toBe("success");
    expect(job.main.durationMs).toBeLessThan(RUNNER_LADDER.streamsMs);
  });

  test.each([
    ["by its environment", `cwd: "/"`],
    ["by its place", `cwd: process.env.GITHUB_WORKSPACE, env: { PATH: process.env.PATH }`],
  ])("a process that is left after post is a fault, found %s", async (_, options) => {
    await using machine = await fake(
      `import { spawn } from "node:child_process";
       spawn("sleep", ["600"], { detached: true, stdio: "ignore", ${options} }).unref();`,
    );
    await expect(machine.runner.run()).rejects.toThrow(/Left after post: \d+ sleep 600/u);
  });

  test("a stage that takes too long is a fault, and its log is told", async () => {
    await using machine = await fake(`log("stuck"); setInterval(() => {}, 1000);`);
    await expect(machine.runner.run({ timeoutMs: 1_500 })).rejects.toThrow("stuck");
  });
});

describe("from job to job", () => {
  test("the temp folder is empty at the start and the end; home and workspace stay", async () => {
    await using machine = await fake(
      `for (const name of ["RUNNER_TEMP", "HOME", "GITHUB_WORKSPACE"]) {
         const file = process.env[name] + "/kept"; log(name + " " + fs.existsSync(file)); fs.writeFileSync(file, "x");
       }`,
    );
    let seen = false;
    await machine.runner.run({
      afterwards: async (temp) => {
        const { access } = await import("node:fs/promises");
        await access(path.join(temp, "kept"));
        seen = true;
      },
    });
    const job = await machine.runner.run();
    expect(seen).toBe(true);
    expect(job.log).toBe("RUNNER_TEMP false\nHOME true\nGITHUB_WORKSPACE true\n");
  });

  test("post can run twice, and every job is a run of its own", async () => {
    await using machine = await fake(``, `log("post"); say("GITHUB_STATE", "n=1");`);
    const first = await machine.runner.run({ posts: 2 });
    const second = await machine.runner.run();
    expect(first.log).toBe("post\npost\n");
    expect(first.runId).not.toBe(second.runId);
  });

  test("the ladder can be shorter", async () => {
    await using machine = await fake(
      `process.on("SIGINT", () => {}); log("working"); setTimeout(() => process.exit(0), 30000);`,
      ``,
      { ladder: { interruptMs: 100 } },
    );
    const { main } = await machine.runner.run({ cancelWhen: (log) => log.includes("working") });
    expect(main.sent.map(({ signal }) => signal)).toEqual(["SIGINT", "SIGTERM"]);
  });
});
