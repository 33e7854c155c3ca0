import { expect, test } from "vitest";
import { readTestReport } from "../../../src/core/progress/test-report.ts";

const VITEST = [
  " FAIL  test/a.test.ts > sums",
  " Test Files  1 failed (1)",
  "      Tests  1 failed | 2 passed (3)",
  "   Start at  11:09:58",
  "   Duration  1.22s",
].join("\n");
const PYTEST = "== short test summary info ==\nFAILED tests/a.py::b - no\n==== 1 failed, 2 passed in 0.25s ====";
const XML = '<testsuite name="s"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>';

function numbers(output: string) {
  const report = readTestReport(output);
  return report === null ? null : [report.passed, report.failed, report.skipped];
}

test("the runs of several runners are added up [C21]", () => {
  expect(readTestReport(`${VITEST}\n${PYTEST}\n${PYTEST}`)).toEqual({
    runner: "vitest + pytest",
    ran: 9,
    passed: 6,
    failed: 3,
    skipped: 0,
    failing: ["test/a.test.ts > sums", "tests/a.py::b"],
    exact: true,
    early: false,
  });
});

test.each<[string, string, readonly number[] | null]>([
  ["XML of another run is added", `${PYTEST}\n${XML}`, [3, 2, 0]],
  ["XML of the same run is not", `${PYTEST}\n${XML.replace("<testcase", '<testcase name="c"/><testcase')}`, [2, 1, 0]],
  ["two documents are added", `${XML} and ${XML}`, [2, 2, 0]],
  ["a vitest in which no test came to be", VITEST.replace("1 failed | 2 passed (3)", "no tests"), [0, 0, 0]],
  ["Windows line ends", VITEST.replaceAll("\n", "\r\n"), [2, 1, 0]],
  ["nothing", "", null],
])("%s [C21]", (_title, output, expected) => {
  expect(numbers(output)).toEqual(expected);
});

test.each<[string, string]>([
  ["prose about vitest", "All good:\n      Tests  5 passed (5)\n"],
  ["vitest's files without its tests", " Test Files  1 passed (1)\nand so on\n   Start at  11:09:58"],
  ["vitest's files at the end", " Test Files  1 passed (1)"],
  ["vitest's summary without its start", " Test Files  1 passed (1)\n      Tests  5 passed (5)\n   Duration  1 s"],
  ["vitest's summary in a diff", VITEST.replaceAll(/^/gmu, "+ ")],
  ["numbers of vitest that contradict each other", VITEST.replace("(3)", "(2)")],
  ["numbers of vitest without their sum", VITEST.replace(" (3)", "")],
  ["numbers of vitest that nothing explains", VITEST.replace("1 failed | 2 passed (3)", "2 passed (3)")],
  ["a word that vitest has not", VITEST.replace("2 passed", "2 splendid")],
  ["prose about jest", "Tests:       3 passed, 3 total"],
  ["jest's tests without the rest", "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nDone."],
  [
    "jest's suites without a total",
    "Test Suites: all\nTests:       3 passed, 3 total\nSnapshots:   0 total\nTime: 1 s",
  ],
  ["jest's suites without tests", "Test Suites: 1 passed, 1 total\nNo tests\nSnapshots:   0 total\nTime:        1 s"],
  [
    "a word that jest has not",
    "Test Suites: 1 total\nTests:       1 odd, 1 total\nSnapshots:   0 total\nTime:        1 s",
  ],
  [
    "numbers of jest that do not add up",
    "Test Suites: 1 total\nTests:       1 passed, 2 total\nSnapshots:   0 total\nTime:  1 s",
  ],
  ["no tests, says somebody", "No tests found, sadly\nNo test files found, exiting with code 2"],
  ["prose about mocha", "We have 3 passing (barely) tests.\n3 passing (2ms)"],
  ["prose about pytest", "3 passed in 0.25s"],
  ["more prose about pytest", "He has 3 passed in 0.25s\n=== 3 passed in a moment ==="],
  ["half a rule of pytest", "=== 3 passed in 0.25s"],
  ["a word that pytest has not", "=== 3 tests collected in 0.25s ==="],
  ["prose about go", "ok  example.com/app 0.005s\nok  \tcomputer\tsays yes\n--- FAIL: of course"],
  ["prose about cargo", "running 2 tests\nand a mile"],
  [
    "a result of cargo without its beginning",
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
  ],
  [
    "numbers of cargo that contradict each other",
    "running 3 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
  ],
  ["prose about node", "ℹ tests 5\nℹ pass 5\n# tests are fine"],
  ["numbers of node that contradict each other", nodeSummary("tests 9")],
  ["JSON of another program", '{"Action":"pass","Package":7}\n{"Action":"pass"\n{"Action":"fail"} {\n{"a":"Action"}'],
  ["JSON that is no object", '{"Action":"pass","Package":"x"'],
  ["XML of something else", "<html><testcase name='a'/></html> <testsuites"],
  ["XML that has not ended", '<testsuites><testsuite name="a"><testcase name="b"/></testsuite>'],
  ["XML in a comment", `<!-- ${XML} -->`],
  ["XML in a comment without an end", `<!-- ${XML}`],
  ["XML in CDATA", `<![CDATA[${XML}]]>`],
])("a lookalike is not a report: %s [C21]", (_title, output) => {
  expect(readTestReport(output)).toBeNull();
});

