import { writeFileSync } from "node:fs";

/** The files by which a step speaks to its job; its summary is written as a whole. */
const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"];

/** What was told to post, by the file that holds it. */
const told = new Map<string, string>();

/**
 * Tells post something of this step, as its `STATE_begun`: all that post learns where nothing else of the runner's temp
 * folder is left. Anybody who can write there can change it.
 *
 * @param value one line; null takes it back
 */
export function tellPost(value: string | null): void {
  const file = process.env["GITHUB_STATE"];
  if (!file) return;
  if (value === null) told.delete(file);
  else told.set(file, `begun=${value}\n`);
  writeFileSync(file, told.get(file) ?? "");
}

/**
 * Sets the outputs for a job's later steps, and nothing else than what post was told: other programs may have written to the files, which must
 * not change the environment of later steps (threats T11).
 *
 * @throws Error outside a job
 */
export async function setOutputs(outputs: Readonly<Record<string, string>>): Promise<void> {
  // Half a megabyte of code, which what is told to post before the agent starts does not wait for.
  const { setOutput } = await import("@actions/core");
  for (const name of FILES) {
    const file = process.env[name];
    if (file) writeFileSync(file, told.get(file) ?? "");
  }
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/**
 * Makes `markdown` the summary of this step, replacing what it has written before.
 *
 * @throws Error outside a job, or when the file system refuses
 */
export function writeJobSummary(markdown: string): void {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file) throw new Error("There is no job summary to write to: GITHUB_STEP_SUMMARY names no file.");
  writeFileSync(file, markdown);
}
