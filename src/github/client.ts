import { randomUUID } from "node:crypto";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import type { GithubToken, RenewedToken } from "../core/ports.ts";
import type { Repository } from "./context.ts";
import { type Fetch, proxyFetch, USER_AGENT } from "./fetch.ts";

/**
 * GitHub's API for one repository: owner, repository and signal are bound here, once, and no call names them. Methods
 * reject with what Octokit throws.
 */
export interface Github {
  readonly repository: Repository;
  /** ends what is under way, waits included */
  readonly signal: AbortSignal;
  /** Octokit's methods of a repository: `github.rest.pulls.create({ head, base, title })` */
  readonly rest: RepositoryMethods;
  /** `owner` and `name` are bound where the query declares them */
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** all items of a list, page by page: `github.paginate((rest) => rest.git.listMatchingRefs, { ref })` */
  paginate<P extends object, D>(list: (rest: RepositoryMethods) => List<P, D>, params: P): Promise<ItemOf<D>[]>;
  /** the same for an operation that ends earlier: after a number of milliseconds, or with another signal */
  within(end: number | AbortSignal): Github;
}

type Rest = Octokit["rest"];
/** Without what is bound. */
type Unbound<P> = { [K in keyof P as string extends K ? never : K extends "owner" | "repo" ? never : K]: P[K] };
/** Parameters that may be one thing or another stay so: a method takes either. */
type InRepository<M> = M extends { (params?: infer P): Promise<infer R> }
  ? [P] extends [{ owner: string; repo: string }]
    ? (params: Unbound<P>) => Promise<R>
    : never
  : never;
type RepositoryMethods = { readonly [S in keyof Rest]: { readonly [M in keyof Rest[S]]: InRepository<Rest[S][M]> } };
type List<P, D> = (params: P) => Promise<{ data: D; headers: { link?: string | undefined } }>;
/** Lists come bare, or beside their `total_count`. */
type ItemOf<D> = D extends readonly (infer T)[]
  ? T
  : D extends object
    ? ItemOf<Extract<D[keyof D], readonly unknown[]>>
    : never;

/** How to reach GitHub. Times are in milliseconds. */
interface GithubOptions {
  readonly token: GithubToken;
  readonly repository: Repository;
  /** as in `GITHUB_API_URL` */
  readonly apiUrl: string;
  /** ends what is under way; never, without one */
  readonly signal?: AbortSignal;
  /** hears of rate limits and deprecations; a line may hold text from GitHub */
  readonly log?: (line: string) => void;
  /** without it, one that goes through the proxy which `env` names, if it names one */
  readonly fetch?: Fetch;
  /** where the proxy variables are; the process's own environment */
  readonly env?: NodeJS.ProcessEnv;
  /** a longer wait than this is never waited: the request fails at once; 60 000 */
  readonly maxWaitMs?: number;
  /** how long one attempt may take; 30 000 */
  readonly timeoutMs?: number;
}

type Asked = { readonly method: string; readonly url: string };
type Core = Parameters<typeof retry>[0];

const NEXT = /[?&]page=(?<page>\d+)[^>]*>; rel="next"/u;
const RETRIES = 2;
/** May be sent twice without doing it twice (RFC 9110). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
/** Refused for the time being, with or without a word on how long. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** What no repetition mends, and what `obeyRetryAfter` knows better how to repeat. */
const NOT_BY_BACKOFF = [400, 401, 403, 404, 409, 410, 422, 451, ...BUSY];

const Client = Octokit.plugin(obeyRetryAfter, retry, throttling, endWithSignal);

/**
 * A client of GitHub that behaves: sends writes one at a time, obeys rate limits and `Retry-After` up to a wait of
 * `maxWaitMs`, and repeats temporary failures if asking twice is safe. Rejects as soon as its signal aborts, also while
 * it waits. Prints nothing.
 */
export function createGithub(options: GithubOptions): Github {
  return bind(createOctokit(options), options.repository, options.signal ?? new AbortController().signal);
}

/** The same for what is asked of no repository: its requests name everything, their signal too. */
export function createOctokit(options: Omit<GithubOptions, "repository" | "signal">): Octokit {
  const { token, apiUrl, log = () => {}, maxWaitMs = 60_000, timeoutMs = 30_000 } = options;
  const send = options.fetch ?? proxyFetch(options.env ?? process.env);
  const worthWaiting = (retryAfter: number, request: Asked, _octokit: unknown, tries: number): boolean => {
    const wait = tries < RETRIES && retryAfter * 1000 <= maxWaitMs;
    const what = wait ? `asked again in ${retryAfter} s` : `given up: it may be asked again in ${retryAfter} s only`;
    log(`GitHub's rate limit: ${request.method} ${request.url} is ${what}.`);
    return wait;
  };
  return new Client({
    ...(typeof token === "string" ? { auth: token } : { authStrategy: renewing, auth: { token } }),
    baseUrl: apiUrl,
    userAgent: USER_AGENT,
    request: { fetch: withTimeout(send, timeoutMs), maxWaitMs },
    log: { debug: () => {}, info: () => {}, warn: log, error: () => {} },
    retry: { retries: RETRIES, doNotRetry: NOT_BY_BACKOFF },
    // Each client spaces its own requests, because each may speak for somebody else.
    throttle: { id: randomUUID(), onRateLimit: worthWaiting, onSecondaryRateLimit: worthWaiting },
  });
}

