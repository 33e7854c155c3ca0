import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseEnvironments, parseProcesses, startOf } from "../../src/os/process-tree.ts";
import { sweep } from "../../src/os/supervise.ts";
import { finish, firstLine, runs, shell } from "../support/supervised-shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NODE = process.execPath;
const PATH = process.env["PATH"] ?? "";

describe("what a process leaves behind is gone when it has ended [T19]", () => {
  const background = "sleep 300 & echo $!";
  const told = "echo $$; echo $$ >pid";
  const setsid = `setsid sh -c '${told}; sleep 300; :' &`;
  const doubleFork = `( setsid sh -c '${told}; exec sleep 300' </dev/null & )`;
  const nohup = `nohup sh -c '${told}; sleep 300; :' </dev/null 2>/dev/null &`;
  const bare = `env -i sh -c '${told}; exec sleep 300' &`;

  test.each([
    ["a background process", `echo >pid; ${background}`],
    ["a session of its own", setsid],
    ["a double fork", doubleFork],
    ["nohup", nohup],
    ["a cleared environment", bare],
  ])("after a normal exit: %s", async (_name, script) => {
    await using folder = await tempFolder();
    const { exit, stdout } = await finish(
      shell(`${script}\nuntil [ -s pid ]; do sleep 0.01; done`, { cwd: folder.path }),
    );
    expect(exit).toEqual({ ended: "exited", exitCode: 0, signal: null });
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(runs(Number(stdout))).toBe(false);
  });

  test.each([
    ["a background process", background],
    ["a session of its own", setsid],
    ["a double fork", doubleFork],
    ["nohup", nohup],
    ["a cleared environment", bare],
    ["a cleared environment in a session of its own", `env -i setsid sh -c '${told}; sleep 300; :' & wait`],
  ])("after an abort: %s", async (_name, script) => {
    await using folder = await tempFolder();
    const stop = new AbortController();
    const run = shell(`${script}\nwait; sleep 300`, { signal: stop.signal, graceMs: 2000, cwd: folder.path });
    const pid = Number(await firstLine(run));
    expect(runs(pid)).toBe(true);
    stop.abort();
    expect((await finish(run)).exit.ended).toBe("aborted");
    expect(runs(pid)).toBe(false);
  });

  test("a stream that an escaped process holds open does not hold its reader", async () => {
    await using folder = await tempFolder();
    // With neither mark nor parent nor session left there is nothing to find it by.
    const escape = `env -i PATH="$PATH" setsid sh -c 'setsid sh -c "echo \\$\\$ >pid; exec sleep 300" & sleep 0.1' & wait`;
    const { exit, stdout } = await finish(shell(`${escape}; cat pid`, { cwd: folder.path }));
    expect(exit.ended).toBe("exited");
    process.kill(Number(stdout), "SIGKILL");
  });

  test("an innocent process is left alone", async () => {
    const innocent = spawn("sleep", ["300"], { env: { PATH, SMITHERS_TREE: "another" }, stdio: "ignore" });
    try {
      await finish(shell("sleep 300 & exit 1", { mark: "anothe" }));
      expect(runs(Number(innocent.pid))).toBe(true);
    } finally {
      innocent.kill("SIGKILL");
    }
  });
});

