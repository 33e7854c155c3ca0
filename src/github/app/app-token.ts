import { createPrivateKey } from "node:crypto";
import type { Octokit } from "@octokit/rest";
import type { Config } from "../../config/config.ts";
import { messageOf, OperationalError, UsageError } from "../../core/errors.ts";
import type { GithubToken, RenewedToken } from "../../core/ports.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import type { Right } from "../../views/gaps.ts";
import type { GithubContext } from "../context.ts";
import { isPassing, refusalOf, saidIn, saysThat, statusOf } from "../refusal.ts";

/** Before a token ends, a new one takes its place: no push or upload takes that long. */
const AHEAD_MS = 5 * 60_000;
/** How long GitHub lets one live, where its answer does not say so. */
const LIFETIME_MS = 60 * 60_000;
/** GitHub's machines do not all know of a new token at once. */
const NEW_MS = 10_000;
const MINT_MS = 30_000;
const REVOKE_MS = 5_000;
/** By how much the clocks may differ before the App's word is dated by GitHub's. */
const SKEW_MS = 20_000;

/** What of an App's rights a token is asked for, as far as the installation has them; Apps' own spelling. */
const WANTED = {
  actions: "write",
  checks: "read",
  contents: "write",
  issues: "write",
  metadata: "read",
  pull_requests: "write",
  statuses: "write",
  // A branch that lags behind a default branch whose workflow files have moved cannot be pushed without.
  workflows: "write",
} as const;
type Permissions = NonNullable<Parameters<Octokit["rest"]["apps"]["createInstallationAccessToken"]>[0]>["permissions"];

interface AppOptions {
  /** the App's number, or its client id */
  readonly appId: string;
  /** PEM, with line breaks or `\n` in their place */
  readonly privateKey: string;
  readonly context: Pick<GithubContext, "apiUrl" | "repository">;
  /** whether a token never has to write */
  readonly readOnly: boolean;
  /** gets each token, to be hidden, before anybody else does */
  readonly mask: (secret: string) => void;
  /** milliseconds since the epoch */
  readonly now?: () => number;
  /** waits before a token is tried again that not all of GitHub's machines know yet */
  readonly pause?: () => Promise<unknown>;
}

interface Minted {
  readonly value: string;
  /** by our own clock, as the end; milliseconds since the epoch */
  readonly at: number;
  readonly endsAt: number;
}

/**
 * The tokens of an App's installation for one repository. None is made before it is needed; each lives an hour, and five
 * minutes before its end the next takes its place. They are nowhere but in this process.
 */
export class AppToken implements RenewedToken {
  readonly #options: AppOptions;
  readonly #key: string;
  readonly #now: () => number;
  readonly #all: Minted[] = [];
  #minting: Promise<Minted> | undefined;
  /** what the App was granted when the last one was made */
  #granted: Readonly<Record<string, unknown>> | undefined;

  /** @throws UsageError `APP_KEY_INVALID` */
  constructor(options: AppOptions) {
    this.#options = options;
    this.#key = privateKeyIn(options.privateKey);
    this.#now = options.now ?? Date.now;
  }

  get values(): readonly string[] {
    return this.#all.map(({ value }) => value);
  }

  /** What of the rights that are wanted the App was not granted, as in `issues: write`; undefined: not known yet. */
  get lacking(): readonly string[] | undefined {
    return this.#granted && lackingIn(this.#granted, this.#options.readOnly);
  }

  async current(): Promise<string> {
    const last = this.#all.at(-1);
    const leftMs = last === undefined ? 0 : last.endsAt - this.#now();
    if (last !== undefined && leftMs > AHEAD_MS) return last.value;
    try {
      return (await this.#mintOnce()).value;
    } catch (error) {
      // What is left of the old one may see GitHub answer again.
      if (last !== undefined && leftMs > 0) return last.value;
      throw error;
    }
  }

  async afterRefusal(refused: string): Promise<string> {
    const last = this.#all.at(-1);
    if (last === undefined || last.value !== refused) return this.current();
    if (this.#now() - last.at >= NEW_MS) return (await this.#mintOnce()).value;
    await (this.#options.pause ?? pauseForGithub)();
    return last.value;
  }

  /** Gives back what has not ended yet; what cannot be given back ends by itself. Never throws. */
  async revoke(): Promise<void> {
    const live = this.#all.splice(0).filter(({ endsAt }) => endsAt > this.#now());
    if (live.length === 0) return;
    const signal = AbortSignal.timeout(REVOKE_MS);
    const revoked = live.map(async ({ value }) => {
      const octokit = await this.#client(value);
      await octokit.rest.apps.revokeInstallationAccessToken({ request: { signal, retries: 0 } });
    });
    await Promise.allSettled(revoked);
  }

  /** Who needs a token while one is made waits for that one. */
  async #mintOnce(): Promise<Minted> {
    this.#minting ??= this.#mint().finally(() => {
      this.#minting = undefined;
    });
    return this.#minting;
  }

