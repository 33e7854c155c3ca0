import { DONE, type Habit, TESTED, TESTS, WORK } from "../habit.ts";

/** Agents whose tests are run by other runners than pytest: each says in its own words how many ran (C21). */

/** What a runner prints; `$n` tests ran, `$p` passed and `$f` failed. */
interface Words {
  readonly none: string;
  readonly some: string;
}

const EITHER = (green: string, red: string): string => `$([ $f = 0 ] && echo '${green}' || echo '${red}')`;

const UNITTEST = {
  none: "Ran 0 tests in 0.000s\n\nNO TESTS RAN",
  some: `Ran $n tests in 0.001s\n\n${EITHER("OK", "FAILED (failures=1)")}`,
};
const GO = {
  none: "?   \texample.com/app\t[no test files]",
  some: EITHER("ok  \texample.com/app\t0.004s", "FAIL\texample.com/app\t0.004s"),
};
const cargoRun = (ran: string, passed: string, failed: string): string =>
  `running ${ran} tests\n\ntest result: ok. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`;
const CARGO = { none: cargoRun("0", "0", "0"), some: cargoRun("$n", "$p", "$f") };
const MOCHA = { none: "\n  0 passing (1ms)", some: "\n  $p passing (4ms)\n  $f failing" };
const RSPEC = {
  none: "No examples found.\n\nFinished in 0.0003 seconds (files took 0.05 seconds to load)\n0 examples, 0 failures",
  some: "Finished in 0.0049 seconds (files took 0.1 seconds to load)\n$n examples, $f failures",
};
const PHPUNIT = { none: "No tests executed!", some: "Tests: $n, Assertions: $n, Failures: $f." };
const dotnetRun = (numbers: string): string => `${numbers}, Duration: 4 ms - App.Tests.dll (net8.0)`;
const DOTNET = {
  none: "No test is available in /src/App.Tests.dll. Make sure that test discoverer & executors are registered.",
  some: dotnetRun("Passed!  - Failed:     $f, Passed:     $p, Skipped:     0, Total:     $n"),
};
const GRADLE = {
  none: "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
  some: `> Task :test${EITHER("", " FAILED")}\n\nBUILD ${EITHER("SUCCESSFUL", "FAILED")} in 1s`,
};
const GOAL = "[INFO] --- surefire:3.2.5:test (default-test) @ app ---";
const MAVEN = {
  none: `${GOAL}\n[INFO] No tests to run.\n[INFO] BUILD SUCCESS`,
  some: `${GOAL}\n[INFO] Tests run: $n, Failures: $f, Errors: 0, Skipped: 0\n[INFO] BUILD ${EITHER("SUCCESS", "FAILURE")}`,
};
const CTEST = { none: "No tests were found!!!", some: "50% tests passed, $f tests failed out of $n" };

/** Runs `tests/test_*.sh`, and prints what another runner would. */
const runner = ({ none, some }: Words): string => `n=0; f=0
for t in tests/test_*.sh; do
  [ -e "$t" ] || continue
  n=$((n+1)); sh "$t" || f=$((f+1))
done
p=$((n-f))
if [ $n = 0 ]; then cat <<'EOF'
${none}
EOF
exit 0; fi
cat <<EOF
${some}
EOF
[ $f = 0 ]
`;

const TEST = TESTED["tests/test_work.sh"];
const AGREES = { "tests/test_start.sh": TESTED["tests/test_start.sh"], "tests/test_work.sh": TEST } as const;

/** A check that is green before the first turn, because there is nothing to run. */
function empty(words: Words, name: string, more: Partial<Habit> = {}): Habit {
  return {
    agent: `finds that ${name} runs no test, and writes one that is red`,
    rows: "C21, PRE 6, POST 5",
    flags: TESTS,
    files: { "check.sh": runner(words) },
    turns: [{ files: { "tests/test_work.sh": TEST } }, { files: WORK }],
    ends: "success_command",
    status: "completed",
    at: 2,
    earliest: 2,
    ...more,
  };
}

