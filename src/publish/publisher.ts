import type { Config } from "../config/config.ts";
import { shareReserve } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import type { Teller } from "../os/teller.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { LoopPlace } from "../store/place.ts";
import { firstSnapshot, viewForJob } from "../app/view-of.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import type { PublishedWork } from "./publish.ts";

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
export interface PublisherOptions {
  readonly context: GithubContext;
  readonly place: LoopPlace;
  readonly config: Config;
  readonly github: GithubAccess | undefined;
  readonly teller: Teller;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  /** what the workflow hands over of the kill switch; null: nothing */
  readonly disabled: string | null;
  /** what is kept free at the end of the job; each call has its share of it; milliseconds */
  readonly reserveMs: number;
}

/**
 * What publishes the ending of a job's loop; undefined where it has nothing on GitHub and does not go on by itself, and
 * where there is no token for that.
 */
export function publisherFor(
  { github: ties, stop_reason: reason }: LoopState,
  options: PublisherOptions,
): Publisher | undefined {
  const { hand, config, github } = options;
  const isTold = hand !== undefined || (ties?.pull_request ?? null) !== null;
  // What is counted in its ties.
  const mayGoOn = ties !== null && reason?.kind === "time_budget" && config.selfContinue === "auto";
  return github !== undefined && (isTold || mayGoOn) ? createPublisher(options, github) : undefined;
}

function createPublisher(options: PublisherOptions, github: GithubAccess): Publisher {
  const { context, place, config, teller, hand, disabled } = options;
  const shares = shareReserve(options.reserveMs);
  const { loopId } = place;
  const comments = config.statusComment;
  let published: PublishedWork | undefined;
  const park: Publisher["park"] = async (state, refused) => {
    if (published?.continues !== true) return undefined;
    const { facts } = published;
    const told = { ...facts, selfContinue: { ...facts.selfContinue, refused } };
    const { sayParked } = await import("./publish.ts");
    const access = await github.within(shares.report / 2);
    const view = await viewForJob(state, place, config);
    for (const note of await sayParked({ access, loopId, comments }, view, told)) teller.notice(note);
    return told;
  };
  return {
    publish: async (stopped, refHolds) => {
      const [{ publicationFacts }, { publish, recordPublished }, { keptOf }] = await Promise.all([
        import("./publication-facts.ts"),
        import("./publish.ts"),
        import("./push-work.ts"),
      ]);
      const began = (await firstSnapshot(place.folder).catch(() => null))?.head ?? null;
      const until = performance.now() + shares.publish;
      const leftMs = (): number => Math.max(0, until - performance.now());
      const access = await github.within(shares.publish);
      const kept = keptOf(config, { loopId, isPrivate: context.event.visibility === "private", refHolds });
      const pushing = { hand, kept, runId: context.runId, line: teller.line, leftMs };
      const [facts, view] = await Promise.all([
        publicationFacts({ context, config, root: place.root, access, hand, began, disabled, leftMs }, stopped),
        viewForJob(stopped, place, config),
      ]);
      published = await publish({ access, pushing, loopId, comments }, view, facts);
      for (const note of published.facts.notes) teller.notice(note);
      const { facts: said, isUnsaved } = published;
      return { state: await recordPublished(place, published), facts: said, isUnsaved };
    },
    goOn: async (state) => {
      if (published?.continues !== true) return undefined;
      const { startNextRun } = await import("./self-continue.ts");
      const why = await startNextRun(state.loop_id, context, await github.within(shares.report / 2), teller);
      return why === null ? undefined : park(state, why);
    },
    park,
  };
}
