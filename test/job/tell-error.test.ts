import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { tellError } from "../../src/job/tell-error.ts";
import { OUTPUTS } from "../../src/config/action.ts";
import { OperationalError, UsageError } from "../../src/core/errors.ts";
import type { LoopState } from "../../src/core/state.ts";
import { writeState } from "../../src/store/state-file.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";
import { aState } from "../views/a-state.ts";
import { parsePairs } from "../support/runner/file-commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

const MISTAKE = new UsageError([{ code: "PREFLIGHT", what: "It could not be published.", next: "Set --preflight." }]);
const TROUBLE = new OperationalError({ code: "DISK_FULL", what: "The disk is full.", next: "Make room." });

afterEach(() => vi.unstubAllEnvs());

/** What later steps and people get to know of an error. `state`: of the loop that is there; null: none is. */
async function told(thrown: unknown, state: LoopState | string | null) {
  await using temp = await tempFolder();
  const [output, summary] = [path.join(temp.path, "output"), path.join(temp.path, "summary")];
  await Promise.all([output, summary].map(async (file) => writeFile(file, "")));
  vi.stubEnv("GITHUB_OUTPUT", output);
  vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
  const folder = path.join(temp.path, "repo-1");
  await mkdir(folder);
  const place = { loopId: "repo-1", root: temp.path, stateFile: `${folder}.json`, folder };
  if (typeof state === "string") await writeFile(place.stateFile, state);
  else if (state !== null) await writeState(place.stateFile, state, Promise.resolve());
  await tellError(thrown, createRunnerLog(new PassThrough()), place);
  return { outputs: parsePairs(await readFile(output, "utf8")), summary: await readFile(summary, "utf8") };
}

test.for<[what: string, error: Error, state: LoopState | string | null, expected: Record<string, string>]>([
  ["no loop", MISTAKE, null, { "stop-reason": "config", resumable: "false", "loop-id": "" }],
  ["no loop that can be read", TROUBLE, "{", { "stop-reason": "", resumable: "false", "loop-id": "" }],
  [
    "a loop that goes on",
    MISTAKE,
    aState({ iteration: 3 }),
    { "stop-reason": "config", resumable: "true", "loop-id": "repo-1", iterations: "3", "summary-file": "" },
  ],
  ["a loop that waits", TROUBLE, aState(ended({ kind: "time_budget" })), { "stop-reason": "", resumable: "true" }],
  ["a loop that is over", TROUBLE, aState(ended(COMPLETED)), { resumable: "false", "loop-id": "repo-1" }],
])("an error, and %s [C9]", async ([, error, state, expected]) => {
  const { outputs, summary } = await told(error, state);
  expect(Object.keys(outputs).toSorted()).toEqual(OUTPUTS.map(({ name }) => name).toSorted());
  expect(outputs).toMatchObject({ status: "error", ...expected });
  expect(summary).toContain("**Next:**");
  expect(summary).toContain(expected["loop-id"] === "" ? "begun no loop" : "Loop repo-1 is unharmed");
});