describe("in a job of a runner [T19]", () => {
  const unmarked =
    "env -u SMITHERS_TREE setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 300\" & sleep 0.05' & wait";

  test.each([
    ["has taken our mark out of its environment", unmarked],
    ["has given itself another mark", unmarked.replace("-u SMITHERS_TREE", "SMITHERS_TREE=x")],
  ])("a process that %s is found by the runner's", async (_how, script) => {
    const env = { PATH, RUNNER_TRACKING_ID: `github_${randomUUID()}` };
    const { exit, stdout } = await finish(shell(script, { env }));
    expect(exit.ended).toBe("exited");
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(runs(Number(stdout))).toBe(false);
  });

  test("a process that has lost its parent in a tree that goes on is left alone when another tree ends", async () => {
    const env = { PATH, RUNNER_TRACKING_ID: `github_${randomUUID()}` };
    const [ends, endsLater] = [new EventEmitter(), new EventEmitter()];
    const input = async (event: EventEmitter): Promise<string> => String(await once(event, "now"));
    const other = shell("cat", { env, input: input(ends) });
    const daemon = "( setsid sh -c 'echo $$; exec sleep 300' </dev/null & ); cat";
    const run = shell(daemon, { env, input: input(endsLater) });
    const pid = Number(await firstLine(run));
    ends.emit("now");
    await finish(other);
    expect(runs(pid)).toBe(true);
    endsLater.emit("now");
    await finish(run);
    expect(runs(pid)).toBe(false);
  });

  test("what another step has left running, and what that starts meanwhile, is left alone", async () => {
    await using folder = await tempFolder();
    const env = { PATH, RUNNER_TRACKING_ID: `github_${randomUUID()}` };
    const serve = "echo $$ >server; while [ ! -e go ]; do sleep 0.01; done; sleep 300 & echo $! >worker; wait";
    // The system tells when a process began to a hundredth of a second: what begins within the same one is ours.
    const begun = "while [ ! -s server ]; do sleep 0.02; done; sleep 0.02";
    const step = spawn("sh", ["-c", `setsid sh -c '${serve}' >/dev/null 2>&1 & ${begun}`], {
      ...{ cwd: folder.path, env, stdio: "ignore" },
    });
    await once(step, "exit");
    const pidIn = async (name: string): Promise<number> => Number(await readFile(path.join(folder.path, name), "utf8"));
    try {
      await finish(shell("touch go; while [ ! -s worker ]; do sleep 0.01; done", { cwd: folder.path, env }));
      expect([runs(await pidIn("server")), runs(await pidIn("worker"))]).toEqual([true, true]);
    } finally {
      process.kill(-(await pidIn("server")), "SIGKILL");
    }
  });

  test.each([
    ["without a mark", {}],
    ["with a mark that is none of ours", { SMITHERS_TREE: "x" }],
  ])("what a killed main has left %s is found later, by whom it has told the time", async (_how, marked) => {
    await using folder = await tempFolder();
    const id = `github_${randomUUID()}`;
    const since = startOf(process.pid);
    const main = spawn("sh", ["-c", "setsid sh -c 'echo $$ >left; exec sleep 300' & while [ ! -s left ]; do :; done"], {
      ...{ cwd: folder.path, env: { PATH, RUNNER_TRACKING_ID: id, ...marked }, stdio: "ignore" },
    });
    await once(main, "exit");
    const left = Number(await readFile(path.join(folder.path, "left"), "utf8"));
    expect(await sweep("no-mark", { id: `${id}-other`, since })).toBe(0);
    expect(runs(left)).toBe(true);
    expect(await sweep("no-mark", { id, since })).toBe(1);
    expect(runs(left)).toBe(false);
  });

  test("every mark of many is looked for, however many are not ours", async () => {
    const mark = `test-${randomUUID()}`;
    const stray = spawn("sleep", ["300"], { env: { PATH, SMITHERS_TREE: `${mark}/agent` }, stdio: "ignore" });
    const marks = [...Array.from({ length: 10_000 }, (_, at) => `forged-${at}`), mark];
    expect(await sweep(marks)).toBe(1);
    expect(runs(Number(stray.pid))).toBe(false);
  });
});

test("sweep finds the tree of a supervisor that was killed [T19]", async () => {
  const mark = `test-${randomUUID()}`;
  const script = `
    import { supervise } from ${JSON.stringify(path.resolve(import.meta.dirname, "../../src/os/supervise.ts"))};
    const run = supervise({ command: "sh", args: ["-c", "setsid sleep 300 & sleep 300 & echo $$; wait"], cwd: ".",
      env: { PATH: process.env.PATH }, mark: ${JSON.stringify(mark)}, signal: new AbortController().signal });
    run.stdout.pipe(process.stdout);`;
  const supervisor = spawn(NODE, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(supervisor.stdout, "data");
  const pid = Number(String(line));
  const ended = once(supervisor, "exit");
  supervisor.kill("SIGKILL");
  await ended;
  expect(runs(pid)).toBe(true);
  expect(await sweep(mark)).toBe(3);
  expect(runs(pid)).toBe(false);
  expect(await sweep(mark)).toBe(0);
});

const LISTED = `    1     0     1 Ss   Mon Jul  6 09:00:00 2026
  501     1   501 S+   Mon Jul  6 09:00:01 2026
  502   501   501 Z    Mon Jul  6 09:00:02 2026

`;

test("the list of ps is read, zombies left out, the group standing in for the session", () => {
  expect(parseProcesses(LISTED).map(({ pid, parent, group, session }) => [pid, parent, group, session])).toEqual([
    [1, 0, 1, 1],
    [501, 1, 501, 501],
  ]);
  const [first, second] = parseProcesses(LISTED);
  expect(Number(second?.started) - Number(first?.started)).toBe(1000);
});

test.each([
  ["in the middle", "  501 sleep 300 SMITHERS_TREE=a HOME=/x\n", [501]],
  ["at the end", "  501 sleep 300 HOME=/x SMITHERS_TREE=a\n", [501]],
  ["a part of it", "  501 sleep 300 SMITHERS_TREE=a/b HOME=/x\n", [501]],
  ["a longer mark", "  501 sleep 300 SMITHERS_TREE=ab HOME=/x\n", []],
  ["a longer name", "  501 sleep 300 NOT_SMITHERS_TREE=a\n", []],
  ["nothing", "\n", []],
  [
    "a line that no process begins",
    "SMITHERS_TREE=a\n-1 x SMITHERS_TREE=a\n 0 x SMITHERS_TREE=a\n -12 SMITHERS_TREE=a\n",
    [],
  ],
  ["a number that no process has", "99999999999999999999 x SMITHERS_TREE=a\n", []],
])("the mark in what ps prints: %s", (_name, text, pids) => {
  expect(parseEnvironments(text, "SMITHERS_TREE=a")).toEqual(pids);
});
