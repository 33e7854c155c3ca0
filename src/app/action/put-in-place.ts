import { unpackBundle } from "../../carriers/unpack-bundle.ts";
import { isNewer } from "../../core/carry.ts";
import { OperationalError } from "../../core/errors.ts";
import type { TreeRestored } from "../../core/ports.ts";
import { readState, writeState } from "../../stores/state-file.ts";
import type { Found } from "./bring-back.ts";
import type { Carriage } from "./carriage.ts";
import { parseState } from "./carriers.ts";
import type { Surroundings } from "./surroundings.ts";

const TREE_MS = 60_000;

/**
 * Puts what was brought back in place: state, files, the agent's session, and the unfinished work on top of what is
 * checked out. A loop that an earlier step of this very job has taken further is left as it is.
 */
export async function putInPlace(job: Surroundings, carriage: Carriage, { ref, brought }: Found): Promise<void> {
  const { place, settings, notice } = job;
  if (ref.answer === "found") carriage.point(ref.record.bulk);
  if (brought === undefined) return;
  const { record } = brought.copy;
  const here = await readState(place.stateFile);
  if (here !== undefined && !isNewer(record, { ...record, ...here })) return;
  const { state } = record;
  try {
    if (brought.bundle !== undefined) {
      await unpackBundle(brought.bundle, { to: carriage.places, state, key: settings.config.stateKey, parseState });
    }
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    notice(`${error.message} ${error.next}`);
  }
  await writeState(place.stateFile, state, Promise.resolve());
  job.log.line(
    `brought back from ${brought.copy.from}: revision ${record.revision}, iteration ${state.iteration}, ${state.status}`,
  );
  if (carriage.ref !== undefined) tellTree(await carriage.ref.restoreTree(TREE_MS), job);
}

function tellTree(tree: TreeRestored, { log, notice }: Surroundings): void {
  if (tree.restored === "applied") log.line("the unfinished work of the last run is in the work tree again");
  else if ("why" in tree) notice(tree.why);
}
