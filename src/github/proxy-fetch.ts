import type { ProxyAgent } from "undici";
import { directFetch, type Fetch } from "./direct-fetch.ts";

/**
 * A `fetch` that goes through the proxy that `http_proxy`, `https_proxy` and `no_proxy` of `env` name, in either case;
 * where none is named, the direct way. Node's own knows of proxies only in newer versions, and only when it is told so
 * at its start.
 */
export function proxyFetch(env: NodeJS.ProcessEnv): Fetch {
  const agents = new Map<string, ProxyAgent>();
  return async (url, init) => {
    const proxy = proxyFor(new URL(url), env);
    if (proxy === undefined) return await directFetch(url, init);
    // Larger than all the rest of us: only whoever has a proxy pays for it.
    const undici = await import("undici");
    const agent = agents.get(proxy) ?? new undici.ProxyAgent(proxy);
    agents.set(proxy, agent);
    return await undici.fetch(url, { ...init, dispatcher: agent });
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
