import { shareReserve } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { GithubAccess } from "../github/access.ts";
import type { Github } from "../github/client.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { INPUT, writeInput } from "../github/intent-input.ts";
import type { Teller } from "../os/teller.ts";
import { firstSnapshot } from "../store/read-events.ts";
import type { PagePlace, PublicationFacts } from "../views/github/facts.ts";
import type { RunView } from "../views/run-view.ts";
import { type FactSources, publicationFacts } from "./publication-facts.ts";
import { publish, type PublishedWork, recordPublished, sayAgain } from "./publish.ts";
import { keptOf } from "./push-work.ts";

/** What a publisher is made with. */
export interface PublisherOptions extends FactSources {
  readonly github: GithubAccess | undefined;
  readonly teller: Teller;
  /** a state as others may see it */
  readonly view: (state: LoopState) => Promise<RunView>;
  /** hears of each state before it is written */
  readonly announce?: (state: LoopState) => Promise<void>;
  /** the commit that the loop began with, where its events are not believed */
  readonly began?: string | null;
}

/**
 * What publishes the ending of a job's loop; undefined when it has nothing on GitHub and does not go on by itself, or
 * without a token.
 *
 * @param reserveMs the time reserved at the end of the job; each call has its share of it
 */
export function publisherFor(
  { github: link, stop_reason: reason }: LoopState,
  options: PublisherOptions,
  reserveMs: number,
) {
  const { branch, config, github } = options;
  const isTold = branch !== undefined || (link?.pull_request ?? null) !== null || link?.issue !== undefined;
  // What is counted in its link.
  const mayGoOn = link !== null && reason?.kind === "time_budget" && config.selfContinue === "auto";
  return github !== undefined && (isTold || mayGoOn) ? createPublisher(options, github, reserveMs) : undefined;
}

export type Publisher = ReturnType<typeof createPublisher>;

/** Says on GitHub how a loop has ended. No call throws for what GitHub refuses. */
function createPublisher(options: PublisherOptions, github: GithubAccess, reserveMs: number) {
  const { context, place, config, teller, branch, view, announce } = options;
  const { loopId } = place;
  const shares = shareReserve(reserveMs);
  const telling = { loopId, comments: config.statusComment };
  let published: PublishedWork | undefined;
  /**
   * Tells that the next run is not started after all, if that was published.
   *
   * @param refused why, as part of a sentence
   */
  const park = async (state: LoopState, refused: string): Promise<PublicationFacts | undefined> => {
    if (published?.continues !== true) return undefined;
    const { facts } = published;
    const told = { ...facts, selfContinue: { ...facts.selfContinue, refused } };
    const access = await github.within(shares.report / 2);
    for (const note of await sayAgain({ ...telling, access }, await view(state), told)) teller.notice(note);
    return told;
  };
  return {
    park,
    /** Tells once more where the page is, if it was published and is elsewhere now. @returns the facts from now on */
    movePage: async (state: LoopState, page: PagePlace | null): Promise<PublicationFacts | undefined> => {
      if (published === undefined || published.facts.page === page) return published?.facts;
      published = { ...published, facts: { ...published.facts, page } };
      const access = await github.within(shares.report / 2);
      for (const note of await sayAgain({ ...telling, access }, await view(state), published.facts))
        teller.notice(note);
      return published.facts;
    },
    /**
     * @param refHolds whether the loop's ref holds the ending already
     * @param page where people will find the page about the loop
     * @returns the state with what was published, already stored
     */
    publish: async (stopped: LoopState, refHolds: boolean, page: Promise<PagePlace | null>) => {
      const began = options.began ?? (await firstSnapshot(place).catch(() => null))?.head ?? null;
      const until = performance.now() + shares.publish;
      const leftMs = (): number => Math.max(0, until - performance.now());
      const access = await github.within(shares.publish);
      const kept = keptOf(config, { loopId, isPrivate: context.event.visibility === "private", refHolds });
      const pushing = { branch, kept, runId: context.runId, line: teller.line, leftMs };
      const [known, seen, shown] = await Promise.all([
        publicationFacts(options, stopped, access, { began, withinMs: leftMs() / 4 }),
        view(stopped),
        page,
      ]);
      const people = { reviewers: config.reviewers, notify: config.notify, began };
      published = await publish({ ...telling, access, pushing, people }, seen, { ...known, page: shown });
      const { facts, isUnsaved, inPatch, isPushed } = published;
      for (const note of facts.notes) teller.notice(note);
      return { state: await recordPublished(place, stopped, published, announce), facts, isUnsaved, inPatch, isPushed };
    },
    /**
     * Starts the loop's next run, if that was published.
     *
     * @returns the facts if it could not be started, which is told where it was published
     */
    goOn: async (state: LoopState) => {
      if (published?.continues !== true) return undefined;
      const why = await startNextRun(state.loop_id, context, await github.within(shares.report / 2), teller);
      return why === null ? undefined : park(state, why);
    },
  };
}

/**
 * Starts the loop's next run. If that fails, the loop waits for another trigger, and a person is told.
 *
 * @returns why it was not started, as part of a sentence; null: it was
 */
export async function startNextRun(
  loop: string,
  context: GithubContext,
  github: Github,
  { line, notice }: Teller,
): Promise<string | null> {
  const input = writeInput({
    command: "continue",
    loop,
    pr: null,
    issue: null,
    head: null,
    request: null,
    self: true,
    prd: null,
  });
  const workflow = context.workflow.file;
  const started = await dispatchWorkflow(github, { workflow, ref: branchOfRun(context), inputs: { [INPUT]: input } });
  if (started.ok) {
    const { runUrl } = started.value;
    line(`the next run of this loop was started${runUrl === null ? "" : `: ${runUrl}`}`);
    return null;
  }
  const { because } = started.trouble;
  notice(
    `The loop's next run could not be started: ${because}. Nothing is lost: the loop goes on with the next run of this workflow, whoever starts it.`,
  );
  return because;
}
