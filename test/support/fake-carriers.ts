import type {
  BulkPointer,
  CarriedRecord,
  Bundle,
  Carrier,
  LoopRef,
  Restored,
  Saved,
  Wanted,
  RefAnswer,
} from "../../src/core/carry.ts";
import { aState, AT } from "./builders.ts";

/** A record whose state has this revision. */
export function aCarriedRecord(revision: number, overrides: Partial<CarriedRecord> = {}): CarriedRecord {
  return {
    schema: 1,
    loop_id: "a-loop",
    generation: 1,
    revision,
    saved_at: AT,
    run: { id: "1", attempt: "1" },
    nonce: `n${revision}`,
    follows: null,
    base: null,
    bulk: null,
    state: aState({ revision }),
    ...overrides,
  };
}

/** A bundle that a carrier might bring. */
export function aCarriedBundle(record: CarriedRecord): Bundle {
  return { folder: "/nowhere", digest: `digest-${record.revision}`, record };
}

/** Where the bundle of a revision lies, in cache and artifact. */
export function aPointer(revision: number, overrides: Partial<BulkPointer> = {}): BulkPointer {
  const artifact = { id: 7, name: "an-artifact", run_id: 1 };
  return { digest: `digest-${revision}`, revision, cache_key: "a-key", artifact, ...overrides };
}

/** A carrier that answers as it is told to, and remembers what it was asked. */
export interface FakeCarrier extends Carrier {
  readonly wanted: Wanted[];
  readonly saves: { readonly bundle: Bundle; readonly within: number }[];
}

export function fakeCarrier(
  name: Carrier["name"],
  { restored, saved }: { restored?: (wanted: Wanted) => Restored; saved?: Saved } = {},
): FakeCarrier {
  const wanted: Wanted[] = [];
  const saves: FakeCarrier["saves"] = [];
  return {
    name,
    wanted,
    saves,
    restore: async (asked) => {
      wanted.push(asked);
      return restored?.(asked) ?? { ok: false, trouble: { kind: "absent", because: `no ${name}` } };
    },
    save: async (making, within) => {
      saves.push({ bundle: await making, within });
      return saved ?? { ok: false, trouble: { because: `${name} is closed` } };
    },
  };
}

/** A ref that says one thing. */
export function fakeRef(answer: RefAnswer): LoopRef {
  return {
    read: async () => answer,
    write: async () => ({ ok: false, trouble: { kind: "refused", because: "nobody writes here" } }),
    restoreTree: async () => ({ restored: "nothing" }),
  };
}
