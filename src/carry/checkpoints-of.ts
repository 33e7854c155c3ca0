import type { Carriage } from "./carriage.ts";
import { type Ground, writeCarryNote } from "../store/carry-note.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Surroundings } from "../app/surroundings.ts";

/** What a job's checkpoints are made from. */
export interface CheckpointsOf {
  readonly job: Surroundings;
  readonly carriage: Carriage;
  /** where the ref stood when it was read; null: there was none, or it could not be read */
  readonly follows: string | null;
  /** whether it could be read */
  readonly seen: boolean;
  readonly ground: Ground;
  readonly withinMs: number;
}

/** The checkpoints of a job's loop; undefined where its ref is not to be had. */
export function checkpointsOf({
  job,
  carriage,
  follows,
  seen,
  ground,
  withinMs,
}: CheckpointsOf): Checkpoints | undefined {
  const { ref } = carriage;
  if (ref === undefined) return undefined;
  return new Checkpoints({
    ...carriage,
    ref,
    follows,
    noted: (stands, sent) =>
      writeCarryNote(job.carryNote, { follows: stands, seen: seen || stands !== null, sent, ...ground, carried: null }),
    notice: job.notice,
    withinMs,
  });
}
