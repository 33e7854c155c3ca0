import { z } from "zod";
import { type CarriedRecord, recordSchema } from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { firstProblem, parseState } from "./state-file.ts";

/** No record in a bundle is larger (in bytes of JSON). A state has at most 1 MiB. */
export const RECORD_LIMIT = 2 << 20;

/** `smithers-v1-<id>-<revision>-<run>-<attempt>`: the key of the cache's entry that holds a record's bundle. */
export function cacheKey({ loop_id: id, revision, run }: CarriedRecord): string {
  return `${cacheKeyPrefix(id)}${String(revision).padStart(8, "0")}-${run.id}-${run.attempt}`;
}

export function cacheKeyPrefix(loopId: string): string {
  return `smithers-v1-${loopId}-`;
}

export function recordText(record: CarriedRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** @throws OperationalError `RECORD_TOO_LARGE` for a record that could not be read again */
export function refuseTooLarge(record: CarriedRecord): void {
  const bytes = Buffer.byteLength(recordText(record));
  if (bytes <= RECORD_LIMIT) return;
  throw new OperationalError({
    code: "RECORD_TOO_LARGE",
    what: `The record of loop ${record.loop_id} would take ${bytes} bytes, more than the ${RECORD_LIMIT} that are read again. It was not saved; what was saved before is unharmed.`,
    next: "Use fewer quality commands, or let them print less.",
  });
}

/**
 * Reads a record that came from another machine. Keys that this version does not know are dropped, those of the state
 * are kept.
 *
 * @param where it was found; named in the errors
 * @throws OperationalError `STATE_NEWER` when record or state are of a later schema, `RECORD_DAMAGED` for anything else
 */
export function parseRecord(json: unknown, where: string): CarriedRecord {
  refuseNewer(json, recordSchema.shape.schema.value, where);
  const parsed = recordSchema.safeParse(json, { jitless: true });
  if (!parsed.success) throw recordDamaged(where, firstProblem(parsed.error), parsed.error);
  const record = { ...parsed.data, state: stateIn(parsed.data.state, where) };
  for (const key of ["loop_id", "generation", "revision"] as const) {
    if (record[key] !== record.state[key]) throw recordDamaged(where, `its ${key} is not that of the state in it`);
  }
  return record;
}

/** @throws OperationalError `STATE_NEWER` when `json` says that a later version wrote it */
export function refuseNewer(json: unknown, current: number, where: string): void {
  const versioned = z.looseObject({ schema: z.int() }).safeParse(json);
  if (!versioned.success || versioned.data.schema <= current) return;
  throw newer(where, `schema ${versioned.data.schema}; this one knows up to ${current}`);
}

function newer(where: string, how: string, cause?: unknown): OperationalError {
  return new OperationalError(
    {
      code: "STATE_NEWER",
      what: `What ${where} holds of this loop was written by a newer version (${how}). It was not touched.`,
      next: "Update the action to the version that wrote it, or start another loop with another loop-id.",
    },
    { cause },
  );
}

export function recordDamaged(where: string, why: string, cause?: unknown): OperationalError {
  return new OperationalError(
    {
      code: "RECORD_DAMAGED",
      what: `What ${where} holds of this loop is damaged: ${why}. It was not used.`,
      next: "Nothing, as long as another copy holds: the newest of them is used. Else start another loop with another loop-id.",
    },
    { cause },
  );
}

function stateIn(json: unknown, where: string): LoopState {
  try {
    return parseState(json);
  } catch (error) {
    if (error instanceof OperationalError && error.code === "STATE_NEWER") {
      throw newer(where, "the state in it is of a later schema", error);
    }
    throw recordDamaged(where, "its state is damaged", error);
  }
}
