import { type GithubToken, tokenNow } from "../core/ports.ts";
import path from "node:path";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import type { Bundle, Carrier, Restored, Wanted, Saved } from "../core/carry.ts";
import { type ArtifactInfo, findInRun, findNamed, findNewest, pageName } from "./find-artifact.ts";
import { isSealed } from "./manifest.ts";
import { isForPublishing, openBundle } from "./bundle.ts";
import { copyRefused, type CopyTrust } from "./copy-trust.ts";
import {
  callToolkit,
  createServiceCarrier,
  notRestored,
  refusal,
  type ToolkitCall,
  type ToolkitOptions,
  type ToolkitProcess,
} from "./toolkit.ts";
import { isNewer } from "../core/choose-copy.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { GithubAccess } from "../github/access.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { recordDamaged } from "../store/carried-record.ts";
import { seconds } from "../views/amounts.ts";
import { z } from "zod";

/** @see ToolkitOptions; `program` is that of `artifact-program.ts` */
export interface ArtifactOptions extends ToolkitOptions {
  /** asks GitHub with `token`, which has `actions: read`; null: no token */
  readonly github: { readonly access: GithubAccess; readonly token: GithubToken } | null;
  readonly repository: { readonly owner: string; readonly name: string };
  /** the file name of the workflow that runs, as in `ci.yml` */
  readonly workflowFile: string;
  readonly runId: number;
  /** null: as long as the repository keeps artifacts */
  readonly retentionDays: number | null;
  /** of artifacts that no record names; absent: whole is enough */
  readonly trust?: CopyTrust;
  /** where saving takes a process of the toolkit from, if there is one; absent: it starts its own */
  readonly spare?: ToolkitProcess[];
}

/**
 * Carries loops in artifacts, one for each run and attempt: people look at them, and later runs find them, by what a
 * record names or by the runs of this workflow, the newest first. Those of other repositories' runs, which may bear any
 * name, are refused (T15), and what is taken is proved against its manifest.
 */
export function createArtifactCarrier(options: ArtifactOptions): Carrier {
  return createServiceCarrier({
    name: "artifact",
    notSaved: "The loop's files are not uploaded as an artifact",
    notRestored: NOT_RESTORED,
    save: (making, signal) => save(options, making, signal),
    restore: (wanted, signal) => restore(options, wanted, signal),
  });
}

/** What the first artifact of an attempt is called, and the page beside it. */
export function artifactNameOf(loopId: string, run: string | number, attempt: string | number): string {
  return `smithers-${loopId}-${run}-${attempt}`;
}

/** `smithers-<id>-<run>-<attempt>`, with `.2` and so on where that is taken: legal by what ids may hold, and below 200 characters. */
export function artifactName({ record }: Pick<Bundle, "record">, number = 1): string {
  const { loop_id: loopId, run } = record;
  return numbered(artifactNameOf(loopId, run.id, run.attempt), number);
}

const NOT_RESTORED = "The loop's files could not be had from an artifact";
const not = notRestored(NOT_RESTORED);

/** How many names are tried. */
const NAMES = 5;

/** Lines of JSON become small at once; what is sealed never does. */
const FAST_COMPRESSION = 1;
const NO_COMPRESSION = 0;

async function save(options: ArtifactOptions, making: Promise<Bundle>, signal: AbortSignal): Promise<Saved> {
  const upload = async (number: number) => {
    const bundle = await making;
    return folderUpload(bundle.folder, artifactName(bundle, number), options.retentionDays);
  };
  const uploaded = await uploadOnce(options, upload, signal, { from: options.spare ?? [] });
  if (!uploaded.ok) return uploaded;
  const { id, number } = uploaded.value;
  return done({ artifact: { id, name: artifactName(await making, number), run_id: options.runId } });
}

async function folderUpload(folder: string, name: string, retentionDays: number | null): Promise<ToolkitCall> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const compressionLevel = files.some(isSealed) ? NO_COMPRESSION : FAST_COMPRESSION;
  return { request: { op: "upload", name, folder, files, retentionDays, compressionLevel }, workspace: folder };
}

/**
 * Uploads a folder for people to look at. No run finds it: it has no loop's name, and no manifest.
 *
 * @param limits milliseconds for all of it, and for how many days it is kept; null: as long as the repository keeps them
 * @returns the artifact's name, with a number where `name` is taken; why not, as a part of a sentence
 */
