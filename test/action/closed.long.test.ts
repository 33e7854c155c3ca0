import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, type HangingTask, hangingTask } from "../support/ci/hanging-task.ts";
import type { Job } from "../support/runner/runner.ts";
import { runnerUser, type UserOfTheRunner } from "../support/runner/user.ts";

/** Of those that an Action is given; the last two by the runner and by `pass-env`. */
const SECRETS = ["sk-for-the-model-4711", "state-key-0815-0815", "token-of-a-test-passed-on-99"];
const isRoot = process.getuid?.() === 0;
/** Where the tests are not root, they are a user without rights themselves. */
const USER = isRoot ? runnerUser() : undefined;

/** In its first turn the agent does what the test has written for it, and hangs until it is told to end. */
const FILES = {
  ...HANGING_FILES,
  "hang.sh": 'touch "$SWITCHES/$1-hangs"\nexec sleep 300\n',
  "agent.sh": `if [ -e "$SWITCHES/attack.sh" ]; then . "$SWITCHES/attack.sh"; fi\n${HANGING_FILES["agent.sh"] ?? ""}`,
};

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** What a process of a user sees of another one. */
interface Seen {
  readonly environ: string;
  readonly cmdline: string;
  readonly input: string;
  readonly memory: string;
}

/** Reads as another process of the same user would, and asks for Node's inspector. */
function attack(pid: number, user: UserOfTheRunner | undefined): Seen {
  const read = (command: string): string => {
    const [program, ...rest] = [...(user?.wrapper ?? []), "sh", "-c", command];
    return execFileSync(program, rest, { encoding: "latin1", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
  };
  const seen = {
    environ: read(`cat /proc/${pid}/environ || true`),
    cmdline: read(`cat /proc/${pid}/cmdline || true`),
    input: read(`cat /proc/${pid}/fd/0 || true`),
    memory: read(`cat /proc/${pid}/maps || true`),
  };
  read(`kill -USR1 ${pid} || true`);
  return seen;
}

/** The stage that runs as a child of this process, once it goes on and has taken what came by its input. */
function stageThatGoesOn(name: "action" | "post"): number | undefined {
  const found = childrenOfOurs().find((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      return line.includes(`dist/${name}/index.js\0go-on`) && hasTaken(pid);
    } catch {
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}

/** Asked every few milliseconds: all processes of the machine would be too many. */
function childrenOfOurs(): readonly string[] {
  const lists = readdirSync("/proc/self/task").map((thread) => `/proc/self/task/${thread}/children`);
  return lists.flatMap((list) => readFileSync(list, "latin1").split(" ")).filter((pid) => pid !== "");
}

/**
 * Whether a stage has emptied its input. As root the tests can see it; nobody is kept from what Node reads while it starts
 * (docs/decisions/0027-closed-process.md).
 */
function hasTaken(pid: string): boolean {
  return !isRoot || readlinkSync(`/proc/${pid}/fd/0`) === "/dev/null";
}

/** Runs a job that is cancelled in its first turn; main and post are attacked while they work. */
async function attacked(task: HangingTask, user?: UserOfTheRunner): Promise<{ job: Job; main: Seen; post: Seen }> {
  await using machine = await ci.machine(user === undefined ? {} : { user });
  await task.turnOn("hang-in-turn-1");
  const switches = task.env["SWITCHES"] ?? "";
  await chmod(switches, 0o777);
  await user?.takes([switches]);
  const seen: { main?: Seen; post?: Seen } = {};
  const watching = setInterval(() => {
    const pid = seen.post === undefined ? stageThatGoesOn("post") : undefined;
    if (pid !== undefined) seen.post = attack(pid, user);
  }, 5);
  try {
    const [apiKey = "", stateKey = "", passed = ""] = SECRETS;
    const job = await machine.run({
      ...task,
      inputs: { ...task.inputs, "api-key": apiKey, "state-key": stateKey, "pass-env": "SWITCHES\nMY_TOKEN" },
      env: { ...task.env, MY_TOKEN: passed },
      cancelWhen: () => {
        if (!task.hangs("turn")) return false;
        const pid = stageThatGoesOn("action");
        if (pid !== undefined) seen.main ??= attack(pid, user);
        return true;
      },
    });
    if (seen.main === undefined || seen.post === undefined) throw new Error(`A stage did not go on:\n${job.log}`);
    return { job, main: seen.main, post: seen.post };
  } finally {
    clearInterval(watching);
  }
}

function secretsIn(seen: Seen): readonly string[] {
  const all = Object.values(seen).join("\n");
  const known = [...SECRETS, "token-that-writes", ...Object.values(ci.results.environment()).filter(isToken)];
  return known.filter((secret) => all.includes(secret));
}

function isToken(value: string): boolean {
  return value.split(".").length === 3 && value.length > 40;
}

describe("what other processes of its user see of the Action", () => {
  test("nothing but its command line, and no inspector can be opened in main or post [T2]", async () => {
    await using task = await hangingTask("closed");
    const { job, main, post } = await attacked(task, USER);
    for (const seen of [main, post]) {
      expect(seen).toMatchObject({ environ: "", input: "", memory: "" });
      expect(secretsIn(seen)).toEqual([]);
    }
    expect(job.log).not.toMatch(/debugger|inspector/iu);
    expect(job.log.split(/^smithers\/loop [\d.]+$/mu)).toHaveLength(2);
    // It works as ever: the signal has ended nothing, and post has saved the loop.
    expect(job.posts.map(({ log }) => log).join("")).toContain("loop closed: carrying away");
    expect(job.log).not.toContain("other processes of its user could read");
  });

  test.runIf(isRoot)(
    "as root no secret in environment, command line and input, and the rest is told [T2]",
    async () => {
      await using task = await hangingTask("root");
      const { job, main, post } = await attacked(task);
      for (const seen of [main, post]) expect(secretsIn({ ...seen, memory: "" })).toEqual([]);
      expect(main.environ).toContain("PATH=");
      expect(job.log).not.toMatch(/debugger|inspector/iu);
      expect(job.main.log.split("it runs as root")).toHaveLength(2);
      expect(job.posts.map(({ log }) => log).join("")).toContain("loop root: carrying away");
    },
  );
});

/** Processes that sleep for this many seconds; a namespace has numbers of its own. */
function sleepers(seconds: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1") === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}

test.each([
  { name: "main is killed", ladder: { interruptMs: 0, terminateMs: 0 }, isolation: "off" },
  { name: "main is killed", ladder: { interruptMs: 0, terminateMs: 0 }, isolation: "auto" },
  { name: "main is cancelled", ladder: {}, isolation: "off" },
])(
  "a daemon of the agent that has taken our mark out of its environment is gone after post, when $name, agent-isolation $isolation [T19]",
  async ({ name, ladder, isolation }) => {
    const loopId = `daemon-${name.replaceAll(" ", "-")}-${isolation}`;
    await using task = await hangingTask(loopId);
    const switches = task.env["SWITCHES"] ?? "";
    const seconds = `300.${process.pid}${loopId.length}`;
    const inner = `sh -c "echo left >$SWITCHES/left; exec sleep ${seconds}"`;
    const attack = `env -u SMITHERS_TREE setsid sh -c 'setsid ${inner} </dev/null >/dev/null 2>&1 &' &
    until [ -s "$SWITCHES/left" ]; do sleep 0.02; done`;
    await writeFile(path.join(switches, "attack.sh"), `${attack}\n`);
    await task.turnOn("hang-in-turn-1");
    await using machine = await ci.machine({ ladder });
    let began: readonly string[] = [];
    // The runner of the tests does not take a process that is left after post.
    const job = await machine.run({
      ...task,
      inputs: { ...task.inputs, "agent-isolation": isolation },
      cancelWhen: () => {
        if (!task.hangs("turn")) return false;
        began = sleepers(seconds);
        return began.length > 0;
      },
    });
    expect(began).toHaveLength(1);
    expect(job.posts.map(({ log }) => log).join("")).toContain("carrying away");
    expect(sleepers(seconds)).toEqual([]);
  },
);
