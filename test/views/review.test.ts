import { expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { isDoubtful, reviewSentence, reviewTotals } from "../../src/views/review.ts";
import { jobSummary } from "../../src/views/github/job-summary.ts";
import { summary } from "../../src/views/summary.ts";
import { aState } from "../support/builders.ts";
import { aView } from "./a-state.ts";

const given = (review: Partial<LoopState["review"]>): LoopState => ({
  ...aState(),
  review: { ...aState().review, ...review },
});
const objections = [{ about: "missing", why: "No\ntest.", where: "a.ts" }] as const;

test("what a reviewer said is quoted, and nothing where nobody was asked [C50]", () => {
  expect([reviewSentence(aState()), reviewTotals(aState()), isDoubtful(aState())]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  const clear = given({ answer: "clear", iteration: 2 });
  expect(reviewSentence(clear)).toBe("Another session reviewed the work of iteration 2 and holds nothing against it.");
  expect(isDoubtful(clear)).toBe(false);
  const once = given({ answer: "veto", iteration: 1, vetoes: 1, objections });
  expect(reviewSentence(once)).toMatch(/vetoed it: "a\.ts: asked for, and missing: No test\."\.$/u);
  expect(reviewSentence(given({ answer: "veto", vetoes: 2, objections }))).toContain("vetoed it (veto 2): ");
  for (const answer of ["failed", "unreadable"] as const)
    expect(reviewSentence(given({ answer, why: "it is gone" }))).toContain("nobody has vetoed the work: it is gone.");
  expect(isDoubtful(once)).toBe(true);
});

test("what reviews have used stands apart, in the summary as well [C51]", () => {
  const spent = {
    reviews: 1,
    tokens: 1_234,
    input_tokens: 1_200,
    cached_input_tokens: 40,
    output_tokens: 34,
    ms: 5_000,
    ...{ cost: 0, unpriced: 1 },
  };
  expect(summary(aView(given({ spent }))).map(({ text }) => text)).toContain(reviewTotals(given({ spent })));
  expect(reviewTotals(given({ spent }))).toMatch(/^Reviews: 1 session, 5 s\. Tokens, not among the others: 1,234 /u);
  expect(reviewTotals(given({ spent: { ...spent, reviews: 0 } }))).toContain("0 sessions");
});

test.for<["clear" | "veto" | "failed", "plain" | "warn"]>([
  ["clear", "plain"],
  ["veto", "warn"],
  ["failed", "warn"],
])(
  "an answer that is %s is %s in the summary, and stands out on GitHub only where a person may want to look [C50]",
  ([answer, tone]) => {
    const view = aView(given({ answer, why: "gone", iteration: 2, objections }));
    const said = reviewSentence(view.state);
    expect(summary(view).find(({ text }) => text === said)?.tone).toBe(tone);
    const told = jobSummary(view, { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] });
    expect(told).toMatch(
      tone === "warn" ? /\n\*\*(?:Another session|The review of) /u : /\nAnother session reviewed /u,
    );
  },
);
