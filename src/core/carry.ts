import type { Result, Trouble } from "./result.ts";
import { z } from "zod";
import { isLoopId } from "./names.ts";
import { count, date, type Stored } from "./schema.ts";
import type { LoopState } from "./state.ts";

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/u);
const runId = z.string().regex(/^\d{1,20}$/u);

/** Where the bulk of a loop's files can be fetched, and what proves it whole. */
const bulkPointer = z.object({
  /** hex SHA-256 of the bundle's manifest, which holds the digest of every file */
  digest: z.string().regex(/^[0-9a-f]{64}$/u),
  /** of the state that the bulk belongs to; may be older than the record's */
  revision: count,
  /** the exact key of the cache entry; null: none was saved */
  cache_key: z.string().min(1).max(512).nullable(),
  artifact: z
    .object({ id: z.int().positive(), name: z.string().min(1).max(256), run_id: z.int().positive() })
    .nullable(),
});
export type BulkPointer = Stored<typeof bulkPointer>;

/** What every copy of a loop says of itself. Data only: no command, path or variable in it is ever used. */
export const recordSchema = z.object({
  schema: z.literal(1),
  loop_id: z.string().refine(isLoopId),
  generation: z.int().positive(),
  /** of the state in it */
  revision: count,
  saved_at: date,
  /** the workflow run that saved it */
  run: z.object({ id: runId, attempt: runId }),
  /** makes two records that race for one ref differ */
  nonce: z.string().min(1).max(128),
  /** the commit of the loop's ref that this copy follows; null: none, or it could not be read */
  follows: commit.nullable(),
  /** the commit that the work tree was checked out at; null before the first */
  base: commit.nullable(),
  bulk: bulkPointer.nullable(),
  /** a `LoopState`, of this version or an older one */
  state: z.unknown(),
});

export interface CarriedRecord extends Omit<Stored<typeof recordSchema>, "state"> {
  readonly state: LoopState;
}

/** A moment in the life of a loop; records have one as well as states. */
export type Moment = Pick<CarriedRecord, "generation" | "revision">;

/** What the loop's ref says: it alone is written by compare-and-swap, so it decides which lineage is the loop's. */
export type RefAnswer =
  | { readonly answer: "found"; readonly commit: string; readonly record: CarriedRecord }
  | { readonly answer: "absent" }
  | { readonly answer: "unreachable"; readonly why: string };

/** How the reserve at the end of a job is shared out; in milliseconds, at most the whole of it together. */
export interface ReserveShares {
  /** ends the turn and writes the checkpoint */
  readonly stop: number;
  /** keeps state and unfinished work */
  readonly save: number;
  /** pushes the branch and says on GitHub how the loop has ended */
  readonly publish: number;
  readonly upload: number;
  /** final write to the ref, summary, outputs, the next run */
  readonly report: number;
}

/** What each part needs of a reserve of five minutes; a shorter one is split in the same proportions. */
const FULL: ReserveShares = { stop: 30_000, save: 60_000, publish: 60_000, upload: 90_000, report: 60_000 };
const FULL_MS = FULL.stop + FULL.save + FULL.publish + FULL.upload + FULL.report;

/** Splits the reserve, so that no part can eat up another's. More than five minutes is slack. */
export function shareReserve(reserveMs: number): ReserveShares {
  const part = Math.min(1, reserveMs / FULL_MS);
  const share = (ms: number): number => Math.floor(ms * part);
  const { stop, save, publish, upload, report } = FULL;
  return {
    stop: share(stop),
    save: share(save),
    publish: share(publish),
    upload: share(upload),
    report: share(report),
  };
}

/** A loop's files, gathered in a folder of their own for a carrier; verified when it was restored. */
export interface Bundle {
  /** absolute; holds `carried.json`, the manifest, and the files it names */
  readonly folder: string;
  /** hex SHA-256 of the manifest */
  readonly digest: string;
  readonly record: CarriedRecord;
}

/** What the next machine finds saved files by, or why they are not saved, as a sentence. */
export type Saved = Result<Pick<BulkPointer, "cache_key"> | Pick<BulkPointer, "artifact">>;

