import { createRunnerLog, type RunnerLog } from "../os/runner-log.ts";
import type { LoopPlace } from "../app/place.ts";
import type { Host } from "../app/surroundings.ts";
import { tellError } from "./tell-error.ts";

/**
 * What a stage does.
 *
 * @param about is told the loop as soon as it is known which one it is, so that an error can say how it stands
 * @returns the exit code
 */
export type Stage = (host: Host, log: RunnerLog, about: About) => Promise<number>;

/** See `Stage`. */
export type About = (place: LoopPlace) => void;

const FLUSH_MS = 5_000;

/**
 * Runs a stage of the Action. This module has to stay small: what it imports is read before the first line of the log,
 * and everything else only once that is out.
 *
 * @param load gives the stage, with all that it needs
 * @returns the exit code: that of the stage, 1 when something went wrong
 */
export async function runStage(host: Host, log: RunnerLog, load: () => Promise<Stage>): Promise<number> {
  let place: LoopPlace | undefined;
  try {
    const stage = await load();
    return await stage(host, log, (known) => {
      place = known;
    });
  } catch (error) {
    await tellError(error, log, place);
    return 1;
  } finally {
    await log.drained(Date.now() + FLUSH_MS);
  }
}

/** The log of a stage. */
export function logOf(host: Host): RunnerLog {
  return createRunnerLog(host.stdout);
}
