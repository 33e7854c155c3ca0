import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { setOutputs, writeJobSummary } from "../../src/reporters/job-files.ts";
import { parsePairs } from "../support/runner/file-commands.ts";
import { createRunner } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"];

afterEach(() => vi.unstubAllEnvs());

test("the job gets our outputs, and nothing that somebody else has written into the step's files [T11]", async () => {
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

const WRITER = pathToFileURL(path.join(import.meta.dirname, "../../src/reporters/job-files.ts")).href;

test("the job summary is replaced when it is written again [W-09]", async () => {
  await using folder = await tempFolder();
  const script = (text: string): string => `
    import { writeJobSummary } from ${JSON.stringify(WRITER)};
    await writeJobSummary("# first\\n");
    await writeJobSummary(${JSON.stringify(text)});
  `;
  await writeFile(path.join(folder.path, "main.mjs"), script("# main\n"));
  await writeFile(path.join(folder.path, "post.mjs"), script("# post\n"));
  await using runner = await createRunner({
    actionDir: folder.path,
    workspace: folder.path,
    action: { inputs: {}, runs: { using: "node24", main: "main.mjs", post: "post.mjs" } },
  });
  const job = await runner.run();
  expect(job.conclusion).toBe("success");
  expect([job.main, ...job.posts].map(({ summary }) => summary)).toEqual(["# main\n", "# post\n"]);
});

test("where there is no summary, it throws", async () => {
  await expect(writeJobSummary("x")).rejects.toThrow("GITHUB_STEP_SUMMARY");
});
