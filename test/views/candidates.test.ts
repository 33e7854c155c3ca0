import { expect, test } from "vitest";
import {
  type CandidateFate,
  candidatesSummary,
  type CandidatesTold,
  choicePullRequest,
  choiceSummary,
  chosenComment,
  notChosenComment,
  priceOf,
} from "../../src/views/github/candidates.ts";

const TOLD: CandidatesTold = {
  loops: ["best-x.8001-1", "best-x.8001-2"],
  ...{ branch: "main", commit: "a".repeat(40), maxTokens: 1_500_000 },
};
const HOSTILE = "red:\n<img src=x> @everyone | **x**";

function fate(number: number, more: Partial<CandidateFate> = {}): CandidateFate {
  const names = { loop: `best-x.8001-${number}`, branch: `smithers/best-x.8001-${number}` };
  return { number, ...names, isChosen: false, why: "It was cut off.", lines: null, tokens: null, ...more };
}

test("what several agents may cost is told before they begin", () => {
  const summary = candidatesSummary(TOLD);
  expect(summary).toContain("2 agents try the task side by side");
  expect(summary).toContain("up to 3,000,000 tokens (max-tokens is 1,500,000 each)");
  expect(summary).toContain("| 2 | `best-x.8001-2` |");
  expect(priceOf({ ...TOLD, maxTokens: null })).toContain("not known: max-tokens is off");
});

test("the choice names every candidate with its figures, and shows what others wrote as text and nothing more", () => {
  const fates = [fate(1, { why: HOSTILE, lines: 2, tokens: 12_000 }), fate(2, { isChosen: true, why: "Best." })];
  const report = { fates, next: "The others are kept." };
  for (const text of [choiceSummary(report), chosenComment(report), choicePullRequest(report, "<!-- x -->")]) {
    expect(text).toContain("Candidate 2 of 2 was chosen");
    expect(text).toContain("| 1 | `smithers/best-x.8001-1` | 2 | 12,000 |");
    expect(text).not.toMatch(/(?<!\\)<img|@everyone|(?<!\\)\*\*x/u);
  }
  expect(choicePullRequest(report, "<!-- x -->")).toMatch(/^<!-- x -->\n/u);
  expect(choiceSummary({ ...report, fates: [fate(1)] })).toContain("No candidate was chosen");
  const comment = notChosenComment(fate(1, { why: HOSTILE }), "Candidate 2 was.");
  expect(comment).toContain("Candidate 1 was not chosen. Candidate 2 was.");
  expect(comment).not.toContain("@everyone");
});
