import { shareReserve } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { Octokit } from "../github/octokit.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import { firstSnapshot } from "../app/view-of.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import type { Carriage } from "../carry/carriage.ts";
import type { PublishedWork } from "./publish.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { viewForJob } from "../app/view-for-job.ts";

/** What has come of publishing an ending. */
export interface PublishedEnding {
  /** with it */
  readonly state: LoopState;
  readonly facts: PublicationFacts;
  /** neither a branch nor the loop's ref holds the work that was to be pushed */
  readonly isUnsaved: boolean;
}

/** Says on GitHub how a loop has ended. Neither call throws for what GitHub refuses. */
export interface Publisher {
  /** @param refHolds whether the loop's ref holds the ending already */
  publish(stopped: LoopState, refHolds: boolean): Promise<PublishedEnding>;
  /**
   * Starts the loop's next run, if that was published.
   *
   * @returns what is known where it could not be started, which is told where it was published
   */
  goOn(state: LoopState): Promise<PublicationFacts | undefined>;
  /**
   * Tells that it is not started after all, if that was published.
   *
   * @param why part of a sentence
   */
  park(state: LoopState, why: string): Promise<PublicationFacts | undefined>;
}

/** What a publisher is made with. */
interface PublisherOptions {
  readonly job: Surroundings;
  readonly octokit: Octokit;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  /** what is kept free at the end of the job; each call has its share of it; milliseconds */
  readonly reserveMs: number;
}

/**
 * What publishes the ending of a job's loop; undefined where it has nothing on GitHub and does not go on by itself, and
 * where there is no token for that.
 */
export async function publisherFor(
  { github, stop_reason: reason }: LoopState,
  { carriage, ...options }: Omit<PublisherOptions, "octokit"> & { readonly carriage: Pick<Carriage, "octokit"> },
): Promise<Publisher | undefined> {
  const { hand, job } = options;
  const isTold = hand !== undefined || (github?.pull_request ?? null) !== null;
  // What is counted in its ties.
  const mayGoOn = github !== null && reason?.kind === "time_budget" && job.settings.config.selfContinue === "auto";
  if (!isTold && !mayGoOn) return undefined;
  const octokit = await carriage.octokit();
  return octokit === undefined ? undefined : createPublisher({ ...options, octokit });
}

function createPublisher({ job, octokit, hand, reserveMs }: PublisherOptions): Publisher {
  const shares = shareReserve(reserveMs);
  const access = (ms = shares.report / 2) => ({
    octokit,
    repository: job.context.repository,
    signal: AbortSignal.timeout(Math.floor(ms)),
  });
  let published: PublishedWork | undefined;
  const park: Publisher["park"] = async (state, refused) => {
    if (published?.continues !== true) return undefined;
    const { facts } = published;
    const told = { ...facts, selfContinue: { ...facts.selfContinue, refused } };
    const { sayParked } = await import("./publish.ts");
    for (const note of await sayParked({ job, access: access() }, await viewForJob(state, job), told)) job.notice(note);
    return told;
  };
  return {
    publish: async (stopped, refHolds) => {
      const [{ publicationFacts }, { publish }, { recordPublished }] = await Promise.all([
        import("./publication-facts.ts"),
        import("./publish.ts"),
        import("./record-published.ts"),
      ]);
      const began = (await firstSnapshot(job.place.folder).catch(() => null))?.head ?? null;
      const until = performance.now() + shares.publish;
      const leftMs = (): number => Math.max(0, until - performance.now());
      const publishing = { job, access: access(shares.publish), hand, began, refHolds, leftMs };
      const [facts, view] = await Promise.all([publicationFacts(publishing, stopped), viewForJob(stopped, job)]);
      published = await publish(publishing, view, facts);
      for (const note of published.facts.notes) job.notice(note);
      const { facts: said, isUnsaved } = published;
      return { state: await recordPublished(job.place, published), facts: said, isUnsaved };
    },
    goOn: async (state) => {
      if (published?.continues !== true) return undefined;
      const { startNextRun } = await import("../requests/self-continue.ts");
      const why = await startNextRun(state, job, access());
      return why === null ? undefined : park(state, why);
    },
    park,
  };
}
