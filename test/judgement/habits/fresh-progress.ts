import { BUSY, DONE, type Habit, QUALITY, SUCCESS, type Turn, WORK } from "../habit.ts";

/** Agents that get further, or only seem to, written from the rules about progress alone. */

const GOES_ON = { lastMessage: "I go on with it in the next turn." } as const;
const CAP = { "max-iterations": "4" } as const;
const CAPPED = { ends: "max_iterations", status: "stopped_max_iterations", at: 4, earliest: 1 } as const;

/** A check that prints a file of the agent's, and is green when the work is done. */
function printing(runner: string): Pick<Habit, "flags" | "files"> {
  return {
    flags: {
      "success-cmd": '["sh","check.sh"]',
      "max-no-progress": "3",
      "max-consecutive-test-loops": "3",
      "max-same-error": "0",
    },
    files: { "check.sh": `cat tests/report.txt\ngrep -qx done work.txt\n`, "tests/report.txt": runner },
  };
}

/** One turn for each report, written beside a test, and the work in the last. */
function reporting(agent: string, rows: string, reports: readonly string[]): Habit {
  const [first = "", ...rest] = reports;
  const turns: Turn[] = rest.map((report, at) => ({
    files: { "tests/report.txt": report, "tests/test_more.sh": `# case ${at}\n` },
  }));
  return {
    ...{ agent, rows },
    ...printing(first),
    turns: [...turns, { files: WORK }],
    ...{ ends: "success_command", status: "completed", at: reports.length, earliest: reports.length },
  };
}

/** Reports by turns, for ever. */
function circling(agent: string, rows: string, reports: readonly string[], at: number, earliest: number): Habit {
  const [first = ""] = reports;
  const { files } = printing(first);
  return {
    ...{ agent, rows, files: { ...files, "state/report.txt": first, "check.sh": "cat state/report.txt\nexit 1\n" } },
    flags: { "success-cmd": '["sh","check.sh"]', "max-same-error": "3", "max-iterations": "12" },
    turns: Array.from({ length: 12 }, (_, turn) => ({
      files: { "state/report.txt": reports[(turn + 1) % reports.length] ?? "", ...BUSY },
    })),
    ...{ ends: "same_error", status: "circuit_open", at, earliest },
  };
}

const pytest = (...names: readonly string[]): string =>
  `=== short test summary info ===\n${names.map((name) => `FAILED tests/test_a.py::${name}\n`).join("")}=== ${names.length} failed, ${9 - names.length} passed in 0.10s ===\n`;

const between: readonly Habit[] = [
  {
    ...{ agent: "does the work and never says so", rows: "C30, C5", flags: { ...QUALITY, ...CAP } },
    turns: [{ files: { ...WORK, ...BUSY }, ...GOES_ON }],
    ...CAPPED,
  },
  {
    ...{ agent: "says that the checks are green, and makes no claim", rows: "C30, C5", flags: { ...QUALITY, ...CAP } },
    turns: [{ files: { ...WORK, ...BUSY }, lastMessage: "All checks pass. I look at the docs next." }],
    ...CAPPED,
  },
  {
    ...{ agent: "turns its checks green between claims by a type that it ignores", rows: "C30" },
    flags: { ...QUALITY, ...CAP, "check-when": "change" },
    turns: [{ files: { ...WORK, ...BUSY, "src/a.ts": "// @ts-ignore\nf();\n" }, ...GOES_ON }],
    ...CAPPED,
  },
  {
    ...{ agent: "puts the same two versions there by turns without a claim", rows: "C30, L-19" },
    flags: { ...QUALITY, "check-when": "change", "max-no-progress": "3" },
    turns: [0, 1, 0, 1, 0, 1].map((version) => ({ files: { "work.txt": `v${version}\n` }, ...GOES_ON })),
    ...{ ends: "no_progress", status: "circuit_open", at: 5, earliest: 4 },
  },
  {
    ...{ agent: "changes nothing and claims nothing beside a red check", rows: "C30, L-18" },
    flags: { ...QUALITY, "max-no-progress": "3" },
    turns: [GOES_ON],
    ...{ ends: "no_progress", status: "circuit_open", at: 3, earliest: 1 },
  },
  {
    ...{ agent: "edits for three turns beside a red check, and claims in the fourth", rows: "C30" },
    flags: { ...QUALITY, "check-when": "change", "max-same-error": "2" },
    turns: [
      { files: BUSY, ...GOES_ON },
      { files: BUSY, ...GOES_ON },
      { files: BUSY, ...GOES_ON },
      { files: WORK, lastMessage: DONE },
    ],
    ...{ ends: "promise", status: "completed", at: 4, earliest: 4 },
  },
  {
    ...{ agent: "is green between claims, and claims when it is told", rows: "C30, C5" },
    flags: { ...QUALITY, "check-when": "change" },
    turns: [{ files: WORK, ...GOES_ON }, { lastMessage: `It is done.\n\n${DONE}` }],
    ...{ ends: "promise", status: "completed", at: 2, earliest: 1 },
  },
  {
    ...{ agent: "plans in one turn, edits in the next and claims in the third", rows: "C30", flags: QUALITY },
    turns: [{ files: { "PLAN.md": "1. edit\n" }, ...GOES_ON }, { files: WORK, ...GOES_ON }, { lastMessage: DONE }],
    ...{ ends: "promise", status: "completed", at: 3, earliest: 2 },
  },
  {
    ...{ agent: "breaks a check between claims and mends it", rows: "C30" },
    flags: { "quality-commands": "grep -qx done work.txt && test ! -e broken", "check-when": "change" },
    turns: [{ files: { ...WORK, broken: "" }, ...GOES_ON }, { delete: ["broken"], ...GOES_ON }, { lastMessage: DONE }],
    ...{ ends: "promise", status: "completed", at: 3, earliest: 2 },
  },
  {
    ...{ agent: "is asked only where it claims, as a person wants it", rows: "C30" },
    flags: { ...QUALITY, "check-when": "claim" },
    turns: [
      { files: BUSY, ...GOES_ON },
      { files: WORK, lastMessage: DONE },
    ],
    ...{ ends: "promise", status: "completed", at: 2, earliest: 2 },
  },
];

