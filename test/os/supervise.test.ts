import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hurry, sweep } from "../../src/os/supervise.ts";
import { finish, firstLine, runs, shell } from "../support/supervised-shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PATH = process.env["PATH"] ?? "";

describe("a process that ends by itself", () => {
  test.each([
    ["exit code 0", "echo out; echo err >&2", { exitCode: 0, signal: null }, "out\n", "err\n"],
    ["another exit code", "exit 3", { exitCode: 3, signal: null }, "", ""],
    ["a signal", "kill -TERM $$", { exitCode: null, signal: "SIGTERM" }, "", ""],
  ])("%s", async (_name, script, exit, stdout, stderr) => {
    expect(await finish(shell(script))).toEqual({ exit: { ended: "exited", ...exit }, stdout, stderr });
  });

  test.each([
    ["a text", "héllo\n"],
    ["what comes little by little", Readable.from(["hél", "lo\n"])],
  ])("gets the input, then the end of it: %s [R-13]", async (_, input) => {
    expect((await finish(shell("cat; echo end", { input }))).stdout).toBe("héllo\nend\n");
  });

  test("without input finds an empty stdin [R-13]", async () => {
    expect((await finish(shell("cat; echo end"))).stdout).toBe("end\n");
  });

  test("need not read a long input", async () => {
    const { exit } = await finish(shell("exit 0", { input: "x".repeat(4 << 20) }));
    expect(exit).toEqual({ ended: "exited", exitCode: 0, signal: null });
  });

  test("knows only the given environment and its mark", async () => {
    const run = shell("env", { env: { PATH, SEEN: "yes" } });
    const lines = (await finish(run)).stdout.trim().split("\n");
    expect(lines.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/u.test(line)).toSorted()).toEqual(
      [`PATH=${PATH}`, "SEEN=yes", `SMITHERS_TREE=${run.mark}`].toSorted(),
    );
  });
});

test("what our own starter left open, whatever its number, is not passed on [T2]", async () => {
  await using folder = await tempFolder();
  const secret = path.join(folder.path, "secret");
  await writeFile(secret, "CANARY-open");
  const file = JSON.stringify(path.join(import.meta.dirname, "../support/supervised-shell.ts"));
  const code = `import { finish, shell } from ${file}; console.log((await finish(shell("cat /proc/self/fd/*"))).stdout)`;
  const script = `exec 9<"$1" 251<"$1"; shift; exec "$@"`;
  const run = shell("", { command: "bash", args: ["-c", script, "sh", secret, process.execPath, "-e", code] });
  const { stdout, stderr } = await finish(run);
  expect([stdout, stderr]).toEqual(["\n", expect.not.stringContaining("Error")]);
});

describe("a process that cannot start", () => {
  test.each([
    ["command not found", { command: "no-such-command-here" }, "ENOENT"],
    ["not executable", { command: import.meta.filename }, "EACCES"],
    ["a folder that is not there", { cwd: path.join(import.meta.dirname, "../platform/gone") }, "ENOENT"],
    ["an argument that the system refuses", { args: ["a\0b"] }, "ERR_INVALID_ARG_VALUE"],
    ["arguments that are too long", { args: ["-c", `: ${"x".repeat(4 << 20)}`] }, "E2BIG"],
  ])("%s is not_started", async (_name, options, code) => {
    const { exit, stdout, stderr } = await finish(shell("true", options));
    expect(exit).toMatchObject({ ended: "not_started", exitCode: null, signal: null, error: { code } });
    expect(stdout + stderr).toBe("");
  });

  test("an aborted signal starts nothing", async () => {
    await using folder = await tempFolder();
    const { exit } = await finish(shell("touch started", { cwd: folder.path, signal: AbortSignal.abort() }));
    expect(exit).toEqual({ ended: "aborted", exitCode: null, signal: null });
    await expect(access(path.join(folder.path, "started"))).rejects.toThrow("ENOENT");
  });
});

