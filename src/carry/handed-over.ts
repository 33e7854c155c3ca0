import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Bundle, type CarriedRecord, recordSchema } from "../core/carry.ts";
import { outcomeOf } from "../core/outcome.ts";
import { unknownFieldIn } from "../core/schema.ts";
import { type LoopState, stateSchema } from "../core/state.ts";
import { sha256 } from "../os/digest.ts";
import { lastVerdict } from "../views/proof.ts";
import { parsedJson } from "../core/text.ts";
import { MANIFEST_FILE, manifestSchema } from "./manifest.ts";

/** What a bundle says that was handed over. */
interface ReadHandedOver {
  readonly record: CarriedRecord;
  readonly why: string | null;
  /** whether its files are sealed by a `state-key`; the record itself never is */
  readonly isSealed: boolean;
  /** of the state as it came, as JSON */
  readonly stateDigest: string;
}

/**
 * Reads the record of a verified bundle that another job of this run has handed over. That job runs the same version: a
 * field that this one does not know is nobody's future, and a state that no loop can be in nobody's past.
 *
 * @returns `why`: why it is not believed, as part of a sentence; null: it can be one of ours
 */
export async function readHandedOver({ folder, record }: Bundle): Promise<ReadHandedOver> {
  const json = parsedJson(await readFile(path.join(folder, MANIFEST_FILE), "utf8"));
  const raw = manifestSchema.parse(json, { jitless: true });
  const { state } = recordSchema.parse(raw.record, { jitless: true });
  const unknown =
    unknownFieldIn(manifestSchema, json) ??
    unknownFieldIn(recordSchema, raw.record) ??
    unknownFieldIn(stateSchema, state);
  const why =
    unknown === undefined ? contradictionIn(record.state) : `it has a field that no loop writes, ${shown(unknown)}`;
  return { record, why, isSealed: raw.sealed, stateDigest: sha256(JSON.stringify(state)) };
}

function shown(field: string): string {
  return field.replaceAll(/[^\w.[\]*-]/gu, "?").slice(0, 80);
}

/** What the ending says and the rest of the state does not; null: nothing. */
function contradictionIn(state: LoopState): string | null {
  const { status, stop_reason: reason } = state;
  if (reason === null) return status === "running" ? null : `it is ${status} for no reason`;
  if (status !== outcomeOf(reason).status) return `it is ${status}, which ${reason.kind} does not make it`;
  const isClaim = reason.kind !== "success_command" && reason.kind !== "already_green";
  return isClaim || lastVerdict(state)?.result === "passed" ? null : "it is completed by a check that did not pass";
}
