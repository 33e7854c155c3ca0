import { describe, expect, test } from "vitest";
import type { LoopEvent, LoopResumed } from "../../../src/core/events.ts";
import type { StopReason } from "../../../src/core/outcome.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import { compare, comparisonJson, comparisonLines, type Side } from "../../../src/views/stats/compare.ts";
import { statsLines } from "../../../src/views/stats/lines.ts";
import { type Began, countRuns, type LoopStats, noRuns, statsOf } from "../../../src/views/stats/loop-stats.ts";
import { type LeftOut, statsJson, totalsOf } from "../../../src/views/stats/totals.ts";
import { aFailure, aTask, aVerdict, BOUNDS } from "../../support/builders.ts";
import { columnsOf } from "../../../src/views/plain-text.ts";
import { EACH } from "../some-stories.ts";
import { aState, settled, started, turnEnded, turnStarted } from "../a-state.ts";

const at = "2026-01-06T21:10:00.000+00:00";
const NO_CHANGE = { files: 0, added: 0, removed: 0, stat: "", only_tests: false };
const CHANGE = { ...NO_CHANGE, files: 1, added: 1, stat: "a | 1 +" };
const PROMISE: StopReason = { kind: "promise", verified: true };
const CAPPED: StopReason = { kind: "max_iterations", max: 2 };
const GREEN: StopReason = { kind: "already_green", command: "npm test" };

function resumed(provider = "scripted"): LoopResumed {
  const runtime = { ...aTask().runtime, provider };
  return { type: "loop_resumed", at, by: "person", runtime, max_iterations: 30, bounds: BOUNDS, ...NOTHING };
}
const NOTHING = { guidance: null, github: null, snapshot: null };

function stopped(reason: StopReason): LoopEvent {
  return { type: "loop_stopped", at, commit: null, reason };
}

type Turn = Parameters<typeof turnEnded>[0];

function turn(overrides: Turn = {}, provider?: string): readonly LoopEvent[] {
  const ended = turnEnded({ change: CHANGE, duration_ms: 1_000, ...overrides });
  return [turnStarted(1, provider === undefined ? {} : { provider }), ended, settled()];
}

function statsFrom(...events: readonly LoopEvent[]): LoopStats {
  const runs = events.reduce(countRuns, noRuns());
  return statsOf({ state: aState(), where: "", runs });
}

const OTHERS: readonly LoopEvent[] = [
  { type: "session_opened", at, session_id: "s" },
  { type: "published", at, head: null, pull_request: null, continues: false },
];

describe("the runs of a loop", () => {
  test.each<[what: string, events: readonly LoopEvent[], falseStarts: number | null, savedMs: number]>([
    ["one that changed something", [started(), ...OTHERS, ...turn(), stopped(CAPPED)], 0, 0],
    ["one whose turn changed nothing", [started(), ...turn({ change: NO_CHANGE }), stopped(CAPPED)], 1, 0],
    ["one that was green before a turn", [started(), stopped(GREEN)], 1, 0],
    ["one that went on from a turn", [started(), ...turn(), stopped(CAPPED), resumed(), ...turn()], 0, 1_000],
    ["three, whose turns count once", [started(), ...turn(), resumed(), ...turn(), resumed(), ...turn()], 0, 2_000],
    [
      "one that had to pay for its turn again",
      [started(), ...turn({ failure: aFailure() }), resumed(), ...turn()],
      0,
      0,
    ],
    [
      "one that only proved earlier work",
      [started(), ...turn(), stopped(CAPPED), resumed(), stopped(PROMISE)],
      0,
      1_000,
    ],
    ["one that did nothing after it went on", [started(), ...turn(), resumed(), stopped(CAPPED)], 1, 1_000],
    ["without git", [started(), ...turn({ change: null }), stopped(CAPPED)], null, 0],
    ["without git in one turn of two", [started(), ...turn({ change: null }), ...turn(), stopped(CAPPED)], 0, 0],
    ["one that died in its turn", [started(), turnStarted(1)], null, 0],
    [
      "one whose second turn was found dead",
      [started(), ...turn(), { type: "turn_abandoned", at, iteration: 2 }, stopped(CAPPED)],
      0,
      0,
    ],
    ["one that found a dead turn", [started(), { type: "turn_abandoned", at, iteration: 1 }, stopped(CAPPED)], null, 0],
  ])("%s: false starts, and time saved [C140]", (_, events, falseStarts, savedMs) => {
    expect(statsFrom(...events)).toMatchObject({ falseStarts, savedMs });
  });

  test("whoever took a turn is known, a story's own agent included [C142]", () => {
    const events = [started(), ...turn(), ...turn({}, "codex"), resumed("command"), ...turn(), ...turn()];
    expect(statsFrom(...events).providers).toEqual(["scripted", "codex", "command"]);
    expect(statsFrom(started())).toMatchObject({ providers: ["scripted"], models: [null] });
  });

  test("a generation begins its runs anew and keeps its PRD's stories [W-57, D-09]", () => {
    const first = [started(), ...turn(), stopped(PROMISE)].reduce(countRuns, noRuns());
    const second = [started(), stopped(GREEN)].reduce(countRuns, noRuns(first));
    expect(second).toMatchObject({ falseStarts: 1, counts: { generations: 1, stories: first.counts.stories } });
  });
});

