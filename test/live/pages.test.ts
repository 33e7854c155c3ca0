import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { frame } from "../../src/live/frame.ts";
import { LogLines } from "../../src/live/log-lines.ts";
import { dashboard, settings, stories } from "../../src/live/pages.ts";
import { begin, press } from "../../src/live/ui.ts";
import { line } from "../../src/views/plain-text.ts";
import type { RunView } from "../../src/views/run-view.ts";
import { aLastTurn, aRedCheck, anIterationRecord, someFailing } from "../support/builders.ts";
import { aCheck, aView } from "../views/a-state.ts";
import { aPrd, aRecord, aStory, known, passed } from "../views/some-stories.ts";
import { aLog, aScene, aWatched, logged } from "./a-scene.ts";

const NOTHING = { said: undefined, retry: undefined };

function shown(state: Partial<LoopState>, view: Partial<RunView> = {}, now = NOTHING): readonly string[] {
  const watched = aWatched({
    view: aView(state, { alive: true, ...view }),
    limits: ["10 of 500 tokens"],
    where: view.branch === "fix" ? "../tree" : "",
  });
  return dashboard(watched, now).map(({ text }) => text);
}

const RED = aRedCheck({ command: "npm test", tests: someFailing(["adds", "subtracts"], 2), tail: "boom\n" });
const CHECKED = {
  checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null },
};
const FAILING = { failing: ["adds", "subtracts"], failing_count: 2, failing_digest: "", early: false };

describe("the dashboard shows", () => {
  test.each<[what: string, state: Partial<LoopState>, line: string | RegExp, view?: Partial<RunView>]>([
    [
      "iteration and phase [R-22, D-30]",
      { iteration: 3, phase: "turn" },
      "Status:   running, iteration 3 of 30: the agent works",
    ],
    ["a crashed run [R-22]", {}, /crashed, .*Its run was killed/u, { alive: false }],
    [
      "an ending [R-22]",
      { status: "completed", stop_reason: { kind: "success_command", command: "npm test" } },
      /^Status: {3}completed \(success_command\), iteration 0 of 30\. The success/u,
    ],
    [
      "an ending without success [R-22]",
      { status: "paused_user_interrupt", stop_reason: { kind: "stopped", by: "me" } },
      /^Status: {3}paused_user_interrupt/u,
    ],
    ["branch and work tree [D-30]", {}, "Branch:   fix, in ../tree", { branch: "fix" }],
    ["that there is no branch [D-30]", {}, "Branch:   none, in this workspace"],
    ["the task [D-30]", {}, "Task:     Fix the tests"],
    [
      "items of a checklist [D-30]",
      { plan: { path: "fix_plan.md", agent_file: "", items: 9, ticked: 4, most_items: 9 } },
      "Items:    4 of 9 items ticked in fix_plan.md",
    ],
    [
      "the story at work [D-30]",
      { stories: known([aRecord("US-001", { state: "in_progress", attempts: 2 })], { active: "US-001" }) },
      /^Story: {4}US-001 .*\(attempt 2\)/u,
    ],
    ["that no story is at work [D-30]", { stories: known([]) }, "Story:    none at work"],
    [
      "checks one by one [D-30]",
      { verdict: { result: "failed", checks: [aCheck(), RED] } },
      /^✗ check failed .*npm test/u,
    ],
    [
      "failing tests by name [D-30]",
      { verdict: { result: "failed", checks: [RED] }, failing: FAILING, ...CHECKED },
      /^Failing: 2 tests: adds, subtracts/u,
    ],
    ["that nothing was checked [D-30]", {}, /^Checks: {3}Not verified|^Checks: {3}Nothing|^Checks: /u],
    [
      "the circuit [R-22, R-24]",
      { circuit: { state: "OPEN", trigger: "no_progress", count: 5 } },
      /^Circuit: {2}OPEN \(no progress\)/u,
    ],
    ["calls of the hour [R-22]", { rate: { hour_began: null, calls: 12 } }, /^Calls: {4}12/u],
    ["what limits are used [R-22]", {}, "Budget:   10 of 500 tokens"],
    ["tokens [R-22]", {}, /^Iterations: 0 of 30\. Tokens: 0/u],
    [
      "a failed turn [D-46]",
      { last_turn: aLastTurn({ failure: { kind: "crashed", retryable: true, message: "reset\u001B[31m" } }) },
      "Error:    crashed: reset",
    ],
    [
      "turns that failed [D-46]",
      { iterations: [anIterationRecord({ iteration: 2, agent: "timed_out" })] },
      "Errors:   1 turn failed: iteration 2 timed_out",
    ],
    ["runs after errors [D-46]", { error_resumes: 2 }, "Resumed:  2 times in a row after an error"],
    [
      "what it waits for [D-46]",
      { not_before: { until: "2026-01-06T22:00:00.000Z", why: "usage_limit", message: "later" } },
      /^Wait: {5}waiting until 2026-01-06T22:00:00.000Z/u,
    ],
    [
      "every iteration at a glance [D-05]",
      {
        iterations: [
          anIterationRecord({ iteration: 1, checks: "failed" }),
          anIterationRecord({ iteration: 2, checks: "passed" }),
          anIterationRecord({ iteration: 3, agent: "timed_out" }),
          anIterationRecord({ iteration: 4, checks: "none" }),
        ],
      },
      "History:  ✗✓!–  from iteration 1 on",
    ],
    ["what is next [D-46]", {}, /^Next: It is running/u],
    [
      "that nothing keeps the agent in [T17]",
      {},
      /danger/iu,
      { protection: { sandbox: "danger-full-access", providerArgs: [] } },
    ],
  ])("%s", (_, state, expected, view = {}) => {
    const found = shown(state, view).filter((text) =>
      typeof expected === "string" ? text === expected : expected.test(text),
    );
    expect(found).not.toEqual([]);
  });

  test("what happens now and what is tried again, from the log of this iteration [D-46]", () => {
    const log = aLog([
      logged(1, "agent failed (network), attempt 2, trying again in 5 s: old"),
      logged(2, "agent failed (rate_limit), attempt 3, trying again in 9 s: slow down"),
      logged(2, "agent says: on it"),
    ]);
    const view = (iteration: number) =>
      frame(
        begin("dashboard"),
        aScene({ log, rows: 40, watched: aWatched({ view: aView({ iteration }, { alive: true }) }) }),
      )
        .map(({ text }) => text)
        .join("\n");
    expect(view(2)).toContain("Now:      agent says: on it");
    expect(view(2)).toContain("Retry:    agent failed (rate_limit), attempt 3, trying again in 9 s: slow down");
    expect(view(3)).not.toContain("Retry:");
  });
});

