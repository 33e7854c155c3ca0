import type { Carriers } from "../carry/carriers.ts";
import { type SavedLoop, saveLoop } from "../carry/save.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";
import type { GitRefControl } from "../control/git-refs.ts";
import { shareReserve } from "../core/carry.ts";
import { outcomeOf, type StopReason } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { removeCaches } from "../github/caches.ts";
import type { Publisher, PublisherOptions } from "../publish/publisher.ts";
import type { WriteCarryNote } from "../store/carry-note.ts";
import { cacheKeyPrefix } from "../store/carried-record.ts";
import type { PagePlace, PublicationFacts } from "../views/github/facts.ts";
import type { JobReport } from "./report.ts";

/** What is left to do once a loop has stopped. */
export interface Finish {
  readonly carriers: Carriers;
  readonly checkpoints: Checkpoints | undefined;
  readonly note: WriteCarryNote;
  readonly report: JobReport;
  readonly publishing: PublisherOptions;
  /** what people have asked of the loop while it ran; undefined: they could not */
  readonly requests: Pick<GitRefControl, "acknowledge"> | undefined;
  /** the commit of the loop's ref that the run went on from; null: none, or it could not be read */
  readonly follows: string | null;
}

/** For the upload of the page, beside other things. */
const PAGE_MS = 20_000;

const ACKNOWLEDGE_MS = 10_000;

/** How it ended. */
export interface Finished {
  /** as the loop stopped; if another run has it, as this run left it */
  readonly state: LoopState;
  readonly saved: SavedLoop;
  /** nothing outside this machine holds the work */
  readonly isLost: boolean;
}

/**
 * Publishes a stopped loop's work, saves the loop, cleans up and writes the job's summary. Safe to repeat.
 *
 * @param reserveMs the time for all of it
 */
export async function finish(
  ended: LoopState,
  { carriers, checkpoints, note, report, publishing, requests }: Omit<Finish, "follows">,
  reserveMs: number,
): Promise<Finished> {
  const { teller } = publishing;
  const shares = shareReserve(reserveMs);
  const { publisherFor } = await import("../publish/publisher.ts");
  const publisher = publisherFor(ended, publishing, reserveMs);
  let showing: Promise<PagePlace | null> | undefined;
  // Only once the loop is known to be still this run's: what another run has shows its own page.
  const show = (): Promise<PagePlace | null> =>
    (showing ??= report.showPage(ended, carriers.page, Math.min(PAGE_MS, Math.floor(shares.publish / 3))));
  // First the ref holds the ending, so that the next run knows of it even if nothing can be said of it.
  if (publisher !== undefined) await checkpoints?.keep(ended, Math.floor(shares.save / 2));
  const isTaken = checkpoints?.superseded === true;
  const published = isTaken ? undefined : await publisher?.publish(ended, checkpoints?.failure === null, show());
  // A ref that could not be written until now has already used half of the time for it.
  const hasTried = published !== undefined && (checkpoints?.failure ?? null) !== null;
  const stopped = published?.state ?? ended;
  const saved = await saveLoop(stopped, {
    ...carriers,
    checkpoints,
    meanwhile: () => void show(),
    shares: hasTried ? { ...shares, save: Math.floor(shares.save / 2) } : shares,
  });
  const state = checkpoints?.superseded === true ? superseded(stopped, checkpoints) : stopped;
  if (state !== stopped) await report.writeSummary(state);
  for (const { name, saved: isSaved, detail } of saved.fates) {
    if (isSaved) teller.line(`carried away by ${name}: ${detail}`);
    else teller.notice(detail);
  }
  const isSaved = saved.fates.some((fate) => fate.saved);
  const inPatch = published?.inPatch === true && saved.artifact !== null;
  const isWorkLost = published?.isUnsaved === true && !inPatch && !(carriers.keepsTree && isSaved);
  // What another run has is not this one's to save.
  const isOwn = checkpoints?.superseded !== true && publishing.config.carriers.length > 0;
  const isElsewhere = isSaved || published?.isPushed === true || checkpoints?.holdsTurnsOf(state) === true;
  const isLost = isWorkLost || (isOwn && !isElsewhere);
  if (isLost) teller.error(isElsewhere ? LOST : NOWHERE);
  const page = report.pageIn((await showing) ?? null, saved.artifact);
  await carriers.page?.end();
  const isForeign = checkpoints?.superseded === true;
  const facts = isForeign ? published?.facts : await publisher?.movePage(state, page);
  await report.summarize(state, saved, page, facts);
  await checkpoints?.close();
  await note({ follows: checkpoints?.follows ?? null, seen: true, sent: [], carried: state.revision });
  if (checkpoints?.superseded === true) return { state, saved, isLost };
  await endBranch(publishing, Math.floor(shares.report / 2));
  const parked = await goOn(state, publisher, requests, teller, saved);
  if (parked !== undefined) await report.summarize(state, saved, page, parked);
  if (carriers.cache !== undefined) await removeOldCaches(state, publishing, saved, Math.floor(shares.report / 2));
  return { state, saved, isLost };
}

