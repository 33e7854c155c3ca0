import { createRunnerLog, type RunnerLog } from "../../platform/runner-log.ts";
import type { Host } from "./surroundings.ts";
import { tellError } from "./tell-error.ts";

/** What a stage does. @returns the exit code */
export type Stage = (host: Host, log: RunnerLog) => Promise<number>;

const FLUSH_MS = 5_000;

/**
 * Runs a stage of the Action. This module has to stay small: what it imports is read before the first line of the log,
 * and everything else only once that is out.
 *
 * @param load gives the stage, with all that it needs
 * @returns the exit code: that of the stage, 1 when something went wrong
 */
export async function runStage(host: Host, log: RunnerLog, load: () => Promise<Stage>): Promise<number> {
  try {
    const stage = await load();
    return await stage(host, log);
  } catch (error) {
    await tellError(error, log);
    return 1;
  } finally {
    await log.drained(Date.now() + FLUSH_MS);
  }
}

/** The log of a stage. */
export function logOf(host: Host): RunnerLog {
  return createRunnerLog(host.stdout);
}
