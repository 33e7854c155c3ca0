import { type KeyProxy, type ProxyAnswer, startKeyProxy } from "../key-proxy.ts";
import type { CodexOptions } from "./command-line.ts";
import { KEY_VARIABLE, type KeyRoute, keyRoute, modelSettings, readableByAgent } from "./settings.ts";

/** What one turn's Codex asks its model with. */
export interface OpenAccess {
  /** the whole environment of Codex */
  readonly env: CodexOptions["env"];
  /** @see codexArguments */
  readonly modelAt?: { readonly setting: string; readonly url: string };
  /** stands for the key and is worth nothing when the turn has ended; null: Codex has a login, or a key of its own */
  readonly token: string | null;
  close(): Promise<void>;
}

/**
 * How the turns of a run come to their model. Where the key goes is settled when this is made, before the agent has
 * taken a turn: what it writes into Codex's settings later leads the key nowhere.
 */
export class ModelAccess {
  readonly #options: CodexOptions;
  readonly #route: KeyRoute | undefined;
  #remark: string | undefined;

  /** @throws UsageError when Codex's settings name an address that is none */
  constructor(options: CodexOptions) {
    const settings = modelSettings(options);
    this.#options = options;
    this.#route = (options.key ?? null) === null ? undefined : keyRoute(settings);
    this.#remark = readableByAgent(options, settings, this.#route !== undefined);
  }

  /** What a person should know of keys and logins that no proxy hides; said once. */
  takeRemark(): string | undefined {
    const remark = this.#remark;
    this.#remark = undefined;
    return remark;
  }

  /** @throws the system's error when no port can be opened */
  async open(): Promise<OpenAccess> {
    const { env, key = null } = this.#options;
    if (this.#route === undefined || key === null) return { env, token: null, close: async () => {} };
    const { upstream, headers, setting } = this.#route;
    const proxy: KeyProxy = await startKeyProxy({
      key,
      upstream,
      headers,
      allows,
      unreachable,
      env,
      authorities: AUTHORITIES,
    });
    const exempt = { NO_PROXY: withLoopback(env["NO_PROXY"]), no_proxy: withLoopback(env["no_proxy"]) };
    return {
      env: { ...env, ...exempt, [KEY_VARIABLE]: proxy.token },
      modelAt: { setting, url: proxy.url },
      token: proxy.token,
      close: () => proxy.close(),
    };
  }
}

const AUTHORITIES: readonly string[] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "CODEX_CA_CERTIFICATE"];

function withLoopback(noProxy = ""): string {
  return [noProxy, "127.0.0.1", "localhost"].filter((part) => part !== "").join(",");
}

/** All that Codex asks of a model's service. The key could do more: read files, delete them, spend in other ways. */
const POSTED =
  /^(?:responses(?:\/compact)?|memories\/trace_summarize|alpha\/search|images\/(?:generations|edits)|realtime\/calls)$/u;

function allows(method: string, path: string): boolean {
  return method === "POST" ? POSTED.test(path) : method === "GET" && path === "models";
}

/**
 * As an answer that breaks off with a message: Codex tells it as "stream disconnected before completion: …", which it
 * tries again once or twice, and not thirty times as a 502.
 */
function unreachable(path: string, why: string): ProxyAnswer {
  const message = `no connection to the model's service at ${why}`;
  if (path !== "responses")
    return {
      status: 502,
      type: "application/json",
      body: JSON.stringify({ error: { message, type: "server_error" } }),
    };
  const failed = { id: "unreachable", status: "failed", error: { code: "server_error", message } };
  const event = JSON.stringify({ type: "response.failed", response: failed });
  return { status: 200, type: "text/event-stream", body: `event: response.failed\ndata: ${event}\n\n` };
}
