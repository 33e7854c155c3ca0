import path from "node:path";
import { parseRecord } from "./record-schema.ts";
import type { RefPlace } from "../git/work-tree/own-repository.ts";
import type { Carrier, LoopRef, WorkFile } from "../core/carry.ts";
import type { LoopState } from "../core/state.ts";
import type { Octokit } from "../github/octokit.ts";
import { decodeState } from "../store/state-file.ts";
import { GIT_FOLDER } from "../store/loop-files.ts";
import { findRepository } from "../git/repository.ts";
import { marksOf } from "../app/place.ts";
import { secretsOf } from "../app/secrets-of.ts";
import { ownFolder, type Surroundings } from "../app/surroundings.ts";

/** Reads a state that came from elsewhere. */
export function parseState(json: unknown): LoopState {
  return decodeState(JSON.stringify(json), "the carried state");
}

/** The client of GitHub's API, made when it is first asked for; undefined without a token. */
export function octokitFor({ settings, context }: Surroundings): () => Promise<Octokit | undefined> {
  let made: Promise<Octokit | undefined> | undefined;
  const { githubToken: token } = settings.config;
  const make = async (): Promise<Octokit | undefined> => {
    if (token === null) return undefined;
    const { createOctokit } = await import("../github/octokit.ts");
    return createOctokit({ token, apiUrl: context.apiUrl });
  };
  return () => (made ??= make());
}

/** The cache, loaded when it is first used. */
export function cacheFor(job: Surroundings): Carrier {
  return lazily("cache", async () => {
    const { createCacheCarrier } = await import("./cache.ts");
    return createCacheCarrier({ ...toolkitFor(job, "cache"), parseState });
  });
}

/** The artifacts of this workflow's runs, loaded when they are first used. */
export function artifactFor(job: Surroundings, octokit: () => Promise<Octokit | undefined>): Carrier {
  const { context, settings } = job;
  const { githubToken: token, retentionDays } = settings.config;
  return lazily("artifact", async () => {
    const [{ createArtifactCarrier }, client] = await Promise.all([import("./artifact.ts"), octokit()]);
    return createArtifactCarrier({
      ...toolkitFor(job, "artifact"),
      parseState,
      github: client === undefined || token === null ? null : { octokit: client, token },
      repository: context.repository,
      workflowFile: context.workflow.file,
      runId: context.runId,
      retentionDays,
    });
  });
}

/**
 * The loop's ref; undefined without a token to write it with.
 *
 * @param base gives the commit that was checked out when the loop began to work here
 */
export async function refFor(job: Surroundings, base: () => string | null): Promise<LoopRef | undefined> {
  const { config } = job.settings;
  if (config.githubToken === null) return undefined;
  const [{ createGitRef }, place] = await Promise.all([import("./git-ref.ts"), refPlace(job, base, "ref")]);
  return createGitRef({
    ...place,
    sealKey: config.stateKey,
    secrets: secretsOf(config),
    parseRecord: (json) => parseRecord(json, "the loop's ref", parseState),
  });
}

/** The file with the loop's unfinished work, made and read with what is loaded when it is first used. */
export function workFileFor(job: Surroundings, base: () => string | null): WorkFile {
  let made: Promise<WorkFile> | undefined;
  const create = async (): Promise<WorkFile> => {
    const { createWorkBundle } = await import("../git/work-tree/work-bundle.ts");
    return createWorkBundle({ ...(await refPlace(job, base, "work")), secrets: secretsOf(job.settings.config) });
  };
  const workFile = (): Promise<WorkFile> => (made ??= create());
  return {
    save: async (file, work, within) => (await workFile()).save(file, work, within),
    restore: async (file, savedBy, within) => (await workFile()).restore(file, savedBy, within),
  };
}

/** @param purpose names the folder through which git works */
async function refPlace(
  { context, place, settings, gitFolder }: Surroundings,
  base: () => string | null,
  purpose: string,
): Promise<RefPlace> {
  const repository = await findRepository(place.root);
  const { owner, name } = context.repository;
  return {
    ref: `refs/smithers/${place.loopId}`,
    url: `${context.serverUrl}/${owner}/${name}`,
    token: settings.config.githubToken,
    folder: gitFolder(purpose),
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

function toolkitFor({ host, context, place }: Surroundings, name: "cache" | "artifact") {
  return {
    program: path.join(path.dirname(host.script), "..", name, "index.js"),
    env: host.env,
    mark: marksOf(place).tools,
    scratch: path.join(ownFolder(context), "toolkit"),
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
