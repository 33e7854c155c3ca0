import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Bundle, type CarriedRecord, recordSchema } from "../core/carry.ts";
import { outcomeOf } from "../core/outcome.ts";
import { unknownFieldIn } from "../core/schema.ts";
import { type LoopState, stateSchema } from "../core/state.ts";
import { lastVerdict } from "../views/proof.ts";
import { parsedJson } from "../core/text.ts";
import { MANIFEST_FILE, manifestSchema } from "./manifest.ts";

/**
 * Reads the record of a verified bundle that another job of this run has handed over. That job runs the same version: a
 * field that this one does not know is nobody's future, and a state that no loop can be in nobody's past.
 *
 * @returns `why`: why it is not believed, as part of a sentence; null: it can be one of ours
 */
export async function readHandedOver({
  folder,
  record,
}: Bundle): Promise<{ record: CarriedRecord; why: string | null }> {
  const json = parsedJson(await readFile(path.join(folder, MANIFEST_FILE), "utf8"));
  const raw = manifestSchema.loose().parse(json, { jitless: true });
  const rawRecord = recordSchema.loose().parse(raw.record, { jitless: true });
  const unknown =
    unknownFieldIn(manifestSchema, json) ??
    unknownFieldIn(recordSchema, raw.record) ??
    unknownFieldIn(stateSchema, rawRecord.state);
  const why =
    unknown === undefined ? contradictionIn(record.state) : `it has a field that no loop writes, ${shown(unknown)}`;
  return { record, why };
}

function shown(field: string): string {
  return field.replaceAll(/[^\w.[\]*-]/gu, "?").slice(0, 80);
}

/** What the ending says and the rest of the state does not; null: nothing. */
function contradictionIn(state: LoopState): string | null {
  const { status, stop_reason: reason } = state;
  if (reason === null) return status === "running" ? null : `it is ${status} for no reason`;
  if (status !== outcomeOf(reason).status) return `it is ${status}, which ${reason.kind} does not make it`;
  const isProved = reason.kind !== "success_command" && reason.kind !== "already_green";
  return isProved || lastVerdict(state)?.result === "passed" ? null : "it is completed by a check that did not pass";
}
