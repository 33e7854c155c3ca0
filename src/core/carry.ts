import type { LoopState } from "./state.ts";

/** Where the bulk of a loop's files can be fetched, and what proves it whole. */
export interface BulkPointer {
  /** hex SHA-256 of the bundle's manifest, which holds the digest of every file */
  readonly digest: string;
  /** of the state that the bulk belongs to; may be older than the record's */
  readonly revision: number;
  /** the exact key of the cache entry; null: none was saved */
  readonly cache_key: string | null;
  readonly artifact: { readonly id: number; readonly name: string; readonly run_id: number } | null;
}

/** What every copy of a loop says of itself. Data only: no command, path or variable in it is ever used. */
export interface CarriedRecord {
  readonly schema: 1;
  readonly loop_id: string;
  readonly generation: number;
  /** of the state in it */
  readonly revision: number;
  readonly saved_at: string;
  /** the workflow run that saved it */
  readonly run: { readonly id: string; readonly attempt: string };
  /** makes two records that race for one ref differ */
  readonly nonce: string;
  /** the commit of the loop's ref that this copy goes on from; null: there was none, or it could not be read */
  readonly follows: string | null;
  /** the commit that the work tree was checked out at; null before the first */
  readonly base: string | null;
  readonly bulk: BulkPointer | null;
  readonly state: LoopState;
}

/** One of several copies that carriers brought. */
export interface Copy {
  /** the carrier's name */
  readonly from: string;
  readonly record: CarriedRecord;
}

/** What the loop's ref says: it alone is written by compare-and-swap, so it decides which lineage is the loop's. */
export type RefAnswer =
  | { readonly answer: "found"; readonly commit: string; readonly record: CarriedRecord }
  | { readonly answer: "absent" }
  | { readonly answer: "unreachable"; readonly why: string };

/**
 * The copy to go on with: the newest of the loop's own lineage; undefined when there is none.
 *
 * A copy that is newer than the ref counts only when it goes on from the very commit that the ref stands at: else it
 * belongs to the loser of a race, or to somebody who made it up. Where there is no ref, the newest wins.
 */
export function chooseCopy(ref: RefAnswer, copies: readonly Copy[]): Copy | undefined {
  const own: readonly Copy[] =
    ref.answer === "found"
      ? [
          { from: "ref", record: ref.record },
          ...copies.filter(({ record }) => record.follows === ref.commit || !isNewer(record, ref.record)),
        ]
      : copies;
  return own.reduce<Copy | undefined>(
    (best, copy) => (best === undefined || isNewer(copy.record, best.record) ? copy : best),
    undefined,
  );
}

/** What tells the moments of a loop apart; states have it as well as records. */
type Moment = Pick<CarriedRecord, "generation" | "revision">;

/** Whether `a` is a later moment of the loop than `b`. */
export function isNewer(a: Moment, b: Moment): boolean {
  return a.generation === b.generation ? a.revision > b.revision : a.generation > b.generation;
}

/** How the reserve at the end of a job is shared out; in milliseconds, at most the whole of it together. */
export interface ReserveShares {
  /** ends the turn and writes the checkpoint */
  readonly stop: number;
  /** keeps state and unfinished work */
  readonly save: number;
  /** pushes the branch and says on GitHub how the loop has ended */
  readonly publish: number;
  readonly upload: number;
  /** last word to the ref, summary, outputs, the next run */
  readonly report: number;
}

/** What each part needs of a reserve of five minutes; a shorter one is shared out alike. */
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
