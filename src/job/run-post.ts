import { isNewer, shareReserve, type RefAnswer } from "../core/carry.ts";
import { UsageError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { sweep } from "../os/supervise.ts";
import { readCarryNote, type CarryNote } from "../store/carry-note.ts";
import { readState } from "../store/state-file.ts";
import { marksOf } from "../app/place.ts";
import { branchAgain } from "../publish/branch-in-hand.ts";
import { createCarriage } from "../carry/carriage.ts";
import { checkpointsOf } from "../carry/checkpoints-of.ts";
import { finish } from "./finish.ts";
import { leaveNothingBehind } from "./leave-nothing-behind.ts";
import { maskSecrets } from "../app/mask-secrets.ts";
import { publisherFor } from "../publish/publisher.ts";
import type { About } from "./run-stage.ts";
import { readSurroundings, type Host, type Surroundings } from "../app/surroundings.ts";
import { writeSummaryFor } from "./write-summary-for.ts";

/** All of post is to be over in a minute: other actions' posts share the time. */
const RESERVE_MS = 50_000;

/**
 * The post stage of the Action: does what main could not, because it was cancelled or killed. Where main has done all of
 * it, nothing happens.
 */
export async function runPost(host: Host, log: RunnerLog, about: About): Promise<number> {
  await perform(host, log, about);
  return 0;
}

async function perform(host: Host, log: RunnerLog, about: About): Promise<void> {
  const job = await readSurroundings(host, log).catch(ignoreMistakes);
  if (job === undefined) return;
  about(job.place);
  const { place, settings } = job;
  leaveNothingBehind(place);
  await sweep(marksOf(place).all);
  const [note, state] = await Promise.all([readCarryNote(job.carryNote), readState(place.stateFile)]);
  if (note === undefined || state === undefined || note.carried === state.revision) return;

  maskSecrets(settings.config, log);
  log.line(`loop ${place.loopId}: carrying away what the main step could not`);
  const { base, branch } = note;
  const carriage = await createCarriage(job, () => base);
  const withinMs = shareReserve(RESERVE_MS).stop;
  const ref = await carriage.ref?.read(withinMs);
  if (ref?.answer === "found") carriage.point(ref.record.bulk);
  if (ref !== undefined && !isOurs(ref, note, state)) {
    job.notice("Another run has gone on with this loop meanwhile, so nothing of this one is carried away.");
    return;
  }
  await writeSummaryFor(state, job);
  const follows = ref?.answer === "found" ? ref.commit : note.follows;
  const checkpoints = checkpointsOf({ job, carriage, follows, seen: note.seen, ground: { base, branch }, withinMs });
  const hand = await branchAgain(job, branch);
  const ended = endedByOthers(job);
  const publisher = await publisherFor(state, { job: ended, carriage, hand, reserveMs: RESERVE_MS });
  await finish(state, {
    job: ended,
    carriage,
    checkpoints,
    ground: { base, branch },
    publisher,
    requests: undefined,
    reserveMs: RESERVE_MS,
  });
}

/** Whoever ended main early does not want the loop to start its next run by itself. */
function endedByOthers(job: Surroundings): Surroundings {
  const { settings } = job;
  return { ...job, settings: { ...settings, config: { ...settings.config, selfContinue: "never" } } };
}

/** Main has the same inputs and has told what is wrong with them; no loop has begun. */
function ignoreMistakes(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}

/** Whether the ref stands where main left it, or where a write brought it of which main never heard. */
function isOurs(ref: RefAnswer, { follows, sent, seen }: CarryNote, state: LoopState): boolean {
  if (ref.answer === "unreachable") return true;
  if (ref.answer === "absent") return follows === null;
  const { commit, record } = ref;
  if (commit === follows || sent.includes(record.nonce)) return true;
  return !seen && isNewer(state, record);
}
