import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { setOutputs, writeJobSummary } from "../../src/reporters/job-files.ts";
import { parsePairs } from "../support/runner/file-commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"];

afterEach(() => vi.unstubAllEnvs());

test("the job gets our outputs, and nothing that somebody else has written into the step's files [T11]", async () => {
  await using folder = await tempFolder();
  for (const name of FILES) {
    vi.stubEnv(name, path.join(folder.path, name));
    await writeFile(path.join(folder.path, name), "owned<<EOF\nnever ended\n");
  }
  await setOutputs({ status: "completed", "final-message": "a\n::error::b\n" });
  const [outputs = "", ...others] = await Promise.all(
    FILES.map((name) => readFile(path.join(folder.path, name), "utf8")),
  );
  expect(parsePairs(outputs)).toEqual({ status: "completed", "final-message": "a\n::error::b\n" });
  expect(others).toEqual(["", "", ""]);
});

test("the job summary is replaced when it is written again, by whatever step [W-09]", async () => {
  await using folder = await tempFolder();
  for (const [step, texts] of Object.entries({ main: ["# first\n", "# main\n"], post: ["# first\n", "# post\n"] })) {
    const file = path.join(folder.path, step);
    vi.stubEnv("GITHUB_STEP_SUMMARY", file);
    for (const text of texts) writeJobSummary(text);
    expect(await readFile(file, "utf8")).toBe(texts.at(-1));
  }
});

test("where there is no summary, it throws", () => {
  vi.stubEnv("GITHUB_STEP_SUMMARY", undefined);
  expect(() => writeJobSummary("x")).toThrow("GITHUB_STEP_SUMMARY");
});
