import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

const ROUTE = /^\/_apis\/artifactcache\/(?<what>caches?|archive)(?:\/(?<id>\d+))?$/u;

interface Entry {
  readonly key: string;
  readonly version: string;
  chunks: Buffer[];
  isWhole: boolean;
}

/** The cache service in its first form, as act and the runners of Gitea and Forgejo have it at `ACTIONS_CACHE_URL`. */
export class OlderCache implements AsyncDisposable {
  /** answers everything with this status */
  broken: number | undefined;
  readonly #entries: Entry[] = [];
  readonly #server: Server;
  #url = "";

  static async start(): Promise<OlderCache> {
    const cache = new OlderCache();
    cache.#server.listen(0, "127.0.0.1");
    await once(cache.#server, "listening");
    const address = cache.#server.address();
    cache.#url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
    return cache;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** What such a runner gives to its steps in place of GitHub's. */
  get environment(): Record<string, string> {
    return { ACTIONS_CACHE_URL: this.#url, ACTIONS_CACHE_SERVICE_V2: "", ACTIONS_RESULTS_URL: "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.#url);
    const body = await buffer(request);
    const send = (status: number, answer?: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(answer === undefined ? undefined : Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
    };
    const { what = "", id } = ROUTE.exec(url.pathname)?.groups ?? {};
    if (this.broken !== undefined) return send(this.broken, {});
    if (what === "cache") return this.#find(url.searchParams, send);
    if (id === undefined && request.method === "POST") {
      const { key, version } = JSON.parse(body.toString());
      return send(201, { cacheId: this.#entries.push({ key, version, chunks: [], isWhole: false }) });
    }
    const entry = this.#entries[Number(id) - 1];
    if (entry === undefined) return send(404, {});
    if (request.method === "PATCH") entry.chunks.push(body);
    else if (request.method === "POST") entry.isWhole = true;
    else return send(200, Buffer.concat(entry.chunks));
    send(200, {});
  }

  #find(query: URLSearchParams, send: (status: number, answer?: unknown) => void): void {
    const found = this.#entries.findLastIndex(
      ({ key, version, isWhole }) =>
        isWhole && version === query.get("version") && key.startsWith(query.get("keys") ?? "?"),
    );
    if (found === -1) return send(204);
    const archiveLocation = `${this.#url}_apis/artifactcache/archive/${found + 1}`;
    send(200, { archiveLocation, cacheKey: this.#entries[found]?.key, scope: "refs/heads/main" });
  }
}
