import { readFile, rm } from "node:fs/promises";
import { BareGit, type BareGitUse, FETCH, type Layout, type RefUpdate, type RemoteGitPlace } from "./bare-git.ts";
import { type GitResult, quotedForGit } from "./git.ts";

/** Another repository on this machine, whose objects are seen; paths are absolute. */
export interface LocalObjects {
  /** its `objects` */
  readonly folder: string;
  /** its `shallow`, which need not exist: which of its commits have no parents here */
  readonly shallowFile: string;
  /** whether what is missing there is fetched when it is needed */
  readonly isPartial: boolean;
  /** a commit that is there: what the remote has of it need not be fetched; null: there is none yet */
  readonly head: string | null;
}

export interface RemoteGitUse {
  readonly signal: AbortSignal;
  /** a byte string for stdin */
  readonly input?: string;
  /** with a way to the remote; what a partial clone lacks is fetched then */
  readonly online?: boolean;
  /** where new objects go; into the person's repository without it */
  readonly objects?: "own";
}

/** By this name git knows that what is missing can be fetched. */
const PROMISOR = "smithers";

/**
 * One repository on the network, reached through a git directory of our own. What is fetched lands in the objects of
 * the person's repository, if there is one; nothing else of it is written.
 */
export class RemoteGit {
  readonly #git: BareGit;
  #local: LocalObjects | null = null;

  constructor(place: RemoteGitPlace) {
    this.#git = new BareGit(place);
  }

  get place(): RemoteGitPlace {
    return this.#git.place;
  }

  /** Makes the directory, or puts right what was changed in it. To be called before every operation. */
  async prepare(local: LocalObjects | null, signal: AbortSignal): Promise<void> {
    this.#local = local;
    // Refs of an earlier checkout, whose objects need not be here any more.
    await rm(this.#git.file("refs"), { recursive: true, force: true });
    const layout = { head: local?.head ?? null, shallow: await this.#shallow(), stale: ["packed-refs"] };
    await this.#git.layOut({ ...layout, settings: this.#settings() }, this.#use({ signal }));
  }

  /** Makes the commits without parents here those of the person's repository. */
  async agreeOnShallow(): Promise<void> {
    await this.#git.writeShallow(await this.#shallow());
  }

  async #shallow(): Promise<string> {
    const theirs = this.#local?.shallowFile;
    return theirs === undefined ? "" : readFile(theirs, "utf8").catch(() => "");
  }

  /** Runs git on our directory. Rejects when it cannot be started or when time is over. */
  try(args: readonly string[], use: RemoteGitUse): Promise<GitResult> {
    return this.#git.try(args, this.#use(use));
  }

  /** Where the remote's refs are that match a pattern of `git ls-remote`; what it said when it did not tell. */
  list(args: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string> | GitResult> {
    return this.#git.list(args, this.#use({ signal, online: true }));
  }

  /**
   * Fetches a commit with its history and, except into a partial clone, its files. `what` is a ref or a commit's id.
   *
   * @param depth how many commits of its history; null: all
   */
  fetch(what: string, depth: number | null, signal: AbortSignal): Promise<GitResult> {
    const from = this.#local?.isPartial === true ? PROMISOR : this.place.url;
    return this.#git.fetch(what, depth, this.#use({ signal, online: true }), from);
  }

  /** Fetches objects that a partial clone lacks, all at once. */
  fetchMissing(ids: readonly string[], signal: AbortSignal): Promise<GitResult> {
    const how = ["-c", "fetch.negotiationAlgorithm=noop", ...FETCH, "--filter=blob:none", PROMISOR, "--stdin"];
    return this.try(how, { signal, online: true, input: ids.map((id) => `${id}\n`).join("") });
  }

  /**
   * Whether the remote has any ref below `prefix`, which ends with a slash. Only these are told by the server, where
   * `list` makes it tell every ref that there is: megabytes, in a repository with thousands of pull requests.
   *
   * @returns undefined when that cannot be known so
   */
  async hasAnyBelow(prefix: string, signal: AbortSignal): Promise<boolean | undefined> {
    const little = ["--dry-run", "--depth=1", "--filter=tree:0"];
    const fetch = FETCH.filter((option) => option !== "--quiet");
    const spec = `+${prefix}*:refs/asked/*`;
    const { exitCode, stdout, stderr } = await this.try([...fetch, ...little, this.place.url, spec], {
      signal,
      online: true,
    });
    // With a depth, git fails without a word where there is nothing to fetch.
    if (stdout === "" && stderr === "") return exitCode === 0 || exitCode === 1 ? false : undefined;
    return exitCode === 0 ? true : undefined;
  }

  /** Moves refs on the remote, each by compare-and-swap. Whether that is a step forward is not looked at. */
  push(updates: readonly RefUpdate[], signal: AbortSignal): Promise<GitResult> {
    return this.#git.push(updates, this.#use({ signal, online: true }));
  }

  /** Asks for the right to move refs without moving any. */
  async rehearsePush(refs: readonly string[], signal: AbortSignal): Promise<GitResult> {
    const own = { signal, objects: "own", input: "" } as const;
    const tree = await this.try(["mktree"], own);
    const commit = await this.try(["commit-tree", tree.stdout.trim(), "-m", "rehearsal"], own);
    if (commit.exitCode !== 0) return commit;
    return this.#git.pushOnTrial(commit.stdout.trim(), refs, this.#use({ signal, objects: "own", online: true }));
  }

  #use({ objects, ...use }: RemoteGitUse): BareGitUse {
    const local = this.#local;
    const env = {
      ...(use.online === true && local?.isPartial === true ? { GIT_NO_LAZY_FETCH: "0" } : {}),
      ...(local === null || objects === "own" ? {} : { GIT_OBJECT_DIRECTORY: local.folder }),
    };
    return { ...use, env };
  }

  #settings(): Layout["settings"] {
    // A file of the person's repository that could say of commits what is not so.
    const core = "\tcommitgraph = false\n";
    if (this.#local?.isPartial !== true) return { core };
    const url = `\turl = ${quotedForGit(this.place.url)}\n`;
    return {
      core,
      extensions: `\tpartialclone = ${PROMISOR}\n`,
      others: `[remote "${PROMISOR}"]\n${url}\tpromisor = true\n\tpartialclonefilter = blob:none\n`,
    };
  }
}
