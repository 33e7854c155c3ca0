import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { type GitResult, hardenedGitEnvironment, networkGitEnvironment, type Remote, runGit } from "./git.ts";
import { TREE_VARIABLE } from "./process-tree.ts";

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

/** A repository on the network, and the folder of our own through which it is reached. */
export interface RemoteGitPlace extends Remote {
  /** a bare git directory of our own, absolute; made when it is missing; not to be shared with anybody at work */
  readonly folder: string;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
}

/** One ref that is to be moved on the remote. */
export interface RefUpdate {
  readonly ref: string;
  /** null deletes it */
  readonly to: string | null;
  /** where it has to be; null: it must not exist */
  readonly expected: string | null;
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

/** The head that is checked out, under a name of our own. */
const HAVE = "refs/have/head";
/** By this name git knows that what is missing can be fetched. */
const PROMISOR = "smithers";
const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"];
const PUSH = ["push", "--porcelain", "--no-verify", "--recurse-submodules=no"];
const AUTHOR = { NAME: "smithers", EMAIL: "smithers@localhost" };

/**
 * A bare git directory of our own, through which one repository on the network is reached (threats T12): own
 * configuration, no hooks, no filters, the literal URL. What is fetched lands in the objects of the person's repository,
 * if there is one; nothing else of it is written.
 */
export class RemoteGit {
  readonly place: RemoteGitPlace;
  #local: LocalObjects | null = null;

  constructor(place: RemoteGitPlace) {
    this.place = place;
  }

  /** Makes the directory, or puts right what was changed in it. To be called before every operation. */
  async prepare(local: LocalObjects | null, signal: AbortSignal): Promise<void> {
    this.#local = local;
    const file = (name: string) => path.join(this.place.folder, name);
    // Refs of an earlier checkout, whose objects need not be here any more.
    await rm(file("refs"), { recursive: true, force: true });
    await Promise.all(["objects/info", "objects/pack", "refs"].map((name) => mkdir(file(name), { recursive: true })));
    // What an operation that was cut short has left; nobody else works here.
    const stale = ["shallow.lock", "packed-refs", "packed-refs.lock", "config.lock"];
    await Promise.all(stale.map((name) => rm(file(name), { force: true })));
    await Promise.all([
      writeFile(file("HEAD"), "ref: refs/heads/none\n"),
      writeFile(file("config"), this.#config()),
      this.agreeOnShallow(),
    ]);
    if (local !== null && local.head !== null) await this.try(["update-ref", HAVE, local.head], { signal });
  }

  /** Makes the commits without parents here those of the person's repository. */
  async agreeOnShallow(): Promise<void> {
    const theirs = this.#local?.shallowFile;
    const commits = theirs === undefined ? "" : await readFile(theirs, "utf8").catch(() => "");
    const own = path.join(this.place.folder, "shallow");
    await (commits === "" ? rm(own, { force: true }) : writeFile(own, commits));
  }

  /** Runs git on our directory. Rejects when it cannot be started or when time is over. */
  async try(args: readonly string[], { signal, input, online = false, objects }: RemoteGitUse): Promise<GitResult> {
    signal.throwIfAborted();
    const { folder, mark } = this.place;
    const env = {
      ...(online ? networkGitEnvironment(this.place) : hardenedGitEnvironment()),
      ...(online && this.#local?.isPartial === true ? { GIT_NO_LAZY_FETCH: "0" } : {}),
      [TREE_VARIABLE]: mark,
      GIT_DIR: folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: folder,
      GIT_INDEX_FILE: path.join(folder, "index"),
      ...(this.#local === null || objects === "own" ? {} : { GIT_OBJECT_DIRECTORY: this.#local.folder }),
      ...Object.fromEntries(
        Object.entries(AUTHOR).flatMap(([key, value]) => [
          [`GIT_AUTHOR_${key}`, value],
          [`GIT_COMMITTER_${key}`, value],
        ]),
      ),
    };
    const result = await runGit(args, { cwd: folder, env, signal, ...(input === undefined ? {} : { input }) });
    if (result.exitCode !== 0) signal.throwIfAborted();
    return result;
  }

  /** Where the remote's refs are that match a pattern of `git ls-remote`; what it said when it did not tell. */
  async list(args: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string> | GitResult> {
    const asked = await this.try(["ls-remote", "--quiet", ...args.slice(0, -1), this.place.url, ...args.slice(-1)], {
      signal,
      online: true,
    });
    if (asked.exitCode !== 0) return asked;
    const lines = asked.stdout.split("\n").flatMap((line): [string, string][] => {
      const [id, ref] = line.split("\t");
      return id === undefined || ref === undefined ? [] : [[ref, id]];
    });
    return new Map(lines);
  }

  /**
   * Fetches a commit with its history and, except into a partial clone, its files. `what` is a ref or a commit's id.
   *
   * @param depth how many commits of its history; null: all
   */
  fetch(what: string, depth: number | null, signal: AbortSignal): Promise<GitResult> {
    const from = this.#local?.isPartial === true ? PROMISOR : this.place.url;
    const deep = depth === null ? [] : [`--depth=${depth}`];
    return this.try([...FETCH, ...deep, from, what], { signal, online: true });
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
    const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
    const specs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
    return this.try([...PUSH, ...leases, this.place.url, ...specs], { signal, online: true });
  }

  /** Asks for the right to move refs without moving any. */
  async rehearsePush(refs: readonly string[], signal: AbortSignal): Promise<GitResult> {
    const own = { signal, objects: "own", input: "" } as const;
    const tree = await this.try(["mktree"], own);
    const commit = await this.try(["commit-tree", tree.stdout.trim(), "-m", "rehearsal"], own);
    if (commit.exitCode !== 0) return commit;
    const specs = refs.map((ref) => `+${commit.stdout.trim()}:${ref}`);
    return this.try([...PUSH, "--dry-run", this.place.url, ...specs], { signal, objects: "own", online: true });
  }

  #config(): string {
    const { url } = this.place;
    const isLong = this.#local?.head?.length === 64;
    const isPartial = this.#local?.isPartial === true;
    const partial = isPartial
      ? `[remote "${PROMISOR}"]\n\turl = ${quoted(url)}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`
      : "";
    return [
      `[core]\n\trepositoryformatversion = ${isLong || isPartial ? 1 : 0}\n\tbare = true\n\tlogallrefupdates = false\n`,
      `\tattributesfile = ${devNull}\n\texcludesfile = ${devNull}\n\talternaterefscommand = :\n`,
      // A file of the person's repository that could say of commits what is not so.
      `\tcommitgraph = false\n\tprotectntfs = false\n\tprotecthfs = false\n`,
      `[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n`,
      isLong || isPartial ? "[extensions]\n" : "",
      isLong ? "\tobjectformat = sha256\n" : "",
      isPartial ? `\tpartialclone = ${PROMISOR}\n` : "",
      partial,
    ].join("");
  }
}

/** A value in a file of git's configuration. */
function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"]/gu, String.raw`\$&`).replaceAll("\n", String.raw`\n`)}"`;
}
