import type { BulkPointer, CarriedRecord } from "../../core/carry.ts";
import type { Bundle, Carrier, Saved } from "../../core/ports.ts";
import type { LoopState } from "../../core/state.ts";
import type { Checkpoints } from "./checkpoints.ts";

/** What a loop is carried away with. */
export interface Luggage {
  readonly checkpoints: Checkpoints | undefined;
  readonly carriers: readonly Carrier[];
  /** gathers the loop's files for a record */
  readonly gather: (record: CarriedRecord) => Promise<Bundle>;
  readonly recordOf: (state: LoopState, follows: string | null) => CarriedRecord;
  /** from now on records name this bulk */
  readonly point: (bulk: BulkPointer) => void;
  /** for artifact and cache; milliseconds */
  readonly uploadMs: number;
  readonly notice: (text: string) => void;
}

/** What became of it. */
export interface CarriedAway {
  /** the carriers that hold the loop's last state, or its files, now */
  readonly by: readonly ("ref" | Carrier["name"])[];
  readonly artifactId: number | null;
}

const NOWHERE: CarriedAway = { by: [], artifactId: null };

/**
 * Brings a loop that has stopped to where the next machine finds it: state and work first, to the ref, then the other
 * files, then the ref again with where those are. What another run has is left alone.
 */
export async function carryAway(state: LoopState, luggage: Luggage): Promise<CarriedAway> {
  const { checkpoints, carriers, notice } = luggage;
  const kept = (await checkpoints?.keep(state)) ?? false;
  if (checkpoints?.superseded === true) return NOWHERE;
  const bundle = await luggage.gather(luggage.recordOf(state, checkpoints?.follows ?? null));
  const saved = await Promise.all(
    carriers.map(async (carrier) => ({ carrier, saved: await save(carrier, bundle, luggage) })),
  );
  for (const { carrier, saved: result } of saved) if (!result.saved) notice(`${carrier.name}: ${result.why}`);
  const done = saved.flatMap(({ carrier, saved: result }) => (result.saved ? [{ name: carrier.name, result }] : []));
  const bulk = pointerTo(
    bundle,
    done.map(({ result }) => result),
  );
  const pointed =
    done.length > 0 && checkpoints !== undefined && kept && (await rewrite(state, bulk, luggage, checkpoints));
  return {
    by: [...(kept || pointed ? (["ref"] as const) : []), ...done.map(({ name }) => name)],
    artifactId: bulk.artifact?.id ?? null,
  };
}

async function save(carrier: Carrier, bundle: Bundle, { uploadMs }: Luggage): Promise<Saved> {
  return carrier.save(bundle, uploadMs);
}

async function rewrite(
  state: LoopState,
  bulk: BulkPointer,
  { point }: Luggage,
  checkpoints: Checkpoints,
): Promise<boolean> {
  point(bulk);
  return checkpoints.keep(state);
}

function pointerTo(bundle: Bundle, saved: readonly (Saved & { saved: true })[]): BulkPointer {
  const none: BulkPointer = {
    digest: bundle.digest,
    revision: bundle.record.revision,
    cache_key: null,
    artifact: null,
  };
  return saved.reduce((pointer, { pointer: found }) => ({ ...pointer, ...found }), none);
}
