import path from "node:path";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { gatherBundle, type LoopPlaces } from "./bundle.ts";
import type { BulkPointer, CarriedRecord, Bundle, Carrier, LoopRef, WorkFile } from "../core/carry.ts";
import { timestamp } from "../core/open-loop.ts";
import { WORK_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import type { Octokit } from "../github/octokit.ts";
import { codexHome } from "../agents/codex/home.ts";
import { artifactFor, cacheFor, octokitFor, refFor, workFileFor } from "./carriers.ts";
import { secretsOf } from "../app/secrets-of.ts";
import { ownFolder, type Surroundings } from "../app/surroundings.ts";
import { withoutSecrets } from "../app/without-secrets.ts";

/** Everything with which a job's loop is brought back and carried away. */
export interface Carriage {
  readonly octokit: () => Promise<Octokit | undefined>;
  /** undefined: not wanted, or impossible here */
  readonly ref: LoopRef | undefined;
  readonly artifact: Carrier | undefined;
  readonly cache: Carrier | undefined;
  readonly work: WorkFile;
  readonly places: LoopPlaces;
  /** an empty folder of our own; absolute */
  readonly folder: (name: string) => Promise<string>;
  readonly recordOf: (state: LoopState, follows: string | null) => CarriedRecord;
  /** from now on records name this bulk */
  readonly point: (bulk: BulkPointer | null) => void;
  readonly treeOf: (state: LoopState) => string | null;
  /** @param withinMs bounds what the unfinished work takes; milliseconds */
  readonly gather: (record: CarriedRecord, withinMs: number) => Promise<Bundle>;
}

/**
 * Makes the carriers that the job wants; nothing is asked or written yet.
 *
 * @param base gives the commit that was checked out when the loop began to work here: whatever is built upon it, the
 * next machine has it; null: none
 */
export async function createCarriage(job: Surroundings, base: () => string | null): Promise<Carriage> {
  const { host, context, place, settings, notice } = job;
  const { config } = settings;
  const { carriers, stateKey } = config;
  const octokit = octokitFor(job);
  const ref = carriers.includes("ref") ? await refFor(job, base) : undefined;
  if (carriers.includes("ref") && ref === undefined) notice(NO_TOKEN);
  if (carriers.length > 0 && settings.config.checkpointTree !== "off" && !keepsTree(job)) notice(RECORD_ONLY);
  const folder = async (name: string): Promise<string> => emptyFolder(path.join(ownFolder(context), "carried", name));
  const places = {
    stateFile: place.stateFile,
    folder: place.folder,
    sessionsFolder: path.join(codexHome(host.env), "sessions"),
  };
  const work = workFileFor(job, base);
  const treeOf = (state: LoopState): string | null => (keepsTree(job) ? (state.snapshot?.tree ?? null) : null);
  let bulk: BulkPointer | null = null;
  return {
    octokit,
    ref,
    artifact: carriers.includes("artifact") ? artifactFor(job, octokit) : undefined,
    cache: carriers.includes("cache") ? cacheFor(job) : undefined,
    work,
    places,
    folder,
    recordOf: (state, follows) => recordOf(state, job, { follows, base: base(), bulk }),
    point: (named) => {
      bulk = named;
    },
    treeOf,
    gather: async (record, withinMs) => {
      const into = await folder("bundle");
      const tree = treeOf(record.state);
      const unfinished = tree === null ? null : { base: record.base, tree };
      for (const text of await work.save(workFileIn(places), unfinished, withinMs)) notice(text);
      const bundle = await gatherBundle({ places, record, into, seal: stateKey, secrets: secretsOf(config) });
      if (bundle.leftOut.length > 0) notice(leftOut(bundle.leftOut));
      return bundle;
    },
  };
}

/** Where the unfinished work lies on this machine; absolute. */
export function workFileIn({ folder }: LoopPlaces): string {
  return path.join(folder, WORK_FILE);
}

function recordOf(
  state: LoopState,
  { context, settings }: Surroundings,
  pointers: Pick<CarriedRecord, "follows" | "base" | "bulk">,
): CarriedRecord {
  return {
    schema: 1,
    loop_id: state.loop_id,
    generation: state.generation,
    revision: state.revision,
    saved_at: timestamp(Date.now()),
    run: { id: String(context.runId), attempt: String(context.attempt) },
    nonce: randomUUID(),
    ...pointers,
    state: withoutSecrets(state, settings.config),
  };
}

/** Unfinished work is kept where others cannot read it: in a private repository, or sealed (C13). */
export function keepsTree({ context, settings }: Surroundings): boolean {
  const { checkpointTree, stateKey } = settings.config;
  if (checkpointTree === "off") return false;
  return stateKey !== null || context.event.visibility === "private";
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