const CHECKED = { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null };

const CHANGES = { files_changed: 1, lines_added: 1, lines_removed: 0, commit: null };
const UNTOLD = { iteration: 1, started_at: at, ended_at: at, claimed: false, tokens: 0, ...CHANGES };

describe("what a state says", () => {
  const spent = { ...aState().spent, turns: 2, tokens: 500, cost: 40_000, priced_turns: 2 };
  const done: Partial<LoopState> = {
    ...{ checks: CHECKED, verdict: aVerdict(), iteration: 2, spent, status: "completed", stop_reason: PROMISE },
  };
  test.each<[what: string, state: Partial<LoopState>, told: Partial<LoopStats>]>([
    ["proved", done, { provedAt: 2, tokens: 500, cost: 40_000, status: "completed", reason: "promise" }],
    ["not checked", { ...done, checks: { ...CHECKED, success_cmd: null } }, { provedAt: null }],
    ["green before a turn", { ...done, stop_reason: GREEN, first_check: aVerdict() }, { provedAt: null }],
    ["without turns", { ...done, spent: aState().spent }, { provedAt: null, tokens: 0, cost: 0 }],
    ["without a reason", { ...done, stop_reason: null }, { reason: null }],
    ["crashed", { ...done, status: "running" }, { status: "crashed", reason: null, provedAt: null }],
    ["an agent that tells no tokens", { ...done, spent: { ...spent, tokens: 0 } }, { tokens: null }],
    [
      "whose turn went well without tokens",
      { ...done, iterations: [{ ...UNTOLD, agent: "ok", checks: "passed" }] },
      { tokens: null },
    ],
    [
      "proved by CI",
      { ...done, checks: { ...CHECKED, ci_workflow: "ci.yml" } },
      { checks: ["npm test", "CI's ci.yml"] },
    ],
    ["of a PRD", { ...done, stories: EACH.stories }, { began: null }],
    ["a turn without a price", { ...done, spent: { ...spent, priced_turns: 1 } }, { cost: null }],
    ["resumed", { ...done, spent: { ...spent, resumes: 1 } }, { runs: 2, savedMs: null, falseStarts: null }],
    ["without a resume", done, { runs: 1, savedMs: 0, falseStarts: null, tally: null }],
  ])("%s [C140]", (_, state, told) => {
    expect(statsOf({ state: aState(state), where: "", runs: null })).toMatchObject(told);
  });

  test("its events are the same loop's [C140]", () => {
    const events = [started(), ...turn(), stopped(CAPPED)];
    const [first, ...rest] = events;
    const begun = first && transition(undefined, first);
    const state = rest.reduce((before, event) => before && transition(before, event), begun);
    expect(state && statsOf({ state, where: "", runs: events.reduce(countRuns, noRuns()) })).toMatchObject({
      ...{ status: "stopped_max_iterations", iterations: 1, turns: 1, turnMs: 1_000, falseStarts: 0 },
      tally: { generations: 1, ended: 1 },
    });
  });
});

function aLoop(overrides: Partial<LoopStats> = {}): LoopStats {
  const stats = statsOf({ state: aState(), where: "", runs: null });
  return {
    ...stats,
    turns: 1,
    tokens: 100,
    cost: 1_000_000,
    falseStarts: 0,
    provedAt: 1,
    ...{ status: "completed", reason: "promise" },
    ...overrides,
  };
}

const textOf = (loops: readonly LoopStats[], leftOut: readonly LeftOut[] = []): string =>
  statsLines({ loops, leftOut }, Infinity)
    .map(({ text }) => text)
    .join("\n");