export async function uploadForPeople(
  options: ToolkitOptions,
  folder: string,
  name: string,
  { ms, retentionDays }: { readonly ms: number; readonly retentionDays: number | null },
): Promise<Result<string>> {
  const signal = AbortSignal.timeout(ms);
  const upload = async (number: number) => folderUpload(folder, numbered(name, number), retentionDays);
  const uploaded = await uploadOnce(options, upload, signal);
  return uploaded.ok ? done(numbered(name, uploaded.value.number)) : uploaded;
}

/**
 * Uploads a page as it is, not in an archive, so that its address shows it in the browser (C137). No run finds it.
 *
 * @param page one HTML file
 * @param name what the artifact is called, before a number and `.html`
 * @param limits as of `uploadForPeople`; `spare`: where the process of the toolkit goes that has done it
 * @returns the artifact's id; why not, as a part of a sentence
 */
export async function uploadPage(
  options: ToolkitOptions,
  page: string,
  name: string,
  { ms, retentionDays, spare }: PageLimits,
): Promise<Result<number>> {
  if (hasOwnArtifacts(options.env)) return failed({ because: "this server shows no page of an artifact" });
  const signal = AbortSignal.timeout(ms);
  return inTempFolder(async (folder) => {
    const upload = async (number: number): Promise<ToolkitCall> => {
      const file = path.join(folder, pageName(numbered(name, number)));
      await writeFile(file, page);
      return { request: { op: "uploadFile", file, retentionDays }, workspace: folder };
    };
    const uploaded = await uploadOnce(options, upload, signal, { to: spare });
    if (uploaded.ok) return done(uploaded.value.id);
    return signal.aborted ? failed({ because: `the service took longer than ${seconds(ms)}` }) : uploaded;
  }, options.scratch);
}

interface PageLimits {
  readonly ms: number;
  readonly retentionDays: number | null;
  readonly spare: ToolkitProcess[];
}

/**
 * Uploads under the first number whose name is free. One may be taken by an upload of this very attempt: one that was cut
 * short, which cannot be listed or removed, or a very recent one.
 *
 * @param callOf the call may take its time: the process starts meanwhile
 */
async function uploadOnce(
  options: ToolkitOptions,
  callOf: (number: number) => Promise<ToolkitCall>,
  signal: AbortSignal,
  spare?: Parameters<typeof callToolkit>[4],
): Promise<Result<{ readonly id: number; readonly number: number }>> {
  const closed = whyNoArtifacts(options.env);
  if (closed !== undefined) return failed({ because: closed });
  for (let number = 1; ; number += 1) {
    const uploaded = await callToolkit(told(options), callOf(number), uploadedSchema, signal, spare);
    if (uploaded.ok) return done({ id: uploaded.value.id, number });
    if (number === NAMES || uploaded.trouble.kind !== "taken") return uploaded;
  }
}

