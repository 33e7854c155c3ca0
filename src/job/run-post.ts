import { isNewer, shareReserve, type RefAnswer } from "../core/carry.ts";
import { UsageError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { githubAccess } from "../github/access.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { sweep } from "../os/supervise.ts";
import { createTeller } from "../os/teller.ts";
import { type CarryNote, carryNoteWriter, readCarryNote } from "../store/carry-note.ts";
import { readState } from "../store/state-file.ts";
import { marksOf } from "../store/place.ts";
import { maskSecrets } from "../store/redaction.ts";
import { createBranches } from "../publish/branch-in-hand.ts";
import { createCarriers } from "../carry/carriers.ts";
import { checkpointsOf } from "../carry/checkpoints.ts";
import { finish } from "./finish.ts";
import { leaveNothingBehind } from "./on-signal.ts";
import { publisherFor } from "../publish/publisher.ts";
import { readJob } from "./read-job.ts";
import type { About, Host } from "./run-stage.ts";
import { createJobReport } from "./tell-job.ts";

/** All of post is to be over in a minute: other actions' posts share the time. */
const RESERVE_MS = 50_000;

/**
 * The post stage of the Action: does what main could not, because it was cancelled or killed. Where main has done all of
 * it, nothing happens.
 *
 * @returns the exit code, which is 0
 */
export async function runPost(host: Host, log: RunnerLog, about: About): Promise<number> {
  const job = await readJob(host).catch(ignoreMistakes);
  if (job === undefined) return 0;
  const { context, place } = job;
  about(place);
  leaveNothingBehind(place);
  await sweep(marksOf(place).all);
  const [left, state] = await Promise.all([readCarryNote(place.carryNote), readState(place.stateFile)]);
  if (left === undefined || state === undefined || left.carried === state.revision) return 0;

  // Whoever ended main early does not want the loop to start its next run by itself.
  const config = { ...job.settings.config, selfContinue: "never" as const };
  const teller = createTeller(log);
  const { notice } = teller;
  maskSecrets(config, log);
  log.line(`loop ${place.loopId}: carrying away what the main step could not`);
  const github = githubAccess(config.githubToken, context);
  const carriers = await createCarriers({ host, context, place, config, github, base: () => left.base }, notice);
  const withinMs = shareReserve(RESERVE_MS).stop;
  const ref = await carriers.ref?.read(withinMs);
  if (ref?.answer === "found") carriers.point(ref.record.bulk);
  if (ref !== undefined && !isOurs(ref, left, state)) {
    notice("Another run has gone on with this loop meanwhile, so nothing of this one is carried away.");
    return 0;
  }

  const report = createJobReport({ context, place, config, told: teller.told, log });
  await report.writeSummary(state);
  const follows = ref?.answer === "found" ? ref.commit : left.follows;
  const note = carryNoteWriter(place.carryNote, left);
  const checkpoints = checkpointsOf(carriers, { follows, seen: left.seen, note, notice, withinMs });
  const hand = await createBranches({ context, place, config, github, notice }).again(left.branch);
  const publishing = { context, place, config, github, teller, hand, disabled: host.env[KILL_SWITCH] ?? null };
  const publisher = publisherFor(state, { ...publishing, reserveMs: RESERVE_MS });
  const finishing = { carriers, checkpoints, note, github, teller, report, publisher, requests: undefined };
  await finish(state, { ...finishing, reserveMs: RESERVE_MS });
  return 0;
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
