import type { LoopState } from "../core/state.ts";
import { writeSummary } from "../app/write-summary.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { viewForJob } from "../app/view-for-job.ts";
import { messageOf } from "../core/errors.ts";

/** Writes `summary.json` as a job tells of its loop. A loop without one is none the worse. */
export async function writeSummaryFor(state: LoopState, job: Surroundings): Promise<void> {
  const { place, settings, log } = job;
  try {
    await writeSummary(place, await viewForJob(state, job), settings.config.summaryJson);
  } catch (error) {
    const why = messageOf(error);
    log.warning(`The summary could not be written (${why}); state and events are complete.`);
  }
}
