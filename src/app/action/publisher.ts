import type { LoopState } from "../../core/state.ts";
import type { Octokit } from "../../platform/octokit.ts";
import type { PublicationFacts } from "../../views/publication/facts.ts";
import { firstSnapshot } from "../view-of.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import type { Carriage } from "./carriage.ts";
import type { Surroundings } from "./surroundings.ts";
import { viewForJob } from "./view-for-job.ts";

/** What has come of publishing an ending. */
export interface PublishedEnding {
  /** with it */
  readonly state: LoopState;
  readonly facts: PublicationFacts;
}

/** Says on GitHub how a loop has ended. Neither call throws for what GitHub refuses. */
export interface Publisher {
  publish(stopped: LoopState): Promise<PublishedEnding>;
  /** Starts the loop's next run, if that was published. */
  goOn(state: LoopState): Promise<void>;
  /** Tells a person that it is not started, if that was published. */
  park(): void;
}

/** What a publisher is made with. */
interface PublisherOptions {
  readonly job: Surroundings;
  readonly octokit: Octokit;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  /** bounds each of its calls; milliseconds */
  readonly withinMs: number;
}

/** What publishes the ending of a job's loop; undefined where it has nothing on GitHub, or no token to say it with. */
export async function publisherFor(
  { github }: LoopState,
  { carriage, ...options }: Omit<PublisherOptions, "octokit"> & { readonly carriage: Pick<Carriage, "octokit"> },
): Promise<Publisher | undefined> {
  const pullRequest = github?.pull_request ?? null;
  if (options.hand === undefined && pullRequest === null) return undefined;
  const octokit = await carriage.octokit();
  return octokit === undefined ? undefined : createPublisher({ ...options, octokit });
}

const PARKED =
  "The loop does not go on by itself although its time was up: nothing of it could be kept, so its next run would begin from nothing.";

function createPublisher({ job, octokit, hand, withinMs }: PublisherOptions): Publisher {
  const access = () => ({
    octokit,
    repository: job.context.repository,
    signal: AbortSignal.timeout(withinMs),
  });
  let continues = false;
  return {
    publish: async (stopped) => {
      const [{ publicationFacts }, { publish }, { recordPublished }] = await Promise.all([
        import("./publication-facts.ts"),
        import("./publish.ts"),
        import("./record-published.ts"),
      ]);
      const began = (await firstSnapshot(job.place.folder).catch(() => null))?.head ?? null;
      const publishing = { job, access: access(), hand, began };
      const [facts, view] = await Promise.all([publicationFacts(publishing, stopped), viewForJob(stopped, job)]);
      const published = await publish(publishing, view, facts);
      for (const note of published.facts.notes) job.notice(note);
      ({ continues } = published);
      return { state: await recordPublished(job.place, published), facts: published.facts };
    },
    goOn: async (state) => {
      if (!continues) return;
      const { startNextRun } = await import("./self-continue.ts");
      await startNextRun(state, job, access());
    },
    park: () => {
      if (continues) job.notice(PARKED);
    },
  };
}
