import { expect, test } from "vitest";
import { lazy } from "../../src/os/lazy.ts";

test("what is lazy is made when it is first asked for, and once, even when it is undefined", () => {
  let made = 0;
  const get = lazy(() => void (made += 1));
  expect(made).toBe(0);
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});
