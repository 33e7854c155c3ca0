import type { BulkPointer, CarriedRecord, RefAnswer } from "./carry.ts";

/** A loop's files, gathered in a folder of their own for a carrier; verified when it was restored. */
export interface Bundle {
  /** absolute; holds `carried.json`, the manifest, and the files it names */
  readonly folder: string;
  /** hex SHA-256 of the manifest */
  readonly digest: string;
  readonly record: CarriedRecord;
}

/** What became of saving: `pointer` is what the next machine finds it by. */
export type Saved =
  | { readonly saved: true; readonly pointer: Pick<BulkPointer, "cache_key"> | Pick<BulkPointer, "artifact"> }
  | { readonly saved: false; readonly why: string };

/** What to restore, and where. */
export interface Wanted {
  readonly loopId: string;
  /** what a verified record names; null: none can be had */
  readonly named: BulkPointer | null;
  /** whether a copy that nobody names may be taken by the beginning of its name */
  readonly unnamed: boolean;
  /** an empty folder of our own, absolute */
  readonly into: string;
}

/** What restoring has brought; `why` is one or more whole sentences. */
export type Restored =
  /** `passedOver`: why a newer copy was not taken, where there was one that does not hold */
  | { readonly found: true; readonly bundle: Bundle; readonly passedOver?: string }
  /**
   * `refused`: there is one, and it does not hold what it should; `newer`: a later version wrote it, so that to begin
   * anew would leave its work behind
   */
  | { readonly found: false; readonly because: "absent" | "unreachable" | "refused" | "newer"; readonly why: string };

/**
 * Brings a loop's files to the next machine. Neither call throws or takes longer than `within` milliseconds; what is
 * restored is checked against its manifest and is data only.
 */
export interface Carrier {
  readonly name: "cache" | "artifact";
  /**
   * @param bundle may still be in the making: what does not need it begins at once, and the time when it is there; where
   * it cannot be made, nothing is saved
   */
  save(bundle: Bundle | Promise<Bundle>, within: number): Promise<Saved>;
  restore(wanted: Wanted, within: number): Promise<Restored>;
}

/**
 * The loop's ref, `refs/smithers/<loop-id>`: written by compare-and-swap, after every turn. No call takes longer
 * than `within` milliseconds; `write` and `restoreTree` never throw.
 */
export interface LoopRef {
  /** @throws OperationalError `STATE_NEWER` for what a later version wrote, which is never written over; nothing else */
  read(within: number): Promise<RefAnswer>;
  /**
   * Moves the ref from where it was last seen to a commit with this record and, if there is one, this work tree.
   *
   * @param tree id of the workspace's tree (`Snapshot.tree`); null: the record alone
   */
  write(record: CarriedRecord, tree: string | null, within: number): Promise<RefWritten>;
  /** Puts the work tree that the ref holds on top of what is checked out. */
  restoreTree(within: number): Promise<TreeRestored>;
}

/** Where the ref stands now, with what a person has to know of it; or why it was not moved, in whole sentences. */
export type RefWritten =
  | { readonly written: true; readonly commit: string; readonly notices: readonly string[] }
  | { readonly written: false; readonly because: "superseded" | "unreachable" | "refused"; readonly why: string };

/**
 * The unfinished work as one of the loop's files, for a next machine that cannot have it from the ref. Neither call
 * throws or takes longer than `within` milliseconds.
 */
export interface WorkFile {
  /**
   * Writes `file` anew, or removes it when there is no work that may travel.
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

/** What became of unfinished work that was to be brought back; `why` is one or more whole sentences. */
export type TreeRestored =
  /** `absent`: no work tree is kept; `nothing`: it is that of the checkout */
  | { readonly restored: "absent" | "nothing" | "applied" }
  /** the work is kept where it was, and the workspace is as it was */
  | { readonly restored: "conflict" | "failed"; readonly why: string };
