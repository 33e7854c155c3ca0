import path from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { z } from "zod";
import { createArtifactCarrier } from "../../src/carry/artifact.ts";
import type { GatheredBundle, LoopPlaces } from "../../src/carry/bundle.ts";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import { callToolkit, type ToolkitOptions } from "../../src/carry/toolkit.ts";
import type { CarriedRecord, Carrier } from "../../src/core/carry.ts";
import { githubAccess } from "../../src/github/access.ts";
import { aRecord } from "../../test/carry/a-loop.ts";
import { pointerTo } from "../../test/contract/carrier-contract.ts";
import { gathered } from "./large-loop.ts";
import { type FarEnd, RUN } from "./network.ts";
import { type Cost, timed } from "./timed.ts";

const WITHIN_MS = 120_000;
const PROGRAMS = path.join(process.env["SMITHERS_ACTION_DIR"] ?? path.join(import.meta.dirname, "../.."), "dist");

/** What one carrier took in one round; the network is included where nothing else is said. */
export interface BulkRound {
  /** from the loop's files to the pointer, as a job does it */
  readonly save: Cost;
  readonly restore: Cost;
  /** milliseconds that the network and its far end have of each */
  readonly network: { readonly save: number; readonly restore: number };
  /** the toolkit alone, with the same files */
  readonly toolkit: { readonly save: Cost; readonly restore: Cost };
  /** of the toolkit, until it could take a call; milliseconds */
  readonly load: number;
}

/** A loop's files, and where all of it happens. */
export interface BulkBench {
  readonly farEnd: FarEnd;
  readonly places: LoopPlaces;
  readonly folder: string;
}

let attempts = 0;

/** Has one carrier carry the loop away and bring it back, then the toolkit alone. */
export async function bulkRound(bench: BulkBench, name: Carrier["name"]): Promise<BulkRound> {
  const { farEnd, folder, places } = bench;
  const carrier = carrierOf(bench, name);
  const work = path.join(folder, `${name}-${attempts + 1}`);
  const into = path.join(work, "into");
  await mkdir(into, { recursive: true });
  const making = { bundle: path.join(work, "bundle"), record: nextRecord() };
  const [save, { bundle, saved }] = await timed(async () => {
    const gathering = gathered(places, making.record, making.bundle);
    return { saved: await carrier.save(gathering, WITHIN_MS), bundle: await gathering };
  });
  const { loop_id: loopId } = bundle.record;
  const wanted = { loopId, named: pointerTo(bundle, saved), unnamed: false, into };
  const [restore, restored] = await timed(() => carrier.restore(wanted, WITHIN_MS));
  if (!restored.ok) throw new Error(restored.trouble.because);
  const network = await farEnd.transfer(name);
  const toolkit = await toolkitAlone(bench, name, bundle, work);
  return { save, restore, network, toolkit, load: await loadTime(name) };
}

function nextRecord(): CarriedRecord {
  attempts += 1;
  return aRecord(1, { run: { id: String(RUN), attempt: String(attempts) } });
}

function toolkitFor({ farEnd, folder }: BulkBench, name: Carrier["name"]): ToolkitOptions {
  // The tests' environment keeps what is compiled; a job's machine is new.
  const env = { ...farEnd.facts.environment, NODE_OPTIONS: "" };
  const program = path.join(PROGRAMS, name, "index.js");
  return { mark: `bench-${name}`, program, env, scratch: path.join(folder, "scratch") };
}

function carrierOf(bench: BulkBench, name: Carrier["name"]): Carrier {
  const options = toolkitFor(bench, name);
  if (name === "cache") return createCacheCarrier(options);
  const { token, apiUrl, repository } = bench.farEnd.facts;
  const access = githubAccess(token, { apiUrl, repository });
  return createArtifactCarrier({
    ...options,
    github: access === undefined ? null : { access, token },
    repository,
    workflowFile: "smithers.yml",
    runId: RUN,
    retentionDays: null,
  });
}

/** The same calls that the carrier makes, with nothing of ours around them but the process. */
async function toolkitAlone(bench: BulkBench, name: Carrier["name"], bundle: GatheredBundle, work: string) {
  const options = toolkitFor(bench, name);
  const into = path.join(work, "alone");
  await mkdir(into);
  const ask = (request: Readonly<Record<string, unknown>>, workspace: string) =>
    timed(async () => {
      const answer = await callToolkit(options, { request, workspace }, z.unknown(), new AbortController().signal);
      if (!answer.ok) throw new Error(answer.trouble.because);
      return answer.value;
    });
  if (name === "cache") {
    const key = `alone-${attempts}`;
    const [save] = await ask({ op: "save", key }, bundle.folder);
    const [restore] = await ask({ op: "restore", key }, into);
    return { save, restore };
  }
  const { folder } = bundle;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const upload = { op: "upload", name: `alone-${attempts}`, folder, files, retentionDays: null, compressionLevel: 1 };
  const [save, uploaded] = await ask(upload, folder);
  const id = typeof uploaded === "object" && uploaded !== null && "id" in uploaded ? uploaded.id : undefined;
  const { token, repository } = bench.farEnd.facts;
  const from = { token, workflowRunId: RUN, repositoryOwner: repository.owner, repositoryName: repository.name };
  const [restore] = await ask({ op: "download", id, into, digest: null, from }, into);
  return { save, restore };
}

/** How long the toolkit's program takes to find that it got no call. */
async function loadTime(name: Carrier["name"]): Promise<number> {
  const [{ wall }] = await timed(() =>
    once(spawn(process.execPath, [path.join(PROGRAMS, name, "index.js")], { stdio: "ignore" }), "close"),
  );
  return wall;
}
