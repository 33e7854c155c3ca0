import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTestReport } from "../../../src/core/progress/test-report.ts";
import { MORE_ROWS, type Row } from "./runners/more-rows.ts";

const FOLDER = new URL("../../fixtures/runners/", import.meta.url);

const CARGO = ["deep::boom", "logs_in", "panics", "src/lib.rs - add", "sums"];
const GO = [
  "example.com/app/cart TestSum/a_b",
  "example.com/app/cart TestSum/c",
  "example.com/app/login TestBoom",
  "example.com/app/login TestIn",
];
const JEST = [
  "test/cart.test.js > cart > sums",
  "test/cart.test.js > cart > when (empty) > is free: 100% > 0",
  "test/login.test.js > logs in",
];
const XML_MOCHA = [
  "test/cart.test.mjs > cart > sums",
  "test/cart.test.mjs > cart when (empty) > is free: 100% > 0",
  "test/login.test.mjs > logs in",
];
const VITEST = [
  "test/cart.test.mjs > cart > sums",
  "test/cart.test.mjs > cart > when (empty) > is free: 100% > 0",
  "test/login.test.mjs > logs in",
];
const MOCHA = ["cart > sums", "cart > when (empty) > is free: 100% > 0", "logs in"];
const NODE = ["test/cart.test.mjs > is free: 100% > 0", "test/cart.test.mjs > sums", "test/login.test.mjs > logs in"];
const PYTEST = [
  "tests/test_cart.py::TestCart::test_named[a b]",
  "tests/test_cart.py::TestCart::test_named[c - d]",
  "tests/test_cart.py::TestCart::test_named[x::y]",
  "tests/test_cart.py::TestCart::test_sums",
  "tests/test_login.py::test_logs_in",
  "tests/test_login.py::test_logs_out",
];