function nodeSummary(first: string) {
  return ["ℹ", "#"]
    .map((sign) =>
      [first, "suites 0", "pass 5", "fail 0", "cancelled 0", "skipped 0", "todo 0", "duration_ms 1.5"]
        .map((line) => `${sign} ${line}`)
        .join("\n"),
    )
    .join("\n");
}

test("both signs of node:test [C21]", () => {
  expect(numbers(nodeSummary("tests 5"))).toEqual([10, 0, 0]);
});

test.each<[string, string, readonly string[]]>([
  [
    "node:test: no name below the place, a point that may fail, a name with signs",
    [
      nodeSummary("tests 5"),
      "✖ failing tests:",
      "test at a.js:1:1",
      "something else",
      "not ok 1 - later # TODO some day",
      "  location: '/x/y/b.js:3:4'",
      "  ...",
      "not ok 2 - a \\# and a \\\\",
      "  ---",
      "  location: '/x/y/b.js:3:4'",
      "  ...",
    ].join("\n"),
    ["b.js > a # and a \\"],
  ],
  [
    "mocha: numbers out of order are text",
    "  1 passing (2ms)\n  2 failing\n\n  1) a:\n     no\n  7) b:\n     no\n  2) c\n       d:",
    ["a", "c > d"],
  ],
  [
    "pytest: parameters, brackets and messages",
    [
      "=== short test summary info ===",
      "FAILED a.py::b[c - d] - E [1]",
      "FAILED a.py::e[f - g]",
      "FAILED a.py::h - [1] - [2]",
      "FAILED a.py::i",
      "SUBFAILED[k] (l=1) a.py::m - [no",
      "=== 5 failed in 1.25s (0:00:01) ===",
    ].join("\n"),
    ["[k] (l=1) a.py::m", "a.py::b[c - d]", "a.py::e[f - g]", "a.py::h", "a.py::i"],
  ],
  ["pytest: no list of names", "=== 5 failed in 1.25s ===", []],
  [
    "cargo: the same name in two binaries",
    Array(2)
      .fill(
        "running 1 test\nfailures:\n    a\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
      )
      .join(""),
    ["a", "a #2"],
  ],
  [
    "JUnit XML: entities, quotes, nested suites, stray tags",
    `</testsuite><failure/><testsuites><testsuite name='a > b'><failure/></testcase>
     <testcase classname="&lt;&#65;&#x42;&amp;&nope;" name='it&apos;s "c"'><system-out>x</system-out><error/><skipped/></testcase>
     <testcase name="d"><skipped/></testcase><testsuite/></testsuite></testsuites>`,
    ['<AB&&nope; > it\'s "c"'],
  ],
])("4.4: names of what fails: %s", (_title, output, failing) => {
  expect(readTestReport(output)?.failing).toEqual(failing);
});

test.each<[string, string, string]>([
  ["in the workspace", "/home/ann/app/test/a.test.ts > b", "test/a.test.ts > b"],
  ["as an address of a file", "file:///home/ann/app/test/a.test.ts > b", "test/a.test.ts > b"],
  ["elsewhere", "/opt/x/a.test.ts > b", "a.test.ts > b"],
  ["on Windows", "C:\\x\\y\\a.test.ts > b", "a.test.ts > b"],
  ["of a site", "test/a.test.ts > gets https://a.example/b/c", "test/a.test.ts > gets https://a.example/b/c"],
  ["of a site alone", "test/a.test.ts > gets /b", "test/a.test.ts > gets /b"],
  ["with much space", "test/a.test.ts  >\tb", "test/a.test.ts > b"],
  ["of great length", `test/${"a".repeat(400)}`, `test/${"a".repeat(295)}`],
])("4.4: a name with a path %s", (_title, name, expected) => {
  const output = VITEST.replace("test/a.test.ts > sums", name);
  expect(readTestReport(output, { root: "/home/ann/app" })?.failing).toEqual([expected]);
});

test("an output without its beginning counts only what a summary counts [C21]", () => {
  const go = "--- FAIL: TestA (0.00s)\nFAIL\ta.example/b\t0.001s";
  const cargo = "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
  const json = '{"Action":"pass","Package":"a","Test":"T"}\n{"Action":"pass","Package":"a"}';
  for (const output of [go, cargo, json]) {
    expect(readTestReport(output)?.early).toBe(false);
    expect(readTestReport(output, { cut: true })).toMatchObject({ early: true, exact: false });
    expect(readTestReport(`${" \n".repeat(140_000)}${output}`)).toMatchObject({ early: true, exact: false });
  }
  expect(readTestReport(VITEST, { cut: true })).toMatchObject({ early: false, exact: true });
});

test("a file that jest's --bail left out makes a run that stopped early [C21]", () => {
  const output =
    "Test Suites: 1 failed, 1 of 2 total\nTests:       1 failed, 1 total\nSnapshots:   0 total\nTime:        1 s";
  expect(readTestReport(output)).toMatchObject({ failed: 1, early: true });
});