describe("the other views", () => {
  test("stories in their order, with how each is [D-28]", () => {
    const view = aView({ stories: known([passed("US-001")]) }, { prd: aPrd(aStory("US-001"), aStory("US-002")) });
    const texts = stories(aWatched({ view })).map(({ text }) => text);
    expect(texts.some((text) => /\[x\] US-001/u.test(text))).toBe(true);
    expect(texts.some((text) => /\[ \] US-002/u.test(text))).toBe(true);
  });

  test("a loop without stories shows its iterations [D-28]", () => {
    const none = stories(aWatched()).map(({ text }) => text);
    expect(none).toContain("  none is over yet");
    const at = { started_at: "2026-01-06T21:10:00.000Z", ended_at: "2026-01-06T21:14:00.000Z" };
    const iterations = [
      anIterationRecord({ ...at, iteration: 1, checks: "failed", files_changed: 2, lines_added: 10, tokens: 12_345 }),
      anIterationRecord({ ...at, iteration: 2, checks: "passed", files_changed: null, commit: "0123456789" }),
      anIterationRecord({ ...at, iteration: 3, checks: "none" }),
      anIterationRecord({ ...at, iteration: 4, agent: "timed_out" }),
    ];
    const texts = stories(aWatched({ view: aView({ iterations }) })).map(({ text }) => text);
    expect(texts).toContainEqual(
      expect.stringMatching(/^ {2}✗ 1: checks failed, 2 files \(\+10 -\d+\), 12,345 tokens, 4 min/u),
    );
    expect(texts).toContainEqual(
      expect.stringMatching(/^ {2}✓ 2: checks passed, changes not measured, .*commit 0123456$/u),
    );
    expect(texts).toContainEqual(expect.stringMatching(/^ {2}– 3: nothing checked/u));
    expect(texts).toContainEqual(expect.stringMatching(/^ {2}! 4: agent timed_out/u));
  });

  test("what the loop was given [D-28]", () => {
    const given = settings(aWatched({ settings: [line("max-iterations: 9 (flag)")] })).map(({ text }) => text);
    expect(given).toContain("max-iterations: 9 (flag)");
    expect(settings(aWatched()).at(-1)?.text).toMatch(/is not kept/u);
  });
});