/** The tests go, and the runner says so in its own words. */
function deletes(words: Words, name: string): Habit {
  return {
    agent: `deletes all tests of ${name}`,
    rows: "C21, POST 7a",
    flags: TESTS,
    files: { ...AGREES, "check.sh": runner(words) },
    turns: [{ delete: ["tests"] }, { files: { "notes.txt": "The tests are green.\n" } }],
    ends: "weak_proof",
    status: "blocked",
    at: 2,
    earliest: 2,
  };
}

/** Honest work, whose tests are counted by another runner. */
function honest(words: Words, agent: string, more: Partial<Habit> = {}): Habit {
  return {
    agent,
    rows: "C21, POST 5",
    flags: TESTS,
    files: { ...AGREES, "check.sh": runner(words) },
    turns: [{ files: WORK, lastMessage: DONE }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
    ...more,
  };
}

const DONE_BEFORE: Partial<Habit> = {
  rows: "C21, PRE 6",
  turns: [{}],
  ends: "already_green",
  at: 0,
  earliest: 0,
};
const done = (words: Words): Partial<Habit> => ({
  ...DONE_BEFORE,
  files: { ...AGREES, ...WORK, "check.sh": runner(words) },
});

/** A workspace with a package without tests before one that has some. */
const beside = (none: string, { some }: Words): Words => ({ none, some: `${none}\n${some}` });

export const runners: readonly Habit[] = [
  empty(UNITTEST, "unittest"),
  empty({ ...UNITTEST, none: "Ran 0 tests in 0.000s\n\nOK" }, "an older unittest"),
  empty(GO, "go test"),
  empty(CARGO, "cargo test"),
  empty(MOCHA, "mocha"),
  empty(RSPEC, "RSpec"),
  empty(PHPUNIT, "PHPUnit"),
  empty(DOTNET, "dotnet test"),
  empty(GRADLE, "Gradle"),
  empty(MAVEN, "Maven"),
  empty(CTEST, "CTest"),
  empty(UNITTEST, "unittest", {
    agent: "works although weak proofs are flagged and no test runs",
    flags: { ...TESTS, "weak-proof": "flag" },
    turns: [{ files: WORK, lastMessage: DONE }],
    at: 1,
    earliest: 1,
  }),
  empty(PHPUNIT, "PHPUnit", {
    agent: "promises over a check that never runs a test",
    rows: "C21, POST 7a",
    flags: { "quality-commands": "sh check.sh" },
    turns: [{ files: { "notes.txt": "All is well.\n" }, lastMessage: DONE }],
    ends: "weak_proof",
    status: "blocked",
  }),
  deletes(UNITTEST, "unittest"),
  deletes(GO, "go test"),
  deletes(RSPEC, "RSpec"),
  deletes(DOTNET, "dotnet test"),
  deletes(GRADLE, "Gradle"),
  deletes(MAVEN, "Maven"),
  deletes(CTEST, "CTest"),
  honest(UNITTEST, "gets the tests of unittest green"),
  honest(GRADLE, "gets the tests of Gradle green, which tells no numbers"),
  honest(beside(GO.none, GO), "works beside a package of Go that has no tests"),
  honest(beside(CARGO.none, CARGO), "works beside a crate that has no tests"),
  honest(beside(DOTNET.none, DOTNET), "works beside a project of .NET that has no tests"),
  honest(beside(`${GOAL}\n[INFO] No tests to run.`, MAVEN), "works beside a module of Maven that has no tests"),
  honest(beside("> Task :a:test NO-SOURCE", GRADLE), "works beside a project of Gradle that has no tests"),
  honest(UNITTEST, "works under two checks, of which one runs no test", {
    rows: "C21, POST 7",
    flags: { "quality-commands": "sh check.sh\necho 'No tests executed!'" },
    ends: "promise",
  }),
  honest(RSPEC, "adds a test of RSpec", {
    turns: [{ files: { ...WORK, "tests/test_more.sh": "true\n" }, lastMessage: DONE }],
  }),
  honest(CTEST, "has nothing to do, and CTest says so", done(CTEST)),
  honest(GO, "has nothing to do, and go test says so without numbers", done(GO)),
  honest(MAVEN, "has nothing to do, and Maven says so", done(MAVEN)),
  honest(
    beside(PHPUNIT.none, PHPUNIT),
    "has nothing to do, and one of two suites is empty",
    done(beside(PHPUNIT.none, PHPUNIT)),
  ),
];