const figures: readonly Habit[] = [
  reporting("writes tests of Go for coverage, turn after turn", "C31", [
    "coverage: 61.0% of statements\n",
    "coverage: 66.5% of statements\n",
    "coverage: 71.2% of statements\n",
    "coverage: 80.0% of statements\n",
    "coverage: 91.3% of statements\n",
  ]),
  reporting("writes tests of Python for coverage, turn after turn", "C31", [
    "TOTAL    200    80    60%\n",
    "TOTAL    200    60    70%\n",
    "TOTAL    200    50    75%\n",
    "TOTAL    200    30    85%\n",
    "TOTAL    200    10    95%\n",
  ]),
  reporting("makes Vitest cover more, turn after turn", "C31", [
    "All files |   60.1 |   50 |  70 |   60.1 |\n",
    "All files |   65.2 |   52 |  70 |   65.2 |\n",
    "All files |   72.3 |   58 |  71 |   72.3 |\n",
    "All files |   84.4 |   66 |  80 |   84.4 |\n",
    "All files |   97.5 |   88 |  90 |   97.5 |\n",
  ]),
  reporting("gets more examples of RSpec to pass by its tests", "C31", [
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n10 examples, 5 failures\n",
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n12 examples, 5 failures\n",
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n14 examples, 5 failures\n",
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n16 examples, 5 failures\n",
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n18 examples, 5 failures\n",
  ]),
  reporting("writes more tests for PHPUnit, turn after turn", "C31", [
    "Tests: 10, Assertions: 20, Failures: 1.\n",
    "Tests: 12, Assertions: 22, Failures: 1.\n",
    "Tests: 14, Assertions: 24, Failures: 1.\n",
    "Tests: 16, Assertions: 26, Failures: 1.\n",
    "Tests: 18, Assertions: 28, Failures: 1.\n",
  ]),
  ...[
    "coverage: 61.0% of statements\n",
    "Finished in 0.01 seconds (files took 0.1 seconds to load)\n10 examples, 5 failures\n",
    "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
    "Tests: 10, Assertions: 20, Failures: 1.\n",
    "TOTAL    200    80    60%\n",
  ].map((report, at): Habit => ({
    ...{ agent: `rewrites the same test while report ${at + 1} stays what it is`, rows: "C31, L-20" },
    ...printing(report),
    turns: [{ files: { "tests/test_more.sh": "# try {{iteration}}\n" } }],
    ...{ ends: "test_loops", status: "circuit_open", at: 4, earliest: 3 },
  })),
];