/** An empty branch says nothing to anybody. */
async function endBranch({ branch, teller }: PublisherOptions, withinMs: number): Promise<void> {
  const ended = await branch?.end(withinMs);
  if (branch === undefined || ended === undefined) return;
  if (!ended.ok) teller.line(`the branch ${branch.name} stays, with nothing on it: ${ended.trouble.because}`);
  else if (ended.value) teller.line(`deleted the branch ${branch.name}: nothing was pushed to it`);
}

const LOST =
  "What this run did is lost with this machine: neither a branch, nor the loop's ref, nor another carrier took it. The next run begins with what was kept last. Put right what the other messages name, or have the loop run again when GitHub answers.";

const NOWHERE =
  "Nothing of this run is saved anywhere, so this job fails, however the loop ended: neither the loop's git ref nor an artifact nor the cache took it, and no branch has its work. It is lost with this machine; the next run goes on from what was kept last, or starts over, and pays for these iterations again. Put right what the other messages name, or have the loop run again when GitHub answers. Where nothing is to be kept, set `carriers: none`.";

/** It had stopped here before another run was found to have the loop: its result here does not count. */
export function superseded(state: LoopState, { failure }: Pick<Checkpoints, "failure">): LoopState {
  if (state.stop_reason?.kind === "superseded") return state;
  const reason: StopReason = { kind: "superseded", by: failure ?? "another run" };
  return { ...state, status: outcomeOf(reason).status, stop_reason: reason };
}

/**
 * Deletes obeyed requests, and starts the next run if nothing prevents it.
 *
 * @returns the facts when it should have started and did not
 */
async function goOn(
  state: LoopState,
  publisher: Publisher | undefined,
  requests: Finish["requests"],
  { notice }: PublisherOptions["teller"],
  saved: SavedLoop,
): Promise<PublicationFacts | undefined> {
  const unheard = (await requests?.acknowledge(ACKNOWLEDGE_MS))?.unheard ?? [];
  for (const { kind, by } of unheard) {
    notice(`${by} asked for ${kind} when this run had ended. The loop does not go on by itself.`);
  }
  // Who asked then does not want it to go on by itself.
  if (unheard.length > 0) return publisher?.park(state, "somebody asked for something when the run had ended");
  const isKept = saved.fates.some((fate) => fate.saved);
  // It would count from nothing as well, and start the next one for ever.
  return isKept ? publisher?.goOn(state) : publisher?.park(state, NOTHING_KEPT);
}

const NOTHING_KEPT = "nothing of it could be kept, so that its next run would begin from nothing";

/** A finished loop needs no cache, and an unfinished one only its newest. */
async function removeOldCaches(
  { loop_id: loopId, stop_reason: reason }: LoopState,
  { github, teller }: PublisherOptions,
  { cacheKey }: SavedLoop,
  withinMs: number,
): Promise<void> {
  const over = reason !== null && outcomeOf(reason).resumableBy === "nobody";
  if (github === undefined || (!over && cacheKey === null)) return;
  const which = { prefix: cacheKeyPrefix(loopId), keep: over ? null : cacheKey };
  const caches = await removeCaches(await github.within(withinMs), which);
  const { removed } = caches.ok ? caches.value : caches.trouble;
  if (removed > 0) teller.line(`removed ${removed} older cache entries of the loop`);
  if (!caches.ok)
    teller.line(`older cache entries of the loop stay until GitHub evicts them: ${caches.trouble.because}`);
}
