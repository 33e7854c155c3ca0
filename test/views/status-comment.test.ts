import { describe, expect, test } from "vitest";
import type { IterationRecord, LoopState } from "../../src/core/state.ts";
import { bears, markerOf } from "../../src/views/github/markers.ts";
import { line } from "../../src/views/plain-text.ts";
import { finalComment, type LiveFacts, statusComment } from "../../src/views/github/status-comment.ts";
import { aCheck, aView } from "./a-state.ts";
import { CHECKED, COMPLETED, ended, PAUSED, someFacts } from "./publication-facts.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");

const RECORD: IterationRecord = {
  iteration: 2,
  started_at: "2026-03-01T11:00:00.000+00:00",
  ended_at: "2026-03-01T11:05:00.000+00:00",
  agent: "timed_out",
  claimed: false,
  checks: "cut_off",
  files_changed: 3,
  lines_added: 10,
  lines_removed: 2,
  tokens: 1,
  commit: null,
};

function live(overrides: Partial<LiveFacts> = {}): LiveFacts {
  return {
    ...someFacts(),
    startedAt: NOW - 600_000,
    deadline: null,
    activity: null,
    checks: [],
    item: null,
    maxTokens: null,
    maxTotalMs: null,
    now: NOW,
    ...overrides,
  };
}

const running = (state: Partial<LoopState> = {}, facts: Partial<LiveFacts> = {}): string =>
  statusComment(aView(state, { alive: true }), live(facts));

test("one comment for each workflow, job and loop, while it runs and at its end", () => {
  const marker = markerOf({ workflow: ".github/workflows/smithers.yml", job: "loop", loopId: "repo-1" });
  expect(bears(running(), marker)).toBe(true);
  expect(bears(finalComment(aView(ended(COMPLETED)), someFacts()), marker)).toBe(true);
});

describe("while it runs", () => {
  test.each([
    [0, 30, "`░░░░░░░░░░░░░░░░░░░░` 0 %"],
    [15, 30, "`██████████░░░░░░░░░░` 50 %"],
    [30, 30, "`████████████████████` 100 %"],
    [31, 30, "`████████████████████` 100 %"],
    [0, 0, "`░░░░░░░░░░░░░░░░░░░░` 0 %"],
  ])("iteration %i of %i: %s", (iteration, most, bar) => {
    const shown = running({ iteration, max_iterations: most });
    expect(shown).toContain(`iteration ${iteration} of ${most}`);
    expect(shown).toContain(bar);
  });

  test("what happens now, in the agent's words if somebody listens", () => {
    expect(running({}, { activity: "the agent runs: npm test" })).toContain("**Now:** the agent runs: npm test");
  });

  test.each<[Partial<LoopState>, string]>([
    [{ phase: "turn" }, "the agent is at work"],
    [{ phase: "unproved" }, "the checks run"],
    [
      { phase: "unproved", checks: { ...CHECKED, ci_workflow: "ci.yml" } },
      "the checks run, and CI (ci.yml) if they pass",
    ],
    [{ phase: "settled" }, "between two iterations"],
    [{ not_before: { until: "2026-03-01T13:00:00Z", why: "interval", message: "" } }, "waiting until 2026-03-01T13"],
    [
      { not_before: { until: "noon", why: "usage_limit", message: "5-hour limit" } },
      "waiting until noon: the provider's usage limit is reached (5-hour limit)",
    ],
  ])("else as its state says: %j", (state, now) => {
    expect(running(state)).toContain(`**Now:** ${now}`);
  });

  test("the item, the last result and the branch", () => {
    const shown = running({ iterations: [RECORD] }, { item: "US-003 Add login" });
    expect(shown).toContain("**Item:** US-003 Add login");
    expect(shown).toContain("**Last result:** iteration 2: agent timed out, 3 files (+10 -2), checks cut off");
    expect(shown).toContain("`smithers/repo-1` → `main`");
    expect(running({ iterations: [{ ...RECORD, files_changed: null }] })).toContain("agent timed out, checks cut off");
    expect(running()).not.toMatch(/\*\*Item|\*\*Last/u);
  });

  test("the checks of this iteration, else what they said last", () => {
    const verdict: LoopState["verdict"] = { result: "failed", checks: [aCheck({ exitCode: 1 })] };
    expect(running({ checks: CHECKED, verdict })).toContain("**Checks:** Not verified:");
    const checks = [line("check passed: npm run lint"), line("check failed: npm test")];
    expect(running({}, { checks })).toContain("**Checks:** check passed: npm run lint; check failed: npm test");
  });

  test("the budget left: iterations, and time, tokens and work where they are limited", () => {
    expect(running({ iteration: 29 })).toMatch(/\*\*Budget left:\*\* 1 iteration$/mu);
    const facts = { deadline: NOW + 90_000, maxTokens: 1_000, maxTotalMs: 60_000 };
    expect(running({ iteration: 3 }, facts)).toContain("27 iterations, 1 min 30 s, 1,000 tokens, 1 min of work in all");
    const { spent } = aView().state;
    expect(
      running(
        { iteration: 31, spent: { ...spent, tokens: 2_000, turn_ms: 50_000, check_ms: 20_000 } },
        { ...facts, deadline: NOW - 1 },
      ),
    ).toContain("0 iterations, 0.0 s, 0 tokens, 0.0 s of work in all");
  });

  test("circuit and calls of the hour [R-22, R-24]", () => {
    const rate = { hour_began: "2026-03-01T12:00:00.000+00:00", calls: 3 };
    const shown = running({ rate, circuit: { state: "HALF_OPEN", trigger: "same_error", count: 4 } });
    expect(shown).toContain("**Circuit:** HALF_OPEN (same error)");
    expect(shown).toContain("**Calls of the agent:** 3 in the hour until 2026-03-01T13:00:00.000Z");
  });

  test("what can be said now", () => {
    const shown = running();
    for (const command of ["pause", "stop", "cancel", "status"]) expect(shown).toContain(`\`/smithers ${command}\``);
    expect(shown).not.toContain("/smithers continue");
  });

  test("since when, and as of when", () => {
    expect(running()).toContain("**Running for:** 10 min, as of 2026-03-01T12:00:00.000Z");
  });

  test("dangerous settings [W-56]", () => {
    const protection = { sandbox: "danger-full-access", providerArgs: [] };
    expect(statusComment(aView({}, { alive: true, protection }), live())).toContain("[!CAUTION]");
  });
});

describe("at its end [W-38, W-39]", () => {
  const final = (...args: Parameters<typeof ended>): string => finalComment(aView(ended(...args)), someFacts());

  test("the outcome, and what to do next, come first", () => {
    const [, outcome, figures, , , next] = final(PAUSED).split("\n\n");
    expect(outcome).toContain("✋ A HARD STOP");
    expect(figures).toContain("iteration 3 of 30");
    expect(next).toContain("go on with: `/smithers continue`");
  });

  test("a completed loop's comment asks for nothing", () => {
    expect(final(COMPLETED)).toContain("✅");
    expect(final(COMPLETED)).not.toContain("`/smithers");
  });

  test("CI is spoken of where something was pushed", () => {
    expect(final(PAUSED)).toContain("**CI:**");
    expect(finalComment(aView(ended(PAUSED)), someFacts({ ahead: false }))).not.toContain("**CI:**");
  });

  test("what could not be done is said", () => {
    const notes = Array.from({ length: 25 }, (_, index) => `note ${index}`);
    const shown = finalComment(aView(ended(PAUSED)), someFacts({ notes }));
    expect(shown).toContain("- note 19\n- 5 more: see the log of the run.");
  });
});
