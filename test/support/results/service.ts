import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { ArtifactService, type StoredArtifact } from "./artifact-service.ts";
import { type BlobStore, startBlobStore } from "./blob-store.ts";
import { CacheService } from "./cache-service.ts";
import { type Caller, callerOf, runtimeToken } from "./caller.ts";
import { type Fault, type Reply, refuse } from "./reply.ts";

export type { Caller, CacheScope } from "./caller.ts";

/** A call as it came. */
interface ResultsRequest {
  /** `CreateCacheEntry` */
  readonly method: string;
  readonly body: unknown;
}

export interface ResultsService extends AsyncDisposable {
  readonly url: string;
  readonly blobs: BlobStore;
  readonly cache: CacheService;
  readonly artifacts: ArtifactService;
  /** every call so far, oldest first */
  readonly requests: readonly ResultsRequest[];
  /**
   * Makes a method fail.
   *
   * @param nth which of the calls from now on, counted from 1; without it all of them
   */
  fail(method: string, fault: Fault, nth?: number): void;
  /** All methods do again what they should, and `requests` is empty. */
  heal(): void;
  /** What a runner gives to the steps of a job that this caller is; the toolkit's waits are short. */
  environment(caller?: Partial<Caller>): Record<string, string>;
}

export interface ResultsOptions {
  /** hears of every artifact that is whole, with its archive */
  readonly onArtifact?: (artifact: StoredArtifact, content: Buffer) => void;
}

const ROUTE = /^\/twirp\/github\.actions\.results\.api\.v1\.(CacheService|ArtifactService)\/(\w+)$/u;
const FAST_TIMERS = pathToFileURL(path.join(import.meta.dirname, "../fast-timers.mjs")).href;

/** A run on the default branch. */
const CALLER: Caller = { run: "run-1", job: "job-1", scopes: [{ scope: "refs/heads/main", may: "write" }] };

/** Starts the service behind the toolkit's cache and artifact clients on 127.0.0.1, over a blob store of its own. */
export async function startResultsService(options: ResultsOptions = {}): Promise<ResultsService> {
  const blobs = await startBlobStore();
  const standIn = new StandIn(blobs, options);
  const server = createServer((request, response) => void standIn.serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
  return {
    ...{ url, blobs, cache: standIn.cache, artifacts: standIn.artifacts, requests: standIn.requests },
    fail: (method, fault, nth) => standIn.fail(method, fault, nth),
    heal: () => standIn.heal(),
    environment: (caller) => ({
      ACTIONS_RESULTS_URL: url,
      ACTIONS_RUNTIME_TOKEN: runtimeToken({ ...CALLER, ...caller }),
      ACTIONS_CACHE_SERVICE_V2: "True",
      GITHUB_SERVER_URL: "https://github.com",
      NODE_OPTIONS: `--import=${FAST_TIMERS}`,
      PATH: process.env["PATH"] ?? "",
    }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      await blobs.stop();
    },
  };
}

interface DueFault {
  readonly method: string;
  readonly fault: Fault;
  readonly nth: number | undefined;
  calls: number;
}

class StandIn {
  readonly cache: CacheService;
  readonly artifacts: ArtifactService;
  readonly requests: ResultsRequest[] = [];
  readonly #faults: DueFault[] = [];

  constructor(blobs: BlobStore, { onArtifact }: ResultsOptions) {
    this.cache = new CacheService(blobs);
    this.artifacts = new ArtifactService(blobs, async (artifact) => {
      onArtifact?.(artifact, await blobs.read(artifact.blob));
    });
  }

  fail(method: string, fault: Fault, nth: number | undefined): void {
    this.#faults.push({ method, fault, nth, calls: 0 });
  }

  heal(): void {
    this.#faults.length = 0;
    this.requests.length = 0;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await this.#answer(request).catch((error: unknown) => refuse(400, "malformed", String(error)));
    if (reply === "hang") return;
    if (reply === "drop") return void response.destroy();
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  async #answer(request: IncomingMessage): Promise<Fault> {
    const sent = await text(request);
    const [, service, method = ""] = ROUTE.exec(request.url ?? "") ?? [];
    if (service === undefined || request.method !== "POST") return refuse(404, "bad_route", "no such method");
    const body: unknown = JSON.parse(sent);
    this.requests.push({ method, body });
    const fault = this.#due(method);
    if (fault !== undefined) return fault;
    const caller = callerOf(request.headers.authorization);
    if (caller === undefined) return refuse(401, "unauthenticated", "the token is missing or not valid");
    const reply: Reply | undefined =
      service === "CacheService"
        ? this.cache.handle(method, body, caller)
        : await this.artifacts.handle(method, body, caller);
    return reply ?? refuse(404, "bad_route", "no such method");
  }

  #due(method: string): Fault | undefined {
    for (const due of this.#faults.filter((candidate) => candidate.method === method)) {
      due.calls += 1;
      if (due.nth === undefined || due.nth === due.calls) return due.fault;
    }
    return undefined;
  }
}
