import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTail } from "../../../src/core/progress/error-tail.ts";

test.each<[string, string, string]>([
  ["ANSI codes", "\u001B[31mError\u001B[39m: no", "Error: no"],
  [
    "times",
    "at 2026-11-21T11:13:06.054Z no, 11:12 PM no, 11:13:06,1 no",
    "at 2025-01-02 03:04:05+01:00 no, 3:04 AM no, 9:59:59,222 no",
  ],
  ["dates", "Sat, 21 Nov 2026: no; Nov 3, 2026/01/02", "Mon, 1 Jan 2025: no; Dec 24, 2025-12-31"],
  ["seconds since the epoch", "at 1795275092.750664195 no, 1795275092", "at 1700000001.5 no, 1700000002123"],
  ["durations", "failed (12ms) in 1.25s, 3 seconds, 1m 32s", "failed (9ms) in 0.1s, 1 seconds, 12m 2s"],
  ["hex addresses", "<A object at 0x7f2846413790>", "<A object at 0x55d0>"],
  ["uuids", "job 4be0643f-1d98-573b-97cd-ca98a65347dd", "job 00000000-1d98-573B-97cd-ca98a65347dd"],
  ["hashes", "deps/app-71ce70495b798487 failed", "deps/app-571e8b3a727fe048 failed"],
  ["temporary folders", "no such file: '/tmp/x-81231/a.json'", "no such file: '/private/var/folders/x1/y2/T/z/a.json'"],
  ["temporary files", "wrote /tmp/x-81231, /tmp/a.b1c2d", "wrote /tmp/y-1, /tmp/e.f3"],
  [
    "temporary folders of Windows and runners",
    "in C:\\Users\\a\\AppData\\Local\\Temp\\q\\a.json",
    "in /home/runner/work/_temp/r/a.json",
  ],
  [
    "ids of processes",
    "pid 123: ==77==ERROR, goroutine 19, thread 'a b' (15) panicked",
    "pid 9: ==1==ERROR, goroutine 2, thread 'a b' (7) panicked",
  ],
  ["lost processes", "x.sh: line 3: 4711 Aborted", "x.sh: line 4: 12 Aborted"],
  ["seeds", "Randomized with seed 4711", "Randomized with seed 12"],
  [
    "ports",
    "connect ECONNREFUSED 127.0.0.1:43121 and localhost:80, port 8080",
    "connect ECONNREFUSED 127.0.0.1:50 and localhost:8081, port 80",
  ],
  [
    "places in stack traces",
    "at f (src/a.ts:3:55)\nat g (node:internal/x:27:11)\nat <anonymous>:1:1",
    "at f (src/a.ts:12:5)\nat g (node:internal/x:271:1)\nat <anonymous>:22:1",
  ],
  [
    "places of compilers",
    "src/a.ts(12,5): error TS1: no\n  12:5  error  no\nMakefile:12: no",
    "src/a.ts(1,15): error TS1: no\n   1:15  error  no\nMakefile:9: no",
  ],
  [
    "lines",
    'File "a.py", line 12, in f\nsyntax error, line 3, column 4',
    'File "a.py", line 7, in f\nsyntax error, line 13, column 14',
  ],
  ["numbers of excerpts", " > 9 | code\n  10 | code\n 5│ code", " > 10 | code\n  11 | code\n 6│ code"],
  ["percentages and progress", "[3/14] 21% done, 3.5 % left", "[13/14] 92% done, 1 % left"],
  ["bars and rules", "=====\n-------\n⎯⎯⎯⎯⎯⎯", "========\n-----\n⎯⎯⎯⎯"],
  ["white space", "a  b\n\n\tc \r\n", "a b\nc"],
  ["absolute paths", "in /home/ann/x/lib.js", "in /opt/lib.js"],
  ["the workspace", "in /home/ann/app/src/a.ts, file:///home/ann/app/b.ts", "in src/a.ts, b.ts"],
])("4.4: %s do not matter", (_title, one, other) => {
  expect(errorTail(one, "/home/ann/app")).toBe(errorTail(other, "/home/ann/app"));
});

test.each<[string, string, string]>([
  ["a message", "TypeError: no", "TypeError: yes"],
  ["a value", "expected 2 to be 3", "expected 4 to be 3"],
  ["a file", "src/a.ts:1:1 no", "src/b.ts:1:1 no"],
  ["a file among temporary ones", "/tmp/x1/a.json is gone", "/tmp/x1/b.json is gone"],
  ["a function", "at f (a.ts:1:1)", "at g (a.ts:1:1)"],
  ["an address", "GET https://a.example/b failed", "GET https://a.example/c failed"],
  ["a status", "answered 404", "answered 500"],
  ["a version", "needs zod 4.6.7", "needs zod 4.6.8"],
  ["an error code", "error TS2304: no", "error TS2305: no"],
])("4.4: %s does matter", (_title, one, other) => {
  expect(errorTail(one, "")).not.toBe(errorTail(other, ""));
});

test("4.4: where a long text was cut off does not matter", () => {
  const text = Array.from({ length: 400 }, (_, at) => `error ${at}: something is missing here`).join("\n");
  expect(errorTail(text.slice(-8_192), "")).toBe(errorTail(text.slice(-8_100), ""));
  expect(errorTail("x".repeat(8_000), "").length).toBeLessThan(8_000);
});

test("4.4: a hostile text takes no time worth mentioning", () => {
  const before = process.cpuUsage();
  for (const piece of [
    "/a",
    "/",
    "\\",
    "a:\\",
    "1",
    "1:",
    "0",
    "a",
    " ",
    "=",
    "[ ",
    "thread '",
    "/tmp/",
    "1.",
    "-",
    "\n",
    "Jan ",
    "line 1: ",
  ]) {
    errorTail(piece.repeat(Math.floor(8_192 / piece.length)), "/home/ann/app");
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test.each(["pytest-q", "cargo", "jest", "mocha"])("4.4: the error of %s is the same on another machine", (runner) => {
  const folder = new URL(`../../fixtures/runners/${runner}/`, import.meta.url);
  for (const file of readdirSync(folder)) {
    const here = readFileSync(new URL(file, folder), "utf8").slice(-7_000);
    const there = here
      .replaceAll("/home/dev/app", "/builds/b4/app")
      .replaceAll("/tmp/pytest-of-dev/pytest-", "/var/folders/zz/x1/T/pytest-of-ann/pytest-1")
      .replaceAll(/\d(?=ms|\.\d\ds| ms| s\b)/gu, "7")
      .replaceAll(/0x7f[\da-f]*/gu, "0x7fee");
    expect(errorTail(there, "/builds/b4/app")).toBe(errorTail(here, "/home/dev/app"));
  }
});