describe("ending a tree", () => {
  test("an agent that ends on SIGINT is given the time to", async () => {
    const stop = new AbortController();
    const run = shell("trap 'echo saved; exit 7' INT; echo ready; while :; do sleep 0.02; done", {
      signal: stop.signal,
    });
    await firstLine(run);
    stop.abort();
    const { exit, stdout } = await finish(run);
    expect(exit).toEqual({ ended: "aborted", exitCode: 7, signal: null });
    expect(stdout).toBe("saved\n");
  });

  test("one that ignores SIGINT is killed after the grace", async () => {
    const stop = new AbortController();
    const run = shell("trap '' INT; echo ready; while :; do sleep 0.02; done", { signal: stop.signal, graceMs: 100 });
    await firstLine(run);
    stop.abort();
    expect((await finish(run)).exit).toEqual({ ended: "aborted", exitCode: null, signal: "SIGKILL" });
  });

  test("another signal may ask it", async () => {
    const stop = new AbortController();
    const run = shell("trap 'exit 9' TERM; echo ready; while :; do sleep 0.02; done", {
      signal: stop.signal,
      interruptSignal: "SIGTERM",
    });
    await firstLine(run);
    stop.abort();
    expect((await finish(run)).exit.exitCode).toBe(9);
  });

  test("the total time runs out", async () => {
    const run = shell("while :; do echo alive; sleep 0.02; done", { timeoutMs: 150, idleMs: 5000, graceMs: 500 });
    expect((await finish(run)).exit.ended).toBe("timed_out");
  });

  test("silence runs out", async () => {
    const run = shell("echo alive; sleep 300", { timeoutMs: 60_000, idleMs: 150, graceMs: 500 });
    expect((await finish(run)).exit.ended).toBe("idle");
  });

  test.each([
    ["stdout", "for i in 1 2 3 4 5 6 7 8; do echo alive; sleep 0.1; done"],
    ["stderr", "for i in 1 2 3 4 5 6 7 8; do echo alive >&2; sleep 0.1; done"],
  ])("a sign of life on %s puts the idle time-out off", async (_name, script) => {
    expect((await finish(shell(script, { idleMs: 600 }))).exit.ended).toBe("exited");
  });

  test("touch puts the idle time-out off", async () => {
    const run = shell("sleep 0.9", { idleMs: 600 });
    const timer = setInterval(() => run.touch(), 50);
    expect((await finish(run)).exit.ended).toBe("exited");
    clearInterval(timer);
  });

  test("a time-out beyond the longest timer is not at once", async () => {
    expect((await finish(shell("sleep 0.05", { timeoutMs: 1e13, idleMs: Infinity }))).exit.ended).toBe("exited");
  });

  test("the first cause wins", async () => {
    const stop = new AbortController();
    const run = shell("trap '' INT; while :; do sleep 0.02; done", {
      signal: stop.signal,
      idleMs: 50,
      graceMs: 300,
    });
    setTimeout(() => stop.abort(), 150);
    expect((await finish(run)).exit.ended).toBe("idle");
  });

  test("hurry kills before it returns", async () => {
    const stop = new AbortController();
    const run = shell("trap '' INT; setsid sleep 300 & echo $!; wait; while :; do sleep 0.02; done", {
      signal: stop.signal,
      graceMs: 60_000,
    });
    const pid = Number(await firstLine(run));
    stop.abort();
    hurry();
    expect(await finish(run)).toMatchObject({ exit: { ended: "aborted", signal: "SIGKILL" } });
    expect(runs(pid)).toBe(false);
  });
});

test("what becomes one program after another, and so shows no mark at times, does not survive [T19]", async () => {
  await using folder = await tempFolder();
  // Each time the system shows nothing of it for a moment: what looks once finds nothing one time in four.
  await writeFile(
    path.join(folder.path, "become"),
    'left=$(($1 - 1))\n[ -z "$2" ] || echo >"$2"\n[ $left -gt 0 ] && exec sh "$0" $left\n',
  );
  const script = "mkfifo $$; setsid sh become 20000 $$ >/dev/null 2>&1 & read up <$$";
  for (let time = 0; time < 20; time += 1) {
    const run = shell(script, { cwd: folder.path });
    await finish(run);
    expect(await sweep(run.mark)).toBe(0);
  }
});

test("a slow reader slows the child down and loses nothing [D-37]", async () => {
  const run = shell("head -c 33554432 /dev/zero");
  let bytes = 0;
  run.stderr.resume();
  for await (const chunk of run.stdout) {
    if (bytes === 0) await sleep(50);
    expect(run.stdout.readableLength).toBeLessThan(1 << 20);
    bytes += chunk.length;
  }
  expect(bytes).toBe(33_554_432);
  expect((await run.exit).exitCode).toBe(0);
});
