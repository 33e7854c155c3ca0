import { mkdir, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { type GitResult, hardenedGitEnvironment, networkGitEnvironment, type Remote, runGit } from "./git.ts";
import { TREE_VARIABLE } from "../os/process-tree.ts";

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

/** What a command works with. */
export interface BareGitUse {
  readonly signal: AbortSignal;
  /** a byte string for stdin */
  readonly input?: string;
  /** with a way to the remote */
  readonly online?: boolean;
  /** where git runs, absolute; in the directory itself without it */
  readonly cwd?: string;
  /** what it is told besides: whose objects are seen, and where new ones go */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a git directory of ours is laid out for. */
export interface Layout {
  /** a commit that is there: what the remote has of it need not be fetched; null: there is none */
  readonly head: string | null;
  /** which commits have no parents here: the text of `shallow` */
  readonly shallow: string;
  /** files, relative to the directory, that an operation that was cut short has left, beside the usual ones */
  readonly stale: readonly string[];
  /** lines of its configuration beside the usual ones */
  readonly settings: {
    readonly core?: string;
    readonly extensions?: string;
    /** whole sections */
    readonly others?: string;
  };
}

/** The head that is checked out, under a name of our own. */
const HAVE = "refs/have/head";
const STALE = ["shallow.lock", "packed-refs.lock", "config.lock", `${HAVE}.lock`];
const PUSH = ["push", "--porcelain", "--no-verify", "--recurse-submodules=no"];
const AUTHORSHIP = {
  ...{ GIT_AUTHOR_NAME: "smithers", GIT_AUTHOR_EMAIL: "smithers@localhost" },
  ...{ GIT_COMMITTER_NAME: "smithers", GIT_COMMITTER_EMAIL: "smithers@localhost" },
};

/** How anything is fetched: nothing comes along that was not asked for. */
export const FETCH = [
  ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"],
];

/**
 * A bare git directory of our own, through which one repository on the network is reached (threats T12): own
 * configuration, no hooks, no filters, the literal URL. Its commands reject when git cannot be started or when time is
 * over.
 */
export class BareGit {
  readonly place: RemoteGitPlace;

  constructor(place: RemoteGitPlace) {
    this.place = place;
  }

  /** The path of something in the directory. */
  file(name: string): string {
    return path.join(this.place.folder, name);
  }

  /** Makes the directory, or puts right what was changed in it. Nobody else works there. */
  async layOut({ head, shallow, stale, settings }: Layout, use: BareGitUse): Promise<void> {
    const folders = ["objects/info", "objects/pack", "refs"];
    await Promise.all(folders.map((name) => mkdir(this.file(name), { recursive: true })));
    await Promise.all([...STALE, ...stale].map((name) => rm(this.file(name), { force: true })));
    await Promise.all([
      writeFile(this.file("HEAD"), "ref: refs/heads/none\n"),
      writeFile(this.file("config"), configText(head?.length === 64, settings)),
      this.writeShallow(shallow),
    ]);
    if (head !== null) await this.try(["update-ref", HAVE, head], use);
  }

  /** Says which commits have no parents here: the text of `shallow`. */
  async writeShallow(text: string): Promise<void> {
    const file = this.file("shallow");
    await (text === "" ? rm(file, { force: true }) : writeFile(file, text));
  }

  /** Runs git on the directory. */
  async try(args: readonly string[], use: BareGitUse): Promise<GitResult> {
    const { signal, input, online = false } = use;
    signal.throwIfAborted();
    const { folder, mark } = this.place;
    const env = {
      ...(online ? networkGitEnvironment(this.place) : hardenedGitEnvironment()),
      [TREE_VARIABLE]: mark,
      GIT_DIR: folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: folder,
      GIT_INDEX_FILE: this.file("index"),
      ...AUTHORSHIP,
      ...use.env,
    };
    const { cwd = folder } = use;
    const result = await runGit(args, { cwd, env, signal, ...(input === undefined ? {} : { input }) });
    if (result.exitCode !== 0) signal.throwIfAborted();
    return result;
  }

  /** Where the remote's refs are that match a pattern of `git ls-remote`; what it said when it did not tell. */
  async list(args: readonly string[], use: BareGitUse): Promise<ReadonlyMap<string, string> | GitResult> {
    const asked = await this.#online(
      ["ls-remote", "--quiet", ...args.slice(0, -1), this.place.url, ...args.slice(-1)],
      use,
    );
    if (asked.exitCode !== 0) return asked;
    const lines = asked.stdout.split("\n").flatMap((line): [string, string][] => {
      const [id, ref] = line.split("\t");
      return id === undefined || ref === undefined ? [] : [[ref, id]];
    });
    return new Map(lines);
  }

  /**
   * Fetches a commit and its files. `what` is a ref, with its place here or without one, or a commit's id.
   *
   * @param depth how many commits of its history; null: all
   * @param from another name for the URL
   */
  fetch(what: string, depth: number | null, use: BareGitUse, from = this.place.url): Promise<GitResult> {
    const deep = depth === null ? [] : [`--depth=${depth}`];
    return this.#online([...FETCH, ...deep, from, what], use);
  }

  /**
   * Moves refs on the remote, each by compare-and-swap. Whether that is a step forward is not looked at.
   *
   * @param how options of git, before the command's name
   */
  push(updates: readonly RefUpdate[], use: BareGitUse, how: readonly string[] = []): Promise<GitResult> {
    const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
    const specs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
    return this.#online([...how, ...PUSH, ...leases, this.place.url, ...specs], use);
  }

  /** Asks for the right to move refs to a commit, wherever they are, without moving any. */
  pushOnTrial(commit: string, refs: readonly string[], use: BareGitUse): Promise<GitResult> {
    const specs = refs.map((ref) => `+${commit}:${ref}`);
    return this.#online([...PUSH, "--dry-run", this.place.url, ...specs], use);
  }

  #online(args: readonly string[], use: BareGitUse): Promise<GitResult> {
    return this.try(args, { ...use, online: true });
  }
}

function configText(isLong: boolean, { core = "", extensions = "", others = "" }: Layout["settings"]): string {
  const extended = `${isLong ? "\tobjectformat = sha256\n" : ""}${extensions}`;
  return [
    `[core]\n\trepositoryformatversion = ${extended === "" ? 0 : 1}\n\tbare = true\n\tlogallrefupdates = false\n`,
    `\tattributesfile = ${devNull}\n\texcludesfile = ${devNull}\n\talternaterefscommand = :\n`,
    // Dangerous names are refused where files are written.
    `\tprotectntfs = false\n\tprotecthfs = false\n${core}`,
    `[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n`,
    extended === "" ? "" : `[extensions]\n${extended}`,
    others,
  ].join("");
}