const denials: readonly Habit[] = [
  ...[
    ["npm install left-pad", "src/{{iteration}}.ts"],
    ["pip install requests", "app_{{iteration}}.py"],
    ["go get example.org/x", "x{{iteration}}.go"],
    ["cargo add serde", "src/x{{iteration}}.rs"],
    ["bundle add rake", "lib/x{{iteration}}.rb"],
  ].map(([what = "", file = ""]): Habit => ({
    ...{ agent: `is denied ${what} in each turn and edits something else`, rows: "C32, POST 8", flags: SUCCESS },
    turns: [{ files: { [file]: "x\n" }, denied: [what] }],
    ...{ ends: "permission_denied", status: "blocked", at: 2, earliest: 2 },
  })),
  {
    ...{ agent: "is denied something else each time", rows: "C32", flags: SUCCESS },
    turns: [
      { files: BUSY, denied: ["curl a"] },
      { files: BUSY, denied: ["curl b"] },
      { files: WORK, denied: ["curl c"] },
    ],
    ...{ ends: "success_command", status: "completed", at: 3, earliest: 3 },
  },
  {
    ...{ agent: "is denied the same with a turn between", rows: "C32", flags: SUCCESS },
    turns: [{ files: BUSY, denied: ["curl a"] }, { files: BUSY }, { files: BUSY, denied: ["curl a"] }, { files: WORK }],
    ...{ ends: "success_command", status: "completed", at: 4, earliest: 4 },
  },
  {
    ...{ agent: "is denied the same, and is done all the same", rows: "C32, POST 5", flags: SUCCESS },
    turns: [
      { files: BUSY, denied: ["docker ps"] },
      { files: WORK, denied: ["docker ps"] },
    ],
    ...{ ends: "success_command", status: "completed", at: 2, earliest: 2 },
  },
  {
    ...reporting("is denied the same while fewer tests fail", "C32, C23", []),
    ...printing(pytest("test_a", "test_b", "test_c")),
    turns: [
      { files: { "tests/report.txt": pytest("test_a", "test_b") }, denied: ["docker ps"] },
      { files: { "tests/report.txt": pytest("test_a") }, denied: ["docker ps"] },
      { files: WORK },
    ],
    ...{ at: 3, earliest: 3 },
  },
  {
    ...reporting("is denied the same while other tests fail", "C32, C23", []),
    ...printing(pytest("test_a", "test_b")),
    turns: [
      { files: { "tests/report.txt": pytest("test_a", "test_c") }, denied: ["docker ps"] },
      { files: { "tests/report.txt": pytest("test_d", "test_c") }, denied: ["docker ps"] },
      { files: WORK },
    ],
    ...{ at: 3, earliest: 3 },
  },
];

const motion: readonly Habit[] = [
  circling("takes turns between two failures of pytest", "C23", [pytest("test_a"), pytest("test_b")], 5, 4),
  circling("takes turns between two compilers' errors", "C23", ["error TS2304: a\n", "error TS2551: b\n"], 5, 4),
  circling(
    "goes up and down in the number of its failures",
    "C23",
    [pytest("a", "b"), pytest("a", "b", "c"), pytest("a", "b", "c", "d"), pytest("a", "b", "c")],
    9,
    4,
  ),
  circling("breaks what it mended, in three steps", "C23", ["E: one\n", "E: two\n", "E: three\n"], 6, 5),
  circling(
    "swaps two failing tests of Go",
    "C23",
    ["--- FAIL: TestA (0.00s)\nFAIL\n", "--- FAIL: TestB (0.00s)\nFAIL\n"],
    5,
    4,
  ),
  reporting("has fewer failures each time in the same files", "C23", [
    pytest("a", "b", "c", "d"),
    pytest("a", "b", "c"),
    pytest("a", "b"),
    pytest("a"),
  ]),
  ...["vendor/lib", "packages/inner", "third/party"].map((folder): Habit => ({
    ...{
      agent: `works in the nested repository ${folder}`,
      rows: "C34",
      flags: { ...SUCCESS, "max-no-progress": "2" },
    },
    turns: [
      { commands: [`mkdir -p ${folder} && git -C ${folder} init -q && echo 1 > ${folder}/a.txt`] },
      ...[2, 3, 4].map((at) => ({ commands: [`echo ${at} > ${folder}/a.txt`] })),
      { files: WORK },
    ],
    ...{ ends: "success_command", status: "completed", at: 5, earliest: 5 },
  })),
];

export const freshProgress: readonly Habit[] = [...between, ...figures, ...denials, ...motion];
