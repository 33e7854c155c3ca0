import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { sessionsFolder } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import type { BulkPointer, Bundle, CarriedRecord, Carrier } from "../core/carry.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { GIT_FOLDER } from "../store/loop-files.ts";
import { findRepository } from "../git/repository.ts";
import { keepsTree } from "../config/settle.ts";
import { loopRefOf, WORK_FILE } from "../core/names.ts";
import { timestamp } from "../core/open-loop.ts";
import type { Result } from "../core/result.ts";
import type { LoopState } from "../core/state.ts";
import type { RefPlace } from "../git/work-tree/ref-git.ts";
import { createWorkBundle } from "../git/work-tree/work-bundle.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { secretsOf, withoutSecrets } from "../store/redaction.ts";
import { areAtGithub, artifactNameOf, createArtifactCarrier, uploadPage, whyNoArtifacts } from "./artifact.ts";
import { gatherBundle, type LoopPlaces } from "./bundle.ts";
import type { CopyTrust } from "./copy-trust.ts";
import { createCacheCarrier } from "./cache.ts";
import { createGitRef } from "./git-ref.ts";
import type { ToolkitOptions, ToolkitProcess } from "./toolkit.ts";

/** What the carriers are made from. */
export interface CarrierOptions {
  /** the process; the toolkit's programs are beside the folder of its script */
  readonly host: { readonly env: ToolkitOptions["env"]; readonly script: string };
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
  readonly github: GithubAccess | undefined;
  /** gives the commit that was checked out when the loop began to work here: the next machine has it too; null: none */
  readonly base: () => string | null;
}

/** What a job's loop is restored from and saved to. */
export type Carriers = Awaited<ReturnType<typeof createCarriers>>;

/**
 * Makes the carriers that the job wants, and what they carry; nothing is asked or written yet. A carrier is undefined
 * when it is not wanted, or impossible here.
 *
 * @param notice tells a person what is not carried, and what that means
 */