describe("all together", () => {
  test("a loop over twice the median cost is named, and twice is not over [C141]", () => {
    const loops = [1, 1, 2, 3].map((usd, index) => aLoop({ loopId: `l${index}`, cost: usd * 700_000 }));
    const costly = [...loops, aLoop({ loopId: "dear", cost: 2_800_001 }), aLoop({ loopId: "free", cost: 0, turns: 0 })];
    expect(totalsOf(costly).costly.map(({ loopId }) => loopId)).toEqual(["dear"]);
    expect(textOf(costly)).toContain("Over twice the median cost of 1.40 USD: dear (2.80 USD)");
  });

  test.each<[what: string, loops: readonly LoopStats[], told: string]>([
    ["an unknown number is a dash", [aLoop({ tokens: null, cost: null })], "A proof takes: –, –"],
    ["one unknown number is enough", [aLoop(), aLoop({ cost: null })], "A proof takes: 100 tokens, –"],
    [
      "what is spent in vain is in a proof",
      [aLoop(), aLoop({ provedAt: null })],
      "A proof takes: 200 tokens, 2.00 USD",
    ],
    ["no proof has no price", [aLoop({ provedAt: null })], "Proved: 0 of 1\nA proof takes: –, –"],
    ["median and spread", [1, 4, 9].map((provedAt) => aLoop({ provedAt })), "at iteration 4 (median, n=3; 1 to 9)"],
    [
      "bars",
      [1, 3, 3].map((provedAt) => aLoop({ provedAt })),
      `  1 |${"#".repeat(15)} 1\n  2 |0\n  3 |${"#".repeat(30)} 2`,
    ],
    ["wide bars", [aLoop({ provedAt: 2 }), aLoop({ provedAt: 25 })], "    1-3 |"],
    ["a later generation, of elsewhere", [aLoop({ generation: 3, where: "pkg" })], "repo-1 #3 (in pkg)  completed"],
    ["false starts that are not known", [aLoop({ falseStarts: null })], "1.00 USD  –"],
    ["no events", [aLoop()], "refused claims: – (no loop has its events)"],
    ["no loop", [], "No loop is counted."],
  ])("%s [C141]", (_, loops, told) => {
    expect(textOf(loops)).toContain(told);
  });

  test("what is left out is counted with the reason [C141]", () => {
    const out = (reason: LeftOut["reason"]): LeftOut => ({ loopId: "x", where: "", reason, why: "so" });
    const reasons = ["running", "unreadable", "running", "newer_version", "older_copy"] as const;
    expect(textOf([aLoop()], reasons.map(out))).toContain(
      "1 loop: 1 completed. Left out: 2 at work, 1 of a newer version, 1 older than the copy that is counted, 1 cannot be read.",
    );
  });

  test("the seeds' metrics are those of all loops, and stories of a loop's newest generation [W-57, D-09]", () => {
    const { tally } = statsFrom(started(), ...turn(), stopped(PROMISE));
    if (tally === null) throw new Error("there are no counts");
    const stories = { total: 4, passed: 2, alone: 1, green: 2 };
    const loops = [
      aLoop({ tally: { ...tally, stories } }),
      aLoop({ generation: 2, tally: { ...tally, stories: { ...stories, passed: 4, alone: 3, green: 4 } } }),
      aLoop({ loopId: "other", tally }),
      aLoop({ loopId: "ref" }),
    ];
    expect(totalsOf(loops)).toMatchObject({
      eventsOf: 3,
      metrics: { completed: 3, completion_rate: 1, stories: { total: 4, passed: 4, completed_without_person: 0.75 } },
    });
    expect(textOf(loops)).toContain("  stories completed without a person: 75 %");
    expect(JSON.parse(JSON.stringify(statsJson({ loops, leftOut: [] })))).toMatchObject({
      schema: 1,
      totals: { loops: 4, cost_usd: 4, cost_usd_per_loop: { n: 4, median: 1 }, events_of: 3 },
    });
  });

  test("what a machine reads names dear loops and those left out, and no cost where none is known [C141]", () => {
    const costs = [1, 1, 1, 9].map((usd, index) => aLoop({ loopId: `l${index}`, cost: usd * 1_000_000 }));
    const leftOut: readonly LeftOut[] = [{ loopId: "x", where: "", reason: "running", why: "at work" }];
    expect(statsJson({ loops: costs, leftOut })).toMatchObject({
      totals: { over_twice_median_cost: [{ loop_id: "l3", generation: 1 }] },
      left_out: [{ loop_id: "x", where: "", reason: "running", why: "at work" }],
    });
    expect(statsJson({ loops: [], leftOut: [] })).toMatchObject({ totals: { loops: 0, tokens: null, cost_usd: null } });
    expect(statsJson({ loops: [aLoop({ cost: null })], leftOut: [] })).toMatchObject({
      totals: { cost_usd: null, cost_usd_per_loop: null, over_twice_median_cost: [] },
    });
  });

  test("loops without a PRD have no lines about stories [D-09]", () => {
    const { tally } = statsFrom(started(), ...turn(), stopped(PROMISE));
    const text = textOf([aLoop({ tally })]);
    expect(text).toContain("By the events of 1 loop:");
    expect(text).not.toContain("stories");
  });

  test.each([200, 80, 66, 44, 20])("in %i columns no line is wider, and nothing is lost [C141]", (columns) => {
    const dear = Array.from({ length: 12 }, (_, index) =>
      aLoop({ loopId: `dear-循環-${index}`, cost: 9e6, began: HERE }),
    );
    const loops = [...Array.from({ length: 30 }, () => aLoop()), ...dear];
    const lines = statsLines({ loops, leftOut: [] }, columns).map(({ text }) => text);
    expect(lines.filter((text) => columnsOf(text) > columns)).toEqual([]);
    const all = lines.join("").replaceAll(/\s/gu, "");
    expect(all).toMatch(/dear-循環-11.*Overtwicethemediancostof1\.00USD:.*and2more$/u);
    expect(statsJson({ loops: dear, leftOut: [] })).toMatchObject({
      loops: [{ began: { tree: "t1" } }, ...dear.slice(1).map(() => ({}))],
    });
  });

  test("nothing in a name moves the cursor [C141]", () => {
    const evil = "a\u001B[2J\u0007\nb\u202E";
    const text = textOf([aLoop({ loopId: evil, cost: 9e6 }), aLoop(), aLoop(), aLoop({ where: evil })]);
    expect(text).not.toMatch(/\p{Cc}(?<!\n)|\u202E/u);
    const sides = [evil, "b"].map((name) => aSide(name, aLoop({ loopId: name, checks: [evil] })));
    const [a, b] = sides;
    if (a === undefined || b === undefined) throw new Error("there are two sides");
    for (const comparison of [compare(a, b), compare(a, { ...b, loops: [] }), compare({ ...a, loops: [] }, b)])
      expect(
        comparisonLines(comparison, Infinity)
          .map(({ text: told }) => told)
          .join(""),
      ).not.toMatch(/\p{Cc}(?<!\n)|\u202E/u);
  });
});

