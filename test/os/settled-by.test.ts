import { expect, test } from "vitest";
import { settledBy } from "../../src/os/settled-by.ts";

const never = new Promise<void>(() => {});

test("work that fails, or that there is none of, is over", async () => {
  const later = Date.now() + 60_000;
  await settledBy(Promise.reject(new Error("no")), later);
  await settledBy(undefined, later);
  expect(Date.now()).toBeLessThan(later);
});

test("work that does not end is waited for until the deadline", async () => {
  const deadline = Date.now() + 20;
  await settledBy(never, deadline);
  expect(Date.now()).toBeGreaterThanOrEqual(deadline - 1);
});
