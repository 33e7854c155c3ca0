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
    ...{ by: null, criteria: 5, attempts: 0, why: "" },
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
    aStanding(8, { how: "accepted", by: "@ada" }),
    aStanding(9, { how: "taken_over" }),
  ];
  const lost = [{ loop: "prd-shop.us-001.1-2", why: `it changes 9 lines ${HOSTILE}` }];
  const fates = [{ id: "US-001", text: "it has landed", lost }];
  return { prd: "shop", branch: "shop", wave: 2, stories, next: "The next wave is asked for.", fates, ...more };
}

test("the candidates of a story that have not landed are named, with the reason [D-24]", () => {
  for (const text of [waveComment(aReport()), landingSummary(aReport())]) {
    expect(text).toContain("US-001: it has landed");
    expect(text).toMatch(/US-001, not `prd-shop\.us-001\.1-2`: it changes 9 lines Pay/u);
  }
});

describe("how a PRD is after a wave", () => {
  const body = prdPullRequest(aReport(), landingMarker("prd-shop"));

  test("each story has its state, with proof, commit and what keeps it", () => {
    expect(body.split("\n")[0]).toBe("<!-- smithers:landing prd-shop -->");
    expect(prdTitle(aReport())).toBe("PRD shop: 5 of 9 stories passed");
    for (const words of [
      "proved 3 of 5",
      "accepted by a person, not proved",
      "accepted by @​ada, not proved",
      "taken over from the file, not proved",
      "waits for a person: Which colour?",
      "goes on in the next wave",
      "begins again: red",
      "not begun",
    ])
      expect(body).toContain(words);
    expect(body).toContain("What has landed is on `shop`.");
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

  test("where nothing has landed, nobody is sent to look for it", () => {
    const report = aReport({ stories: [aStanding(4, { how: "blocked", why: "Which colour?" })] });
    for (const text of [landingSummary(report), waveComment(report)]) {
      expect(text).toContain("Nothing has landed on `shop` yet, so the PRD has no pull request.");
    }
  });

  test("of very many stories with long reasons rows are cut, and those that wait for a person stay", () => {
    const why = `${HOSTILE} `.repeat(30);
    const stories = Array.from({ length: 1_000 }, (_, at) =>
      aStanding(at, { how: at === 999 ? "blocked" : "pending", why }),
    );
    const fates = stories.map(({ id }) => ({ id, text: why, lost: [{ loop: "prd-shop.us-001.1-2", why }] }));
    const report = aReport({ stories, fates });
    for (const text of [prdPullRequest(report, landingMarker("prd-shop")), waveComment(report)]) {
      expect(new TextEncoder().encode(text).length).toBeLessThan(60_001);
      expect(text).toMatch(/US-001/u);
      expect(text).toMatch(/\n[\d,]+ more/u);
      expect(text).not.toContain("Left out");
    }
    expect(prdPullRequest(report, landingMarker("prd-shop"))).toContain("`US-999`");
    expect(landingSummary(report)).not.toContain("Left out");
  });
});

test("what is said on a story's pull request names the commit, or why there is none", () => {
  const landed = (passed: "proved" | "accepted") => landedComment("US-001", COMMIT, { branch: "shop", passed });
  expect(landed("proved")).toContain("`cccccccccccc`, proved there once more");
  expect(landed("accepted")).toContain("`cccccccccccc`, as it was, because it was accepted");
  expect(notLandedComment("US-001", "red", "It begins again.")).toContain("It begins again.");
  expect(notLandedComment("US-001", "", "Another one.")).not.toContain("```");
  expect(waveComment(aReport({ fates: [] }))).not.toContain("US-001");
});
