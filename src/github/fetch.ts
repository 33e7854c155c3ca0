import type { IncomingMessage } from "node:http";
import { VERSION } from "../core/names.ts";
import { buffer } from "node:stream/consumers";
import type { ProxyAgent } from "undici";

/** Who asks: GitHub refuses requests without, and its people can tell which version does what. */
export const USER_AGENT = `smithers-loop/${VERSION}`;

/** What our clients need of a `fetch`; Node's own is one. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The part of the options of `fetch` that is used here. */
interface FetchInit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly redirect?: "follow" | "error" | "manual";
  readonly signal?: AbortSignal;
  /** at most this many bytes, the end of the answer, are kept while it comes; without it, all of it */
  readonly keepLast?: number;
}

/** The part of an answer of `fetch` that is used here. */
interface FetchResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  /** asked for by names in lower case */
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null | undefined };
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTIONS = 5;
/** Headers that another server must not get. */
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/** One answer, read to its end. */
interface Answer {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/**
 * A `fetch` over Node's own HTTP client, for answers that fit into memory. Node's `fetch` does far more, and the first
 * use of it takes longer than most answers: 50 ms of a processor. Redirections are followed as it does, but that a write
 * stays a write, as GitHub asks for; credentials never go to another origin.
 *
 * Settles when the answer is complete, so that `signal` ends the reading of it as well; rejects with its reason then.
 */
export const directFetch: Fetch = async (address, init) => {
  let url = new URL(address);
  let sent = init;
  for (let left = MOST_REDIRECTIONS; ; left -= 1) {
    const answer = await send(url, sent).catch((error: unknown) => {
      init.signal?.throwIfAborted();
      throw error;
    });
    const target = init.redirect === "manual" ? undefined : targetOf(answer, url);
    if (target === undefined) return responseOf(answer, url);
    if (init.redirect === "error") throw new Error(`${url.origin} redirects, which is not followed here.`);
    if (left === 0) throw new Error(`${url.origin} redirects too often.`);
    sent = redirected(sent, answer.head.statusCode ?? 0, target.origin === url.origin);
    url = target;
  }
};

async function send(url: URL, { method = "GET", headers, body, signal, keepLast }: FetchInit): Promise<Answer> {
  // An import would look at everything that they export, and so load what is behind Node's own `fetch`.
  const { request } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
  const options = { method, headers: { "accept-encoding": "gzip", ...headers }, ...(signal && { signal }) };
  const head = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options).once("response", resolve).on("error", reject).end(body);
  });
  const bytes = keepLast === undefined ? await buffer(head) : await lastBytes(head, keepLast);
  const isPacked = bytes.length > 0 && head.headers["content-encoding"] === "gzip";
  return { head, body: isPacked ? (await import("node:zlib")).gunzipSync(bytes) : bytes };
}

/** The end of a stream of any length, in bounded memory. */
async function lastBytes(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < limit * 2) continue;
    chunks = [Buffer.concat(chunks).subarray(-limit)];
    length = limit;
  }
  return Buffer.concat(chunks).subarray(-limit);
}

/**
 * The end of a text that lies at an address without credentials, in whole lines.
 *
 * @param limit bytes; a server that sends more than it was asked for is cut while it sends
 */
export async function endOfDownload(url: string, limit: number, signal: AbortSignal): Promise<string> {
  const fetch = proxyFetch(process.env);
  // A blob store offers no other way to ask for the end of a file.
  const head = await fetch(url, { method: "HEAD", signal });
  const from = Math.max(0, Number(head.headers.get("content-length") ?? 0) - limit);
  const range = from === 0 ? {} : { range: `bytes=${from}-` };
  const answer = await fetch(url, { headers: { "accept-encoding": "identity", ...range }, keepLast: limit, signal });
  if (answer.status >= 300) throw new Error(`the server of the log answered ${answer.status}`);
  const text = await answer.text();
  const isCut = from > 0 || Buffer.byteLength(text) >= limit;
  return isCut ? text.slice(text.indexOf("\n") + 1) : text;
}

/** Where a redirection leads; undefined: it is not one. */
function targetOf({ head }: Answer, url: URL): URL | undefined {
  const { location } = head.headers;
  return location !== undefined && REDIRECTIONS.has(head.statusCode ?? 0) ? new URL(location, url) : undefined;
}

/** What is sent to where a redirection leads. */
function redirected(init: FetchInit, status: number, sameOrigin: boolean): FetchInit {
  const { body, method = "GET", headers = {}, ...rest } = init;
  const kept = Object.entries(headers).filter(([name]) => sameOrigin || !CREDENTIALS.has(name.toLowerCase()));
  const asked = { ...rest, headers: Object.fromEntries(kept) };
  // Only 303 names a page with the result. What was written to the former name of a repository is not written yet.
  const again = status !== 303 || method === "GET" || method === "HEAD";
  return again ? { ...asked, method, ...(body !== undefined && { body }) } : { ...asked, method: "GET" };
}

function responseOf({ head, body }: Answer, url: URL): FetchResponse {
  const entries = Object.entries(head.headersDistinct);
  const headers = new Map(entries.map(([name, values]): [string, string] => [name, (values ?? []).join(", ")]));
  return {
    status: head.statusCode ?? 0,
    statusText: head.statusMessage ?? "",
    url: url.href,
    headers,
    text: async () => body.toString("utf8"),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  };
}

/**
 * A `fetch` that uses the proxy in `http_proxy`, `https_proxy` and `no_proxy` of `env`, in either case; without one, a
 * direct connection. Node's own supports proxies only in newer versions, and only with an option at its start.
 */
export function proxyFetch(env: NodeJS.ProcessEnv): Fetch {
  const agents = new Map<string, ProxyAgent>();
  return async (url, init) => {
    const proxy = proxyFor(new URL(url), env);
    if (proxy === undefined) return await directFetch(url, init);
    // Larger than all the rest of us: loaded only where there is a proxy.
    const undici = await import("undici");
    const agent = agents.get(proxy) ?? new undici.ProxyAgent(proxy);
    agents.set(proxy, agent);
    const { keepLast, ...sent } = init;
    const answer = await undici.fetch(url, { ...sent, dispatcher: agent });
    if (keepLast === undefined || answer.body === null) return answer;
    const end = await lastBytes(answer.body, keepLast);
    const { status, statusText, url: from, headers } = answer;
    const bytes = new Uint8Array(end).buffer;
    return {
      status,
      statusText,
      url: from,
      headers,
      text: async () => end.toString("utf8"),
      arrayBuffer: async () => bytes,
    };
  };
}

/** The proxy for a URL, with its scheme; undefined: none. Loopback addresses never go through one. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const named = (name: string): string => env[name] || env[name.toUpperCase()] || "";
  const proxy = named(url.protocol === "https:" ? "https_proxy" : "http_proxy");
  if (proxy === "" || isLoopback(url.hostname)) return undefined;
  const exempt = named("no_proxy")
    .split(/[\s,]+/u)
    .some((pattern) => exempts(pattern.toLowerCase(), url));
  if (exempt) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** `*`, a host with or without a port, or the end of one: `.example.org` and `example.org` cover `api.example.org`. */
function exempts(pattern: string, { hostname, port, protocol }: URL): boolean {
  if (pattern === "") return false;
  if (pattern === "*") return true;
  const [host = "", only] = pattern.replace(/^\*?\./u, "").split(":");
  if (only !== undefined && only !== (port || (protocol === "https:" ? "443" : "80"))) return false;
  return hostname === host || hostname.endsWith(`.${host}`);
}
