import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckEvent } from "../../src/core/ports.ts";
import type { Checks } from "../../src/core/task.ts";
import { sweep } from "../../src/os/supervise.ts";
import { gateContract } from "../contract/gate-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { ENV, EVIDENCE, gateIn, never } from "./gate-in.ts";

gateContract("command gate", async () => {
  const folder = await tempFolder();
  return {
    green: gateIn(folder.path, { successCommand: ["true"] }),
    red: gateIn(folder.path, { successShell: "echo broken; exit 3" }),
    unrunnable: gateIn(folder.path, { successCommand: ["no-such-program"] }),
    hanging: gateIn(folder.path, { successCommand: ["sleep", "600"] }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

describe("which checks run, and what they prove", () => {
  interface Case {
    readonly name: string;
    readonly checks: Partial<Checks>;
    readonly ran: readonly string[];
    readonly result: "passed" | "failed";
  }
  const cases: Case[] = [
    { name: "success-cmd [S-11]", checks: { successCommand: ["true"] }, ran: ["true"], result: "passed" },
    { name: "success-cmd, red [S-11]", checks: { successCommand: ["false"] }, ran: ["false"], result: "failed" },
    { name: "success-sh [S-12]", checks: { successShell: "exit 0" }, ran: ["exit 0"], result: "passed" },
    {
      name: "success-cmd outranks success-sh [S-18]",
      checks: { successCommand: ["true"], successShell: "exit 1" },
      ran: ["true"],
      result: "passed",
    },
    {
      name: "a red success check spares the quality checks [S-18]",
      checks: { successCommand: ["false"], quality: ["true"] },
      ran: ["false"],
      result: "failed",
    },
    {
      name: "a green success check does not outweigh a red quality check [D-23]",
      checks: { successCommand: ["true"], quality: ["true", "exit 2"] },
      ran: ["true", "true", "exit 2"],
      result: "failed",
    },
    {
      name: "every quality check runs, whatever the others say [D-22]",
      checks: { quality: ["exit 1", "exit 2", "true"] },
      ran: ["exit 1", "exit 2", "true"],
      result: "failed",
    },
    { name: "quality alone [D-22]", checks: { quality: ["true", "true"] }, ran: ["true", "true"], result: "passed" },
  ];

  for (const occasion of ["first", "turn", "claim"] as const)
    test.each(cases)(`${occasion}: $name`, async ({ checks, ran, result }) => {
      await using folder = await tempFolder();
      const verdict = await gateIn(folder.path, checks).judge({ ...EVIDENCE, occasion }, never);
      expect(verdict.checks.map((check) => check.command)).toEqual(ran);
      expect(verdict.result).toBe(result);
    });
});

test.each(["first", "turn", "claim", "story"] as const)(
  "%s: nothing to ask is a bug of the caller",
  async (occasion) => {
    await expect(gateIn("/", {}).judge({ ...EVIDENCE, occasion }, never)).rejects.toThrow("without checks");
  },
);

test("exit code, role, duration and output are told [S-22]", async () => {
  await using folder = await tempFolder();
  const events: CheckEvent[] = [];
  const gate = gateIn(
    folder.path,
    { successShell: "echo out; echo err >&2; exit 3" },
    { observe: (event) => events.push(event) },
  );
  const verdict = await gate.judge(EVIDENCE, never);
  const check = {
    role: "success",
    command: "echo out; echo err >&2; exit 3",
    exitCode: 3,
    timedOut: false,
    durationMs: expect.any(Number),
    tail: expect.stringMatching(/^(out\nerr|err\nout)$/u),
    tests: null,
  };
  expect(verdict).toEqual({ result: "failed", checks: [check] });
  expect(events).toEqual([
    { type: "check.started", command: check.command },
    { type: "check.ended", check, output: { text: "out\nerr\n", cut: false } },
  ]);
});

test("success-cmd is argv, no shell reads it [S-11, D-35]", async () => {
  await using folder = await tempFolder();
  const argv = ["printf", "%s|", "$HOME", "a b", "; exit 1", "*"];
  const verdict = await gateIn(folder.path, { successCommand: argv }).judge(EVIDENCE, never);
  expect(verdict).toMatchObject({ result: "passed", checks: [{ tail: "$HOME|a b|; exit 1|*|" }] });
});

test.each([
  ["quotes and several lines", `cat <<'END'\n"it's"\nEND\necho $#`, `"it's"\n0`],
  ["a login shell", "shopt -q login_shell && echo login", "login"],
  ["its name", 'echo "$0"', "bash"],
  ["a closed stdin", "cat; echo end", "end"],
])("success-sh: %s [S-12]", async (_name, text, tail) => {
  await using folder = await tempFolder();
  const verdict = await gateIn(folder.path, { successShell: text }).judge(EVIDENCE, never);
  expect(verdict).toMatchObject({ result: "passed", checks: [{ tail }] });
});

test("a profile that resets the PATH does not hide what the loop finds [S-12]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, ".bash_profile"), "PATH=/usr/bin:/bin\n");
  await writeFile(path.join(folder.path, "tool"), "#!/bin/sh\necho found\n", { mode: 0o755 });
  const env = { HOME: folder.path, PATH: `${folder.path}:${ENV.PATH}` };
  const verdict = await gateIn(folder.path, { successShell: "tool" }, { env }).judge(EVIDENCE, never);
  expect(verdict).toMatchObject({ result: "passed", checks: [{ tail: "found" }] });
});

test("on Windows texts go to cmd /C as they are written [S-12]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "cmd"), "#!/bin/sh\nprintf '%s|' \"$@\"\n", { mode: 0o755 });
  const env = { PATH: `${folder.path}:${ENV.PATH}` };
  const text = 'if exist "a b.txt" (exit 0) else (exit 1)\n';
  const gate = gateIn(folder.path, { successShell: text, quality: ["npm test"] }, { env, platform: "win32" });
  expect(await gate.judge(EVIDENCE, never)).toMatchObject({
    result: "passed",
    checks: [{ tail: `/d|/s|/c|"${text.trim()}"|` }, { command: "npm test", tail: '/d|/s|/c|"npm test"|' }],
  });
});

test("on Windows a text of several lines is refused, because cmd runs the first of them alone [S-12]", () => {
  const options = { platform: "win32" } as const;
  expect(() => gateIn("/", { successShell: "npm test\nnpm run e2e" }, options)).toThrow("cmd /C runs only the first");
});

test("checks run in the workspace's root and find the agent's proof files there [S-25]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "proof.txt"), "yes");
  const checks = { successCommand: ["test", "-f", "proof.txt"], quality: ["grep -q yes proof.txt"] };
  expect(await gateIn(folder.path, checks).judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
});

test("a check sees the given environment and nothing else of ours [C26]", async () => {
  await using folder = await tempFolder();
  const verdict = await gateIn(folder.path, { successCommand: ["env"] }).judge(EVIDENCE, never);
  const names = verdict.checks[0]?.tail.split("\n").map((line) => line.split("=")[0]);
  expect(names?.toSorted()).toEqual(["HOME", "PATH", "SMITHERS_TREE"]);
});

test("with a wrapper the command runs inside it [C26]", async () => {
  await using folder = await tempFolder();
  const wrap = (argv: readonly string[]) => ["env", "BOX=1", ...argv];
  const checks = { successShell: 'test "$BOX" = 1', quality: ['test "$BOX" = 1'] };
  expect(await gateIn(folder.path, checks, { wrap }).judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
});

test("nothing that a check started survives it [C26]", async () => {
  await using folder = await tempFolder();
  const mark = `gate-survivor-${process.pid}`;
  const script = "setsid sleep 600 >/dev/null 2>&1 & echo $!";
  const verdict = await gateIn(folder.path, { successShell: script }, { mark }).judge(EVIDENCE, never);
  expect(verdict.result).toBe("passed");
  expect(await sweep(mark)).toBe(0);
});

test("a check that takes too long is red, and the others still run", async () => {
  await using folder = await tempFolder();
  const quality = ["echo before; sleep 600", "true"];
  const verdict = await gateIn(folder.path, { quality }, { timeoutMs: 300 }).judge(EVIDENCE, never);
  expect(verdict).toMatchObject({
    result: "failed",
    checks: [
      { exitCode: null, timedOut: true, tail: "before" },
      { exitCode: 0, timedOut: false },
    ],
  });
});

test("what is cut off keeps the checks that had ended, and the next ones do not begin", async () => {
  await using folder = await tempFolder();
  const stop = new AbortController();
  const observe = (event: CheckEvent) => {
    if (event.type === "check.started" && event.command === "sleep 600") setTimeout(() => stop.abort(), 50);
  };
  const gate = gateIn(folder.path, { quality: ["true", "sleep 600", "touch late"] }, { observe });
  expect(await gate.judge(EVIDENCE, stop.signal)).toMatchObject({
    result: "cut_off",
    checks: [
      { command: "true", exitCode: 0 },
      { command: "sleep 600", exitCode: null, timedOut: false },
    ],
  });
  await expect(readFile(path.join(folder.path, "late"))).rejects.toHaveProperty("code", "ENOENT");
});

describe("a check that cannot be run is not a red verdict", () => {
  test.each([
    ["a missing program", { successCommand: ["no-such-program"] }, "no-such-program was not found"],
    ["a file that is not executable", { successCommand: ["./notes.txt"] }, "./notes.txt is not executable"],
    ["a missing command in a shell", { successShell: "no-such-program" }, "no-such-program: command not found"],
    ["a script that is not executable", { quality: ["./notes.txt"] }, "./notes.txt: Permission denied"],
  ])("%s", async (_name, checks, why) => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "notes.txt"), "x\n", { mode: 0o644 });
    const verdict = await gateIn(folder.path, checks).judge(EVIDENCE, never);
    expect(verdict).toMatchObject({
      result: "unrunnable",
      problem: { code: "CHECK_UNRUNNABLE", what: expect.stringContaining(why) },
    });
  });

  test("without bash", async () => {
    await using folder = await tempFolder();
    const env = { PATH: folder.path };
    const verdict = await gateIn(folder.path, { successShell: "true" }, { env }).judge(EVIDENCE, never);
    expect(verdict).toMatchObject({ problem: { what: expect.stringContaining("bash was not found") } });
  });

  test.each(["exit 127", "sh -c no-such-program", "echo 'bash: ' ; exit 1"])("but %j is red", async (text) => {
    await using folder = await tempFolder();
    expect(await gateIn(folder.path, { successShell: text }).judge(EVIDENCE, never)).toMatchObject({
      result: "failed",
    });
  });
});
