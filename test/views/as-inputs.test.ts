import { expect, test } from "vitest";
import { asInputs } from "../../src/views/as-inputs.ts";
import { nextStep } from "../../src/views/run-view.ts";
import { aView } from "./a-state.ts";

test.each([
  ["raise --max-iterations: <resume>", "raise max-iterations: <resume>"],
  ["or use --no-check-first.", "or use check-first: false."],
  ["name it with --prompt-file <path>", "name it with prompt-file"],
  ["a word--and a dash - stay", "a word--and a dash - stay"],
])("advice for a workflow: %s", (advice, worded) => {
  expect(asInputs(advice)).toBe(worded);
});

test("the next step is worded for where it is read", () => {
  const view = aView({ status: "stopped_max_iterations", stop_reason: { kind: "max_iterations", max: 3 } });
  expect(nextStep({ ...view, word: asInputs, resume: "the next run" })).toMatch(
    /raise max-iterations, then go on with: the next run$/u,
  );
});
