import { expect, test } from "vitest";
import { readTestReport } from "../../../../src/core/progress/test-report.ts";

test.each<[what: string, output: string]>([
  ["prose about unittest", "Ran 3 tests in a moment\n\nOK\n"],
  ["unittest's last line without its result", "Ran 3 tests in 0.004s\n\nand so on\n\nOK\n"],
  ["prose about examples", "Finished in no time\n3 examples are enough\n"],
  ["sums of several processes of RSpec", "3 examples, 0 failures\n\nTook 5 seconds\n"],
  ["prose about assertions", "It made 3 assertions, and all of them held\n"],
  ["prose about PHPUnit", "OK (mostly)\nTests: 3, Assertions: all.\n"],
  ["prose about Pest", "  Tests:    many (3 assertions)\n  Duration: 1s\n"],
  ["Pest's tests without their duration", "  Tests:    3 passed (3 assertions)\n"],
  ["prose about .NET", "Total tests are 4.\nTest summary: all good\nNo test is bad\n"],
  ["prose about Gradle", "> Task :test is running\n> Task :of the day\nBUILD SUCCESSFUL in 1s\n"],
  ["a build of Gradle without tests", "> Task :compileTest\n> Task :assembleUnitTest\nBUILD SUCCESSFUL in 1s\n"],
  [
    "a build of Maven without tests",
    "[INFO] --- jar:3.4.1:jar (default-jar) @ app ---\nsurefire\n[INFO] BUILD SUCCESS\n",
  ],
  [
    "a build of Maven whose tests could not begin",
    "[INFO] --- surefire:3.2.5:test (default-test) @ app ---\n[INFO] BUILD FAILURE\n",
  ],
  ["prose about Maven", "Tests run: 3, and fine\n"],
  ["prose about CTest", "100% tests passed, hooray\n"],
  ["prose about Bun", "Ran 3 tests across the board.\nNo tests found!?\n"],
  ["prose about Deno", "ok | 3 passed | all is well\n"],
  ["AVA's list without its end", "  ✔ sums\n  ─\n\n"],
  ["Playwright's numbers that do not add up", "Running 5 tests using 1 worker\n\n  2 passed (1.2s)\n"],
  ["prose about Playwright", "Running 5 tests as we speak\n  2 passed (1.2s)\n"],
  ["TAP that has not ended", "TAP version 14\n1..3\nok 1 - a\n"],
  ["points without a plan", "ok 1 - a\nnot ok 2 - b\n"],
  ["a plan that is prose", "1..3 of them\n1...\nok then\n"],
  ["prove without its result", "Files=1, Tests=3,  0 wallclock secs\nand so on\n"],
  ["prove at the end", "Result: none\nFiles=1, Tests=3,  0 wallclock secs"],
  ["prose about nextest", "Summary [   0.001s] 3 tests run: all of them\nSummary [of it]\n"],
])("a lookalike is not a report: %s [C21]", (_what, output) => {
  expect(readTestReport(output)).toBeNull();
});

function told(output: string) {
  const { passed, failed, skipped, failing, exact, early } = readTestReport(output) ?? {};
  return { numbers: [passed, failed, skipped], failing, exact, early };
}

