import type { Finished } from "../support/run-smithers.ts";

/** Fails with everything that the run said when it did not end with `exitCode`. */
export function expectExit(run: Finished, exitCode: number): void {
  if (run.exitCode === exitCode) return;
  const how = run.signal ?? `exit code ${run.exitCode}`;
  throw new Error(`smithers ended with ${how} in place of exit code ${exitCode}.\n${run.stdout}\n${run.stderr}`);
}