const ROWS: readonly Row[] = [
  ...MORE_ROWS,
  ["cargo/crash", null, []],
  ["cargo/cut", null, []],
  ["cargo/fail-fast", "3 passed 2 failed 1 skipped early", ["deep::boom", "sums"]],
  ["cargo/green", "3 passed 0 failed 0 skipped exact", []],
  ["cargo/red", "3 passed 5 failed 1 skipped exact", CARGO],
  ["cargo/skipped", "3 passed 0 failed 2 skipped exact", []],
  ["cargo/zero", "0 passed 0 failed 0 skipped exact", []],
  ["cargo-q/crash", null, []],
  ["cargo-q/cut", null, []],
  ["cargo-q/green", "3 passed 0 failed 0 skipped exact", []],
  ["cargo-q/red", "3 passed 5 failed 1 skipped exact", CARGO],
  ["cargo-q/skipped", "3 passed 0 failed 2 skipped exact", []],
  ["cargo-q/zero", "0 passed 0 failed 0 skipped exact", []],
  ["go/crash", "1 passed 1 failed 0 skipped early", ["example.com/app/cart"]],
  ["go/cut", null, []],
  ["go/green", "1 passed 0 failed 0 skipped", []],
  ["go/none-selected", "0 passed 0 failed 0 skipped exact", []],
  [
    "go/one-package",
    "0 passed 2 failed 0 skipped",
    ["example.com/app/cart TestSum/a_b", "example.com/app/cart TestSum/c"],
  ],
  ["go/red", "1 passed 4 failed 0 skipped", GO],
  ["go/skipped", "2 passed 0 failed 0 skipped", []],
  ["go/timeout", "0 passed 1 failed 0 skipped early", ["slow"]],
  ["go/zero", "0 passed 0 failed 0 skipped exact", []],
  ["go-json/crash", "2 passed 1 failed 0 skipped early", ["example.com/app/cart"]],
  ["go-json/cut", null, []],
  ["go-json/green", "2 passed 0 failed 0 skipped exact", []],
  ["go-json/red", "4 passed 4 failed 1 skipped exact", GO],
  ["go-json/skipped", "2 passed 0 failed 1 skipped exact", []],
  ["go-json/zero", "0 passed 0 failed 0 skipped exact", []],
  ["go-v/crash", "2 passed 1 failed 0 skipped early", ["example.com/app/cart"]],
  ["go-v/cut", null, []],
  ["go-v/green", "2 passed 0 failed 0 skipped exact", []],
  ["go-v/red", "4 passed 4 failed 1 skipped", GO],
  ["go-v/skipped", "2 passed 0 failed 1 skipped exact", []],
  ["go-v/zero", "0 passed 0 failed 0 skipped exact", []],
  [
    "jest/bail",
    "1 passed 2 failed 0 skipped early",
    ["test/cart.test.js > cart > sums", "test/cart.test.js > cart > when (empty) > is free: 100% > 0"],
  ],
  ["jest/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.js"]],
  ["jest/cut", null, []],
  ["jest/empty", "0 passed 2 failed 0 skipped early", ["./a.test.js", "./b.test.js"]],
  ["jest/green", "3 passed 0 failed 0 skipped exact", []],
  ["jest/none-changed", "0 passed 0 failed 0 skipped exact", []],
  ["jest/none-selected", "0 passed 0 failed 3 skipped exact", []],
  [
    "jest/projects",
    "0 passed 4 failed 0 skipped exact",
    [
      "api b/test/x.test.js > Console",
      "api b/test/x.test.js > x",
      "web a/test/x.test.js > Console",
      "web a/test/x.test.js > x",
    ],
  ],
  ["jest/red", "4 passed 3 failed 1 skipped exact", JEST],
  ["jest/skipped", "3 passed 0 failed 4 skipped exact", []],
  ["jest/zero", "0 passed 0 failed 0 skipped exact", []],
  ["junit-mocha/cut", null, []],
  ["junit-mocha/red", "4 passed 3 failed 1 skipped exact", XML_MOCHA],
  ["junit-node/crash", "3 passed 1 failed 0 skipped exact", ["test/broken.test.mjs > test > test/broken.test.mjs"]],
  ["junit-node/cut", null, []],
  ["junit-node/green", "3 passed 0 failed 0 skipped exact", []],
  [
    "junit-node/red",
    "4 passed 3 failed 1 skipped exact",
    [
      "test/cart.test.mjs > test > is free: 100% > 0",
      "test/cart.test.mjs > test > sums",
      "test/login.test.mjs > test > logs in",
    ],
  ],
  ["junit-node/skipped", "3 passed 0 failed 3 skipped exact", []],
  ["junit-node/zero", "0 passed 0 failed 0 skipped exact", []],
  ["junit-pytest/red", "6 passed 6 failed 2 skipped exact", PYTEST],
  ["junit-vitest/cut", null, []],
  ["junit-vitest/red", "4 passed 3 failed 1 skipped exact", VITEST],
  ["mocha/crash", null, []],
  ["mocha/cut", "4 passed 3 failed 1 skipped exact", ["cart > sums", "logs in"]],
  ["mocha/dot", "4 passed 3 failed 1 skipped exact", MOCHA],
  ["mocha/empty", "0 passed 0 failed 0 skipped exact", []],
  ["mocha/green", "3 passed 0 failed 0 skipped exact", []],
  ["mocha/red", "4 passed 3 failed 1 skipped exact", MOCHA],
  ["mocha/skipped", "3 passed 0 failed 4 skipped exact", []],
  ["mocha/zero", "0 passed 0 failed 0 skipped exact", []],
  ["node-spec/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.mjs"]],
  [
    "node-spec/cut",
    "4 passed 3 failed 1 skipped exact",
    ["test/cart.test.mjs > is free: 100% > 0", "test/cart.test.mjs > sums"],
  ],
  ["node-spec/green", "3 passed 0 failed 0 skipped exact", []],
  ["node-spec/red", "4 passed 3 failed 1 skipped exact", NODE],
  ["node-spec/skipped", "3 passed 0 failed 2 skipped exact", []],
  ["node-spec/zero", "0 passed 0 failed 0 skipped exact", []],
  ["node-tap/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.mjs"]],
  ["node-tap/cut", null, []],
  ["node-tap/green", "3 passed 0 failed 0 skipped exact", []],
  ["node-tap/red", "4 passed 3 failed 1 skipped exact", NODE],
  ["node-tap/skipped", "3 passed 0 failed 2 skipped exact", []],
  ["node-tap/zero", "0 passed 0 failed 0 skipped exact", []],
  ["node20-spec/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.mjs"]],
  ["node20-spec/red", "4 passed 3 failed 1 skipped exact", NODE],
  ["node20-tap/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.mjs"]],
  ["node20-tap/red", "4 passed 3 failed 1 skipped exact", NODE],
  ["pytest/crash", "0 passed 1 failed 0 skipped early", ["tests/test_broken.py"]],
  ["pytest/cut", null, []],
  ["pytest/green", "4 passed 0 failed 0 skipped exact", []],
  ["pytest/last-failed", "1 passed 0 failed 0 skipped", []],
  ["pytest/red", "6 passed 6 failed 2 skipped exact", PYTEST],
  ["pytest/skipped", "4 passed 0 failed 2 skipped exact", []],
  ["pytest/stepwise", "1 passed 0 failed 7 skipped", []],
  [
    "pytest/subtests",
    "1 passed 3 failed 0 skipped exact",
    ["[m] (i=1) test_a.py::test_a", "[plain] test_a.py::test_a", "test_a.py::test_a"],
  ],
  ["pytest/verbose", "6 passed 6 failed 2 skipped exact", PYTEST],
  ["pytest/zero", "0 passed 0 failed 0 skipped exact", []],
  ["pytest-q/bail", "0 passed 1 failed 0 skipped early", ["tests/test_cart.py::TestCart::test_sums"]],
  ["pytest-q/collected", null, []],
  ["pytest-q/crash", "0 passed 1 failed 0 skipped early", ["tests/test_broken.py"]],
  ["pytest-q/cut", null, []],
  ["pytest-q/deselected", "0 passed 0 failed 4 skipped exact", []],
  ["pytest-q/green", "4 passed 0 failed 0 skipped exact", []],
  ["pytest-q/qq", null, []],
  ["pytest-q/red", "6 passed 6 failed 2 skipped exact", PYTEST],
  ["pytest-q/skipped", "4 passed 0 failed 2 skipped exact", []],
  ["pytest-q/zero", "0 passed 0 failed 0 skipped exact", []],
  ["pytest-xdist/crash", "4 passed 1 failed 0 skipped early", ["tests/test_broken.py"]],
  ["pytest-xdist/cut", null, []],
  ["pytest-xdist/green", "4 passed 0 failed 0 skipped exact", []],
  ["pytest-xdist/red", "6 passed 6 failed 2 skipped exact", PYTEST],
  ["pytest-xdist/skipped", "4 passed 0 failed 2 skipped exact", []],
  ["pytest-xdist/zero", "0 passed 0 failed 0 skipped exact", []],
  ["vitest/bail", "0 passed 1 failed 0 skipped early", ["test/cart.test.mjs > cart > sums"]],
  ["vitest/crash", "3 passed 1 failed 0 skipped early", ["test/broken.test.mjs"]],
  ["vitest/cut", null, []],
  ["vitest/green", "3 passed 0 failed 0 skipped exact", []],
  ["vitest/none-selected", "0 passed 0 failed 3 skipped exact", []],
  ["vitest/projects", "0 passed 2 failed 0 skipped exact", ["api test/x.test.mjs > x", "web test/x.test.mjs > x"]],
  ["vitest/red", "4 passed 3 failed 1 skipped exact", VITEST],
  ["vitest/skipped", "3 passed 0 failed 4 skipped exact", []],
  ["vitest/unhandled", "2 passed 0 failed 1 skipped exact", []],
  ["vitest/zero", "0 passed 0 failed 0 skipped exact", []],
];

