import path from "node:path";
import { mkdir } from "node:fs/promises";
import { type ArtifactOptions, createArtifactCarrier, uploadPage } from "../../src/carry/artifact.ts";
import type { ToolkitProcess } from "../../src/carry/toolkit.ts";
import type { BulkPointer, Carrier, Restored } from "../../src/core/carry.ts";
import { githubAccess } from "../../src/github/access.ts";
import { pointerTo } from "../contract/carrier-contract.ts";
import { anArtifact, type ArtifactRow, aRun, type GithubApi, startGithubApi } from "../support/github-api/server.ts";
import { artifactHandlers } from "../support/results/github-handlers.ts";
import { type ResultsService, startResultsService } from "../support/results/service.ts";
import { buildToolkitPrograms, type ToolkitPrograms } from "../support/results/toolkit-programs.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord } from "./a-loop.ts";

export const WITHIN = 20_000;

/** Name of a token that may read what actions do. */
export const READS_ACTIONS = "ghs_reads_actions";
export const READS_NOTHING = "ghs_reads_nothing";

/** A repository on GitHub whose runs keep loops in artifacts; emptied for each test. */
export class ArtifactBench {
  readonly service: ResultsService;
  readonly #programs: ToolkitPrograms;
  #api: GithubApi | undefined;
  #folder: TempFolder | undefined;
  #folders = 0;
  /** the toolkit's processes that have uploaded a page */
  readonly spare: ToolkitProcess[] = [];

  static async start(): Promise<ArtifactBench> {
    let bench: ArtifactBench | undefined;
    const service = startResultsService({
      onArtifact: ({ id, run, name }, zip) => {
        bench?.api.world.artifacts.push(anArtifact({ id, runId: Number(run), name, zip }));
      },
    });
    const [ready, programs] = await Promise.all([service, buildToolkitPrograms()]);
    bench = new ArtifactBench(ready, programs);
    return bench;
  }

  private constructor(service: ResultsService, programs: ToolkitPrograms) {
    this.service = service;
    this.#programs = programs;
  }

  get api(): GithubApi {
    if (this.#api === undefined) throw new Error("The bench was not made ready.");
    return this.#api;
  }

  get folder(): string {
    return this.#folder?.path ?? "";
  }

  /** Empties everything. */
  async ready(): Promise<void> {
    this.service.heal();
    this.service.artifacts.stored.length = 0;
    this.service.artifacts.isOlder = false;
    this.service.artifacts.refusesFiles = false;
    this.#folder = await tempFolder();
    this.#api = await startGithubApi({
      tokens: {
        [READS_ACTIONS]: { login: "github-actions[bot]", permissions: { actions: "read" } },
        [READS_NOTHING]: { login: "github-actions[bot]", permissions: {} },
      },
      handlers: artifactHandlers(() => this.service),
    });
  }

  /** @throws Error when GitHub's own description found something wrong with our requests */
  async clear(): Promise<void> {
    await Promise.all(this.spare.splice(0).map((waiting) => waiting.end()));
    await this.#folder?.[Symbol.asyncDispose]();
    const { problems } = this.api;
    await this.api[Symbol.asyncDispose]();
    if (problems.length > 0) throw new Error(problems.join("\n"));
  }

  async end(): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    await this.#programs[Symbol.asyncDispose]();
  }

  /** Uploads a page about a loop, as a run does. @param env of its step, besides what the runner gives */
  page(html: string, name: string, { ms = WITHIN, env = {} }: { ms?: number; env?: Record<string, string> } = {}) {
    const scratch = path.join(this.folder, "scratch");
    const toolkit = { mark: "test", program: this.#programs.artifact, scratch };
    const limits = { ms, retentionDays: 3, spare: this.spare };
    return uploadPage({ ...toolkit, env: { ...this.environment(101), ...env } }, html, name, limits);
  }

  /** The carrier of a run, which is known to GitHub from now on. */
  carrier(run = 101, options: Partial<ArtifactOptions> = {}): Carrier {
    const { runs, repository } = this.api.world;
    if (!runs.some(({ id }) => id === run)) runs.push(aRun({ id: run }));
    const { owner, name } = repository;
    return createArtifactCarrier({
      mark: "test",
      program: this.#programs.artifact,
      env: this.environment(run),
      scratch: path.join(this.folder, "scratch"),
      github: this.github(READS_ACTIONS),
      repository: { owner, name },
      workflowFile: "smithers.yml",
      runId: run,
      retentionDays: null,
      ...options,
    });
  }

  environment(run: number): Record<string, string> {
    return { ...this.service.environment({ run: String(run) }), GITHUB_API_URL: this.api.url };
  }

  github(token: string, apiUrl = this.api.url): NonNullable<ArtifactOptions["github"]> {
    const access = githubAccess(token, { apiUrl, repository: this.api.world.repository });
    if (access === undefined) throw new Error("There is no token.");
    return { access, token };
  }

  bundle(revision: number, run = 101, attempt = "1") {
    const record = aRecord(revision, { run: { id: String(run), attempt }, nonce: `n-${run}-${attempt}` });
    return aBundle(this.folder, record);
  }

  /** Has a run save the loop, and gives what a record would name. */
  async saved(revision: number, run = 101, attempt = "1"): Promise<BulkPointer> {
    const made = await this.bundle(revision, run, attempt);
    return pointerTo(made, await this.carrier(run).save(made, WITHIN));
  }

  /** Has GitHub list an artifact that nobody uploaded, and gives what a record would name. */
  listed(run: number, name = `smithers-a-loop-${run}-1`, more: Partial<ArtifactRow> = {}): BulkPointer {
    const { runs, artifacts } = this.api.world;
    if (!runs.some(({ id }) => id === run)) runs.push(aRun({ id: run }));
    const id = 900 + artifacts.length;
    artifacts.push(anArtifact({ id, runId: run, name, ...more }));
    return { digest: "d".repeat(64), revision: 9, cache_key: null, artifact: { id, name, run_id: run } };
  }

  async restore(from: Carrier, named: BulkPointer | null): Promise<Restored> {
    const into = path.join(this.folder, `into-${(this.#folders += 1)}`);
    await mkdir(into);
    return await from.restore({ loopId: "a-loop", named, unnamed: named === null, into }, WITHIN);
  }
}