/** Binds a client to a repository and a signal. */
export function bind(octokit: Octokit, repository: Repository, signal: AbortSignal): Github {
  const place = { owner: repository.owner, repo: repository.name };
  const bound = (params: object = {}) => {
    const request = "request" in params ? params.request : undefined;
    return { ...place, ...params, request: { signal, ...(typeof request === "object" && request) } };
  };
  const methods = (scope: object): object =>
    new Proxy(scope, { get: (target, name) => (params?: object) => Reflect.get(target, name)(bound(params)) });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `bound` adds is what the type leaves out
  const rest = new Proxy({}, { get: (_, scope) => methods(Reflect.get(octokit.rest, scope)) }) as RepositoryMethods;
  return {
    repository,
    signal,
    rest,
    graphql: (query, variables) => {
      const named = query.includes("$owner") ? { owner: repository.owner, name: repository.name } : {};
      return octokit.graphql(query, { ...named, ...variables, request: { signal } });
    },
    paginate: (list, params) => everyPage(list(rest), params),
    within: (end) => {
      const other = typeof end === "number" ? AbortSignal.timeout(end) : end;
      return bind(octokit, repository, AbortSignal.any([signal, other]));
    },
  };
}

/** Octokit's own plugin for this forgets the signal. Where GitHub gives a list in pages, it says so. */
async function everyPage<P extends object, D>(list: List<P, D>, params: P): Promise<ItemOf<D>[]> {
  const all: ItemOf<D>[] = [];
  for (let page: string | undefined = "1"; page !== undefined;) {
    const { data, headers } = await list(page === "1" ? params : { ...params, page });
    all.push(...(Array.isArray(data) ? data : (Object.values(data ?? {}).find(Array.isArray) ?? [])));
    page = NEXT.exec(headers.link ?? "")?.groups?.["page"];
  }
  return all;
}

/** An attempt that takes too long has failed and may be repeated; one that the caller aborted may not. */
function withTimeout(send: Fetch, timeoutMs: number): Fetch {
  return async (url, init) => {
    const time = AbortSignal.timeout(timeoutMs);
    const { signal } = init;
    try {
      return await send(url, { ...init, signal: signal === undefined ? time : AbortSignal.any([signal, time]) });
    } catch (error) {
      if (signal?.aborted) throw unwanted();
      if (time.aborted) throw new Error(`No answer within ${timeoutMs / 1000} s.`, { cause: error });
      throw error;
    }
  };
}

/** Octokit's way to log in: each attempt with the token as it is then, and once more when GitHub does not know that one. */
function renewing({ token }: { readonly token: RenewedToken }) {
  type Send = (options: { readonly headers: object }) => Promise<unknown>;
  const hook = async (send: Send, options: { readonly headers: object }): Promise<unknown> => {
    const attempt = async (value: string) =>
      send({ ...options, headers: { ...options.headers, authorization: `token ${value}` } });
    const sent = await token.current();
    try {
      return await attempt(sent);
    } catch (error) {
      // What was refused for its token has not been done.
      if (!(error instanceof Error && "status" in error && error.status === 401)) throw error;
      return attempt(await token.afterRefusal(sent));
    }
  };
  return Object.assign(async () => ({ type: "token", token: await token.current() }), { hook });
}

/**
 * A plugin that repeats a request after the time that a busy GitHub names. The throttling plugin only does so for what
 * it recognises as a rate limit, the retry plugin never reads the header. Register it before the latter, which does the
 * waiting.
 */
function obeyRetryAfter(octokit: Core): void {
  octokit.hook.before("request", (options) => {
    if (!IDEMPOTENT.has(options.method)) options.request = { ...options.request, retries: 0 };
  });
  octokit.hook.error("request", (error, options) => {
    if (!("status" in error)) throw error;
    const headers = error.response?.headers;
    if (headers === undefined || !BUSY.has(error.status)) throw error;
    // The throttling plugin deals with it.
    if (/\bsecondary rate\b/iu.test(error.message) || headers["x-ratelimit-remaining"] === "0") throw error;
    // What was refused for its rate has not been done; what was unavailable may have been half done.
    const repeatable = error.status === 429 || IDEMPOTENT.has(options.method);
    const tries = Number(options.request["retryCount"] ?? 0);
    const seconds = Number(headers["retry-after"] ?? (tries + 1) ** 2);
    const bearable = seconds * 1000 <= Number(options.request["maxWaitMs"]);
    if (repeatable && bearable) {
      error.request.request = { ...error.request.request, retries: RETRIES, retryAfter: seconds };
    }
    throw error;
  });
}

function unwanted(): DOMException {
  return new DOMException("Nobody waits for GitHub's answer any more.", "AbortError");
}

/** A plugin that ends a request with its signal even while other plugins wait. Register it last. */
function endWithSignal(octokit: Core): void {
  octokit.hook.wrap("request", async (request, options) => {
    const signal: AbortSignal | undefined = options.request.signal;
    if (signal === undefined) return request(options);
    if (signal.aborted) throw unwanted();
    let abort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(unwanted());
    });
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([request(options), aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  });
}