export async function createCarriers(options: CarrierOptions, notice: (text: string) => void) {
  const { host, context, place, config, base } = options;
  const { carriers, githubToken, stateKey } = config;
  const keeps = keepsTree(config, context.event.visibility === "private");
  if (carriers.includes("ref") && githubToken === null) notice(NO_TOKEN);
  if (carriers.length > 0 && config.checkpointTree !== "off" && !keeps) notice(RECORD_ONLY);
  const gitPlace = await gitPlaceOf(options);
  const secrets = secretsOf(config);
  const ref = { ...gitPlace, folder: place.gitFolder("ref"), sealKey: stateKey, secrets };
  const work = createWorkBundle({ ...gitPlace, folder: place.gitFolder("work"), secrets });
  const { root, stateFile, folder } = place;
  const places: LoopPlaces = { root, stateFile, folder, sessionsFolder: sessionsFolder(config, host.env) };
  const treeOf = (state: LoopState): string | null => (keeps ? (state.snapshot?.tree ?? null) : null);
  const spare: ToolkitProcess[] = [];
  let bulk: BulkPointer | null = null;
  return {
    ref: carriers.includes("ref") && githubToken !== null ? createGitRef(ref) : undefined,
    artifact: carriers.includes("artifact") ? createArtifact(options, spare) : undefined,
    cache: carriers.includes("cache") ? createCache(options) : undefined,
    page: pageBeside(options, spare),
    work,
    places,
    /** an empty folder of our own; absolute */
    folder: async (name: string): Promise<string> => {
      const folder = path.join(place.scratch("carried"), name);
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      return folder;
    },
    recordOf: (state: LoopState, follows: string | null): CarriedRecord => ({
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
    /** from now on records name this bulk */
    point: (named: BulkPointer | null): void => {
      bulk = named;
    },
    /** whether this job's token may not write: then the loop's ref is only read */
    isReadOnly: config.job === "run",
    /** whether a copy that no record names has to be proved by the `state-key` */
    provesCopies: stateKey !== null,
    /** whether unfinished work is kept at all */
    keepsTree: keeps,
    /**
     * id of the tree to keep with a state on the server; null: the record alone (C13), as for work that may go nowhere
     * in clear (T17): then only the loop's files hold it
     */
    treeOf: (state: LoopState): string | null =>
      state.boundary.refused !== null && stateKey === null ? null : treeOf(state),
    /** @param withinMs bounds what the unfinished work takes; milliseconds */
    gather: async (record: CarriedRecord, withinMs: number): Promise<Bundle> => {
      const tree = treeOf(record.state);
      const unfinished = tree === null ? null : { base: record.base, tree };
      for (const text of await work.save(workFileIn(places), unfinished, withinMs)) notice(text);
      const into = path.join(place.scratch("carried"), "bundle");
      const bundle = await gatherBundle({ places, record, into, seal: stateKey, secrets, origin: originOf(context) });
      if (bundle.leftOut.length > 0) notice(leftOut(bundle.leftOut));
      return bundle;
    },
  };
}

/** Where the unfinished work is on this machine; absolute. */
export function workFileIn({ folder }: LoopPlaces): string {
  return path.join(folder, WORK_FILE);
}

/** How git reaches the loop's ref and the person's work tree; each use has a git folder of its own. */
async function gitPlaceOf({ context, place, config, base }: CarrierOptions): Promise<Omit<RefPlace, "folder">> {
  const { owner, name } = context.repository;
  const repository = await findRepository(place.root);
  return {
    ref: loopRefOf(place.loopId),
    url: `${context.serverUrl}/${owner}/${name}`,
    token: config.githubToken,
    mark: marksOf(place).tools,
    workTree:
      repository === undefined
        ? null
        : {
            top: repository.top,
            prefix: repository.prefix,
            privateObjects: path.join(place.folder, GIT_FOLDER, "objects"),
            theirObjects: path.join(repository.commonDir, "objects"),
            shallowFile: path.join(repository.commonDir, "shallow"),
            head: base,
          },
  };
}

/** The artifacts of this workflow's runs. @param spare the toolkit's process that has uploaded the page (C171) */
function createArtifact(options: CarrierOptions, spare: ToolkitProcess[]): Carrier {
  const { context, config, github } = options;
  const { githubToken: token, retentionDays } = config;
  return createArtifactCarrier({
    ...toolkitFor(options, "artifact"),
    github: github === undefined || token === null ? null : { access: github, token },
    repository: context.repository,
    workflowFile: context.workflow.file,
    runId: context.runId,
    retentionDays,
    trust: trustOf(options, "artifact"),
    spare,
  });
}

/**
 * Where people find the page about the loop, besides in the loop's artifact; what a `state-key` seals is nowhere else.
 * Undefined: the loop has no artifact.
 */
function pageBeside(options: CarrierOptions, spare: ToolkitProcess[]) {
  const { context, place, config, host } = options;
  if (!config.carriers.includes("artifact") || whyNoArtifacts(host.env) !== undefined) return undefined;
  const name = artifactNameOf(place.loopId, context.runId, context.attempt);
  const { retentionDays } = config;
  const upload = async (page: string, ms: number): Promise<Result<number>> =>
    uploadPage(toolkitFor(options, "artifact"), page, name, { ms, retentionDays, spare });
  return {
    /** the artifact of the loop's files, which has the page as well, as it is called unless that name is taken */
    inside: name,
    /** whether people have to download it by hand */
    byHand: !areAtGithub(host.env),
    upload: config.stateKey === null ? upload : undefined,
    /** Ends what has uploaded it, unless the loop's files have followed. */
    end: async (): Promise<void> => {
      await Promise.all(spare.splice(0).map((waiting) => waiting.end()));
    },
  };
}

function createCache(options: CarrierOptions): Carrier {
  return createCacheCarrier({ ...toolkitFor(options, "cache"), trust: trustOf(options, "cache") });
}

/** What copies have to be that no record names. */
function trustOf({ context, config }: Pick<CarrierOptions, "context" | "config">, from: CopyTrust["from"]): CopyTrust {
  return { from, origin: originOf(context), key: config.stateKey };
}

function originOf({ repository, workflow, ref }: GithubContext): CopyTrust["origin"] {
  return { repository: repository.id, workflow: workflow.path, ref };
}

/** Where the toolkit's program for a service runs in a job. */
export function toolkitFor(
  { host, place }: Pick<CarrierOptions, "host" | "place">,
  name: Carrier["name"],
): ToolkitOptions {
  return {
    program: path.join(path.dirname(host.script), "..", name, "index.js"),
    env: host.env,
    mark: marksOf(place).tools,
    scratch: place.scratch("toolkit"),
  };
}

function leftOut(paths: readonly string[]): string {
  return `Too much to carry: ${paths.length} of the loop's files stay behind, the oldest logs first (${paths[0] ?? ""} …). The loop itself is complete.`;
}

const RECORD_ONLY =
  "Others can read this repository, so unfinished work is not kept between runs: each begins with what is checked out. Set state-key to keep it encrypted, or checkpoint-tree: off to leave it so.";

const NO_TOKEN =
  "There is no github-token, so neither the loop's git ref nor earlier artifacts can be read: the next run has the cache alone, which brings unfinished work only with a state-key, and two runs at once would not notice each other.";
