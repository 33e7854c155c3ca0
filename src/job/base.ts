import { realpath } from "node:fs/promises";
import path from "node:path";
import type { CommittedFiles } from "../app/shell.ts";
import type { GithubToken } from "../core/ports.ts";
import { OperationalError } from "../core/errors.ts";
import { CommitFiles } from "../git/commit-files.ts";
import { decoded } from "../git/diff.ts";
import { checkedOut, findRepository } from "../git/repository.ts";
import { readSaid } from "../config/read.ts";
import { withAppToken } from "../github/app/app-token.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { githubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { dispatchedWith } from "../github/intent-input.ts";
import { readPullRequest } from "../github/pulls.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { isInside, readOwnFile, workspaceFolder } from "../os/own-file.ts";
import { jobPlaceOf, marksOf } from "../store/place.ts";
import { oneLine } from "../views/plain-text.ts";

const WITHIN_MS = 10_000;
/** How GitHub says that there is none. */
const NO_COMMIT = /^0+$/u;
/** What is checked out for these is a pull request merged, whatever `GITHUB_SHA` may suggest. */
const OF_PULL_REQUESTS: ReadonlySet<string> = new Set([
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
]);

/**
 * The commit as of which the repository may tell a job anything (T8): settings, and what the agent is told. For a pull
 * request that is what it is for, never its head; else the commit that the workflow runs for, whatever was checked out.
 */
export class Base implements CommittedFiles {
  readonly #context: GithubContext;
  readonly #token: GithubToken | null;
  #root: string;
  readonly #remarks: string[] = [];
  #files: Promise<CommitFiles | null> | undefined;
  #head: string | null = null;

  constructor(context: GithubContext, token: GithubToken | null) {
    this.#context = context;
    this.#token = token;
    this.#root = context.workspace;
  }

  /** Of a job, with what it says that GitHub is asked with. @throws UsageError `APP_KEY_INVALID` */
  static ofJob(env: NodeJS.ProcessEnv, context: GithubContext, log: Pick<RunnerLog, "mask">): Base {
    return new Base(context, tokenIn(env, context, log));
  }

  /** @param root of the workspace, absolute; known before anything is read */
  at(root: string): this {
    this.#root = root;
    return this;
  }

  /** What a person has to know of files that were asked for, in whole sentences. */
  get remarks(): readonly string[] {
    return this.#remarks;
  }

  /**
   * Null: there is no commit, or no repository.
   *
   * @throws OperationalError `BASE_UNKNOWN`, `BASE_UNREACHABLE`
   */
  files(): Promise<CommitFiles | null> {
    this.#files ??= this.#open();
    return this.#files;
  }

  async readOriginal(file: string, limit: number): Promise<{ readonly text: string | undefined } | undefined> {
    const name = await this.#nameOf(file);
    return name === undefined ? undefined : { text: await (await this.files())?.text(name, limit) };
  }

  async read(file: string): Promise<{ readonly text: string | undefined } | undefined> {
    const name = await this.#nameOf(file);
    if (name === undefined) return undefined;
    const files = await this.files();
    const text = await files?.text(name);
    if ((await textAt(file)) !== text) this.#remarks.push(isOther(oneLine(name), files?.commit ?? null));
    return { text };
  }

  async readTracked(file: string): Promise<{ readonly text: string | undefined } | undefined> {
    const name = await this.#nameOf(file);
    const files = await this.files();
    if (name === undefined || files === null || this.#head === null || files.commit === this.#head) return undefined;
    const text = await files.text(name);
    const changed = await files.changedIn(this.#head);
    const isTracked = text !== undefined || changed.some((change) => decoded(change.path) === name);
    return isTracked ? { text } : undefined;
  }

  /** A path relative to the repository's top; undefined: it lies elsewhere. */
  async #nameOf(file: string): Promise<string | undefined> {
    const root = await realpath(this.#root);
    const top = (await findRepository(root))?.top ?? root;
    const plain = path.resolve(root, path.relative(this.#root, file));
    const inside = isInside(top, plain) ? plain : (await workspaceFolder(top, file))?.path;
    return inside && path.relative(top, inside).split(path.sep).join("/");
  }

  async #open(): Promise<CommitFiles | null> {
    const repository = await findRepository(this.#root);
    this.#head = await checkedOut(this.#root);
    const commit = repository === undefined ? null : await this.#commit(this.#head);
    if (repository === undefined || commit === null) return null;
    const { temp, serverUrl, repository: remote } = this.#context;
    const place = jobPlaceOf(temp, this.#root, "base", null);
    const url = `${serverUrl}/${remote.owner}/${remote.name}`;
    const use = { repository, folder: place.scratch("base"), url, token: this.#token, mark: marksOf(place).tools };
    return CommitFiles.open(use, commit);
  }

  async #commit(head: string | null): Promise<string | null> {
    const { event, eventName, sha } = this.#context;
    const { pullRequest } = event;
    const base = pullRequest?.baseSha ?? null;
    if (base !== null) return base;
    if (!OF_PULL_REQUESTS.has(eventName) && (sha === null || head === sha)) return head;
    const number = dispatchedWith(this.#context)?.pr ?? pullRequest?.number ?? null;
    if (number !== null) return this.#baseOf(number);
    // What else is checked out, by `ref` or by an earlier loop of the job, can be a stranger's; the workflow's commit is not.
    return sha === null || NO_COMMIT.test(sha) || OF_PULL_REQUESTS.has(eventName) ? head : sha;
  }

  async #baseOf(number: number): Promise<string> {
    const github = githubAccess(this.#token, this.#context);
    const pull = github === undefined ? undefined : await readPullRequest(await github.within(WITHIN_MS), number);
    if (pull?.ok === true) return pull.value.baseSha;
    throw new OperationalError({
      code: "BASE_UNKNOWN",
      what: `Which commit pull request #${number} is for is not known: ${pull?.trouble.because ?? "there is no github-token"}. Settings and instructions of the repository are read as of that commit only. Nothing was done, and no turn was spent.`,
      next: "Give the job the permission `pull-requests: write`, or try again when GitHub answers.",
    });
  }
}

/** It is needed before the settings can be read; mistakes are told with those of all others. */
function tokenIn(env: NodeJS.ProcessEnv, context: GithubContext, log: Pick<RunnerLog, "mask">): GithubToken | null {
  const readings = readSaid({ flags: {}, env, inputs: env });
  const said = (name: string): string | null => {
    const value = readings.flatMap(({ given }) => given.get(name) ?? [])[0]?.value;
    return typeof value === "string" ? value : null;
  };
  const job = said("job") === "run" ? "run" : null;
  const [githubToken, appId, appPrivateKey] = [said("github-token"), said("app-id"), said("app-private-key")];
  return withAppToken({ githubToken, appId, appPrivateKey, job }, context, log).githubToken;
}

/** The text of a file as it lies there now; undefined: none, or not one that could be read. */
async function textAt(file: string): Promise<string | undefined> {
  return unlessMissing(readOwnFile(file)).catch(() => undefined);
}

function isOther(name: string, commit: string | null): string {
  const counts =
    commit === null ? "there is no commit that it could be read of" : `what commit ${commit.slice(0, 12)} says counts`;
  return `${name} in the workspace is passed over: ${counts}. In a job, settings come from the workflow and from the commit that a pull request is for, or that was checked out; never from a pull request itself, or from what something has written since.`;
}
