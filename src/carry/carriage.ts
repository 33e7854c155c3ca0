import path from "node:path";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { sessionsFolder } from "../agents/registry.ts";
import { gatherBundle, type LoopPlaces } from "./bundle.ts";
import { keepsTree } from "../config/settle.ts";
import type { BulkPointer, Bundle, CarriedRecord } from "../core/carry.ts";
import { WORK_FILE } from "../core/names.ts";
import { timestamp } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { secretsOf, withoutSecrets } from "../store/redaction.ts";
import { type CarrierOptions, type Carriers, createCarriers } from "./carriers.ts";

/** Everything with which a job's loop is brought back and carried away. */
export interface Carriage extends Carriers {
  readonly places: LoopPlaces;
  /** an empty folder of our own; absolute */
  readonly folder: (name: string) => Promise<string>;
  readonly recordOf: (state: LoopState, follows: string | null) => CarriedRecord;
  /** from now on records name this bulk */
  readonly point: (bulk: BulkPointer | null) => void;
  /** whether unfinished work is kept at all */
  readonly keepsTree: boolean;
  readonly treeOf: (state: LoopState) => string | null;
  /** @param withinMs bounds what the unfinished work takes; milliseconds */
  readonly gather: (record: CarriedRecord, withinMs: number) => Promise<Bundle>;
}

/**
 * Makes the carriers that the job wants, and what they carry; nothing is asked or written yet.
 *
 * @param notice tells a person what is not carried, and what that means
 */
export async function createCarriage(options: CarrierOptions, notice: (text: string) => void): Promise<Carriage> {
  const { host, context, place, config, base } = options;
  const carriers = await createCarriers(options);
  const keeps = keepsTree(config, context.event.visibility === "private");
  if (config.carriers.includes("ref") && carriers.ref === undefined) notice(NO_TOKEN);
  if (config.carriers.length > 0 && config.checkpointTree !== "off" && !keeps) notice(RECORD_ONLY);
  const folder = async (name: string): Promise<string> => emptyFolder(place.scratch(path.join("carried", name)));
  const places = {
    stateFile: place.stateFile,
    folder: place.folder,
    sessionsFolder: sessionsFolder(config, host.env),
  };
  const treeOf = (state: LoopState): string | null => (keeps ? (state.snapshot?.tree ?? null) : null);
  let bulk: BulkPointer | null = null;
  return {
    ...carriers,
    places,
    folder,
    recordOf: (state, follows) => ({
      schema: 1,
      loop_id: state.loop_id,
      generation: state.generation,
      revision: state.revision,
      saved_at: timestamp(Date.now()),
      run: { id: String(context.runId), attempt: String(context.attempt) },
      nonce: randomUUID(),
      follows,
      base: base(),
      bulk,
      state: withoutSecrets(state, config),
    }),
    point: (named) => {
      bulk = named;
    },
    keepsTree: keeps,
    treeOf,
    gather: async (record, withinMs) => {
      const into = await folder("bundle");
      const tree = treeOf(record.state);
      const unfinished = tree === null ? null : { base: record.base, tree };
      for (const text of await carriers.work.save(workFileIn(places), unfinished, withinMs)) notice(text);
      const secrets = secretsOf(config);
      const bundle = await gatherBundle({ places, record, into, seal: config.stateKey, secrets });
      if (bundle.leftOut.length > 0) notice(leftOut(bundle.leftOut));
      return bundle;
    },
  };
}

/** Where the unfinished work lies on this machine; absolute. */
export function workFileIn({ folder }: LoopPlaces): string {
  return path.join(folder, WORK_FILE);
}

async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

function leftOut(paths: readonly string[]): string {
  return `Too much to carry: ${paths.length} of the loop's files stay behind, the oldest logs first (${paths[0] ?? ""} …). The loop itself is complete.`;
}

const RECORD_ONLY =
  "Others can read this repository, so unfinished work is not kept between runs: each begins with what is checked out. Set state-key to keep it encrypted, or checkpoint-tree: off to leave it so.";

const NO_TOKEN =
  "There is no github-token, so neither the loop's git ref nor earlier artifacts can be read: the next run has the cache alone, which brings unfinished work only with a state-key, and two runs at once would not notice each other.";