export interface Wanted {
  readonly loopId: string;
  /** what a verified record names; null: none can be had */
  readonly named: BulkPointer | null;
  /** whether a copy that no record names may be taken by the beginning of its name */
  readonly unnamed: boolean;
  /** only what this very run has handed over to the job that publishes; `id`: of the one artifact, null: any */
  readonly handedOver?: { readonly runId: number; readonly attempt: number; readonly id: number | null };
  /** an empty folder of our own, absolute */
  readonly into: string;
}

/** Why nothing was restored, in whole sentences. */
export interface NotRestored extends Trouble {
  /**
   * `refused`: there is a copy, and it does not hold what it should; `newer`: a later version wrote it, so beginning
   * again would lose its work
   */
  readonly kind: "absent" | "unreachable" | "refused" | "newer";
}

/** `passedOver`: why a newer copy was not taken, where there was one that does not hold. */
export type Restored = Result<{ readonly bundle: Bundle; readonly passedOver?: string }, NotRestored>;

/**
 * Brings a loop's files to the next machine. Neither call throws or takes longer than `within` milliseconds; what is
 * restored is checked against its manifest and is data only.
 */
export interface Carrier {
  readonly name: "cache" | "artifact";
  /**
   * @param bundle may still be in progress: what does not need it begins at once, and the time begins when it is ready;
   * if it cannot be made, nothing is saved
   */
  save(bundle: Bundle | Promise<Bundle>, within: number): Promise<Saved>;
  restore(wanted: Wanted, within: number): Promise<Restored>;
}

/**
 * The loop's ref, `refs/smithers-loops/<loop-id>`: written by compare-and-swap, after every turn. No call takes longer
 * than `within` milliseconds; `write` and `restoreTree` never throw.
 */
export interface LoopRef {
  /** @throws OperationalError `STATE_NEWER` for what a later version wrote, which is never written over; nothing else */
  read(within: number): Promise<RefAnswer>;
  /**
   * Moves the ref from where it was last seen to a commit with this record and, if there is one, this work tree.
   *
   * @param tree id of the workspace's tree (`Snapshot.tree`); null: the record alone
   * @param since what the run went on from; null: it began the loop; absent: `record` itself. A ref that could not be read
   * until now and holds something later is another run's
   */
  write(record: CarriedRecord, tree: string | null, within: number, since?: Moment | null): Promise<RefWritten>;
  /** Puts the work tree that the ref holds on top of what is checked out. */
  restoreTree(within: number): Promise<TreeRestored>;
}

/** Why the ref was not moved, in whole sentences. */
interface NotWritten extends Trouble {
  readonly kind: "superseded" | "unreachable" | "refused";
}

/** Where the ref stands now, with what a person has to know of it. */
export type RefWritten = Result<{ readonly commit: string; readonly notices: readonly string[] }, NotWritten>;

/**
 * The unfinished work as one of the loop's files, for a next machine that cannot get it from the ref. Neither call
 * throws or takes longer than `within` milliseconds.
 */
export interface WorkFile {
  /**
   * Replaces `file`, or removes it when no work may travel.
   *
   * @param work the commit that it began with, null before the first, and the workspace's tree (`Snapshot.tree`)
   * @returns what a person has to know of it
   */
  save(
    file: string,
    work: { readonly base: string | null; readonly tree: string } | null,
    within: number,
  ): Promise<readonly string[]>;
  /**
   * Puts the work that `file` holds on top of what is checked out.
   *
   * @param savedBy the run whose artifact has the file, for people
   */
  restore(file: string, savedBy: string, within: number): Promise<TreeRestored>;
}

/** What became of unfinished work that was to be restored; `why` is one or more whole sentences. */
export type TreeRestored =
  /** `absent`: no work tree is kept; `nothing`: it is the same as the checkout */
  | { readonly restored: "absent" | "nothing" | "applied" }
  /** the work is kept where it was, and the workspace is as it was */
  | { readonly restored: "conflict" | "failed"; readonly why: string };
