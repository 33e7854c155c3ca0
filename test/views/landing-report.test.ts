import { describe, expect, test } from "vitest";
import {
  landedComment,
  landingSummary,
  notLandedComment,
  type PrdReport,
  prdPullRequest,
  prdTitle,
  type StoryStanding,
  waveComment,
} from "../../src/views/github/landing-report.ts";
import { landingMarker } from "../../src/views/github/markers.ts";

const COMMIT = "c".repeat(40);
const HOSTILE = "Pay | **now** <b> @everyone";

function aStanding(number: number, more: Partial<StoryStanding> = {}): StoryStanding {
  return {
    ...{ id: `US-${String(number).padStart(3, "0")}`, title: HOSTILE, how: "pending", commit: null, proved: null },
    ...{ criteria: 5, attempts: 0, why: "" },
    ...more,
  };
}

function aReport(more: Partial<PrdReport> = {}): PrdReport {
  const stories = [
    aStanding(1, { how: "passed", commit: COMMIT, proved: 3 }),
    aStanding(2, { how: "passed" }),
    aStanding(3, { how: "accepted" }),
    aStanding(4, { how: "blocked", why: "Which colour?", attempts: 3 }),
    aStanding(5, { how: "in_progress" }),
    aStanding(6, { why: `red ${HOSTILE}` }),
    aStanding(7),
  ];
  const fates = [{ id: "US-001", text: "it has landed" }];
  return { prd: "shop", branch: "shop", wave: 2, stories, next: "The next wave is asked for.", fates, ...more };
}

describe("how a PRD is after a wave", () => {
  const body = prdPullRequest(aReport(), landingMarker("prd-shop"));

  test("each story has its state, with proof, commit and what keeps it", () => {
    expect(body.split("\n")[0]).toBe("<!-- smithers:landing prd-shop -->");
    expect(prdTitle(aReport())).toBe("PRD shop: 3 of 7 stories passed");
    for (const words of [
      "proved 3 of 5",
      "accepted by a person",
      "blocked: Which colour?",
      "in progress",
      "waits: red",
    ])
      expect(body).toContain(words);
    expect(body).toContain("`cccccccccccc`");
    expect(body).toContain("/smithers prd shop retry US-004");
  });

  test("what others wrote is text and nothing more", () => {
    for (const text of [body, waveComment(aReport()), notLandedComment("US-001", `@everyone ${"`".repeat(3)}`, "x")])
      expect(text).not.toMatch(/(?<!\\)<b>|@everyone|(?<!\\)\*\*now/u);
  });

  test("a PRD that is done asks for nothing, and one without a blocked story offers no retry", () => {
    const done = landingSummary(aReport({ stories: [aStanding(1, { how: "passed" })] }));
    expect(done).not.toContain("/smithers");
    const open = landingSummary(aReport({ stories: [aStanding(1)], fates: [] }));
    expect(open).toContain("/smithers prd shop run");
    expect(open).not.toContain("retry");
  });

  test("a thousand stories fit", () => {
    const stories = Array.from({ length: 1_000 }, (_, at) => aStanding(at));
    const text = prdPullRequest(aReport({ stories }), landingMarker("prd-shop"));
    expect(new TextEncoder().encode(text).length).toBeLessThan(65_000);
    expect(landingSummary(aReport({ stories }))).toContain("700 more stories");
  });
});

test("what is said on a story's pull request names the commit, or why there is none", () => {
  expect(landedComment("US-001", COMMIT, "shop")).toContain("`cccccccccccc`");
  expect(notLandedComment("US-001", "red", "It begins again.")).toContain("It begins again.");
  expect(notLandedComment("US-001", "", "Another one.")).not.toContain("```");
  expect(waveComment(aReport({ fates: [] }))).not.toContain("US-001");
});
