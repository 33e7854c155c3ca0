import { expect, test } from "vitest";
import { refusePlatform } from "../../src/job/run-action.ts";
import { UsageError } from "../../src/core/errors.ts";

test("Windows is refused for now, Linux and macOS are not [D-38]", () => {
  expect(() => refusePlatform("win32")).toThrow(UsageError);
  expect(() => refusePlatform("win32")).toThrow("does not run on Windows yet");
  expect(() => refusePlatform("linux")).not.toThrow();
  expect(() => refusePlatform("darwin")).not.toThrow();
});
