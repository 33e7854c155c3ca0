import { expect, test } from "vitest";
import { boundsOf } from "../../src/core/task.ts";
import { decodeState } from "../../src/store/state-file.ts";
import { aState, aTask } from "../support/builders.ts";

test("a state has the bounds of its run beside what it counts [R-07, R-24]", () => {
  const circuit = { missingStatus: 2, noProgress: 3, sameError: 5, testLoops: 4, openMultiplier: 2 };
  const { limits } = aTask({ limits: { maxCallsPerHour: 100, doneSignals: 7, circuit } });
  expect(boundsOf(limits)).toEqual({
    max_calls_per_hour: 100,
    done_signals: 7,
    thresholds: { missing_status: 2, no_progress: 3, same_error: 5, test_loops: 4 },
    open_multiplier: 2,
  });
});

test("a state of a version that did not keep them loads [W-48]", () => {
  const { bounds: _bounds, ...earlier } = aState();
  expect(decodeState(JSON.stringify(earlier), "loop.json").bounds).toBeNull();
});
