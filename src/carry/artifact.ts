import path from "node:path";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { Bundle, Carrier, Restored, Saved, Wanted } from "../core/carry.ts";
import type { Github } from "../github/client.ts";
import { seconds } from "../views/amounts.ts";
import { type ArtifactInfo, findNamed, findNewest, type Found } from "./find-artifact.ts";
import { isSealed } from "./manifest.ts";
import { openBundle, refusal } from "./open-bundle.ts";
import { recordDamaged } from "../store/carried-record.ts";
import { callToolkit, failureOf, type ToolkitAnswer, type ToolkitCall, type ToolkitOptions } from "./toolkit.ts";
import { within } from "../os/concurrency.ts";
import { ZipArchive } from "./zip-archive.ts";

/** @see ToolkitOptions; `program` is that of `artifact-program.ts` */
export interface ArtifactOptions extends ToolkitOptions {
  /** asks GitHub, with the token it was made with, which has `actions: read`; null: there is none */
  readonly github: { readonly client: Github; readonly token: string } | null;
  readonly repository: { readonly owner: string; readonly name: string; readonly id: number };
  /** the file name of the workflow that runs, as in `ci.yml` */
  readonly workflowFile: string;
  readonly runId: number;
  /** null: as long as the repository keeps artifacts */
  readonly retentionDays: number | null;
}

/**
 * Carries loops in artifacts, one for each run and attempt: people look at them, and later runs find them, by what a
 * record names or by the runs of this workflow, the newest first. Those of other repositories' runs, which may bear any
 * name, are refused (T15), and what is taken is proved against its manifest.
 */
export function createArtifactCarrier(options: ArtifactOptions): Carrier {
  return {
    name: "artifact",
    save: (making, ms) =>
      save(options, making, ms).catch((error: unknown) => ({ saved: false, why: `${NOT_SAVED}: ${String(error)}` })),
    restore: (wanted, ms) => restore(options, wanted, ms).catch((error: unknown) => refusal(error, NOT_RESTORED)),
  };
}

/** `smithers-<id>-<run>-<attempt>`, with `.2` and so on where that is taken: legal by what ids may hold, and below 200 characters. */
export function artifactName({ record }: Pick<Bundle, "record">): string {
  return `smithers-${record.loop_id}-${record.run.id}-${record.run.attempt}`;
}

type MaybeMade = Parameters<Carrier["save"]>[0];

const NOT_SAVED = "The loop's files are not uploaded as an artifact";
const NOT_RESTORED = "The loop's files could not be had from an artifact";

/** How many names are tried. */
const NAMES = 5;

/** Lines of JSON become small at once; what is sealed never does. */
const FAST_COMPRESSION = 1;
const NO_COMPRESSION = 0;

async function save(options: ArtifactOptions, making: MaybeMade, ms: number): Promise<Saved> {
  const closed = whyClosed(options.env);
  if (closed !== undefined) return { saved: false, why: `${NOT_SAVED}: ${closed}.` };
  const call = await within(ms, (signal) => uploadUnderFreeName(options, making, signal), making);
  if (!call.ok) return { saved: false, why: `${NOT_SAVED}: the service took longer than ${seconds(ms)}.` };
  const { name, answer } = call.value;
  const id = idIn(answer);
  if (id === undefined) return { saved: false, why: `${NOT_SAVED}: ${failureOf(answer).because}.` };
  return { saved: true, pointer: { artifact: { id, name, run_id: options.runId } } };
}

/**
 * A name may be taken by an upload of this very attempt: one that was cut short, which nobody can list or remove, or one
 * of a moment ago. Then the name gets a number.
 */
async function uploadUnderFreeName(
  options: ArtifactOptions,
  making: MaybeMade,
  signal: AbortSignal,
): Promise<{ name: string; answer: ToolkitAnswer }> {
  for (let number = 1; ; number += 1) {
    const call = Promise.resolve(making).then((bundle) => toUpload(options, nameOf(bundle, number), bundle));
    const answer = await callToolkit(options, call, signal);
    if (number === NAMES || failureOf(answer).kind !== "taken") return { name: nameOf(await making, number), answer };
  }
}

function nameOf(bundle: Bundle, number: number): string {
  return number === 1 ? artifactName(bundle) : `${artifactName(bundle)}.${number}`;
}

async function toUpload({ retentionDays }: ArtifactOptions, name: string, { folder }: Bundle): Promise<ToolkitCall> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const compressionLevel = files.some(isSealed) ? NO_COMPRESSION : FAST_COMPRESSION;
  return {
    request: { op: "upload", name, folder, files, retentionDays, compressionLevel },
    workspace: folder,
  };
}

/** The id that an upload gave, if it did. */
function idIn({ result }: ToolkitAnswer): number | undefined {
  const value = result.ok ? result.value : undefined;
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "number" && value.id > 0 ? value.id : undefined;
}

