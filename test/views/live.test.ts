import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { beginLive, liveFrame, marked, observeLive, reportLive } from "../../src/views/live.ts";
import { line } from "../../src/views/plain-text.ts";
import { aCheck, aState, CLAIMED, settled, started, turnEnded, turnStarted } from "./a-state.ts";
import { aProved } from "../support/builders.ts";

const texts = (live: Parameters<typeof liveFrame>[0], now: number, columns = 80): string[] =>
  liveFrame(live, now, columns).map((line) => line.text);

describe("the live view", () => {
  test("says where the loop is: iteration, time, tokens, activity", () => {
    const state = aState({ iteration: 3 });
    const live = reportLive(
      beginLive(1_000, 601_000),
      turnStarted(3),
      {
        ...state,
        spent: { ...state.spent, tokens: 12_345 },
      },
      19_000,
    );
    expect(texts(live, 61_000)).toEqual([
      "Iteration 3 of 30 | 1 min, 9 min left | 12,345 tokens",
      "  the agent is starting (42 s)",
    ]);
  });

  test("without a time budget nothing is left over, and a spent one is not negative", () => {
    expect(texts(beginLive(0, null), 1_000)[0]).toBe("Starting | 1 s | 0 tokens");
    expect(texts(beginLive(0, 500), 1_000)[0]).toContain("0.0 s left");
  });

  test("shows what the agent does, and the checks of this iteration only", () => {
    let live = observeLive(beginLive(0, null), { type: "command.started", command: "npm run build" }, 0);
    live = observeLive(live, { type: "notice", text: "nothing to show" }, 0);
    live = observeLive(live, { type: "check.ended", check: aCheck({ exitCode: 1 }) }, 0);
    expect(texts(live, 0).slice(1)).toEqual([
      "  the agent runs: npm run build (0.0 s)",
      "  ✗ check failed (exit 1, 3 s): npm test",
    ]);
    expect(texts(reportLive(live, turnStarted(2), aState(), 0), 0).slice(1)).toEqual([
      "  the agent is starting (0.0 s)",
    ]);
  });

  test.each<[LoopEvent, string]>([
    [turnEnded(), "  the turn has ended"],
    [
      { type: "wait_started", at: "", until: "noon", why: "interval" },
      "  waiting until noon: the interval between iterations",
    ],
    [
      { type: "wait_started", at: "", until: "noon", why: "calls_per_hour" },
      "  waiting until noon: the calls of this hour are used up",
    ],
    [settled(), "  starting"],
    [started(), "  starting"],
  ])("%j", (event, activity) => {
    expect(texts(reportLive(beginLive(0, null), event, aState(), 0), 0)[1]).toBe(`${activity} (0.0 s)`);
  });

  test("says that a claim is refused, until the next turn begins [POST 7]", () => {
    const red = aProved({ result: "failed", checks: [aCheck({ exitCode: 1 })] });
    const refused = reportLive(beginLive(0, null), red, aState(CLAIMED), 0);
    expect(texts(refused, 0)[1]).toBe("  claim refused: npm test is red (0.0 s)");
    expect(texts(reportLive(beginLive(0, null), red, aState(), 0), 0)[1]).toBe("  starting (0.0 s)");
    expect(texts(reportLive(refused, turnStarted(2), aState(), 0), 0)[1]).toBe("  the agent is starting (0.0 s)");
  });

  test("says how many tests fail now, against the start, and green and red without colour [C72]", () => {
    const some = { failing: [], failing_digest: "", early: false };
    const begun = reportLive(beginLive(0, null), started(), aState(), 0);
    expect(texts(begun, 0)).toHaveLength(2);
    const known = aState({ failing: { ...some, failing_count: 3 }, baseline: { ...some, failing_count: 7 } });
    expect(texts(reportLive(begun, settled(), known, 0), 0)[2]).toBe("  failing tests: 3 now, 7 at the start");
    const alone = aState({ failing: { ...some, failing_count: 0 }, baseline: null });
    expect(texts(reportLive(begun, settled(), alone, 0), 0)[2]).toBe("  failing tests: 0 now");
    expect(marked(line("passed", "good")).text).toBe("✓ passed");
    expect(marked(line("said", "dim")).text).toBe("said");
  });

  test("no line is wider than the terminal", () => {
    const live = observeLive(beginLive(0, null), { type: "message", text: "漢".repeat(100) }, 0);
    for (const text of texts(live, 0, 20)) expect(text.length).toBeLessThanOrEqual(20);
  });
});