function reportOf(file: string) {
  return readTestReport(readFileSync(new URL(`${file}.txt`, FOLDER), "utf8"), { root: "/home/dev/app" });
}

test.each(ROWS)("the recorded output %s [C21]", (file, numbers, failing) => {
  const report = reportOf(file);
  const { passed, failed, skipped, exact, early } = report ?? {};
  const words = [`${passed} passed ${failed} failed ${skipped} skipped`, exact ? "exact" : "", early ? "early" : ""];
  expect(report === null ? null : words.filter((word) => word !== "").join(" ")).toBe(numbers);
  expect(report?.failing ?? []).toEqual(failing);
  expect(report?.ran ?? 0).toBe((passed ?? 0) + (failed ?? 0));
});

test("every recorded output has its row [C21]", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".txt"));
  expect(files.map((file) => file.replace(/\.txt$/u, "")).toSorted()).toEqual(ROWS.map(([file]) => file).toSorted());
});

test.each([
  ["vitest/red", "vitest"],
  ["jest/red", "jest"],
  ["mocha/red", "mocha"],
  ["node-spec/red", "node:test"],
  ["node-tap/red", "node:test"],
  ["pytest-xdist/red", "pytest"],
  ["go-json/crash", "go test"],
  ["cargo/red", "cargo test"],
  ["junit-node/red", "JUnit XML"],
  ["junit-pytest/red", "pytest"],
  ["unittest/red", "unittest"],
  ["rspec/red", "rspec"],
  ["minitest/red", "minitest"],
  ["phpunit/red", "phpunit"],
  ["pest/red", "pest"],
  ["ctest/red", "ctest"],
  ["maven/red", "maven"],
  ["gradle/red", "gradle"],
  ["dotnet/red", "dotnet test"],
  ["bun/red", "bun test"],
  ["deno/red", "deno test"],
  ["ava/red", "ava"],
  ["ava/tap-red", "TAP"],
  ["playwright/red", "playwright"],
  ["prove/red", "prove"],
  ["nextest/red", "cargo nextest"],
])("the output %s is that of %s [C21]", (file, runner) => {
  expect(reportOf(file)?.runner).toBe(runner);
});

test("4.4: a test that fails has the same name whatever reporter names it", () => {
  expect(reportOf("node-tap/red")?.failing).toEqual(reportOf("node20-spec/red")?.failing);
  expect(reportOf("go-json/red")?.failing).toEqual(reportOf("go/red")?.failing);
  expect(reportOf("pytest-xdist/red")?.failing).toEqual(reportOf("pytest-q/red")?.failing);
  expect(reportOf("unittest/red")?.failing).toEqual(reportOf("unittest-311/red")?.failing);
  expect(reportOf("dotnet/red")?.failing).toEqual(reportOf("dotnet/normal-red")?.failing);
});
