import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { refusePlatform } from "../../src/job/run-action.ts";
import { UsageError } from "../../src/core/errors.ts";

test("Windows is refused for now, Linux and macOS are not [D-38]", () => {
  expect(() => refusePlatform("win32")).toThrow(UsageError);
  expect(() => refusePlatform("win32")).toThrow("does not run on Windows yet");
  expect(() => refusePlatform("linux")).not.toThrow();
  expect(() => refusePlatform("darwin")).not.toThrow();
});

test("all tests run on Linux and on macOS in CI [D-38]", async () => {
  const file = path.join(import.meta.dirname, "../../.github/workflows/ci.yml");
  const { jobs } = parse(await readFile(file, "utf8"));
  expect(jobs.test).toMatchObject({
    "runs-on": "${{ matrix.os }}",
    strategy: { matrix: { os: [expect.stringMatching(/^ubuntu-/u), expect.stringMatching(/^macos-/u)] } },
  });
  expect(jobs.test.steps.map(({ run }: { run?: string }) => run)).toContain("npm test");
});
