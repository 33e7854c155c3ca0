import { expect, test } from "vitest";
import { examined } from "../../../src/core/progress/failures.ts";
import type { TestReport } from "../../../src/core/verdict.ts";
import { aCheck, aRedCheck, aVerdict, digest } from "../../support/builders.ts";

function reported(failing: readonly string[]): TestReport {
  const { length: failed } = failing;
  return { runner: "vitest", ran: failed + 1, passed: 1, failed, skipped: 0, failing, exact: true, early: false };
}

const look = (...checks: Parameters<typeof aVerdict>[1] & {}) => examined(aVerdict("failed", checks), digest, "/w");

test("what fails has names, a count and a signature [section 4.4]", () => {
  const { failing, signature } = look(aRedCheck({ tests: reported(["b", "a"]) }));
  expect(failing).toMatchObject({ failing: ["a", "b"], failing_count: 2, early: false });
  expect(signature).toMatch(/^[0-9a-f]{64}$/u);
});

test("the same failure has the same signature, another one another [section 4.4]", () => {
  const signature = (name: string, durationMs: number) =>
    look(aRedCheck({ tests: reported([name]), durationMs, tail: `${durationMs} ms` })).signature;
  expect(signature("a", 1)).toBe(signature("a", 2));
  expect(signature("a", 1)).not.toBe(signature("b", 1));
});

test("a green verdict has no signature; without a report nobody knows what fails", () => {
  expect(examined(aVerdict("passed", [aCheck({ tests: reported([]) })]), digest, "/w")).toMatchObject({
    failing: { failing_count: 0 },
    signature: null,
  });
  expect(look(aRedCheck()).failing).toBeNull();
});

test("a verdict keeps few of the names, however many there are", () => {
  const names = Array.from({ length: 500 }, (_, index) => `test ${index}`);
  const { verdict, failing } = look(aRedCheck({ tests: reported(names) }), aCheck());
  expect(verdict.checks.map(({ tests }) => tests?.failing.length)).toEqual([20, undefined]);
  expect(failing).toMatchObject({ failing_count: 500 });
  expect(failing?.failing).toHaveLength(200);
});
