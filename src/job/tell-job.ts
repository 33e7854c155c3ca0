import type { LoopState } from "../core/state.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { CarriedAway } from "../carry/carry-away.ts";
import { outputsOf } from "./outputs.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { viewForJob } from "../app/view-for-job.ts";
import { messageOf } from "../core/errors.ts";

/** Hands the later steps of the job what they can ask of the loop. */
export async function handOver(state: LoopState, job: Surroundings, away: CarriedAway): Promise<void> {
  const { setOutputs } = await import("../reporters/job-files.ts");
  setOutputs(await outputsOf(state, job.place, away.artifact?.id ?? null));
}

/** Writes the job's summary, in place of an earlier one of this step. A job without a summary is none the worse. */
export async function summarize(
  state: LoopState,
  job: Surroundings,
  away: CarriedAway,
  published?: PublicationFacts,
): Promise<void> {
  const { context, log, notices } = job;
  const { owner, name } = context.repository;
  const runUrl = `${context.serverUrl}/${owner}/${name}/actions/runs/${context.runId}`;
  const view = await viewForJob(state, job);
  const [{ jobSummary }, { writeJobSummary }] = await Promise.all([
    import("../views/github/job-summary.ts"),
    import("../reporters/job-files.ts"),
  ]);
  const markdown = jobSummary(view, {
    runUrl,
    artifactUrl: away.artifact === null ? null : `${runUrl}/artifacts/${away.artifact.id}`,
    notices,
    carriers: away.fates,
    ...(published === undefined ? {} : { published }),
  });
  try {
    await writeJobSummary(markdown);
  } catch (error) {
    log.warning(`The job's summary could not be written: ${messageOf(error)}.`);
  }
}
