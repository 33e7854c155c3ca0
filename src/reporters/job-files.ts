import { setOutput } from "@actions/core";
import { writeFileSync } from "node:fs";

/** Where a step can speak to its job; its summary is written as a whole anyway. */
const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"];

/**
 * Hands a job's later steps what they can ask of this one, and nothing else: what stands in the files by then was written
 * by somebody who was not asked, and must not change the environment of later steps (threats T11).
 *
 * @throws Error where there is no job to speak to
 */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const name of FILES) {
    const file = process.env[name];
    if (file) writeFileSync(file, "");
  }
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/**
 * Makes `markdown` the summary of this step, instead of what the step has written before.
 *
 * @throws Error where there is no summary to write to, or when the file system refuses
 */
export function writeJobSummary(markdown: string): void {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file) throw new Error("There is no job summary to write to: GITHUB_STEP_SUMMARY names no file.");
  writeFileSync(file, markdown);
}
