import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as askPlainly,
  type ServerResponse,
} from "node:http";
import { Agent as SecureAgent, request as askSecurely } from "node:https";
import { isIP } from "node:net";
import { Duplex, pipeline } from "node:stream";
import * as tls from "node:tls";
import type { Environment } from "../config/read.ts";
import { proxyFor } from "../github/fetch.ts";

/** What a proxy lets through, and where to. */
export interface KeyProxyOptions {
  /** the real key; it is in this process's memory and in requests to `upstream`, nowhere else */
  readonly key: string;
  /** the only place that the key may go to: `http:` or `https:`, a host, and what every path begins with */
  readonly upstream: URL;
  /** headers that carry the key, in lower case; in `authorization` it follows `Bearer` */
  readonly headers: readonly string[];
  /** whether a request may be made with the key; `path` is what follows the upstream's, without `/` in front */
  readonly allows: (method: string, path: string) => boolean;
  /** what the agent is told when the upstream cannot be reached */
  readonly unreachable: (path: string, why: string) => ProxyAnswer;
  /** its proxy variables are obeyed */
  readonly env: Environment;
  /** names of variables in `env`; each may name a file of further authorities that certify the upstream */
  readonly authorities: readonly string[];
}

export interface ProxyAnswer {
  readonly status: number;
  /** of its content */
  readonly type: string;
  readonly body: string;
}

/** Stands between an agent and its model for one turn. */
export interface KeyProxy {
  /** stands for the upstream's address; the upstream's host is a part of its path */
  readonly url: string;
  /** stands for the key, until `close` */
  readonly token: string;
  /** Ends it with all connections, also those that hang. Settles when the port is free. */
  close(): Promise<void>;
}

const MOST_HEADER_BYTES = 64 * 1024;
const MOST_CONNECTIONS = 128;
/** An idle connection that is older may have been forgotten by something on the way. */
const IDLE_MS = 60_000;

/** They are about one connection, or would name us to the upstream. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect host".split(
    " ",
  ),
);

const UPGRADE_REFUSED = "HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * Starts a proxy on a free port of 127.0.0.1 that has the key, for an agent that has a token of the turn instead. Bodies
 * are streamed both ways as they come.
 *
 * @throws the system's error when no port can be opened
 */
