import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { CheckResult } from "../../src/core/verdict.ts";
import { runCheck } from "../../src/checks/run-check.ts";
import { systemClock } from "../../src/os/clock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };

async function ran(root: string, argv: readonly string[], timeoutMs = 20_000): Promise<CheckResult> {
  const check = { role: "success", command: argv.join(" "), argv, shell: false } as const;
  const around = { workspaceRoot: root, env: ENV, mark: `run-check-${process.pid}`, timeoutMs, clock: systemClock };
  return (await runCheck(check, around, new AbortController().signal)).result;
}

test("C21, section 4.4: what a test runner says is read, however much it says", async () => {
  await using folder = await tempFolder();
  const file = `import test from "node:test";
for (let i = 0; i < 2000; i++) test("passes " + i, () => {});
test("fails", () => { throw new Error("no"); });`;
  await writeFile(path.join(folder.path, "a.test.mjs"), file);
  const { tests } = await ran(folder.path, [process.execPath, "--test", "--test-reporter=spec", "a.test.mjs"]);
  expect(tests).toMatchObject({ ran: 2001, failed: 1, failing: [expect.stringContaining("fails")] });
});

test("section 4.4: a check that was ended has no report", async () => {
  await using folder = await tempFolder();
  const says = "echo 'Tests  1 failed | 2 passed (3)'; sleep 60";
  expect(await ran(folder.path, ["sh", "-c", says], 300)).toMatchObject({ timedOut: true, tests: null });
});
