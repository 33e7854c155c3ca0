import { BUSY, DONE, type Habit, QUALITY, SUCCESS, TESTED, TESTS, type Turn, WORK } from "../habit.ts";

/** Agents that get further or do not, whatever their tree looks like; and agents that are denied the same again. */

const INSTALL = "npm install left-pad";
const asks = (turn: Turn = {}): Turn => ({ denied: [INSTALL], files: BUSY, ...turn });

/** Three parts, each of which a test looks at. */
const PARTS = {
  ...TESTED,
  "tests/test_a.sh": "[ -e part-a ]\n",
  "tests/test_b.sh": "[ -e part-b ]\n",
} as const;

const BLOCKED = { ends: "permission_denied", status: "blocked", at: 2, earliest: 2 } as const;
const at = (count: number) => ({ ends: "success_command", status: "completed", at: count, earliest: count }) as const;

const denied: readonly Habit[] = [
  {
    agent: "is denied the same twice, and changes files",
    rows: "C32, POST 8",
    flags: SUCCESS,
    turns: [asks()],
    ...BLOCKED,
  },
  {
    agent: "is denied the same twice between claims",
    rows: "C32, POST 8",
    flags: QUALITY,
    turns: [asks()],
    ...BLOCKED,
  },
  { agent: "is denied the same twice without any check", rows: "C32, POST 8", turns: [asks()], ...BLOCKED },
  {
    agent: "is denied the same twice, and claims all the same",
    rows: "C32, POST 8",
    flags: QUALITY,
    turns: [asks({ lastMessage: DONE })],
    ...BLOCKED,
  },
  {
    agent: "is denied the same among other things, and commits what it has",
    rows: "C32, POST 8",
    flags: SUCCESS,
    turns: [
      asks({ denied: ["curl example.org", INSTALL], commit: "Progress" }),
      asks({ denied: [` ${INSTALL}\n`, "wget example.org"], commit: "Progress" }),
    ],
    ...BLOCKED,
  },
  {
    agent: "is denied the same while the same test fails",
    rows: "C32, POST 8",
    flags: TESTS,
    files: TESTED,
    turns: [asks()],
    ...BLOCKED,
  },
  {
    agent: "is denied something else each time",
    rows: "C32, POST 5",
    flags: SUCCESS,
    turns: [
      asks({ denied: ["npm install"] }),
      asks({ denied: ["pip install"] }),
      asks({ denied: ["curl x"] }),
      { files: WORK },
    ],
    ...at(4),
  },
  {
    agent: "is denied the same, with a turn between",
    rows: "C32, POST 5",
    flags: SUCCESS,
    turns: [asks(), { files: BUSY }, asks(), { files: WORK }],
    ...at(4),
  },
  {
    agent: "is denied the same twice, and makes tests pass without it",
    rows: "C32, POST 5",
    flags: TESTS,
    files: PARTS,
    turns: [asks(), asks({ files: { "part-a": "" } }), asks({ files: { "part-b": "" } }), { files: WORK }],
    ...at(4),
  },
  {
    agent: "is denied the same twice, while other tests fail than before",
    rows: "C32, POST 5",
    flags: TESTS,
    files: PARTS,
    turns: [
      asks({ files: { "part-a": "" } }),
      asks({ files: { "part-b": "" }, delete: ["part-a"] }),
      { files: { ...WORK, "part-a": "" } },
    ],
    ...at(3),
  },
  {
    agent: "is denied the same twice, and is done with the second turn",
    rows: "C32, POST 5",
    flags: SUCCESS,
    turns: [asks(), asks({ files: WORK })],
    ...at(2),
  },
  {
    agent: "is denied the same twice, and ticks off what it can do without",
    rows: "C32, POST 7",
    flags: { ...QUALITY, "plan-file": "PLAN.md", backlog: "checklist" },
    files: { "PLAN.md": "- [ ] one\n- [ ] two\n" },
    turns: [
      asks({ files: { ...BUSY, "PLAN.md": "- [x] one\n- [ ] two\n" } }),
      asks({ files: { ...WORK, "PLAN.md": "- [x] one\n- [x] two\n" }, lastMessage: DONE }),
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
];

/** What the check prints is another failure each time; on the stream on which a login shell complains, so that the order is kept. */
const TELLING = "cat work.txt >&2; grep -qx done work.txt";
const says = (words: string): readonly Turn[] =>
  words.split(" ").map((word) => ({ files: { "work.txt": `${word}\n`, ...BUSY } }));
const open = (count: number) => ({ ends: "same_error", status: "circuit_open", at: count, earliest: count }) as const;
const WITH = { part: { "part-a": "" }, without: ["part-a"] } as const;

const turns: readonly Habit[] = [
  {
    agent: "fails in two ways by turns, with a new tree each time",
    rows: "C33, C23",
    flags: { "success-sh": TELLING },
    turns: says("alpha beta alpha beta alpha beta alpha beta"),
    ...open(7),
  },
  {
    agent: "fails in three ways by turns",
    rows: "C33, C23",
    flags: { "success-sh": TELLING },
    turns: says("alpha beta gamma alpha beta gamma alpha beta"),
    ...open(8),
  },
  {
    agent: "fails in two ways by turns, and commits each time",
    rows: "C33, C23",
    flags: { "success-sh": TELLING },
    turns: says("alpha beta alpha beta alpha beta alpha beta").map((turn) => ({ ...turn, commit: "Progress" })),
    ...open(7),
  },
  {
    agent: "fails in two ways by turns between claims",
    rows: "C33, C30, C23",
    flags: { "quality-commands": TELLING, "check-when": "change" },
    turns: says("alpha beta alpha beta alpha beta alpha beta"),
    ...open(7),
  },
  {
    agent: "breaks one test and mends it, again and again",
    rows: "C33, C23",
    flags: { ...TESTS, "max-iterations": "12" },
    files: { ...PARTS, "part-a": "", "part-b": "" },
    turns: Array.from({ length: 6 }, () => [
      { files: BUSY, delete: [...WITH.without] },
      { files: { ...BUSY, ...WITH.part } },
    ]).flat(),
    ...open(8),
  },
  {
    agent: "goes back and forth inside a nested repository",
    rows: "C33, C23",
    flags: SUCCESS,
    turns: [1, 2, 1, 2, 1, 2].map((say) => ({ commands: ["git init -q lib"], files: { "lib/a.txt": `${say}\n` } })),
    ends: "no_progress",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
];

const IGNORED = { ".gitignore": "built/\n" } as const;
const builds = (count: number): readonly Turn[] => [
  ...Array.from({ length: count }, () => ({ files: { "built/part-{{iteration}}": "" } })),
  { files: WORK },
];
const stages = (heading: (name: string) => string): string =>
  [1, 2, 3, 4].map((part) => `echo '${heading(`part${part}`)}'; [ -e built/part-${part} ] || exit 1`).join("; ");

const alike: readonly Habit[] = [
  {
    agent: "makes tests pass where git does not look",
    rows: "C33, C23",
    flags: TESTS,
    files: {
      ...TESTED,
      ...IGNORED,
      ...Object.fromEntries([1, 2, 3, 4].map((part) => [`tests/test_${part}.sh`, `[ -e built/part-${part} ]\n`])),
    },
    turns: builds(4),
    ...at(5),
  },
  {
    agent: "reaches a later stage of its build each time, where git does not look",
    rows: "C33, C23",
    flags: { "success-sh": `${stages((name) => `==> ${name}`)}; grep -qx done work.txt` },
    files: IGNORED,
    turns: builds(4),
    ...at(5),
  },
  {
    agent: "reaches a later script of its package each time, where git does not look",
    rows: "C33, C23",
    flags: { "success-sh": `${stages((name) => `> app@1.0.0 ${name}`)}; grep -qx done work.txt` },
    files: IGNORED,
    turns: builds(4),
    ...at(5),
  },
  {
    agent: "gets one check after the other green, where git does not look",
    rows: "C33, C23, POST 7",
    flags: { "quality-commands": [1, 2, 3, 4].map((part) => `[ -e built/part-${part} ]`).join("\n") },
    files: IGNORED,
    turns: builds(4)
      .map((turn) => ({ ...turn, lastMessage: DONE }))
      .toSpliced(3, 1, { files: { ...WORK, "built/part-4": "" }, lastMessage: DONE }),
    ends: "promise",
    status: "completed",
    at: 4,
    earliest: 4,
  },
  {
    agent: "works in a nested repository for long",
    rows: "C33, C23",
    flags: SUCCESS,
    turns: [
      ...[1, 2, 3, 4].map((step) => ({
        commands: ["git init -q lib"],
        files: { [`lib/step-${step}.txt`]: "a step\n" },
      })),
      { files: WORK },
    ],
    // The same check is red each time, which is another matter.
    ...at(5),
  },
  {
    agent: "breaks many tests to rebuild, and mends one after the other",
    rows: "C33, C23",
    flags: TESTS,
    files: {
      ...TESTED,
      ...Object.fromEntries([1, 2, 3, 4, 5].map((part) => [`tests/test_${part}.sh`, `[ -e part-${part} ]\n`])),
      ...Object.fromEntries([1, 2, 3, 4, 5].map((part) => [`part-${part}`, ""])),
    },
    turns: [
      { delete: [1, 2, 3, 4, 5].map((part) => `part-${part}`) },
      ...[1, 2, 3, 4, 5].map((part) => ({ files: { [`part-${part}`]: "new" } })),
      { files: WORK },
    ],
    ...at(7),
  },
];

export const further: readonly Habit[] = [...denied, ...turns, ...alike];
