import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createRunner } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";

const WRITER = pathToFileURL(path.join(import.meta.dirname, "../../src/reporters/job-summary.ts")).href;

test("W-09: the job summary is replaced when it is written again", async () => {
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
  const { writeJobSummary } = await import("../../src/reporters/job-summary.ts");
  await expect(writeJobSummary("x")).rejects.toThrow("GITHUB_STEP_SUMMARY");
});
