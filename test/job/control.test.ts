import { expect, test, vi } from "vitest";
import { hurriedControl } from "../../src/job/control.ts";
import type { Control, ControlRequest } from "../../src/core/ports.ts";

const saying = (...requests: readonly ControlRequest[]): Control => ({
  watch: async function* () {
    yield* requests;
  },
});

test.each([
  ["a signal", "SIGINT", [0, 1, 0, 1]],
  ["a person", "somebody", [0, 0, 0, 0]],
])("%s leaves the agent its grace and no more [C11]", async (_who, by, expected) => {
  vi.useFakeTimers();
  const [at, hurry] = [vi.fn(), vi.fn()];
  const heard: ControlRequest[] = [];
  const control = hurriedControl(saying({ kind: "stop", by }), { at, hurry, graceMs: 1500 });
  const counts: number[] = [hurry.mock.calls.length];
  for await (const request of control.watch(new AbortController().signal)) heard.push(request);
  counts.push(at.mock.calls.length);
  vi.advanceTimersByTime(1499);
  counts.push(hurry.mock.calls.length);
  vi.advanceTimersByTime(1);
  counts.push(hurry.mock.calls.length);
  vi.useRealTimers();
  expect([heard, counts]).toEqual([[{ kind: "stop", by }], expected]);
});