describe("the lines of a log", () => {
  test("are bounded, and keep their numbers [C126]", () => {
    const log = new LogLines();
    for (let at = 0; at < 120_000; at += 1) log.add(logged(at, `agent says: ${at}`));
    expect(log.end).toBe(120_000);
    expect(log.end - log.first).toBe(50_000);
    expect(log.at(log.first).text).toContain("agent says: 70000");
    expect(log.at(119_999).iteration).toBe(119_999);
    expect(log.at(3)).toEqual({ iteration: 0, text: "" });
    const long = new LogLines();
    for (let at = 0; at < 900; at += 1) long.add("x".repeat(1_000_000));
    expect((long.end - long.first) * 20_000).toBeLessThanOrEqual(16_000_000);
  });

  test("are put into rows once, however often they are shown; what is kept of that is bounded [C126]", () => {
    const log = aLog(Array.from({ length: 300 }, (_, at) => logged(at, "agent prints: a long line ".repeat(40))));
    const rows = log.rows(0, 80);
    expect(rows.length).toBeGreaterThan(10);
    for (let at = 0; at < 200; at += 1) log.rows(at, 80);
    expect(log.rows(0, 80)).toBe(rows);
    expect(log.rows(0, 40)).not.toBe(rows);
    expect(log.rows(0, 80)).toEqual(rows);
    const again = log.rows(0, 80);
    for (let at = 1; at < 300; at += 1) log.rows(at, 80);
    expect(log.rows(0, 80)).not.toBe(again);
  });

  test("a place that has gone shows the oldest [C126]", () => {
    const log = new LogLines();
    for (let at = 0; at < 60_000; at += 1) log.add(logged(1, `agent says: ${at}`));
    const ui = { ...begin("logs"), place: { line: 5, piece: 3 } };
    expect(frame(ui, aScene({ log }))[1]?.text).toContain("agent says: 10000");
    const [down] = press(ui, "down", aScene({ log }));
    expect(frame(down, aScene({ log }))[1]?.text).toContain("agent says: 10001");
    // And what is behind it is found from there.
    const next = (search: string, key: string) => press({ ...ui, search }, key, aScene({ log }))[0];
    expect(next("says: 40000", "n").place).toEqual({ line: 40_000, piece: 0 });
    log.add(logged(2, "agent says: at last"));
    expect(next("", "]").place).toEqual({ line: 60_000, piece: 0 });
    const last = { ...begin("logs"), search: "at last", place: { line: 60_000, piece: 0 } };
    expect(press(last, "n", aScene({ log }))[0].said).toBe('"at last" is not further down.');
  });

  test.each([
    ["a line without a stamp is of the iteration before it", "no stamp", 80, "no stamp", "plain"],
    [
      "in a narrow pane the time is left out",
      logged(1, "check passed (exit 0, 1 s): npm test"),
      59,
      "[1/30] check passed (exit 0, 1 s): npm test",
      "good",
    ],
    [
      "a red check",
      logged(1, "check failed (exit 1): npm test"),
      80,
      "21:10:07 [1/30] check failed (exit 1): npm test",
      "bad",
    ],
    [
      "a beginning",
      logged(1, "iteration 1 started, fresh session"),
      80,
      "21:10:07 [1/30] iteration 1 started, fresh session",
      "strong",
    ],
    ["a warning", logged(1, "agent is blocked: no key"), 80, "21:10:07 [1/30] agent is blocked: no key", "warn"],
  ])("%s [C122]", (_, text, columns, expected, tone) => {
    const log = aLog([logged(1, "x"), text]);
    expect(log.rows(1, columns)).toEqual([{ line: 1, piece: 0, shown: { text: expected, tone } }]);
    expect(log.at(1).iteration).toBe(1);
  });
});
