import { expect, test } from "vitest";
import { refusePlatform } from "../../src/job/run-action.ts";
import { UsageError } from "../../src/core/errors.ts";

test("D-38: Windows is refused for now, Linux and macOS are not", () => {
  expect(() => refusePlatform("win32")).toThrow(UsageError);
  expect(() => refusePlatform("win32")).toThrow("does not run on Windows yet");
  expect(() => refusePlatform("linux")).not.toThrow();
  expect(() => refusePlatform("darwin")).not.toThrow();
});
