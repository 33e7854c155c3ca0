import { UsageError } from "../../src/core/errors.ts";
import { errorTail, portablePaths } from "../../src/core/progress/error-tail.ts";
import { examined } from "../../src/core/progress/failures.ts";
import { readFigures } from "../../src/core/progress/figures.ts";
import { testMarks } from "../../src/core/progress/test-files.ts";
import { isTestPath } from "../../src/core/progress/test-paths.ts";
import { readTestReport } from "../../src/core/progress/test-report.ts";
import { cutLog } from "../../src/core/repair/cut-log.ts";
import { fromSpec } from "../../src/setup/spec/from-spec.ts";
import { sha256 } from "../../src/os/digest.ts";
import { aRedCheck, aVerdict } from "../../test/support/builders.ts";
import { mutated } from "../mutate.ts";
import { recordings } from "../seeds.ts";
import { hold, target, unless } from "../target.ts";

const OUTPUTS = [...recordings("runners", ".txt"), ...recordings("runners", ".xml")].filter((text) => text !== "");
const WORDS = [
  "\n",
  "✓",
  "not ok 1 - ",
  "# tests 9",
  "FAILED ",
  "--- FAIL: ",
  "test result: ok. ",
  "<testcase name=",
  "</testsuite>",
  " passed",
  "===",
  "All files |",
  "coverage: 81.5% of",
  "> app@1.0.0 test",
];

export const runners = target({
  name: "runners",
  covers: [
    "core/progress/test-report.ts#readTestReport",
    "core/progress/figures.ts#readFigures",
    "core/progress/error-tail.ts#errorTail",
    "core/progress/error-tail.ts#portablePaths",
    "core/progress/failures.ts#examined",
  ],
  draw: (random) => ({ output: mutated(random, { seeds: OUTPUTS, words: WORDS }), cut: random.once(3) }),
  check({ output, cut }) {
    const report = readTestReport(output, { root: "/work/repo", cut });
    const counts = report === null ? [] : [report.passed, report.failed, report.skipped];
    hold(
      counts.every((count) => Number.isSafeInteger(count) && count >= 0),
      `tests are counted: ${counts.join(", ")}`,
    );
    hold(
      report === null || (report.failing.length <= 5_000 && report.failing.every((name) => name.length <= 300)),
      "names are few and short",
    );
    const { coverage = 0, stages = 0 } = readFigures(output);
    hold(coverage >= 0 && coverage < 1_000 && stages <= 200, `figures are in their bounds: ${coverage}, ${stages}`);
    hold(errorTail(output, "/work/repo").length <= output.length + 20_000, "the end is short");
    portablePaths(output.slice(0, 500), "/work/repo");
    examined(aVerdict("failed", [aRedCheck({ tail: output.slice(-2_000), tests: report })]), sha256, "/work/repo");
  },
});

const STAMP = "2026-11-20T02:00:00.1234567Z ";
const LOGS = [
  `${STAMP}##[group]Run npm test\n${STAMP}not ok 7\n${STAMP}##[error]Process completed with exit code 1.\n`,
];
const BEGAN = Date.parse("2026-11-20T02:00:00Z");
const LOG_LIMIT = 500;

/** Logs of jobs, which anybody's program writes. */
export const jobLogs = target({
  name: "job-logs",
  covers: ["core/repair/cut-log.ts#cutLog"],
  draw: (random) => ({
    log: mutated(random, {
      seeds: LOGS,
      words: ["\n", STAMP, "##[group]Run ", "##[error]", "::error file=a::", "\u001B[31m"],
    }),
    isKnown: random.once(2),
  }),
  check({ log, isKnown }) {
    const text = cutLog(log, isKnown ? [{ began: BEGAN, ended: BEGAN + 1_000 }] : [], LOG_LIMIT);
    hold(text.length <= LOG_LIMIT + "Error: ".length, `what is kept is short: ${text.length}`);
  },
});

const TESTS = [
  'import { test } from "vitest";\ntest("a", () => { expect(1).toBe(1); });\ntest.skip("b", () => {});\n// test("c")\n',
  "def test_a():\n    assert 1\n\n@pytest.mark.skip\ndef test_b():\n    pass\n",
  "#[test]\nfn a() { assert!(true); }\n#[test]\n#[ignore]\nfn b() {}\n",
  "func TestA(t *testing.T) {\n\tt.Skip()\n}\n",
];

export const testFiles = target({
  name: "test-files",
  covers: ["core/progress/test-files.ts#testMarks", "core/progress/test-paths.ts#isTestPath"],
  draw: (random) => ({
    content: mutated(random, { seeds: TESTS, words: ["it(", "test.skip(", "/*", "*/", "'''", "`", "//", "#[ignore]"] }),
    path: `${mutated(random, { seeds: ["src/a", "test/b", "__tests__/c"], words: ["test", "/"] }).slice(0, 80)}${random.one([".test.ts", "_test.go", ".py", ".rs"])}`,
  }),
  check({ content, path }) {
    const marks = testMarks(path, content);
    hold(
      Object.values(marks).every((count) => typeof count !== "number" || (Number.isSafeInteger(count) && count >= 0)),
      "marks are counts",
    );
    isTestPath(path);
  },
});

const SPECS = [
  "# Shop\n\nA shop.\n\n## Tasks\n\n- [ ] Cart (P1)\n  - takes coupons\n- [x] Login\n\n## Later\n\n1. Mail\n2. Search\n\n```sh\nnpm test\n```\n",
  "---\ntitle: x\n---\n# A\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n### High priority\n* one\n* two\n",
];

export const specs = target({
  name: "specs",
  covers: ["setup/spec/from-spec.ts#fromSpec", "setup/spec/readable.ts#readable"],
  // Parsing Markdown takes its time, and long texts show nothing more.
  draw: (random) =>
    mutated(random, { seeds: SPECS, words: ["- [ ] ", "# ", "> ", "    ", "1. ", "```", "---\n", "|"] }).slice(
      0,
      3_000,
    ),
  check(text) {
    const imported = unless(UsageError, () => fromSpec({ text, shown: "SPEC.md", path: "../SPEC.md" }));
    for (const { path } of imported?.files ?? [])
      hold(!path.startsWith("/") && !path.includes(".."), "files stay in their folder");
  },
});
