import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { GitHttp } from "../git-http.ts";
import { tokenNamed } from "./apps.ts";
import { ApiDescription, type Match } from "./description.ts";
import { type Fault, Faults } from "./faults.ts";
import { Lists } from "./lists.ts";
import { answerQuery, isGraphql, readQuery } from "./graphql/endpoint.ts";
import { type Answer, type Exchange, type Handlers, NOT_FOUND, refused } from "./operation.ts";
import { ACTIONS, blobAt, BLOBS } from "./operations/actions.ts";
import { APPS } from "./operations/apps.ts";
import { CHECKS } from "./operations/checks.ts";
import { COMMENTS } from "./operations/comments.ts";
import { DISPATCHES } from "./operations/dispatches.ts";
import { GIT_OBJECTS } from "./operations/git-objects.ts";
import { GIT_REFS } from "./operations/git-refs.ts";
import { ISSUES } from "./operations/issues.ts";
import { PULLS } from "./operations/pulls.ts";
import { REPOSITORIES } from "./operations/repositories.ts";
import { REVIEW_COMMENTS } from "./operations/review-comments.ts";
import { REVIEWS } from "./operations/reviews.ts";
import { STATUSES } from "./operations/statuses.ts";
import { emptyWorld, type RepositoryRow, type Token, type World } from "./world.ts";

export { anApp } from "./apps.ts";
export * from "./rows.ts";
export * from "./world.ts";

/** A request as it came. */
interface Received {
  /** `actions/get-actions-cache-list`; "" for an unknown operation */
  readonly operation: string;
  readonly method: string;
  /** with its query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** of the token; "" for an unknown one */
  readonly login: string;
}

export interface GithubApi extends AsyncDisposable {
  /** as in `GITHUB_API_URL` */
  readonly url: string;
  readonly world: World;
  /** every request so far, oldest first */
  readonly requests: readonly Received[];
  /** whatever GitHub's own description finds wrong, in requests and in answers; has to be empty at the end */
  readonly problems: readonly string[];
  /** Waits until all that was dispatched has been done (`world.onDispatch`), and what that has dispatched. */
  settled(): Promise<void>;
  /** makes an operation fail the next time, or the next `times` */
  fail(operation: string, fault: Fault | readonly Fault[], times?: number): void;
  /** lets a list answer the next `times` as it did when it was last read; empty, where it never was */
  lag(operation: string, times?: number): void;
  /** refuses writes for their rate, after this many more writes; `times` times, or for good */
  limitWrites(limit: { readonly after: number; readonly refusal: Answer; readonly times?: number }): void;
}

/** A secondary rate limit in GitHub's words, which come with either status. */
export function secondaryLimit(status: 403 | 429, retryAfter: number): Answer {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  return { ...refused(status, message), headers: { "retry-after": String(retryAfter) } };
}

export interface GithubApiOptions {
  readonly repository?: Partial<RepositoryRow>;
  readonly tokens?: Readonly<Record<string, Token>>;
  /** what git sees of the repository: the API then sees the same */
  readonly git?: GitHttp;
  /** further operations, or other ones in the place of ours */
  readonly handlers?: Handlers;
}

const HANDLERS: Handlers = {
  ...{ ...ACTIONS, ...APPS, ...CHECKS, ...COMMENTS, ...DISPATCHES, ...GIT_OBJECTS, ...GIT_REFS, ...ISSUES, ...PULLS },
  ...{ ...REPOSITORIES, ...REVIEWS, ...REVIEW_COMMENTS, ...STATUSES },
};

let description: ApiDescription | undefined;

/**
 * Starts GitHub's REST API on 127.0.0.1: stateful, strict about tokens and permissions, and with GitHub's own description
 * looking at every request and every answer. What it finds wrong with a request is
 * answered 422.
 */
