import type { BulkPointer, CarriedRecord, ReserveShares, Bundle, Carrier, Saved } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { CarrierFate } from "../views/github/job-summary.ts";
import type { Checkpoints } from "./checkpoints.ts";

/** What a loop is carried away with. */
export interface Luggage {
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
  readonly carriers: readonly Carrier[];
  /** gathers the loop's files for a record */
  readonly gather: (record: CarriedRecord, withinMs: number) => Promise<Bundle>;
  readonly recordOf: (state: LoopState, follows: string | null) => CarriedRecord;
  /** from now on records name this bulk */
  readonly point: (bulk: BulkPointer) => void;
  readonly shares: ReserveShares;
}

/** What became of it. */
export interface CarriedAway {
  readonly fates: readonly CarrierFate[];
  readonly artifact: BulkPointer["artifact"];
  readonly cacheKey: string | null;
}

/** Of a loop that nobody has carried yet. */
export const NOTHING_CARRIED: CarriedAway = { fates: [], artifact: null, cacheKey: null };

/**
 * Brings a loop that has stopped to where the next machine finds it: state and work first, to the ref, then the other
 * files, then the ref again with where those are. What another run has is left alone.
 */
export async function carryAway(state: LoopState, luggage: Luggage): Promise<CarriedAway> {
  const { checkpoints, carriers, shares } = luggage;
  await checkpoints?.keep(state, shares.save);
  if (checkpoints?.superseded === true) return { ...NOTHING_CARRIED, fates: [refFate(checkpoints)] };
  const record = luggage.recordOf(state, checkpoints?.follows ?? null);
  const gathering = luggage.gather(record, Math.floor(shares.save / 2));
  const saving = Promise.all(
    carriers.map(async (carrier) => ({ name: carrier.name, saved: await carrier.save(gathering, shares.upload) })),
  );
  const bundle = await gathering;
  const saved = await saving;
  const bulk = pointerTo(bundle, saved);
  luggage.point(bulk);
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
  return attempts.reduce((pointer, { saved }) => (saved.saved ? { ...pointer, ...saved.pointer } : pointer), none);
}

function refFate({ failure, follows, superseded }: Checkpoints): CarrierFate {
  if (superseded)
    return { name: "git ref", saved: false, detail: `${LOST}: ${failure ?? "another run has the loop"}.` };
  const saved = failure === null && follows !== null;
  return { name: "git ref", saved, detail: failure ?? follows ?? "nothing was written" };
}

const LOST = "What this run did is not kept";

function fateOf({ name, saved }: Attempt): CarrierFate {
  if (!saved.saved) return { name, saved: false, detail: saved.why };
  const { pointer } = saved;
  return {
    name,
    saved: true,
    detail: "artifact" in pointer ? (pointer.artifact?.name ?? "") : (pointer.cache_key ?? ""),
  };
}