  async #mint(): Promise<Minted> {
    try {
      return await this.#ask(0);
    } catch (error) {
      const aheadMs = statusOf(error) === 401 ? this.#ahead(error) : 0;
      if (Math.abs(aheadMs) < SKEW_MS) throw toldOf(error, this.#options);
      return this.#ask(aheadMs).catch((again: unknown) => {
        throw toldOf(again, this.#options);
      });
    }
  }

  /** @param aheadMs by how much our clock is ahead of GitHub's */
  async #ask(aheadMs: number): Promise<Minted> {
    const { appId, context, mask, readOnly } = this.#options;
    const { owner, name } = context.repository;
    const { default: sign } = await import("universal-github-app-jwt");
    const seconds = Math.floor((this.#now() - aheadMs) / 1000);
    const { token: word } = await sign({ id: appId, privateKey: this.#key, now: seconds });
    const { rest } = await this.#client(word);
    const request = { signal: AbortSignal.timeout(MINT_MS) };
    const { data: installation } = await rest.apps.getRepoInstallation({ owner, repo: name, request });
    this.#granted = installation.permissions;
    const at = this.#now();
    const { data, headers } = await rest.apps.createInstallationAccessToken({
      installation_id: installation.id,
      repositories: [name],
      permissions: narrowed(installation.permissions, readOnly),
      request,
    });
    mask(data.token);
    // The header of `git push`, which is what a program could print.
    mask(Buffer.from(`x-access-token:${data.token}`).toString("base64"));
    const lifetime = Date.parse(data.expires_at) - Date.parse(String(headers.date));
    const minted = { value: data.token, at, endsAt: at + (Number.isNaN(lifetime) ? LIFETIME_MS : lifetime) };
    this.#all.push(minted);
    return minted;
  }

  #ahead(error: unknown): number {
    const there = Date.parse(dateIn(error));
    return Number.isNaN(there) ? 0 : this.#now() - there;
  }

  async #client(token: string): Promise<Octokit> {
    const { createOctokit } = await import("../client.ts");
    return createOctokit({ token, apiUrl: this.#options.context.apiUrl });
  }
}

async function pauseForGithub(): Promise<void> {
  const { setTimeout: sleep } = await import("node:timers/promises");
  await sleep(1_000);
}

/** What is wanted and granted, never more than that. */
function narrowed(granted: Readonly<Record<string, unknown>>, readOnly: boolean): NonNullable<Permissions> {
  const kept = Object.entries(WANTED).flatMap(([name, wanted]) => {
    const has = granted[name];
    // Of workflow files there is no right to read alone.
    if (has === undefined || (readOnly && name === "workflows")) return [];
    return [[name, readOnly || wanted === "read" || has === "read" ? "read" : "write"] as const];
  });
  return Object.fromEntries(kept);
}

/** As `permissions:` has them. */
function lackingIn(granted: Readonly<Record<string, unknown>>, readOnly: boolean): readonly string[] {
  return Object.entries(WANTED).flatMap(([name, wanted]) => {
    if (readOnly && name === "workflows") return [];
    const level = readOnly ? "read" : wanted;
    const isThere = granted[name] === "write" || granted[name] === level;
    return isThere ? [] : [`${name.replace("_", "-")}: ${level}`];
  });
}

/** Without these a loop's work reaches nobody; what else is wanted costs one feature. */
const NEEDED = /^(?:contents|pull-requests|statuses):/u;

/** Whether an App has what a loop uses, by what GitHub has said of its installation; null: it is no App's, or not known. */
export function rightsOfApp(token: GithubToken | null): Right | null {
  const lacking = token instanceof AppToken ? token.lacking : undefined;
  if (lacking === undefined) return null;
  if (lacking.length === 0) return { right: "there" };
  const why = `it was not granted ${lacking.join(", ")}`;
  const next = "Grant it on the App's settings page, and accept that where the App is installed.";
  if (lacking.some((one) => NEEDED.test(one))) return { right: "missing", why, next };
  return { right: "unknown", because: "untold", why: `${why}; where a loop needs it: ${next.replace(/\.$/u, "")}` };
}

/** All of this process that ask for the same App's token have the same one. */
const tokens = new Map<string, AppToken>();

type AppSettings = Pick<Config, "githubToken" | "appId" | "appPrivateKey" | "job">;

/**
 * The settings with what GitHub is asked with: the App's tokens where they name one, in place of `github-token`. Asks
 * nothing yet.
 *
 * @throws UsageError `APP_KEY_INVALID`
 */
export function withAppToken<C extends AppSettings>(
  config: C,
  context: AppOptions["context"],
  log: Pick<RunnerLog, "mask">,
): C {
  const { appId, appPrivateKey: privateKey, job } = config;
  if (appId === null || privateKey === null) return config;
  const readOnly = job === "run";
  const { owner, name } = context.repository;
  const of = JSON.stringify([context.apiUrl, owner, name, appId, readOnly, privateKey]);
  const token = tokens.get(of) ?? new AppToken({ appId, privateKey, context, readOnly, mask: (one) => log.mask(one) });
  tokens.set(of, token);
  return { ...config, githubToken: token };
}

/**
 * Asks for the first token of an App, so that what is wrong with it is told before anything else is done.
 *
 * @throws UsageError `APP_TOKEN_REFUSED`, OperationalError `APP_TOKEN_UNREACHABLE`
 */
export async function firstToken(token: GithubToken | null): Promise<void> {
  if (token === null || typeof token === "string") return;
  try {
    await token.current();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new OperationalError(
      {
        code: "APP_TOKEN_UNREACHABLE",
        what: `GitHub could not be asked for the App's token: ${refusalOf(error, "metadata: read")}. Nothing was done, and no turn was spent.`,
        next: "Run the workflow again when GitHub answers.",
      },
      { cause: error },
    );
  }
}

/** Gives back all that this process has made, at its end. Never throws. */
export async function revokeAppTokens(): Promise<void> {
  const all = [...tokens.values()];
  tokens.clear();
  await Promise.all(all.map(async (token) => token.revoke()));
}

/**
 * The key as GitHub gives it to its App's owner: RSA, in PEM.
 *
 * @throws UsageError `APP_KEY_INVALID`; it never repeats the text
 */
function privateKeyIn(text: string): string {
  const pem = text
    .trim()
    .replaceAll(/\\r|\r/gu, "")
    .replaceAll("\\n", "\n");
  const why = whyNoKey(pem);
  if (why === null) return pem;
  throw new UsageError({
    code: "APP_KEY_INVALID",
    what: `app-private-key is not the private key of an App: ${why}. Nothing was done, and no turn was spent.`,
    next: "Generate a private key on the App's settings page, and store the whole .pem file, from -----BEGIN to the line -----END, as the secret: gh secret set APP_PRIVATE_KEY < the-app.private-key.pem",
  });
}

function whyNoKey(pem: string): string | null {
  if (pem.startsWith("SHA256:")) return "it is the fingerprint of one";
  if (!pem.includes("-----BEGIN")) {
    const isPacked = Buffer.from(pem, "base64").toString("latin1").startsWith("-----BEGIN");
    return isPacked ? "it is encoded as base64 once more" : "it does not begin with -----BEGIN";
  }
  if (/-----BEGIN (?:[A-Z ]*)PUBLIC KEY-----/u.test(pem)) return "it is a public key";
  if (/ENCRYPTED/u.test(pem)) return "it is protected by a passphrase";
  if (/OPENSSH PRIVATE KEY/u.test(pem)) return "it is a key for SSH";
  if (!/-----END [A-Z ]*PRIVATE KEY-----/u.test(pem)) return "its end is missing";
  if (!/-----BEGIN [A-Z ]*-----\n/u.test(pem)) return "its line breaks are lost";
  try {
    const { asymmetricKeyType: type } = createPrivateKey(pem);
    return type === "rsa" ? null : `it is a key for ${type ?? "something else"}, and GitHub takes RSA`;
  } catch {
    return "it is damaged";
  }
}

/** What GitHub refuses an App, for the person who has set it up; what passes stays what it is. */
function toldOf(error: unknown, { appId, context: { repository } }: AppOptions): unknown {
  if (isPassing(error)) return error;
  const name = `${repository.owner}/${repository.name}`;
  const trouble = (why: string, next: string): UsageError => {
    const what = `GitHub gives no token for the App ${appId}: ${why}. What is on GitHub is unharmed.`;
    return new UsageError({ code: "APP_TOKEN_REFUSED", what, next });
  };
  const status = statusOf(error);
  const other = "Look up both on the App's settings page: app-id takes its App ID or its client ID.";
  if (saysThat(error, /integration not found/iu)) return trouble("there is no App of that id", other);
  if (status === 401) return trouble(`app-private-key is not a key of it (${saidIn(error)})`, other);
  if (status === 404) {
    return trouble(
      `it is not installed on ${name}`,
      "Install it: the App's settings page, Install App, and choose this repository.",
    );
  }
  if (saysThat(error, /suspended/iu)) {
    return trouble("its installation is suspended", "Let the owner of the account end that: Settings, GitHub Apps.");
  }
  return status === null
    ? error
    : trouble(messageOf(error), "Try again; if it stays so, look at the App's installation.");
}

function dateIn(error: unknown): string {
  if (!(error instanceof Error) || !("response" in error)) return "";
  const { response } = error;
  if (typeof response !== "object" || response === null || !("headers" in response)) return "";
  const { headers } = response;
  return typeof headers === "object" && headers !== null && "date" in headers ? String(headers.date) : "";
}
