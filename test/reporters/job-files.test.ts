import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { setOutputs } from "../../src/reporters/job-files.ts";
import { parsePairs } from "../support/runner/file-commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"];

afterEach(() => vi.unstubAllEnvs());

test("T11: the job gets our outputs, and nothing that somebody else has written into the step's files", async () => {
  await using folder = await tempFolder();
  for (const name of FILES) {
    vi.stubEnv(name, path.join(folder.path, name));
    await writeFile(path.join(folder.path, name), "owned<<EOF\nnever ended\n");
  }
  setOutputs({ status: "completed", "final-message": "a\n::error::b\n" });
  const [outputs = "", ...others] = await Promise.all(
    FILES.map((name) => readFile(path.join(folder.path, name), "utf8")),
  );
  expect(parsePairs(outputs)).toEqual({ status: "completed", "final-message": "a\n::error::b\n" });
  expect(others).toEqual(["", "", ""]);
});
