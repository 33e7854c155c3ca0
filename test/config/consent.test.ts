import { describe, expect, test } from "vitest";
import { askingIn, askingInTask, readPaths } from "../../src/config/consent.ts";
import { readConfigFile } from "../../src/config/read.ts";
import { allowedIn } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { staysInside } from "../../src/config/settings/consent.ts";
import type { TaskIdentity } from "../../src/core/task.ts";

function asked(text: string, leadsOut: readonly string[] = []): readonly string[] {
  const { given } = readConfigFile({ path: "f", text });
  return askingIn(given, new Set(leadsOut)).map(({ name }) => name);
}

/** What a repository's file may say to anybody: words, numbers, limits, and what only makes the loop stricter. */
const FREE_IN_A_FILE = [
  ..."prompt backlog continue-prompt completion-promise promise-mode promise-guard done-token status-block".split(" "),
  ..."exit-gate max-consecutive-done-signals check-first check-when weak-proof check-timeout-minutes model prices session".split(
    " ",
  ),
  ..."session-max-iterations retries retry-delay-seconds max-iterations max-tokens max-tokens-per-day max-total-minutes max-calls-per-hour".split(
    " ",
  ),
  ..."time-budget-minutes reserve-minutes iteration-timeout-minutes idle-timeout-minutes interval-seconds".split(" "),
  ..."max-wait min-free-disk max-error-resumes max-no-progress max-same-error max-consecutive-test-loops".split(" "),
  ..."max-missing-status breaker-open-multiplier hard-stop-token hard-stop-mode hard-stop-when loop-id".split(" "),
  ..."prd max-stories story-attempts on-blocked-story worktree reviewer reviewer-vetoes flake-check fix-flakes".split(
    " ",
  ),
];

describe("every setting says whether it needs consent [T8]", () => {
  test("a row without a word does not exist, and those that a file may say freely are these", () => {
    expect(SETTINGS.filter(({ consent }) => consent === undefined)).toEqual([]);
    const free = SETTINGS.filter((setting) => setting.consent === null && allowedIn(setting, "file"));
    expect(free.map(({ name }) => name).toSorted()).toEqual(FREE_IN_A_FILE.toSorted());
  });

  test.each(
    SETTINGS.filter(
      (row) =>
        row.type === "argv" || /^<?(?:path|script|command)>?$/u.test("placeholder" in row ? row.placeholder : ""),
    ),
  )("$name starts or names something, so that it asks unless no file may say it", (row) => {
    expect(row.consent !== null || !allowedIn(row, "file")).toBe(true);
  });

  test("what no file may say asks for nothing", () => {
    const nowhere = SETTINGS.filter((setting) => !allowedIn(setting, "file"));
    expect(nowhere.filter(({ consent }) => consent !== null)).toEqual([]);
  });
});

describe("what of a file needs consent [T8]", () => {
  test.each([
    ['provider = "codex"', []],
    ['provider = "command"', ["provider"]],
    ['provider = "scripted"\nscript = "turns.json"', ["provider", "script"]],
    ['provider-args = ["-c", "a=b"]', ["provider-args"]],
    ["codex-args = []", []],
    ['sandbox = "read-only"', []],
    ['sandbox = "workspace-write"', ["sandbox"]],
    ["full-auto = true\nnetwork = true", ["full-auto", "network"]],
    ["full-auto = false\nnetwork = false\nskip-git-repo-check = false", []],
    ["skip-git-repo-check = true", ["skip-git-repo-check"]],
    ["require-isolation = true", []],
    ["require-isolation = false", ["require-isolation"]],
    ['ask-for-approval = "on-request"', []],
    ['ask-for-approval = "never"', ["ask-for-approval"]],
    ['profile = "open"', ["profile"]],
    ['pass-env = ["NPM_*"]', ["pass-env"]],
    ['preset = "waylon"', []],
    ['preset = "ralph"', []],
    ['preset = "loopr"', []],
    ['preset = "solo"', ["preset"]],
    ['commit = "never"', []],
    ['commit = "end"', ["commit"]],
    ['check-sandbox = "strict"', []],
    ['check-sandbox = "off"', ["check-sandbox"]],
    ['quality-commands = ["npm test"]', ["quality-commands"]],
    ['projections = ["ralph"]', ["projections"]],
    ['state-file = "s.json"\nsummary-json = "s"', ["state-file", "summary-json"]],
    ['last-message-dir = "m"\njsonl-events = "e"', ["last-message-dir", "jsonl-events"]],
    ['prompt-file = "PROMPT.md"\nplan-file = "docs/../plan.md"\nagent-file = "./a.md"', []],
    [
      'prompt-file = "/etc/passwd"\ntodo-file = "../x"\nagent-file = "a/../../b"',
      ["prompt-file", "todo-file", "agent-file"],
    ],
    ['loopr-root = ".."\nsolo-config = "s.json"', ["loopr-root"]],
  ])("%s", (text, names) => {
    expect(asked(text)).toEqual(names);
  });

  test("a link that leads out asks although its name stays inside", () => {
    const text = 'prompt-file = "p.md"\nagent-file = "a.md"\n';
    expect(readPaths(readConfigFile({ path: "f", text }).given)).toEqual(
      new Map([
        ["prompt-file", "p.md"],
        ["agent-file", "a.md"],
      ]),
    );
    expect(asked(text, ["agent-file"])).toEqual(["agent-file"]);
  });

  test("what is withheld is as if it were not there; mistakes are told all the same", () => {
    const file = {
      path: "f",
      text: 'success-sh = "x"\nmodel = "m"\nretries = -1\n',
      withheld: new Set(["success-sh"]),
    };
    const { given, problems } = readConfigFile(file);
    expect([[...given.keys()], problems.length]).toEqual([["model"], 1]);
  });
});

test.each([
  ["a/b", true],
  ["./a/../b", true],
  ["", true],
  ["..a", true],
  ["a/../..", false],
  ["../a", false],
  ["/a", false],
  [String.raw`..\a`, false],
  [String.raw`C:\a`, false],
])("%j stays inside: %s [T8]", (file, stays) => {
  expect(staysInside(file)).toBe(stays);
});

test("of a stored task everything asks that it would run or read outside [T15]", () => {
  const task: TaskIdentity = {
    prompt: "x",
    promise: { text: "DONE", mode: "tag", guard: "off" },
    doneToken: null,
    checks: { successCommand: ["true"], successShell: null, quality: ["lint"], ci: null },
    todo: { path: "/etc/todo", token: "HARD STOP", mode: "pause", when: "reached" },
    plan: { path: "plan.md", agentFile: "../a.md" },
    prd: null,
  };
  const names = askingInTask(task, "L.json").map(({ where }) => where);
  expect(names).toEqual([
    "L.json [success-cmd]",
    "L.json [quality-commands]",
    "L.json [todo-file]",
    "L.json [agent-file]",
  ]);
  const empty = { ...task, checks: { ...task.checks, successCommand: null, quality: [] }, todo: null, plan: null };
  expect(askingInTask(empty, "L.json")).toEqual([]);
});
