import { expect, test } from "vitest";
import { asInputs, nextStep } from "../../src/views/run-view.ts";
import { reasonDetail } from "../../src/views/reason.ts";
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

test("so is the advice that an ending brings along; what happened is not", () => {
  const failure = { kind: "bad_request", message: "no --x", retryable: false, next: "Use --model." } as const;
  expect(reasonDetail({ kind: "config", failure }, asInputs)).toBe("bad_request: no --x Use model.");
  const problem = { code: "X", what: "git --x failed.", next: "Use --commit never." };
  const denied = [{ what: "curl --x", allow: "Use --model." }];
  expect(reasonDetail({ kind: "permission_denied", denied }, asInputs)).toBe("curl --x: Use model.");
  expect(reasonDetail({ kind: "commit_refused", problem }, asInputs)).toBe("git --x failed. Use commit never.");
});
