import { expect, test } from "vitest";
import type { CheckResult } from "../../src/core/verdict.ts";
import { checkLine } from "../../src/views/event-lines.ts";
import { jobSummary } from "../../src/views/github/job-summary.ts";
import { checkBlocks } from "../../src/views/github/evidence.ts";
import { markdown } from "../../src/views/github/markdown.ts";
import { proofOf } from "../../src/views/proof.ts";
import { summary } from "../../src/views/summary.ts";
import { aCheck, aState, aView } from "./a-state.ts";
import { CHECKED } from "./publication-facts.ts";

const GREEN: CheckResult[] = [aCheck({ role: "quality", name: "unit", firstExitCode: 1 }), aCheck({ command: "lint" })];
const RED: CheckResult[] = [
  aCheck({ role: "story", story: "US-001", name: "unit", exitCode: 2, firstExitCode: 1, tail: "broken" }),
];

test.each<[Partial<CheckResult>, string]>([
  [{ name: "unit" }, "check passed (exit 0, 3 s): unit (npm test)"],
  [{ story: "US-001", role: "story" }, "check passed (exit 0, 3 s): US-001: npm test"],
  [{ firstExitCode: 7 }, "check passed (exit 0, 3 s, green at the second try, exit 7 before): npm test"],
  [{ firstExitCode: 7, exitCode: 1 }, "check failed (exit 1, 3 s, not green at the second try either): npm test"],
  [
    { firstExitCode: 7, exitCode: null, timedOut: true },
    "check failed (timed out, 3 s, not green at the second try either): npm test",
  ],
  [{ name: "a\u001B[31m\nb" }, "check passed (exit 0, 3 s): a b (npm test)"],
])("the line of a check with %j [D-22]", (check, text) => {
  expect(checkLine(aCheck(check)).text).toBe(text);
});

test("a proof tells the names, and which check was green at its second try only [D-22]", () => {
  const verdict = { result: "passed", checks: GREEN } as const;
  const { sentence } = proofOf(aState({ checks: CHECKED, status: "completed", verdict }));
  expect(sentence).toBe("Verified: `unit (npm test)` (green at the second try, exit 1 before), `lint` passed.");
});

test("a red one is named in sentence, summary and job summary [D-22]", () => {
  const view = aView({ checks: CHECKED, verdict: { result: "failed", checks: RED } });
  expect(proofOf(view.state).sentence).toBe("Not verified: `US-001: unit (npm test)` failed (exit 2).");
  const text = summary(view).map((line) => line.text);
  expect(text).toContain("Last lines of `US-001: unit (npm test)`:");
  const page = jobSummary(view, { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] });
  expect(page).toContain("`US-001: unit (npm test)`");
  const rows = markdown(checkBlocks(view.state));
  expect(rows).toContain("❌ exit 2, not green at the second try either");
  expect(rows).toContain("`US-001: unit (npm test)`");
});