test.each<[what: string, output: string, expected: Partial<ReturnType<typeof told>>]>([
  [
    "unittest: skipped classes and subtests are not among those that ran",
    "s.sss\n-----\nRan 2 tests in 0.000s\n\nOK (skipped=4)\n",
    { numbers: [1, 0, 4], exact: false },
  ],
  [
    "unittest: names that are not there any more",
    "Ran 5 tests in 0.004s\n\nFAILED (failures=2, errors=1)\n",
    { numbers: [2, 3, 0], failing: [], exact: true },
  ],
  [
    "unittest: headlines of something else",
    "FAIL: of course (not)\n.\nRan 1 test in 0.004s\n\nOK\n",
    { numbers: [1, 0, 0], failing: [] },
  ],
  [
    "test-unit",
    "Failure: test_sums(CartTest)\n4 tests, 3 assertions, 1 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications\n",
    { numbers: [1, 1, 2], failing: ["CartTest#test_sums"] },
  ],
  [
    "Rails: a failure as it happens, and a word without a name",
    "Failure:\nCartTest#test_sums [test/cart_test.rb:3]:\nno\n\nError:\n2 runs, 1 assertions, 1 failures, 0 errors, 0 skips",
    { numbers: [1, 1, 0], failing: ["CartTest#test_sums"] },
  ],
  [
    "RSpec: what looks like a name and is none",
    "rspec is fine\nrspec './spec/a_spec.rb[1:2:1]' # a b\nFinished in 1 second\n2 examples, 1 failure\n",
    { numbers: [1, 1, 0], failing: ["spec/a_spec.rb > a b"] },
  ],
  [
    "Surefire of long ago",
    "Running app.CartTest\nsums(app.CartTest)  Time elapsed: 0.01 sec  <<< FAILURE!\nTests run: 2, Failures: 1, Errors: 0, Skipped: 0\n",
    { numbers: [1, 1, 0], failing: ["app.CartTest.sums"] },
  ],
  [
    "Gradle: lines that look like events, a task without output, one that was left out",
    "> Task :test\nCart > is open\n2 tests completed by hand\n\n> Task :e2eTest SKIPPED\n\nBUILD SUCCESSFUL in 1s\n",
    { numbers: [1, 0, 0], exact: false },
  ],
  [
    "CTest of CMake 4, with labels and what is no test",
    "100% tests passed out of 3\n\nThe following tests did not run:\n\t  2 - later (Skipped)   unit\n\tand so on\nTest project /b\n\t  3 - x (Skipped)\n",
    { numbers: [2, 0, 1] },
  ],
  [
    "Bun in a job, with words that look like events",
    "::group::test/a.test.js:\n(fail) sums [0.17ms]\n(see below)\nerror: x:\n 0 pass\n 1 fail\nRan 1 test across 1 file. [1.00ms]\n",
    { numbers: [0, 1, 0], failing: ["test/a.test.js > sums"] },
  ],
  [
    "Deno: what looks like a name and is none",
    " FAILURES\nsums => ./cart_test.ts:1:6\na => b\n\nFAILED | 0 passed | 1 failed (1ms)\n",
    { numbers: [0, 1, 0], failing: ["cart_test.ts > sums"] },
  ],
  [
    "Playwright: flaky tests, projects, and text among the names",
    "Running 3 tests using 2 workers\n  1 failed\n    [web] › a.spec.ts:3:3 › cart › sums ───\n    and so on\n  1 flaky\n    [web] › a.spec.ts:9:3 › cart › waits ──\n  1 passed (1.2s)\nRunning 0 tests using 1 worker\n",
    { numbers: [2, 1, 0], failing: ["[web] > a.spec.ts > cart > sums"] },
  ],
  [
    "TAP: a suite that fails by itself, a subtest nobody announced, a stray comment",
    "TAP version 13\nnote # Subtest: x\n        not ok 1 - deep\n    ok 1 - a\nnot ok 1 - suite # time=1ms\nis it ok or not\n1..1\n",
    { numbers: [0, 2, 0], failing: ["deep", "suite"] },
  ],
  [
    "TAP of node:test, which has counts of its own, is read once",
    "TAP version 13\nok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 1.5\n",
    { numbers: [1, 0, 0] },
  ],
  [
    "prove that shows the points is read once",
    "ok 1 - a\nok 2 - b\n1..2\nFiles=1, Tests=2,  0 wallclock secs\nResult: PASS\n",
    { numbers: [2, 0, 0] },
  ],
  [
    "prove: lines that end like those of scripts",
    "(of course)\nt/a.t (Wstat: 256 Tests: 3 Failed: 1)\nFiles=1, Tests=3,  0 wallclock secs\nResult: FAIL\n",
    { numbers: [2, 1, 0], failing: ["t/a.t"] },
  ],
])("%s [C21]", (_what, output, expected) => {
  expect(told(output)).toMatchObject(expected);
});