export async function startGithubApi(options: GithubApiOptions = {}): Promise<GithubApi> {
  description ??= new ApiDescription();
  const world = emptyWorld(options.repository, options.git);
  for (const [name, token] of Object.entries(options.tokens ?? {})) world.tokens.set(name, token);
  // Git knows the tokens that the API gives out, and for as long.
  if (options.git !== undefined) options.git.rightsOf = (name) => tokenNamed(world, name)?.permissions;
  const standIn = new StandIn(world, description, { ...HANDLERS, ...options.handlers });
  const server = createServer((request, response) => void standIn.serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  world.url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url: world.url,
    world,
    requests: standIn.requests,
    problems: standIn.problems,
    settled: async () => {
      while (world.running.size > 0) {
        const [first] = world.running;
        if (first !== undefined) world.running.delete(first);
        await first;
      }
    },
    fail: (operation, fault, times = 1) => standIn.faults.set(operation, fault, times),
    lag: (operation, times = 1) => standIn.lists.lag(operation, times),
    limitWrites: ({ after, refusal, times = Number.POSITIVE_INFINITY }) => standIn.faults.limit(after, refusal, times),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

class StandIn {
  readonly requests: Received[] = [];
  readonly problems: string[] = [];
  readonly faults = new Faults();
  readonly lists = new Lists();
  readonly #world: World;
  readonly #description: ApiDescription;
  readonly #handlers: Handlers;

  constructor(world: World, description: ApiDescription, handlers: Handlers) {
    this.#world = world;
    this.#description = description;
    this.#handlers = handlers;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.#world.url);
    const blob = url.pathname.startsWith(BLOBS) ? blobAt(this.#world, url.pathname) : undefined;
    if (blob !== undefined) return sendBlob(request, response, blob);
    try {
      const fault = await this.#answer(request, url);
      if (fault === "hang" || fault === "lose") return;
      if (fault === "drop") return void response.destroy();
      const { headers, ...answer } = onlyIfNew(request, fault);
      send(response, { ...answer, headers: { date: this.#world.now().toUTCString(), ...headers } });
    } catch (error) {
      // Otherwise it would only be seen as a request that hangs.
      this.problems.push(`the stand-in failed: ${String(error)}`);
      send(response, { status: 500, body: { message: String(error) } });
    }
  }

  async #answer(request: IncomingMessage, url: URL): Promise<Fault> {
    const method = request.method ?? "GET";
    const sent = await text(request);
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    const match = this.#description.match(method, url.pathname);
    const operation = match?.operation.id ?? "";
    const { login = "", permissions: may = {} } = this.#tokenOf(request) ?? {};
    if (isGraphql(method, url.pathname)) return this.#answerQuery(request, body, { login, may });
    this.requests.push({ operation, method, path: url.pathname + url.search, headers: request.headers, body, login });
    if (match === undefined) {
      this.problems.push(`${method} ${url.pathname}: no such operation in test/fixtures/github/openapi.json`);
      return NOT_FOUND;
    }
    const fault = this.faults.take(operation);
    if (fault !== undefined && fault !== "lose") return fault;
    const refusal = this.#refuse(match, request) ?? this.faults.overLimit(method);
    if (refusal !== undefined) return refusal;
    const wrong = this.#description.requestProblems(match, url.searchParams, body);
    if (wrong.length > 0) {
      this.problems.push(...wrong.map((problem) => `${operation}: ${problem}`));
      return { status: 422, body: { message: "Validation Failed", errors: wrong, documentation_url: "" } };
    }
    const { authorization = "" } = request.headers;
    const who = { login, may, token: bearer(request), authorization };
    const answer = await this.#handle(match, { query: url.searchParams, body, ...who });
    return fault ?? this.lists.seen(operation, url, method, answer);
  }

  async #handle(match: Match, asked: Omit<Exchange, "world" | "params">): Promise<Answer> {
    const { id } = match.operation;
    const handler = this.#handlers[id];
    if (handler === undefined)
      throw new Error(`nobody does ${id} yet: add it under test/support/github-api/operations`);
    const answer = await handler.handle({ world: this.#world, params: match.params, ...asked });
    if (answer.status < 400) {
      const wrong = this.#description.responseProblems(match, answer.status, answer.body);
      this.problems.push(...wrong.map((problem) => `${id}: ${problem}`));
    }
    return answer;
  }

  async #answerQuery(request: IncomingMessage, body: unknown, who: Pick<Exchange, "login" | "may">): Promise<Fault> {
    const query = readQuery(body);
    const { method = "", url: path = "", headers } = request;
    this.requests.push({ operation: query.name, method, path, headers, body, login: who.login });
    const fault = this.faults.take(query.name);
    if (fault !== undefined) return fault;
    if (this.#tokenOf(request) === undefined) return refused(401, "Bad credentials");
    return answerQuery(query, { world: this.#world, ...who }, this.problems);
  }

  /** As GitHub does: who asks, what is asked about, and whether they may, in this order. */
  #refuse({ operation, params }: Match, request: IncomingMessage): Answer | undefined {
    const token = this.#tokenOf(request);
    const { needs = {}, signed = false } = this.#handlers[operation.id] ?? {};
    if (!request.headers["user-agent"]) return refused(403, "Request forbidden by administrative rules.");
    // Strangers are not told that it exists.
    if (signed) return undefined;
    if (request.headers.authorization === undefined && this.#world.repository.private) return NOT_FOUND;
    if (token === undefined) return refused(401, "Bad credentials");
    const { owner, name } = this.#world.repository;
    if ("repo" in params && (params["owner"] !== owner || params["repo"] !== name)) return NOT_FOUND;
    const all = Object.entries(
      typeof needs === "function" ? needs({ world: this.#world, params, may: token.permissions }) : needs,
    );
    const lacking = all.some(([scope, level]) => !allows(token.permissions[scope], level));
    return lacking ? refused(403, "Resource not accessible by integration") : undefined;
  }

  #tokenOf(request: IncomingMessage): Token | undefined {
    return tokenNamed(this.#world, bearer(request));
  }
}

function bearer({ headers }: IncomingMessage): string {
  return /^(?:token|bearer) (.+)$/iu.exec(headers.authorization ?? "")?.[1] ?? "";
}

function allows(given: "read" | "write" | undefined, needed: "read" | "write"): boolean {
  return given === "write" || given === needed;
}

/** A blob store's answer: the bytes or, if only those from some place on are wanted, these. */
function sendBlob({ method, headers, url = "" }: IncomingMessage, response: ServerResponse, blob: Uint8Array): void {
  const [, from] = /^bytes=(\d+)-$/u.exec(headers.range ?? "") ?? [];
  const bytes = from === undefined ? blob : blob.subarray(Number(from));
  const type = url.endsWith(".zip") ? "application/zip" : "text/plain; charset=utf-8";
  const length = { "content-length": String(bytes.length) };
  response.writeHead(from === undefined ? 200 : 206, { "content-type": type, ...length });
  response.end(method === "HEAD" ? undefined : bytes);
}

/** What is asked for by its tag is only sent when it has changed: so GitHub answers reads of every kind. */
function onlyIfNew({ method, headers: asked }: IncomingMessage, answer: Answer): Answer {
  if (method !== "GET" || answer.status !== 200) return answer;
  const etag = `W/"${createHash("sha256").update(JSON.stringify(answer.body)).digest("hex")}"`;
  const headers = { ...answer.headers, etag };
  return asked["if-none-match"] === etag ? { status: 304, headers } : { ...answer, headers };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const json = body === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...json, ...headers }).end(body === undefined ? undefined : JSON.stringify(body));
}