function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name}.${number}`;
}

const uploadedSchema = z.object({ id: z.int().positive() });
const downloadedSchema = z.object({ digestMismatch: z.boolean().optional() });

/**
 * At most this number of downloads is made: where the newest do not hold, and because the one that was uploaded last may
 * hold an earlier moment of the loop.
 */
const TRIES = 3;

async function restore(options: ArtifactOptions, wanted: Wanted, signal: AbortSignal): Promise<Restored> {
  const { github, workflowFile } = options;
  const { named, loopId, handedOver } = wanted;
  const isNamed = named === null ? wanted.unnamed || handedOver !== undefined : named.artifact !== null;
  if (!isNamed) return not("absent", "no record names one");
  if (github === null) return not("unreachable", "there is no token to ask GitHub with");
  if (isEnterprise(options.env)) return not("unreachable", ENTERPRISE);
  const client = await github.access.until(signal);
  const candidates =
    handedOver !== undefined
      ? findInRun(client, loopId, handedOver, handedOver.id)
      : named?.artifact
        ? findNamed(client, loopId, named.artifact)
        : findNewest(client, loopId, workflowFile);
  const isOnly = named !== null || handedOver !== undefined;
  let first: Restored | undefined;
  let best: Bundle | undefined;
  let passedOver: string | undefined;
  let tries = 0;
  for await (const found of candidates) {
    const restored = found.ok
      ? await download({ ...options, token: github.token }, wanted, found.value, signal)
      : not(found.trouble.kind, found.trouble.because);
    // What the job that publishes has saved itself hands nothing over.
    if (restored.ok && handedOver !== undefined && !(await isForPublishing(restored.value.bundle))) continue;
    if (restored.ok) {
      const { bundle } = restored.value;
      if (best === undefined || isNewer(bundle.record, best.record)) best = bundle;
      if (isOnly) break;
    } else {
      first ??= restored;
      const { kind, because } = restored.trouble;
      const ends = kind === "newer" || kind === "unreachable";
      if (ends && best === undefined) return restored;
      // What was had until then is gone on from.
      if (ends) break;
      if (!found.ok) continue;
      if (best === undefined) passedOver ??= because;
    }
    tries += 1;
    if (tries === TRIES) break;
  }
  if (best !== undefined) return done({ bundle: best, ...(passedOver === undefined ? {} : { passedOver }) });
  return first ?? not("absent", "no run of this workflow has one");
}

async function download(
  options: ArtifactOptions & { readonly token: GithubToken },
  { into, loopId, named, handedOver }: Wanted,
  { id, name: where, runId, digest }: ArtifactInfo,
  signal: AbortSignal,
): Promise<Restored> {
  const { token, repository } = options;
  const folder = await mkdtemp(path.join(into, "artifact-"));
  const downloads = await mkdtemp(path.join(into, "download-"));
  const from = {
    token: await tokenNow(token),
    workflowRunId: runId,
    repositoryOwner: repository.owner,
    repositoryName: repository.name,
  };
  const request = { op: "download", id, into: downloads, digest, from };
  const downloaded = await callToolkit(told(options), { request, workspace: downloads }, downloadedSchema, signal);
  if (!downloaded.ok) return not(downloaded.trouble.kind, downloaded.trouble.because);
  if (downloaded.value.digestMismatch === true) return not("refused", `${where} is not what was uploaded`);
  try {
    // The service gave the one file its name.
    const [file = ""] = await readdir(downloads);
    const { openZip } = await import("./zip-archive.ts");
    const archive = await openZip(path.join(downloads, file)).catch((error: unknown) => {
      throw recordDamaged(where, "its archive is damaged", error);
    });
    try {
      const isSought = named === null && handedOver === undefined;
      const trust = isSought ? options.trust : undefined;
      const bundle = await openBundle({ folder, loopId, named, where, archive, trust });
      const { run } = bundle.record;
      // Else somebody could bring an older one back.
      if (isSought && run.id !== String(runId))
        throw copyRefused(where, `run ${run.id} has saved it, not run ${runId}`);
      return done({ bundle });
    } finally {
      await archive.close();
    }
  } catch (error) {
    return refusal(error, NOT_RESTORED);
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** Why nothing can be uploaded by this job, as part of a sentence; undefined: as far as is known, it can. */
export function whyNoArtifacts(env: NodeJS.ProcessEnv): string | undefined {
  if (isEnterprise(env)) return ENTERPRISE;
  if (!env["ACTIONS_RUNTIME_TOKEN"]) return "this runner gave the step no ACTIONS_RUNTIME_TOKEN";
  return env["ACTIONS_RESULTS_URL"] ? undefined : "this runner has no artifact service";
}

const ENTERPRISE = "GitHub Enterprise Server has no such artifacts";

/** What the toolkit is told: runners that are not GitHub's and have artifacts would look to it like an Enterprise Server. */
function told<T extends ToolkitOptions>(options: T): T {
  return hasOwnArtifacts(options.env)
    ? { ...options, env: { ...options.env, GITHUB_SERVER_URL: "https://github.com" } }
    : options;
}

function hasOwnArtifacts(env: NodeJS.ProcessEnv): boolean {
  return env["GITEA_ACTIONS"] === "true" || env["FORGEJO_ACTIONS"] === "true";
}

/** Whether `gh run download` has artifacts of this runner's server: those of Gitea, Forgejo and act are theirs alone. */
export function areAtGithub(env: NodeJS.ProcessEnv): boolean {
  return !hasOwnArtifacts(env) && env["ACT"] !== "true";
}

/** As the toolkit decides it. */
function isEnterprise(env: NodeJS.ProcessEnv): boolean {
  if (hasOwnArtifacts(env)) return false;
  const url = env["GITHUB_SERVER_URL"] ?? "";
  const host = URL.canParse(url) ? new URL(url).hostname : "github.com";
  return !/^github\.com$|\.ghe\.com$|\.localhost$/u.test(host);
}