function fiveOf(overrides: Partial<LoopStats>): readonly LoopStats[] {
  return Array.from({ length: 5 }, () => aLoop(overrides));
}

function aSide(name: string, ...loops: readonly LoopStats[]): Side {
  return { name, loops, leftOut: [] };
}

const HERE: Began = { tree: "t1", head: "1".repeat(40) };

describe("two sides", () => {
  const a = aSide("a", aLoop({ loopId: "a", cost: null }), aLoop({ loopId: "a2", taskDigest: "x" }));
  test.each<[what: string, a: readonly LoopStats[], b: readonly LoopStats[], why: string]>([
    ["no loop", a.loops, [], "b has no loop that is counted (n=0)."],
    ["the same loop", a.loops, a.loops, "a and b have loops in common."],
    ["different tasks or checks", a.loops, [aLoop({ taskDigest: "y" })], "They had different tasks or checks"],
    [
      "different prompts of two loops",
      [aLoop()],
      [aLoop({ taskDigest: "y", promptDigest: "p" })],
      "They had different tasks: their prompts differ",
    ],
    [
      "different checks of two loops",
      [aLoop({ checks: ["npm test", "npm run lint"] })],
      [aLoop({ taskDigest: "y", checks: [] })],
      "They had different checks, npm test, npm run lint and none, so",
    ],
    ["different PRDs of two loops", [aLoop()], [aLoop({ taskDigest: "y" })], "They had different tasks, so"],
    [
      "different commits of two loops",
      [aLoop({ began: HERE })],
      [aLoop({ began: { tree: "t2", head: null } })],
      "They began at different commits, 111111111111 and none,",
    ],
    [
      "different files of two loops on one commit",
      [aLoop({ began: HERE })],
      [aLoop({ began: { ...HERE, nested: "n" } })],
      "They began with different files on commit 111111111111,",
    ],
  ])("are not comparable: %s [C142, C155]", (_, first, second, why) => {
    const comparison = compare(aSide("a", ...first), aSide("b", ...second));
    expect(comparison).toMatchObject({ incomparable: expect.stringContaining(why) });
    expect(comparisonJson(comparison)).toMatchObject({
      ...{ comparable: false, measures: [], cautions: [] },
      left_out_for_their_task: [0, 0],
    });
  });

  test("without a loop say why theirs are left out [C142]", () => {
    const leftOut: readonly LeftOut[] = [{ loopId: "b", where: "", reason: "running", why: "a run is at work on it" }];
    const comparison = compare(a, { ...aSide("b"), leftOut });
    expect(comparison.incomparable).toBe("b has no loop that is counted (n=0). Left out: 1 at work.");
    expect(comparisonJson(comparison)).toMatchObject({ sides: [{}, { left_out: [{ reason: "running" }] }] });
  });

  test.each<[what: string, a: readonly LoopStats[], b: readonly LoopStats[], cautions: readonly string[]]>([
    ["nothing", fiveOf({ began: HERE }), fiveOf({ began: HERE }), []],
    [
      "one commit that only its message tells from another",
      fiveOf({ began: HERE }),
      fiveOf({ began: { ...HERE, head: "2" } }),
      [],
    ],
    [
      "several beginnings",
      fiveOf({ began: HERE }),
      fiveOf({ began: { ...HERE, tree: "t2" } }),
      ["They began with 2 different states of the work, which is in the difference."],
    ],
    [
      "an unknown beginning",
      fiveOf({ began: null }),
      fiveOf({ began: HERE }),
      ["With what work 5 loops began is not known, and may make a difference."],
    ],
    [
      "loops that can go on",
      fiveOf({ began: HERE, status: "paused_time_budget", reason: "time_budget" }),
      fiveOf({ began: HERE, status: "crashed", reason: null }),
      ["What can still go on may take more in the end: 5 crashed, 5 paused_time_budget."],
    ],
  ])("are told what else may make the difference: %s [C142, C155]", (_, first, second, cautions) => {
    const comparison = compare(aSide("a", ...first), aSide("b", ...second));
    expect(comparison).toMatchObject({ incomparable: null, cautions });
    expect(comparisonJson(comparison)).toMatchObject({ cautions });
    const text = comparisonLines(comparison, Infinity).map((each) => each.text);
    expect(text).toEqual(expect.arrayContaining([...cautions]));
    expect(comparisonLines(comparison, 24).filter((each) => columnsOf(each.text) > 24)).toEqual([]);
  });

  test("that are comparable have their differences with n, and a dash for what is not known [C142]", () => {
    const b = aSide("b", ...[3, 5].map((provedAt) => aLoop({ loopId: "b", provedAt, tokens: 50 })));
    const comparison = compare(a, b);
    const text = comparisonLines(comparison, Infinity).map((each) => each.text);
    expect(text.map((each) => each.replaceAll(/ {2,}/gu, "; "))).toEqual([
      "Median; a (n=1); b (n=2); Difference",
      "Proved; 1 of 1; 2 of 2",
      "Iterations to a proof; 1 (n=1); 4 (n=2); +3",
      "Tokens a loop; 100 (n=1); 50 (n=2); -50",
      "Cost a loop; – (n=0); 1.00 USD (n=2); –",
      "Time in turns a loop; 0.0 s (n=1); 0.0 s (n=2); same",
      "False starts a loop; 0 (n=1); 0 (n=2); same",
      "Time saved a loop; 0.0 s (n=1); 0.0 s (n=2); same",
      "Left out of a: 1 loop with a task that the other side has not had.",
      "With what work 3 loops began is not known, and may make a difference.",
      "A side with fewer than 5 loops is a hint, not a result.",
    ]);
    expect(comparisonJson(comparison)).toMatchObject({
      ...{ schema: 1, comparable: true, why: null, left_out_for_their_task: [1, 0] },
      sides: [{ name: "a", n: 1, proved: 1 }, { n: 2 }],
      measures: expect.arrayContaining([
        {
          what: "Cost a loop",
          unit: "usd",
          sides: [
            { n: 0, median: null },
            { n: 2, median: 1 },
          ],
          difference: null,
        },
      ]),
    });
  });
});
