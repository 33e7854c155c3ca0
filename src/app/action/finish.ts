import { shareReserve } from "../../core/carry.ts";
import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { removeCaches } from "../../github/caches.ts";
import type { WorkingHours } from "../to-task.ts";
import { carryAway, type CarriedAway } from "./carry-away.ts";
import { writeCarryNote } from "../../stores/carry-note.ts";
import type { Carriage } from "./carriage.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { summarize } from "./tell-job.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is left to do once a loop has stopped. */
export interface Finish {
  readonly job: Surroundings;
  readonly carriage: Carriage;
  readonly checkpoints: Checkpoints | undefined;
  readonly base: string | null;
  readonly reserveMs: WorkingHours["reserveMs"];
}

/** Carries a stopped loop away, clears up behind it and writes the job's summary. Doing it twice does no harm. */
export async function finish(state: LoopState, finishing: Finish): Promise<CarriedAway> {
  const { job, carriage, checkpoints, base, reserveMs } = finishing;
  const { artifact, cache } = carriage;
  const shares = shareReserve(reserveMs);
  const away = await carryAway(state, {
    ...carriage,
    checkpoints,
    carriers: [artifact, cache].filter((carrier) => carrier !== undefined),
    shares,
  });
  for (const { name, saved, detail } of away.fates) {
    if (saved) job.log.line(`carried away by ${name}: ${detail}`);
    else job.notice(detail);
  }
  await summarize(state, job, away);
  await writeCarryNote(job.place, {
    follows: checkpoints?.follows ?? null,
    seen: true,
    sent: [],
    base,
    carried: state.revision,
  });
  await clearUp(state, finishing, away, Math.floor(shares.report / 2));
  return away;
}

/** A finished loop needs no cache, and a loop that goes on only its newest. */
async function clearUp(
  state: LoopState,
  { job, carriage }: Finish,
  away: CarriedAway,
  withinMs: number,
): Promise<void> {
  const over = state.stop_reason !== null && outcomeOf(state.stop_reason).resumableBy === "nobody";
  const octokit = carriage.cache === undefined ? undefined : await carriage.octokit();
  if (octokit === undefined || (!over && away.cacheKey === null)) return;
  const { removed, why } = await removeCaches({
    octokit,
    repository: job.context.repository,
    prefix: `smithers-v1-${state.loop_id}-`,
    keep: over ? null : away.cacheKey,
    signal: AbortSignal.timeout(withinMs),
  });
  if (removed > 0) job.log.line(`removed ${removed} older cache entries of the loop`);
  if (why !== null) job.log.line(`older cache entries of the loop stay until GitHub evicts them: ${why}`);
}