async function restore(options: ArtifactOptions, wanted: Wanted, ms: number): Promise<Restored> {
  const { github } = options;
  const isNamed = wanted.named !== null && wanted.named.artifact !== null;
  if (!isNamed && (wanted.named !== null || !wanted.unnamed)) return notFound("absent", "no record names one");
  if (github === null) return notFound("unreachable", "there is no token to ask GitHub with");
  if (isEnterprise(options.env)) return notFound("unreachable", ENTERPRISE);
  const call = await within(ms, (signal) => fetchBundle({ ...options, github }, wanted, signal));
  if (call.ok) return call.value;
  return notFound("unreachable", `the service took longer than ${seconds(ms)}`);
}

type Asking = ArtifactOptions & { readonly github: NonNullable<ArtifactOptions["github"]> };

async function fetchBundle(options: Asking, wanted: Wanted, signal: AbortSignal): Promise<Restored> {
  let first: Restored | undefined;
  let passedOver: string | undefined;
  let tries = 0;
  for await (const found of candidates(options, wanted, signal)) {
    const restored = found.ok
      ? await download(options, wanted, found.value, signal)
      : notFound(found.trouble.kind, found.trouble.because);
    if (restored.found) return passedOver === undefined ? restored : { ...restored, passedOver };
    first ??= restored;
    if (found.ok) passedOver ??= restored.why;
    if (restored.because === "newer" || restored.because === "unreachable") return restored;
    if (found.ok) tries += 1;
    if (tries === TRIES) break;
  }
  return first ?? notFound("absent", "no run of this workflow has one");
}

/** Where the newest do not hold, older ones are tried; so many downloads are made at most. */
const TRIES = 3;

function candidates(options: Asking, { named, loopId }: Wanted, signal: AbortSignal): AsyncGenerator<Found> {
  const { github, workflowFile } = options;
  const asked = { github: github.client.within(signal), workflowFile };
  return named?.artifact ? findNamed(asked, loopId, named.artifact) : findNewest(asked, loopId);
}

async function download(
  options: Asking,
  { into, loopId, named }: Wanted,
  artifact: ArtifactInfo,
  signal: AbortSignal,
): Promise<Restored> {
  const { github, repository } = options;
  const folder = await mkdtemp(path.join(into, "artifact-"));
  const downloads = await mkdtemp(path.join(into, "download-"));
  const from = {
    token: github.token,
    workflowRunId: artifact.runId,
    repositoryOwner: repository.owner,
    repositoryName: repository.name,
  };
  const request = { op: "download", id: artifact.id, into: downloads, digest: artifact.digest, from };
  const answer = await callToolkit(options, { request, workspace: downloads }, signal);
  if (!answer.result.ok) {
    const { because, kind } = failureOf(answer);
    return notFound(kind === "damaged" ? "refused" : "unreachable", because);
  }
  if (isMismatch(answer.result.value)) return notFound("refused", `${artifact.name} is not what was uploaded`);
  try {
    const where = artifact.name;
    const archive = await openArchive(downloads, where);
    try {
      return { found: true, bundle: await openBundle({ folder, loopId, named, where, archive }) };
    } finally {
      await archive.close();
    }
  } catch (error) {
    return refusal(error, NOT_RESTORED);
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** The one file that was downloaded; the service gave it its name. */
async function openArchive(folder: string, where: string): Promise<ZipArchive> {
  const [name = ""] = await readdir(folder);
  return ZipArchive.open(path.join(folder, name)).catch((error: unknown) => {
    throw recordDamaged(where, "its archive is damaged", error);
  });
}

/** The toolkit tells a wrong digest by a flag only. */
function isMismatch(value: unknown): boolean {
  return typeof value === "object" && value !== null && "digestMismatch" in value && value.digestMismatch === true;
}

function notFound(because: "absent" | "unreachable" | "refused", why: string): Restored & { found: false } {
  return { found: false, because, why: `${NOT_RESTORED}: ${why}.` };
}

function whyClosed(env: NodeJS.ProcessEnv): string | undefined {
  if (isEnterprise(env)) return ENTERPRISE;
  if (!env["ACTIONS_RUNTIME_TOKEN"]) return "this runner gave the step no ACTIONS_RUNTIME_TOKEN";
  return env["ACTIONS_RESULTS_URL"] ? undefined : "this runner has no artifact service";
}

const ENTERPRISE = "GitHub Enterprise Server has no such artifacts";

/** As the toolkit decides it. */
function isEnterprise(env: NodeJS.ProcessEnv): boolean {
  const url = env["GITHUB_SERVER_URL"] ?? "";
  const host = URL.canParse(url) ? new URL(url).hostname : "github.com";
  return !/^github\.com$|\.ghe\.com$|\.localhost$/u.test(host);
}
