import type { Config } from "../config/config.ts";
import { messageOf } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import type { GithubContext } from "../github/context.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { LoopPlace } from "../store/place.ts";
import { writeSummary } from "../app/write-summary.ts";
import type { SavedLoop } from "../carry/save.ts";
import { outputsOf } from "./outputs.ts";
import { viewForJob } from "../app/view-for-job.ts";

/** Says what has become of a job's loop, where the job's steps and people look for it. */
export interface JobReport {
  /** Writes `summary.json`. A loop without one is none the worse. */
  readonly writeSummary: (state: LoopState) => Promise<void>;
  /** Writes the job's summary, in place of an earlier one of this step. A job without a summary is none the worse. */
  readonly summarize: (state: LoopState, away: SavedLoop, published?: PublicationFacts) => Promise<void>;
  /** Hands the later steps of the job what they can ask of the loop. */
  readonly handOver: (state: LoopState, away: SavedLoop) => Promise<void>;
}

/** What a report is made from. */
interface ReportOptions {
  readonly context: GithubContext;
  readonly place: LoopPlace;
  readonly config: Config;
  /** what people were told, which the summary repeats */
  readonly told: readonly string[];
  readonly log: Pick<RunnerLog, "warning">;
}

export function createJobReport({ context, place, config, told, log }: ReportOptions): JobReport {
  const { owner, name } = context.repository;
  const runUrl = `${context.serverUrl}/${owner}/${name}/actions/runs/${context.runId}`;
  return {
    async writeSummary(state) {
      try {
        await writeSummary(place, await viewForJob(state, place, config), config.summaryJson);
      } catch (error) {
        log.warning(`The summary could not be written (${messageOf(error)}); state and events are complete.`);
      }
    },
    async summarize(state, away, published) {
      const view = await viewForJob(state, place, config);
      const [{ jobSummary }, { writeJobSummary }] = await Promise.all([
        import("../views/github/job-summary.ts"),
        import("../reporters/job-files.ts"),
      ]);
      const markdown = jobSummary(view, {
        runUrl,
        artifactUrl: away.artifact === null ? null : `${runUrl}/artifacts/${away.artifact.id}`,
        notices: told,
        carriers: away.fates,
        ...(published === undefined ? {} : { published }),
      });
      try {
        await writeJobSummary(markdown);
      } catch (error) {
        log.warning(`The job's summary could not be written: ${messageOf(error)}.`);
      }
    },
    async handOver(state, away) {
      const { setOutputs } = await import("../reporters/job-files.ts");
      setOutputs(await outputsOf(state, place, away.artifact?.id ?? null));
    },
  };
}
