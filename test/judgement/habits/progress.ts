import { BUSY, DONE, type Habit, QUALITY, SUCCESS, TESTED, TESTS, type Turn, WORK } from "../habit.ts";

/** Agents that are judged by what checks come to between claims, and by whether they get any further. */

const MINUTE_MS = 60_000;
/** A turn that takes so long that a check costs little beside it. */
const long = (turn: Turn): Turn => ({ delayMs: MINUTE_MS, ...turn });

const CAP = { ...QUALITY, "max-iterations": "4" } as const;
const SAYS = { lastMessage: "I go on with the next part." } as const;

/** Each time that the check runs it leaves a line where git does not look; the fourth time it is green. */
const COUNTED = {
  "quality-commands": "echo asked >>.git/asked; [ $(wc -l <.git/asked) -ge 4 ] && grep -qx done work.txt",
} as const;

const between: readonly Habit[] = [
  {
    agent: "does its work, and never says so",
    rows: "C30",
    flags: CAP,
    turns: [long({ files: { ...WORK, ...BUSY }, ...SAYS })],
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 4,
    earliest: 1,
  },
  {
    agent: "does its work unseen, and says so when it is told that the checks are green",
    rows: "C30, POST 7",
    flags: QUALITY,
    turns: [long({ files: WORK, ...SAYS }), { lastMessage: DONE }],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "is asked about after every turn, and so has been asked often enough when it claims",
    rows: "C30",
    flags: { ...COUNTED, "check-when": "change" },
    turns: [
      { files: BUSY, ...SAYS },
      { files: BUSY, ...SAYS },
      { files: WORK, lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 3,
    earliest: 3,
  },
  {
    agent: "works in short turns, and is asked about after the third",
    rows: "C30",
    flags: { ...COUNTED, "check-first": "false" },
    turns: [
      { files: BUSY, ...SAYS },
      { files: BUSY, ...SAYS },
      { files: BUSY, ...SAYS },
      { files: BUSY, ...SAYS },
      { files: WORK, lastMessage: DONE },
      { lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 6,
    earliest: 5,
  },
  {
    agent: "goes back and forth between claims, with the same check red",
    rows: "C30, L-19",
    flags: { ...QUALITY, "check-when": "change", "max-no-progress": "0", "max-same-error": "3" },
    turns: [0, 1, 0, 1, 0, 1, 0].map((say) => ({ files: { "work.txt": `${say}\n` }, ...SAYS })),
    ends: "same_error",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "works for long between claims with the same check red, and gets there",
    rows: "C30, L-19",
    flags: { ...QUALITY, "max-same-error": "3" },
    turns: [...Array.from({ length: 6 }, () => long({ files: BUSY, ...SAYS })), { files: WORK, lastMessage: DONE }],
    ends: "promise",
    status: "completed",
    at: 7,
    earliest: 7,
  },
  {
    agent: "has its checks green twice between claims by deleting a test, and is refused once when it claims",
    rows: "C30, C21",
    flags: { "quality-commands": "sh check.sh", "check-when": "change" },
    files: TESTED,
    turns: [
      { files: BUSY, delete: ["tests/test_work.sh"], ...SAYS },
      { files: BUSY, ...SAYS },
      { files: BUSY, lastMessage: DONE },
      { files: { ...WORK, "tests/test_work.sh": TESTED["tests/test_work.sh"] }, lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 4,
    earliest: 4,
  },
  {
    agent: "is green between claims, and says in its block that it goes on",
    rows: "C30, C5",
    flags: { ...CAP, "status-block": "loopr", "check-when": "change" },
    turns: [
      long({
        files: { ...WORK, ...BUSY },
        lastMessage: "---LOOPR_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_LOOPR_STATUS---",
      }),
    ],
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 4,
    earliest: 1,
  },
  {
    agent: "is not asked about between claims, because a person does not want that",
    rows: "C30",
    flags: { ...COUNTED, "check-when": "claim", "max-iterations": "5" },
    turns: [long({ files: BUSY, ...SAYS }), long({ files: BUSY, ...SAYS }), { files: WORK, lastMessage: DONE }],
    ends: "promise",
    status: "completed",
    at: 5,
    earliest: 5,
  },
];

const COVERAGE = { "success-sh": "cat coverage.txt; grep -qx done work.txt" } as const;
const report = (percent: number) => `Lines : ${percent}% ( ${percent}/100 )\n`;
const edit = (text: string): Record<string, string> => ({ "tests/test_start.sh": `# ${text}\ntrue\n` });

const loops: readonly Habit[] = [
  {
    agent: "edits the same test again and again",
    rows: "L-20, C31",
    flags: SUCCESS,
    files: TESTED,
    turns: [1, 2, 3, 4].map((at) => ({ files: edit(`${at}`) })),
    ends: "test_loops",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "moves a test from file to file",
    rows: "L-20, C31",
    flags: SUCCESS,
    files: TESTED,
    turns: ["start", "a", "b", "c"].slice(1).map((name, at) => ({
      files: { [`tests/test_${name}.sh`]: "true\n" },
      delete: [`tests/test_${["start", "a", "b"][at]}.sh`],
    })),
    ends: "test_loops",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "rewrites fixtures and nothing else",
    rows: "L-20, C31",
    flags: SUCCESS,
    turns: [1, 2, 3, 4].map((at) => ({ files: { "tests/fixtures/a.json": `${at}` } })),
    ends: "test_loops",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "edits tests while the coverage stays where it is",
    rows: "L-20, C31",
    flags: COVERAGE,
    files: { ...TESTED, "coverage.txt": report(50) },
    turns: [1, 2, 3, 4].map((at) => ({ files: edit(`${at}`) })),
    ends: "test_loops",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "edits tests so that the coverage goes up and down between two figures",
    rows: "L-20, C31",
    flags: COVERAGE,
    files: { ...TESTED, ".gitignore": "coverage.txt\n", "coverage.txt": report(50) },
    turns: [60, 50, 60, 50, 60].map((percent, at) => ({
      files: { ...edit(`${at}`), "coverage.txt": report(percent) },
    })),
    ends: "test_loops",
    status: "circuit_open",
    at: 4,
    earliest: 4,
  },
  {
    agent: "adds a file of tests in each of its first turns",
    rows: "L-20, C31",
    flags: TESTS,
    files: TESTED,
    turns: [...[1, 2, 3, 4].map((at) => ({ files: { [`tests/test_${at}.sh`]: "true\n" } })), { files: WORK }],
    ends: "success_command",
    status: "completed",
    at: 5,
    earliest: 5,
  },
  {
    agent: "writes more tests into one file, which the check counts",
    rows: "L-20, C31",
    flags: TESTS,
    files: {
      ...TESTED,
      "check.sh":
        'n=$(grep -c true tests/test_start.sh); if grep -qx done work.txt; then f=0; else f=1; fi\necho "=== $f failed, $n passed in 0.01s ==="; [ $f = 0 ]\n',
    },
    turns: [
      ...[1, 2, 3, 4].map((more) => ({ files: { "tests/test_start.sh": "true\n".repeat(more + 1) } })),
      { files: WORK },
    ],
    ends: "success_command",
    status: "completed",
    at: 5,
    earliest: 5,
  },
  {
    agent: "raises the coverage with each turn",
    rows: "L-20, C31",
    flags: {
      "success-sh":
        'n=$(grep -c true tests/test_start.sh); echo "Lines : $((n * 10)).5% ( $n/10 )"; [ $n = 5 ] && grep -qx done work.txt',
    },
    files: TESTED,
    turns: [
      ...[1, 2, 3, 4].map((more) => ({ files: { "tests/test_start.sh": "true\n".repeat(more + 1) } })),
      { files: WORK },
    ],
    ends: "success_command",
    status: "completed",
    at: 5,
    earliest: 5,
  },
  {
    agent: "writes failing tests first, and then what makes them pass",
    rows: "L-20, C31",
    flags: TESTS,
    files: TESTED,
    turns: [
      ...[1, 2, 3].map((at) => ({ files: { [`tests/test_${at}.sh`]: `[ -e part-${at} ]\n` } })),
      { files: { ...WORK, "part-1": "", "part-2": "", "part-3": "" } },
    ],
    ends: "success_command",
    status: "completed",
    at: 4,
    earliest: 4,
  },
  {
    agent: "writes tests and code by turns",
    rows: "L-20, C31",
    flags: SUCCESS,
    files: TESTED,
    turns: [{ files: edit("1") }, { files: edit("2") }, { files: BUSY }, { files: edit("3") }, { files: WORK }],
    ends: "success_command",
    status: "completed",
    at: 5,
    earliest: 5,
  },
];

export const progress: readonly Habit[] = [...between, ...loops];
