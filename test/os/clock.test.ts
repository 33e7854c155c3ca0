import { expect, test } from "vitest";
import { systemClock } from "../../src/os/clock.ts";

const never = new AbortController().signal;

test("sleeps until the moment, not longer", async () => {
  const at = systemClock.now() + 40;
  await systemClock.sleepUntil(at, never);
  expect(systemClock.now()).toBeGreaterThanOrEqual(at);
  expect(systemClock.now()).toBeLessThan(at + 1000);
});

test("a moment that has passed is not a sleep", async () => {
  expect(await systemClock.sleepUntil(0, never)).toBeUndefined();
});

test("an abort ends the sleep without an error", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleepUntil(Number.MAX_SAFE_INTEGER, stop.signal);
  stop.abort();
  expect(await sleeping).toBeUndefined();
  expect(await systemClock.sleepUntil(Number.MAX_SAFE_INTEGER, stop.signal)).toBeUndefined();
});
