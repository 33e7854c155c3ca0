import type { BulkPointer, Bundle, Carrier, ReserveShares, Saved } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { CarrierFate } from "../views/github/job-summary.ts";
import type { Carriers } from "./carriers.ts";
import type { Checkpoints } from "./checkpoints.ts";

/** What a loop is saved with. */
export interface Saving extends Pick<Carriers, "artifact" | "cache" | "gather" | "recordOf" | "point"> {
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
  readonly shares: ReserveShares;
  /** is called once the loop is known to be still this run's: what goes on beside the rest */
  readonly meanwhile?: () => void;
  /** what the record follows where there are no checkpoints */
  readonly follows?: string | null;
}

/** What became of it. */
export interface SavedLoop {
  readonly fates: readonly CarrierFate[];
  readonly artifact: BulkPointer["artifact"];
  readonly cacheKey: string | null;
}

/** Of a loop that was not saved. */
export const NOTHING_SAVED: SavedLoop = { fates: [], artifact: null, cacheKey: null };

/**
 * Brings a loop that has stopped to where the next machine finds it: state and work first, to the ref, then the other
 * files, then the ref again with where those are. What another run has is left alone.
 */
export async function saveLoop(state: LoopState, saving: Saving): Promise<SavedLoop> {
  const { artifact, cache, checkpoints, shares } = saving;
  await checkpoints?.keep(state, shares.save);
  if (checkpoints?.superseded === true) return { ...NOTHING_SAVED, fates: [refFate(checkpoints)] };
  saving.meanwhile?.();
  const record = saving.recordOf(state, checkpoints?.follows ?? saving.follows ?? null);
  const gathering = saving.gather(record, Math.floor(shares.save / 2));
  const carriers = [artifact, cache].filter((carrier) => carrier !== undefined);
  const attempts = Promise.all(
    carriers.map(async (carrier) => ({ name: carrier.name, saved: await carrier.save(gathering, shares.upload) })),
  );
  const bundle = await gathering;
  const saved = await attempts;
  const bulk = pointerTo(bundle, saved);
  saving.point(bulk);
  await checkpoints?.keep(state, Math.floor(shares.report / 2));
  return {
    fates: [...(checkpoints === undefined ? [] : [refFate(checkpoints)]), ...saved.map(fateOf)],
    artifact: bulk.artifact,
    cacheKey: bulk.cache_key,
  };
}

interface Attempt {
  readonly name: Carrier["name"];
  readonly saved: Saved;
}

function pointerTo({ digest, record }: Bundle, attempts: readonly Attempt[]): BulkPointer {
  const none: BulkPointer = { digest, revision: record.revision, cache_key: null, artifact: null };
  return attempts.reduce((pointer, { saved }) => (saved.ok ? { ...pointer, ...saved.value } : pointer), none);
}

function refFate({ failure, follows, superseded }: Checkpoints): CarrierFate {
  if (superseded) {
    const detail = `What this run did is not kept: ${failure ?? "another run has the loop"}.`;
    return { name: "git ref", saved: false, detail };
  }
  const saved = failure === null && follows !== null;
  return { name: "git ref", saved, detail: failure ?? follows ?? "nothing was written" };
}

function fateOf({ name, saved }: Attempt): CarrierFate {
  if (!saved.ok) return { name, saved: false, detail: saved.trouble.because };
  const pointer = saved.value;
  const detail = "artifact" in pointer ? pointer.artifact?.name : pointer.cache_key;
  return { name, saved: true, detail: detail ?? "" };
}
