import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempFolder, type TempFolder } from "../support/temp-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** Runs a small project of its own with the real configuration; returns what vitest printed. */
async function runVitest(project: TempFolder, files: Record<string, string>): Promise<string> {
  await mkdir(path.join(project.path, "test"));
  const write = ([name, text]: [string, string]) => writeFile(path.join(project.path, "test", name), text);
  await Promise.all(Object.entries(files).map(write));
  const command = path.join(ROOT, "node_modules/.bin/vitest");
  const config = ["--config", path.join(ROOT, "vitest.config.ts"), "--root", project.path];
  const env = { ...process.env, TEST_REPORT: path.join(project.path, "report.json") };
  const args = ["run", ...config, "--coverage.enabled", "--coverage.include=nothing"];
  const { stdout } = await promisify(execFile)(command, args, { cwd: project.path, env }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

const TEST = `import { test, expect } from "vitest";\n`;

test("the last line of a run counts what passed and failed, files that cannot load included [R-36]", async () => {
  await using project = await tempFolder();
  const printed = await runVitest(project, {
    "a.test.ts": `${TEST}test("a", () => {}); test("b", () => { expect(1).toBe(2); }); test.skip("c", () => {});`,
    "b.test.ts": `${TEST}throw new Error("cannot load");`,
    "c.test.ts": `${TEST}test("d", () => {}); test("e", () => {});`,
  });
  expect(printed.split("\n").slice(-2)).toEqual(["3 passed, 2 failed", ""]);
  expect(printed).toMatch(/Slowest test files\n\s+\d+\.\d\d s {2}/u);
  const report: unknown = JSON.parse(await readFile(path.join(project.path, "report.json"), "utf8"));
  expect(report).toMatchObject({ numPassedTests: 3, numFailedTests: 1 });
});
