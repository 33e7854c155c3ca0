import { expect, test } from "vitest";
import { readTestReport } from "../../../../src/core/progress/test-report.ts";

/** How each runner says that it found nothing to run. */
test.each<[runner: string, output: string]>([
  ["unittest", "\n-------\nRan 0 tests in 0.000s\n\nOK\n"],
  ["unittest", "\n-------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"],
  ["unittest", "\n-------\nRan 0 tests in 0.000s\n\nNO TESTS RAN (skipped=1)\n"],
  ["pytest", "no tests ran in 0.01s\n"],
  ["pytest", "============ no tests ran in 0.01s ============\n"],
  ["go test", "?   \texample.com/app\t[no test files]\n"],
  ["go test", "ok  \texample.com/app\t0.004s [no tests to run]\n"],
  ["go test", "testing: warning: no tests to run\nPASS\nok  \texample.com/app\t0.191s\n"],
  ["go test", "no packages to test\n"],
  [
    "cargo test",
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
  ],
  ["cargo nextest", "     Summary [   0.000s] 0 tests run: 0 passed, 0 skipped\nerror: no tests to run\n"],
  ["mocha", "\n\n  0 passing (1ms)\n\n"],
  ["mocha", 'Error: No test files found: "test"\n'],
  ["jest", "No tests found, exiting with code 0\n"],
  ["vitest", "No test files found, exiting with code 0\n"],
  [
    "rspec",
    "No examples found.\n\nFinished in 0.00032 seconds (files took 0.05 seconds to load)\n0 examples, 0 failures\n",
  ],
  ["minitest", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"],
  ["minitest", "0 tests, 0 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n"],
  ["phpunit", "No tests executed!\n"],
  ["pest", "\n   INFO  No tests found.\n"],
  [
    "dotnet test",
    "No test is available in /home/dev/app/App.Tests.dll. Make sure that test discoverer & executors are registered\n",
  ],
  ["dotnet test", "No test matches the given testcase filter `x` in /home/dev/app/App.Tests.dll\n"],
  ["dotnet test", "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 0.2s\n"],
  ["dotnet test", "Test run summary: Zero tests ran\n  total: 0\n  failed: 0\n  succeeded: 0\n  skipped: 0\n"],
  ["gradle", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"],
  ["maven", "[INFO] --- surefire:3.2.5:test (default-test) @ app ---\n[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"],
  [
    "maven",
    "[INFO] --- maven-surefire-plugin:3.2.5:test (default-test) @ app ---\n[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n",
  ],
  ["ctest", "Test project /home/dev/app/build\nNo tests were found!!!\n"],
  ["bun test", "bun test v1.4.5 (a7733435c)\nNo tests found!\n"],
  ["deno test", "error: No test modules found\n"],
  ["deno test", "\nok | 0 passed | 0 failed (0ms)\n"],
  ["ava", "\n  ✘ No tests found in cart.test.js\n  ─\n\n"],
  ["playwright", "Error: No tests found\n"],
  ["TAP", "TAP version 14\n1..0\n"],
  ["TAP", "No test files found\n"],
  ["prove", "Files=0, Tests=0,  0 wallclock secs ( 0.00 usr +  0.00 sys =  0.00 CPU)\nResult: NOTESTS\n"],
])("%s ran no test: %j [C21]", (runner, output) => {
  expect(readTestReport(output)).toMatchObject({ runner, ran: 0, failing: [] });
});

test.each<[what: string, output: string, ran: number]>([
  ["go", "?   \ta\t[no test files]\nok  \tb\t0.004s\n", 1],
  ["cargo", `${cargo(0)}${cargo(12)}`, 12],
  [
    "dotnet",
    "No test is available in /a.dll. Make sure\nPassed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 4 ms - b.dll (net8.0)\n",
    12,
  ],
  ["gradle", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nCartTest > sums() PASSED\n\nBUILD SUCCESSFUL in 1s\n", 1],
  [
    "maven",
    "[INFO] --- surefire:3.2.5:test (default-test) @ a ---\n[INFO] No tests to run.\n[INFO] --- surefire:3.2.5:test (default-test) @ b ---\n[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
    12,
  ],
  ["unittest, twice", "Ran 0 tests in 0.000s\n\nOK\n............\nRan 12 tests in 0.004s\n\nOK\n", 12],
  ["two runners", "No tests executed!\n12 runs, 12 assertions, 0 failures, 0 errors, 0 skips\n", 12],
])("a package without tests beside another is not zero: %s [C21]", (_what, output, ran) => {
  expect(readTestReport(output)).toMatchObject({ ran, failed: 0 });
});

function cargo(tests: number): string {
  return `running ${tests} tests\ntest result: ok. ${tests} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n`;
}
