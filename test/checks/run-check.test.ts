import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { findBubblewrap } from "../../src/agents/registry.ts";
import type { CheckResult } from "../../src/core/verdict.ts";
import { OutputTail, runCheck } from "../../src/checks/run-check.ts";
import { systemClock } from "../../src/os/clock.ts";
import { prepareIsolation } from "../../src/os/isolation/isolation.ts";
import { keepProgramsOutside } from "../../src/os/programs.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };

async function ran(root: string, argv: readonly string[], timeoutMs = 20_000): Promise<CheckResult> {
  const check = { role: "success", command: argv.join(" "), argv, shell: false } as const;
  const around = { workspaceRoot: root, env: ENV, mark: `run-check-${process.pid}`, timeoutMs, clock: systemClock };
  return (await runCheck(check, around, new AbortController().signal)).result;
}

test("what a test runner says is read, however much it says [C21, section 4.4]", async () => {
  await using folder = await tempFolder();
  const file = `import test from "node:test";
for (let i = 0; i < 2000; i++) test("passes " + i, () => {});
test("fails", () => { throw new Error("no"); });`;
  await writeFile(path.join(folder.path, "a.test.mjs"), file);
  const { tests } = await ran(folder.path, [process.execPath, "--test", "--test-reporter=spec", "a.test.mjs"]);
  expect(tests).toMatchObject({ ran: 2001, failed: 1, failing: [expect.stringContaining("fails")] });
});

test("a check that was ended has no report [section 4.4]", async () => {
  await using folder = await tempFolder();
  const says = "echo 'Tests  1 failed | 2 passed (3)'; sleep 60";
  expect(await ran(folder.path, ["sh", "-c", says], 300)).toMatchObject({ timedOut: true, tests: null });
});

test("a check that fails only because it is isolated is no verdict, names what opens it, and has its variables to itself [C26, C95, T2]", async () => {
  await using folder = await tempFolder();
  // Another file of this process may have kept them out of the project's own folder.
  keepProgramsOutside([]);
  const at = (name: string): string => path.join(folder.path, name);
  for (const name of ["work", "elsewhere"]) await mkdir(at(name));
  const prepared = await prepareIsolation({
    ...{ bubblewrap: findBubblewrap(ENV.PATH), env: ENV, mark: "run-check", cwd: at("work"), scratch: folder.path },
    ...{ writable: [], readOnly: [], hidden: [], toolCaches: [], access: [] },
  });
  if (!prepared.ok) throw new Error(prepared.trouble.because);
  const run = async (script: string, inside = {}) => {
    const check = { role: "success", command: "npm test", argv: ["sh", "-c", script], shell: false } as const;
    const around = { workspaceRoot: at("work"), env: ENV, mark: "run-check", timeoutMs: 20_000, clock: systemClock };
    const isolation = async () => prepared.value;
    return runCheck(check, { ...around, isolation, inside }, new AbortController().signal);
  };
  const refused = await run(`echo x > ${at("elsewhere/x")}`);
  expect(refused.problem).toMatchObject({
    code: "CHECK_NEEDS_ACCESS",
    what: expect.stringContaining(`keeps ${at("elsewhere/x")} from it`),
    next: expect.stringContaining(`--check-access ${at("elsewhere")}:rw `),
  });
  // Each program that loads it complains: the check alone, and none of those that isolate it.
  const { result } = await run("exit 3", { LD_PRELOAD: at("work/none.so"), DATABASE_URL: "a b" });
  expect([result.exitCode, result.tail.match(/none\.so/gu)?.length]).toEqual([3, 1]);
  expect((await run("echo 'Read-only file system'; exit 1")).problem).toBeUndefined();
  expect((await run(`echo 'Read-only file system: ${at("elsewhere/x")}'; exit 0`)).problem).toBeUndefined();
});

function tailOf(...chunks: (string | Buffer)[]): string {
  const tail = new OutputTail();
  const write = tail.stream();
  for (const chunk of chunks) write(Buffer.from(chunk));
  return tail.text();
}

test.each([
  ["nothing", [], ""],
  ["plain text", ["a\n", "b\n"], "a\nb"],
  ["colours", ["\u001B[31mred\u001B[0m\n"], "red"],
  ["a colour in two pieces", ["\u001B[3", "1mred"], "red"],
  ["a link", ["\u001B]8;;http://x\u0007link\u001B]8;;\u0007"], "link"],
  ["Windows line ends", ["a\r\nb\r\n"], "a\nb"],
  ["a progress bar", ["10%\r50%\r100%\ndone\n"], "100%\ndone"],
  ["control characters", ["a\u0000b\u0007c\td"], "abc\td"],
  ["a character in two pieces", [Buffer.from([0xc3]), Buffer.from([0xa9])], "é"],
  ["bytes that are no UTF-8", [Buffer.from([0x61, 0xff, 0x62])], "a\ufffdb"],
])("%s", (_name, chunks, expected) => {
  expect(tailOf(...chunks)).toBe(expected);
});

test("two streams keep the order of arrival, and a character cut by the other stream stays whole", () => {
  const tail = new OutputTail();
  const [stdout, stderr] = [tail.stream(), tail.stream()];
  stdout(Buffer.from([0x61, 0xc3]));
  stderr(Buffer.from("E"));
  stdout(Buffer.from([0xa9, 0x62]));
  expect(tail.text()).toBe("aEéb");
});

test.each([
  ["one byte a character", "x"],
  ["two bytes", "é"],
  ["three bytes", "✓"],
  ["four bytes", "🦉"],
])("at most 8 KiB of valid UTF-8: %s", (_name, character) => {
  const text = tailOf(`a${character.repeat(100_000)}`);
  const bytes = Buffer.byteLength(text);
  expect(bytes).toBeGreaterThan(8_192 - 4);
  expect(bytes).toBeLessThanOrEqual(8_192);
  expect(text).toBe(character.repeat(Array.from(text).length));
});

test("of much output the end is kept, whatever the codes in it", () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `\u001B[32mline ${i}\u001B[0m\n`);
  const text = tailOf(...lines);
  expect(text.endsWith("line 49998\nline 49999")).toBe(true);
  expect(text).toMatch(/^(?:(?:ine |ne |e |line )?\d+\n?|line \d+\n?)+$/u);
});
