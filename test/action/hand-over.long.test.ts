import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, type HangingTask, hangingTask } from "../support/ci/hanging-task.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { stateOf, told } from "./publish-stage.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const ACTION = process.env["SMITHERS_ACTION_DIR"] ?? ROOT;
/** Main is killed before it can write anything further. */
const KILLED = { interruptMs: 0, terminateMs: 0 };

/**
 * In its first turn the agent does what the test has written for it, and hangs; it ends when it is told, which saves the
 * runner's patience with the deaf.
 */
const FILES = {
  ...HANGING_FILES,
  "hang.sh": 'touch "$SWITCHES/$1-hangs"\nexec sleep 300\n',
  "agent.sh": `if [ -e "$SWITCHES/attack.sh" ]; then . "$SWITCHES/attack.sh"; fi\n${HANGING_FILES["agent.sh"] ?? ""}`,
};

let ci: Ci;
let action: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  action = await tempFolder("action-");
  await cp(path.join(ACTION, "action.yml"), path.join(action.path, "action.yml"));
  await cp(path.join(ACTION, "dist"), path.join(action.path, "dist"), { recursive: true });
  ci = await startCi({ byRef: true, files: FILES, actionDir: action.path });
});
afterAll(async () => {
  await ci[Symbol.asyncDispose]();
  await action[Symbol.asyncDispose]();
});

/**
 * Runs a job whose agent attacks in its first turn, and which is then cancelled.
 *
 * @param isolation `off`, unless said: these doors have to hold where no isolation keeps the agent from them
 */
async function attacked(
  machine: CiMachine,
  task: HangingTask,
  attack: string,
  isolation: "auto" | "off" = "off",
): Promise<Job> {
  await writeFile(path.join(task.env["SWITCHES"] ?? "", "attack.sh"), `${attack}\n`);
  await task.turnOn("hang-in-turn-1");
  const inputs = { ...task.inputs, "agent-isolation": isolation };
  return machine.run({ ...task, inputs, cancelWhen: () => task.hangs("turn") });
}

function stateFileOf(machine: CiMachine, loop: string): string {
  return path.join(machine.runner.folders.temp, "smithers", "loops", `${loop}.json`);
}

/** A command that writes a copy of the state that says that all is done. */
function forging(from: string, to: string): string {
  const program = `const fs = require("fs"); const state = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
    state.status = "completed"; state.stop_reason = { kind: "promise" }; state.revision += 1; state.in_flight = null;
    fs.mkdirSync(require("path").dirname(process.argv[2]), { recursive: true });
    fs.writeFileSync(process.argv[2], JSON.stringify(state));`;
  return `node -e '${program}' '${from}' '${to}'`;
}

function saidByPost({ posts }: Job): string {
  return posts.map(({ log }) => log).join("");
}

/** What GitHub was told of a commit that is done. */
function successes(): number {
  return ci.api.world.statuses.filter(({ state }) => state === "success").length;
}

describe("post takes its settings from main alone", () => {
  test("a state file that the agent's configuration names is not looked at [T15]", async () => {
    await using task = await hangingTask("named");
    await using machine = await ci.machine();
    const forged = path.join(machine.workspace, "forged", "state.json");
    const toml = `printf 'state-file = "forged/state.json"\\n' > .smithers.toml`;
    const job = await attacked(machine, task, `${forging(stateFileOf(machine, "named"), forged)}; ${toml}`);
    expect(existsSync(forged)).toBe(true);
    expect(saidByPost(job)).toContain("loop named: carrying away");
    expect(await stateOf(ci, "named")).not.toMatchObject({ status: "completed" });
    expect(successes()).toBe(0);
  });

  test("a configuration that the agent has broken does not keep post from saving the work, nor does a file beside ours that nothing loads [T11, T15]", async () => {
    await using task = await hangingTask("broken");
    await using machine = await ci.machine();
    const beside = path.join(action.path, "dist/job/planted.js");
    const attack = `echo '[[[' > .smithers.toml; echo half > half.txt; echo 'throw new Error();' > '${beside}'`;
    const job = await attacked(machine, task, attack);
    expect(existsSync(beside)).toBe(true);
    expect(saidByPost(job)).toContain("loop broken: carrying away");
    expect(saidByPost(job)).toContain("carried away by");
    expect((await stateOf(ci, "broken")).stop_reason).toMatchObject({ kind: "stopped" });
  });

  test("a state that the agent has rewritten is noticed, and the one that main handed over counts [T15]", async () => {
    await using task = await hangingTask("rewritten");
    await using machine = await ci.machine({ ladder: KILLED });
    const file = stateFileOf(machine, "rewritten");
    const job = await attacked(machine, task, forging(file, file));
    expect(saidByPost(job)).toContain("is not the one that the loop wrote");
    expect(saidByPost(job)).toContain("loop rewritten: carrying away");
    expect(await stateOf(ci, "rewritten")).not.toMatchObject({ status: "completed" });
    expect(successes()).toBe(0);
  });
});

