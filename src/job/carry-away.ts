import { checkpointsOf } from "../carry/checkpoints.ts";
import { createCarriers } from "../carry/carriers.ts";
import { type RefAnswer, shareReserve } from "../core/carry.ts";
import { isNewer } from "../core/choose-copy.ts";
import type { LoopState } from "../core/state.ts";
import { githubAccess } from "../github/access.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { createTeller } from "../os/teller.ts";
import { createBranches } from "../publish/publish-branch.ts";
import type { CarryNote, StartingPoint } from "../store/carry-note.ts";
import type { HandOver } from "../store/hand-over.ts";
import { maskSecrets } from "../store/redaction.ts";
import { finish } from "./finish.ts";
import { handOverWork } from "./hand-over-work.ts";
import { createJobReport } from "./report.ts";
import type { Host } from "./run-stage.ts";

/** All of post has to be over in a minute: other actions' posts share the time. */
const POST_MS = 50_000;

type Job = Omit<Parameters<typeof createCarriers>[0], "host" | "github" | "base"> & {
  readonly left: CarryNote;
  readonly state: LoopState;
};

/**
 * Carries away and publishes what main could not, unless another run has gone on with the loop.
 *
 * @returns whether nothing outside this machine holds what the run did
 */
export async function carryAway(job: Job, handOver: HandOver, host: Host, log: RunnerLog): Promise<boolean> {
  const { context, place, config, left, state } = job;
  const teller = createTeller(log);
  const { notice } = teller;
  maskSecrets(config, log);
  log.line(`loop ${place.loopId}: carrying away what the main step could not`);
  const github = githubAccess(config.githubToken, context);
  const carriers = await createCarriers({ host, context, place, config, github, base: () => left.base }, notice);
  const withinMs = shareReserve(POST_MS).stop;
  const ref = await carriers.ref?.read(withinMs);
  if (ref?.answer === "found") carriers.point(ref.record.bulk);
  if (ref !== undefined && !isOurs(ref, left)) {
    notice("Another run has gone on with this loop meanwhile, so nothing of this one is carried away.");
    return false;
  }

  const report = createJobReport(context, place, config, teller.told, log);
  await report.writeSummary(state);
  const follows = ref?.answer === "found" ? ref.commit : left.follows;
  const note = handOver.noteFrom(left, left.since);
  const checkpoints = checkpointsOf(carriers, { follows, seen: left.seen, since: left.since, note, notice, withinMs });
  const branch = await createBranches({ context, place, config, github, notice }).reopen(begunBranch(left.branch));
  const publishing = {
    ...{ context, place, config, github, teller, branch, view: report.view, disabled: host.env[KILL_SWITCH] ?? null },
    announce: handOver.announce,
  };
  const finishing = { carriers, checkpoints, note, report, publishing, requests: undefined, follows };
  const { isLost } = await (config.job === "run" ? handOverWork : finish)(state, finishing, POST_MS);
  return isLost;
}

/** Whether the ref is where main left it, or where a write put it whose answer main never got. */
function isOurs(ref: RefAnswer, { follows, sent, seen, since }: CarryNote): boolean {
  if (ref.answer === "unreachable") return true;
  if (ref.answer === "absent") return follows === null;
  const { commit, record } = ref;
  if (commit === follows || sent.includes(record.nonce)) return true;
  return !seen && since !== null && !isNewer(record, since);
}

/** Main may have made the branch, which it notes nowhere: then it is where main began, with nothing on it. */
function begunBranch(branch: StartingPoint["branch"]) {
  return branch === null ? null : { ...branch, begun: branch.tip === null ? branch.head : null };
}
