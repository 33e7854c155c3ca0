import path from "node:path";
import type { RefPlace } from "../git/work-tree/ref-git.ts";
import { parseRecord } from "../store/carried-record.ts";
import type { ToolkitOptions } from "./toolkit.ts";
import type { Config } from "../config/config.ts";
import type { Carrier, LoopRef, WorkFile } from "../core/carry.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { GIT_FOLDER } from "../store/loop-files.ts";
import { findRepository } from "../git/repository.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { secretsOf } from "../store/redaction.ts";

/** What the carriers are made from. */
export interface CarrierOptions {
  /** the process; the carriers' programs lie beside the folder of its script */
  readonly host: { readonly env: ToolkitOptions["env"]; readonly script: string };
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
  readonly github: GithubAccess | undefined;
  /**
   * gives the commit that was checked out when the loop began to work here: whatever is built upon it, the next machine
   * has it; null: none
   */
  readonly base: () => string | null;
}

/** What carries a loop; undefined: not wanted, or impossible here. */
export interface Carriers {
  readonly ref: LoopRef | undefined;
  readonly artifact: Carrier | undefined;
  readonly cache: Carrier | undefined;
  readonly work: WorkFile;
}

/** Makes the carriers that the job wants, which are loaded when they are first used; nothing is asked or written yet. */
export async function createCarriers(options: CarrierOptions): Promise<Carriers> {
  const { carriers, githubToken } = options.config;
  return {
    ref: carriers.includes("ref") && githubToken !== null ? await createRef(options) : undefined,
    artifact: carriers.includes("artifact") ? lazily("artifact", async () => createArtifact(options)) : undefined,
    cache: carriers.includes("cache") ? lazily("cache", async () => createCache(options)) : undefined,
    work: createWorkFile(options),
  };
}

async function createCache(options: CarrierOptions): Promise<Carrier> {
  const { createCacheCarrier } = await import("./cache.ts");
  return createCacheCarrier({ ...toolkitFor(options, "cache") });
}

/** The artifacts of this workflow's runs. */
async function createArtifact(options: CarrierOptions): Promise<Carrier> {
  const { context, config, github } = options;
  const { githubToken: token, retentionDays } = config;
  const [{ createArtifactCarrier }, access] = await Promise.all([
    import("./artifact.ts"),
    // Each question has a time of its own.
    github?.until(new AbortController().signal),
  ]);
  return createArtifactCarrier({
    ...toolkitFor(options, "artifact"),
    github: access === undefined || token === null ? null : { client: access, token },
    repository: context.repository,
    workflowFile: context.workflow.file,
    runId: context.runId,
    retentionDays,
  });
}

async function createRef(options: CarrierOptions): Promise<LoopRef> {
  const [{ createGitRef }, place] = await Promise.all([import("./git-ref.ts"), refPlace(options, "ref")]);
  return createGitRef({
    ...place,
    sealKey: options.config.stateKey,
    secrets: secretsOf(options.config),
    parseRecord: (json) => parseRecord(json, "the loop's ref"),
  });
}

/** The file with the loop's unfinished work. */
function createWorkFile(options: CarrierOptions): WorkFile {
  let made: Promise<WorkFile> | undefined;
  const create = async (): Promise<WorkFile> => {
    const { createWorkBundle } = await import("../git/work-tree/work-bundle.ts");
    return createWorkBundle({ ...(await refPlace(options, "work")), secrets: secretsOf(options.config) });
  };
  const workFile = (): Promise<WorkFile> => (made ??= create());
  return {
    save: async (file, work, within) => (await workFile()).save(file, work, within),
    restore: async (file, savedBy, within) => (await workFile()).restore(file, savedBy, within),
  };
}

/** @param purpose names the folder through which git works */
async function refPlace({ context, place, config, base }: CarrierOptions, purpose: string): Promise<RefPlace> {
  const repository = await findRepository(place.root);
  const { owner, name } = context.repository;
  return {
    ref: `refs/smithers/${place.loopId}`,
    url: `${context.serverUrl}/${owner}/${name}`,
    token: config.githubToken,
    folder: place.gitFolder(purpose),
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

function toolkitFor({ host, place }: CarrierOptions, name: "cache" | "artifact"): ToolkitOptions {
  return {
    program: path.join(path.dirname(host.script), "..", name, "index.js"),
    env: host.env,
    mark: marksOf(place).tools,
    scratch: place.scratch("toolkit"),
  };
}

function lazily(name: Carrier["name"], create: () => Promise<Carrier>): Carrier {
  let made: Promise<Carrier> | undefined;
  const carrier = (): Promise<Carrier> => (made ??= create());
  return {
    name,
    save: async (bundle, within) => (await carrier()).save(bundle, within),
    restore: async (wanted, within) => (await carrier()).restore(wanted, within),
  };
}