export async function startKeyProxy(options: KeyProxyOptions): Promise<KeyProxy> {
  const token = randomBytes(32).toString("hex");
  const { upstream } = options;
  const over = new AbortController();
  const agent = agentFor(options, over.signal);
  const prefix = `/${upstream.host}${upstream.pathname.replace(/\/+$/u, "")}/`;
  const serve = server(options, { token, prefix, agent, signal: over.signal });
  // No idle connection is closed on this side: the agent would send its next request into it.
  const listening = createServer({ maxHeaderSize: MOST_HEADER_BYTES, keepAliveTimeout: 0 }, serve);
  listening.maxConnections = MOST_CONNECTIONS;
  listening.on("upgrade", (_request, socket: Duplex) => {
    socket.on("error", () => {}).end(UPGRADE_REFUSED, () => socket.destroy());
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${prefix.slice(0, -1)}`,
    token,
    async close() {
      if (!listening.listening) return;
      const closed = once(listening, "close");
      listening.close();
      over.abort();
      listening.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

interface Turn {
  readonly token: string;
  /** what the path of a request begins with */
  readonly prefix: string;
  readonly agent: Agent;
  /** aborts with the turn */
  readonly signal: AbortSignal;
}

function server(options: KeyProxyOptions, turn: Turn): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (!isCarried(turn.token, request.headers, options.headers))
      return refuse(response, 401, "This request does not carry the token of the turn.");
    const { method = "GET", url = "" } = request;
    const [path = "", ...query] = url.startsWith(turn.prefix) ? url.slice(turn.prefix.length).split("?") : [];
    if (path === "" || !options.allows(method, path))
      return refuse(response, 404, "The agent's key is for asking its model, and for nothing else.");
    forward(request, response, { ...options, ...turn, path, query: query.map((part) => `?${part}`).join("") });
  };
}

/** Whether the token is there, told in a time that does not depend on what is there instead. */
function isCarried(token: string, headers: IncomingHttpHeaders, carriers: readonly string[]): boolean {
  return carriers.some((name) => timingSafeEqual(digest(withKey(name, token)), digest(String(headers[name] ?? ""))));
}

function withKey(header: string, key: string): string {
  return header === "authorization" ? `Bearer ${key}` : key;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  asked: KeyProxyOptions & Turn & { readonly path: string; readonly query: string },
): void {
  const { upstream, agent, signal, path } = asked;
  const { protocol, hostname, port } = upstream;
  const onward = (protocol === "https:" ? askSecurely : askPlainly)({
    ...{ protocol, hostname: bare(hostname), port, agent, signal, maxHeaderSize: MOST_HEADER_BYTES },
    method: request.method,
    path: `${upstream.pathname.replace(/\/+$/u, "")}/${path}${asked.query}`,
    headers: onwardHeaders(request.headers, asked),
  });
  onward.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer)).flushHeaders();
    // What breaks off there breaks off here: the agent must not take it for a whole answer.
    pipeline(answer, response, () => {});
  });
  onward.on("error", (error: NodeJS.ErrnoException) => {
    if (response.headersSent || response.destroyed || signal.aborted) return void response.destroy();
    const { status, type, body } = asked.unreachable(path, `${upstream.host}: ${error.message || error.code}`);
    response.writeHead(status, { "content-type": type }).end(body);
  });
  // An agent that has gone does not need the answer.
  response.once("close", () => onward.destroy());
  request.once("error", () => onward.destroy());
  request.pipe(onward);
}

function onwardHeaders(
  given: IncomingHttpHeaders,
  { upstream, headers: carriers, token, key }: KeyProxyOptions & Turn,
): IncomingHttpHeaders {
  const dropped = connectionHeaders(given.connection);
  const kept = Object.entries(given).filter(([name]) => !HOP_BY_HOP.has(name) && !dropped.has(name));
  const carried = carriers.filter((name) => given[name] === withKey(name, token));
  return {
    ...Object.fromEntries(kept),
    host: upstream.host,
    ...Object.fromEntries(carried.map((name) => [name, withKey(name, key)])),
  };
}

/** As they came, in pairs: some may be there several times. */
function answerHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const dropped = connectionHeaders(headers.connection);
  return rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1 || HOP_BY_HOP.has(name.toLowerCase()) || dropped.has(name.toLowerCase())) return [];
    return [name, rawHeaders[at + 1] ?? ""];
  });
}

function connectionHeaders(connection = ""): ReadonlySet<string> {
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  // What is still to come of the request is not wanted.
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }));
}

/** The connections to the upstream, through the proxy of the environment where there is one. */
function agentFor({ upstream, env, authorities }: KeyProxyOptions, signal: AbortSignal): Agent {
  const secure = upstream.protocol === "https:";
  const secureContext = secure ? contextOf(authorities.map((name) => env[name] ?? "")) : undefined;
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agent = secure ? new SecureAgent({ ...kept, ...(secureContext && { secureContext }) }) : new Agent(kept);
  const proxy = proxyFor(upstream, withGeneral(env));
  if (proxy === undefined) return agent;
  const port = upstream.port || (secure ? "443" : "80");
  const host = bare(upstream.hostname);
  agent.createConnection = (_options, done = () => {}) => {
    tunnel(new URL(proxy), `${upstream.hostname}:${port}`, signal, (error, socket) => {
      if (error !== null || !secure) return done(error, socket);
      const names = isIP(host) === 0 ? { servername: host } : {};
      done(null, tls.connect({ socket, host, ...names, ...(secureContext && { secureContext }) }));
    });
    return undefined;
  };
  return agent;
}

/** `all_proxy` is for what has no proxy of its own. */
function withGeneral(env: Environment): Environment {
  const general = env["all_proxy"] || env["ALL_PROXY"] || "";
  const own = (name: string): string => env[name] || env[name.toUpperCase()] || general;
  return { ...env, https_proxy: own("https_proxy"), http_proxy: own("http_proxy") };
}

/** A connection to `target` through an HTTP proxy. */
function tunnel(
  proxy: URL,
  target: string,
  signal: AbortSignal,
  done: (error: Error | null, socket: Duplex) => void,
): void {
  const { protocol, hostname, port, username, password, host } = proxy;
  const failed = (error: Error): void => done(error, new Duplex());
  if (protocol !== "http:" && protocol !== "https:")
    return failed(new Error(`proxies of ${protocol} are not supported`));
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const asked = (protocol === "https:" ? askSecurely : askPlainly)({
    ...{ protocol, hostname: bare(hostname), port, agent: false, signal, method: "CONNECT", path: target },
    headers: { host: target, ...(username !== "" && { "proxy-authorization": `Basic ${login}` }) },
  });
  asked.once("error", failed);
  asked.once("connect", ({ statusCode }, socket) => {
    if (statusCode === 200) return done(null, socket);
    socket.destroy();
    failed(new Error(`the proxy ${host} answers ${statusCode}`));
  });
  asked.end();
}

/** Trusts what this machine's environment adds to the usual authorities; undefined: it adds nothing. */
function contextOf(files: readonly string[]): tls.SecureContext | undefined {
  const added = files.flatMap((file) => {
    try {
      return [readFileSync(file, "utf8")];
    } catch {
      return [];
    }
  });
  if (added.length === 0) return undefined;
  // Newer than the oldest Node.js that this runs on.
  const known: Partial<typeof tls> = tls;
  const usual = known.getCACertificates?.("default") ?? tls.rootCertificates;
  return tls.createSecureContext({ ca: [...usual, ...added] });
}

/** Without the brackets of IPv6. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/gu, "");
}

/** A text with `***` in place of the token. */
export function hiddenIn(text: string, token: string | null): string {
  return token === null ? text : text.replaceAll(token, "***");
}

/** The bytes with `***` in place of the token, also where it came in pieces; its beginning waits for what follows. */
export async function* withoutToken(stream: AsyncIterable<Buffer>, token: string | null): AsyncGenerator<Buffer> {
  if (token === null) return yield* stream;
  let held = "";
  for await (const chunk of stream) {
    const text = hiddenIn(held + chunk.toString("latin1"), token);
    held = beginningAtEnd(text, token);
    yield Buffer.from(text.slice(0, text.length - held.length), "latin1");
  }
  if (held !== "") yield Buffer.from(held, "latin1");
}

/** What at the end of the text may be the beginning of the token. */
function beginningAtEnd(text: string, token: string): string {
  for (let at = Math.max(0, text.length - token.length + 1); at < text.length; at += 1) {
    const end = text.slice(at);
    if (token.startsWith(end)) return end;
  }
  return "";
}
