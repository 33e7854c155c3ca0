import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMatcher } from "../../src/os/matcher.ts";

const CATASTROPHIC = "(a+)+$";
const LONG = `${"a".repeat(40)}!`;

test.each([
  ["DONE", "all DONE now", "match"],
  ["^DONE$", "all DONE now", "none"],
  ["^DONE$", "DONE", "match"],
  ["done", "DONE", "none"],
  ["[✓✔]", "ok ✔", "match"],
  ["", "", "match"],
  ["^.$", "😀", "match"],
  [String.raw`^\d{2}-done$`, "42-done", "match"],
])("%j against %j is %s [W-37]", async (pattern, text, expected) => {
  expect(await createMatcher().test(pattern, text)).toBe(expected);
});

test("a catastrophic pattern is given up in bounded time, and the next one matches again [W-37, P13]", async () => {
  const matcher = createMatcher(100);
  const begun = performance.now();
  expect(await matcher.test(CATASTROPHIC, LONG)).toBe("timed_out");
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(await matcher.test("DONE", "DONE")).toBe("match");
});

test("what waits behind a slow pattern is not timed out by it [W-37]", async () => {
  const matcher = createMatcher(100);
  const answers = await Promise.all([
    matcher.test(CATASTROPHIC, LONG),
    matcher.test("a", "a"),
    matcher.test(CATASTROPHIC, LONG),
    matcher.test("b", "a"),
  ]);
  expect(answers).toEqual(["timed_out", "match", "timed_out", "none"]);
});

test("a pattern that does not compile is refused, and the matcher goes on", async () => {
  const matcher = createMatcher();
  await expect(matcher.test("(", "x")).rejects.toThrow(SyntaxError);
  expect(await matcher.test("x", "x")).toBe("match");
});

test("the worker does not keep the process alive", async () => {
  const source = path.join(import.meta.dirname, "../../src/os/matcher.ts");
  const script = `
    const { createMatcher } = await import(${JSON.stringify(source)});
    process.stdout.write(await createMatcher().test("x", "x"));`;
  const args = ["--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  expect(stdout).toBe("match");
});

test.each([
  ["a|b", undefined],
  ["(", expect.stringContaining("Unterminated group")],
  ["a{1", expect.stringContaining("Incomplete quantifier")],
  ["[z-a]", expect.stringContaining("out of order")],
])("says why %j is not a regular expression [W-37]", async (pattern, expected) => {
  const why = await createMatcher()
    .test(pattern, "")
    .then(
      () => undefined,
      (error: unknown) => (error instanceof SyntaxError ? error.message : error),
    );
  expect(why).toEqual(expected);
});