describe("post believes nothing that main has not proved", () => {
  test.each([
    ["altered", `sed -i 's/follows/fol1ows/' "$f"`],
    ["removed", `rm "$f"`],
    ["of nobody", `echo '{"body":"{}","mac":"00"}' > "$f"`],
  ])("nothing is published with a hand-over that was %s, and people are told [T15]", async (how, attack) => {
    const loop = `hand-${how.replaceAll(" ", "-")}`;
    await using task = await hangingTask(loop);
    await using machine = await ci.machine({ ladder: KILLED });
    const at = path.join(machine.runner.folders.temp, "smithers", "hand-over");
    const before = ci.api.world.statuses.length;
    // Main writes it again when the ref has taken the turn that begins.
    const written = `grep -q 'follows..:..[0-9a-f]' "$f" && grep -q 'sent..:\\[\\]' "$f"`;
    const found = `f=$(find '${at}' -name hand-over.json); until ${written}; do sleep 0.02; done`;
    const job = await attacked(machine, task, `${found}; ${attack}`);
    expect(told(job)).toContain("What the main step handed over cannot be proved");
    expect(job.posts.map(({ result }) => result)).toEqual(["failure"]);
    expect(saidByPost(job)).not.toContain("carrying away");
    expect(ci.api.world.statuses).toHaveLength(before);
    // What main had kept while it ran is still there.
    expect(await stateOf(ci, loop)).toMatchObject({ status: "running" });
  });
});

describe("post begins with main's environment", () => {
  test("what the agent puts into the runner's files starts nothing in post [T11]", async () => {
    await using task = await hangingTask("files");
    await using machine = await ci.machine({ ladder: KILLED });
    const planted = path.join(machine.runner.folders.root, "planted");
    const ran = path.join(machine.runner.folders.root, "ran");
    await mkdir(planted);
    for (const name of ["git", "tar", "zstd", "ps"]) {
      await writeFile(path.join(planted, name), `#!/bin/sh\necho ${name} >> '${ran}'\nexit 1\n`, { mode: 0o755 });
    }
    await writeFile(path.join(planted, "env"), `echo shell >> '${ran}'\n`);
    const commands = path.join(machine.runner.folders.temp, "_runner_file_commands");
    const attack = `for f in '${commands}'/set_env_*; do
      printf 'BASH_ENV=%s\\nENV=%s\\nHTTPS_PROXY=http://127.0.0.1:9\\nHTTP_PROXY=http://127.0.0.1:9\\n' '${planted}/env' '${planted}/env' >> "$f"
    done; for f in '${commands}'/add_path_*; do echo '${planted}' >> "$f"; done`;
    const job = await attacked(machine, task, attack);
    expect(job.main.path).toEqual([planted]);
    expect(job.main.env).toMatchObject({ BASH_ENV: `${planted}/env` });
    expect(existsSync(ran) ? await readFile(ran, "utf8") : "").toBe("");
    expect(saidByPost(job)).toContain("loop files: carrying away");
    expect(saidByPost(job)).toContain("carried away by");
  });

  test("a library that was loaded into post before its first line is told, and nothing is published [T11]", async () => {
    await using task = await hangingTask("preload");
    await using machine = await ci.machine({ ladder: KILLED });
    const commands = path.join(machine.runner.folders.temp, "_runner_file_commands");
    const attack = `for f in '${commands}'/set_env_*; do echo 'LD_PRELOAD=/nowhere/planted.so' >> "$f"; done`;
    const job = await attacked(machine, task, attack);
    expect(told(job)).toContain("LD_PRELOAD");
    expect(told(job)).toContain("Replace the secrets");
    expect(job.posts.map(({ result }) => result)).toEqual(["failure"]);
    expect(saidByPost(job)).not.toContain("carrying away");
  });
});

describe("post loads only the code that was shipped", () => {
  test.each([["dist/job/post.js"], ["dist/job/publish-publisher.js"], ["dist/artifact/index.js"]])(
    "%s that the agent has rewritten does not run, and post says so [T11]",
    async (name) => {
      const loop = `code-${path.basename(name, ".js")}`;
      await using task = await hangingTask(loop);
      await using machine = await ci.machine();
      const file = path.join(action.path, name);
      const shipped = await readFile(file);
      const ran = path.join(machine.runner.folders.root, "ran");
      const planted = `\\nimport("node:fs").then((fs) => fs.writeFileSync("${ran}", "x"));\\n`;
      try {
        const job = await attacked(machine, task, `printf '${planted}' >> '${file}'`);
        expect(existsSync(ran)).toBe(false);
        expect(told(job)).toContain(`${name} is not the file that was shipped`);
        expect(job.posts.map(({ result }) => result)).toEqual(["failure"]);
      } finally {
        await writeFile(file, shipped);
      }
    },
  );
});

describe("an agent in isolation", () => {
  test("reaches nothing of all that: state, hand-over, the runner's files and our code are as they were [T11, T15]", async () => {
    await using task = await hangingTask("isolated");
    await using machine = await ci.machine({ ladder: KILLED });
    const { temp } = machine.runner.folders;
    const state = stateFileOf(machine, "isolated");
    const code = path.join(action.path, "dist/job/post.js");
    const shipped = await readFile(code, "utf8");
    const attack = `${forging(state, state)}
      find '${temp}/smithers' -name hand-over.json -exec rm {} +
      for f in '${temp}'/_runner_file_commands/*; do echo 'LD_PRELOAD=/nowhere/planted.so' >> "$f"; done
      echo 'throw new Error();' >> '${code}'`;
    const job = await attacked(machine, task, attack, "auto");
    expect(await readFile(code, "utf8")).toBe(shipped);
    expect(job.main).toMatchObject({ path: [], env: {}, problems: [] });
    expect(told(job)).not.toMatch(/LD_PRELOAD|cannot be proved|was shipped|is not the one that the loop wrote/u);
    expect(job.posts.map(({ result }) => result)).toEqual(["success"]);
    expect(saidByPost(job)).toContain("loop isolated: carrying away");
    expect(await stateOf(ci, "isolated")).toMatchObject({ status: "running", stop_reason: null });
  });
});
