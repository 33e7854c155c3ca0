import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { done, DONE, failed, type Result, type Trouble } from "../core/result.ts";
import { messageOf } from "../core/errors.ts";
import { tokenNow } from "../core/ports.ts";
import { replaceIn } from "../os/atomic-file.ts";
import { TREE_VARIABLE } from "../os/process-tree.ts";
import {
  Git,
  type GitResult,
  type GitUse,
  hardenedGitEnvironment,
  lines,
  networkGitEnvironment,
  quotedForGit,
  type Remote,
  type RemoteNow,
  runGit,
} from "./git.ts";
import { type RemoteRefusal, remoteRefusalOf } from "./refusal.ts";

/** A repository on the network, and the folder of our own through which it is reached. */
export interface RemoteGitPlace extends Remote {
  /** a bare git directory of our own, absolute; made when it is missing; never share it with a running operation */
  readonly folder: string;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
}

/** One ref to move on the remote. */
interface RefUpdate {
  readonly ref: string;
  /** null deletes it */
  readonly to: string | null;
  /** where it has to be now; null: it must not exist */
  readonly expected: string | null;
}

/** Another repository on this machine, whose objects are seen; paths are absolute. */
interface LocalObjects {
  /** its `objects` */
  readonly folder: string;
  /** its `shallow`, which need not exist: its commits whose parents are not here */
  readonly shallowFile: string;
  /** whether what is missing there is fetched when it is needed */
  readonly isPartial: boolean;
  /** a commit that we have: what the remote has of it need not be fetched; null: none yet */
  readonly head: string | null;
}

/** Why nothing was fetched; `absent`: the remote does not have the ref. */
export interface FetchTrouble extends Trouble {
  readonly kind: RemoteRefusal["kind"] | "absent";
  readonly next: string;
}

/** What our git directory is laid out for. */
interface Layout extends Pick<LocalObjects, "head"> {
  /** commits whose parents are not here: the text of `shallow` */
  readonly shallow: string;
  /** files and folders, relative to the directory, that earlier operations have left, beside the usual ones */
  readonly stale: readonly string[];
  /** lines of its configuration beside the usual ones; `others`: whole sections */
  readonly settings: { readonly core?: string; readonly extensions?: string; readonly others?: string };
}

/** The head that is checked out, under a name of our own. */
const HAVE = "refs/have/head";
/** With refs of an earlier checkout, whose objects may be gone. */
const STALE = ["shallow.lock", "packed-refs.lock", "config.lock", "refs/have"];
const PUSH = ["push", "--porcelain", "--no-verify", "--recurse-submodules=no"];
const [NAME, EMAIL] = ["smithers", "smithers@localhost"];
const AUTHORSHIP = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

/** How everything is fetched: only what was asked for. */
const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"];

/** By this name git knows that what is missing can be fetched. */
const PROMISOR = "smithers";

/**
 * One repository on the network, reached through a bare git directory of our own (threats T12): own configuration, no
 * hooks, no filters, the literal URL. Made for one operation, with its signal. Fetched objects go to the person's
 * repository, if it exists; nothing else of it is written.
 *
 * Commands reject when git cannot be started or when time is over.
 */
export class RemoteGit extends Git {
  readonly place: RemoteGitPlace;
  readonly signal: AbortSignal;
  #local: LocalObjects | null = null;
  /** what need not be fetched, see `LocalObjects` */
  #head: string | null = null;

  /** @param signal ends what is under way */
  constructor(place: RemoteGitPlace, signal: AbortSignal) {
    super();
    this.place = place;
    this.signal = signal;
  }

  /** The path of something in the directory. */
  file(name: string): string {
    return path.join(this.place.folder, name);
  }

  /** Makes the directory, or repairs what was changed in it. Call it before anything else. */
  async prepare(local: LocalObjects | null): Promise<void> {
    this.#local = local;
    const stale = ["packed-refs", "refs"];
    const head = local?.head ?? null;
    await this.layOut({ head, shallow: await this.#shallow(), stale, settings: this.#settings() });
  }

  /** Nothing else works in the directory. */
  protected async layOut({ head, shallow, stale, settings }: Layout): Promise<void> {
    this.#head = head;
    await Promise.all([...STALE, ...stale].map((name) => rm(this.file(name), { recursive: true, force: true })));
    const folders = ["objects/info", "objects/pack", "refs"];
    await Promise.all(folders.map((name) => mkdir(this.file(name), { recursive: true })));
    await Promise.all([
      writeFile(this.file("HEAD"), "ref: refs/heads/none\n"),
      writeFile(this.file("config"), configText(isLong(head), settings)),
      this.#writeShallow(shallow),
    ]);
  }

  /** Makes the commits without parents here those of the person's repository. */
  async agreeOnShallow(): Promise<void> {
    await this.#writeShallow(await this.#shallow());
  }

  async #writeShallow(text: string): Promise<void> {
    const file = this.file("shallow");
    await (text === "" ? rm(file, { force: true }) : writeFile(file, text));
  }

  async #shallow(): Promise<string> {
    const theirs = this.#local?.shallowFile;
    return theirs === undefined ? "" : readFile(theirs, "utf8").catch(() => "");
  }

  override async try(args: readonly string[], use: GitUse = {}): Promise<GitResult> {
    const signal = use.unbroken === true ? new AbortController().signal : this.signal;
    signal.throwIfAborted();
    const { folder, mark } = this.place;
    const { cwd, env: seen } = this.processOptions(use);
    const online = use.online === true ? await this.#online() : undefined;
    if (online?.ok === false) return { exitCode: null, stdout: "", stderr: online.trouble.because };
    const env = {
      ...(online === undefined ? hardenedGitEnvironment() : networkGitEnvironment(online.value)),
      [TREE_VARIABLE]: mark,
      GIT_DIR: folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: folder,
      GIT_INDEX_FILE: use.index ?? this.file("index"),
      ...AUTHORSHIP,
      ...seen,
      ...use.env,
    };
    const { input, onOutput } = use;
    const streams = { ...(input !== undefined && { input }), ...(onOutput && { onOutput }) };
    const result = await runGit(args, { cwd, env, signal, ...streams });
    if (result.exitCode !== 0) signal.throwIfAborted();
    return result;
  }

  /** Without a token the command is one that the server did not answer. */
  async #online(): Promise<Result<RemoteNow>> {
    const { url, token } = this.place;
    try {
      return done({ url, token: token === null ? null : await tokenNow(token) });
    } catch (error) {
      return failed({ because: messageOf(error) });
    }
  }

  /** Where a command runs, whose objects it sees, and where new ones go. */
  protected processOptions({ online, objects }: GitUse): { cwd: string; env: Readonly<Record<string, string>> } {
    const local = this.#local;
    return {
      cwd: this.place.folder,
      env: {
        ...(online === true && local?.isPartial === true ? { GIT_NO_LAZY_FETCH: "0" } : {}),
        ...(local === null || objects === "own" ? {} : { GIT_OBJECT_DIRECTORY: local.folder }),
      },
    };
  }

  /**
   * Writes an object among those of our own (`gitformat-loose`) without starting git; for what is small, because it is
   * done at once. What it names is not looked for: a push fails whose objects are not all there.
   *
   * @returns its id
   */
  async write(kind: "blob" | "tree" | "commit", content: Uint8Array): Promise<string> {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash(isLong(this.#head) ? "sha256" : "sha1")
      .update(object)
      .digest("hex");
    const folder = this.file(`objects/${id.slice(0, 2)}`);
    await mkdir(folder, { recursive: true });
    await replaceIn(folder, id.slice(2), deflateSync(object, { level: 1 }));
    return id;
  }

  /** Writes a commit of ours in the same way. @param subject its whole message, one line */
  async writeCommit(tree: string, parents: readonly string[], subject: string): Promise<string> {
    const by = `${NAME} <${EMAIL}> ${Math.floor(Date.now() / 1000)} +0000`;
    const named = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`, `committer ${by}`];
    return this.write("commit", Buffer.from(`${named.join("\n")}\n\n${subject}\n`));
  }

  /** Where the remote's refs are that match a pattern of `git ls-remote`, which may have options before it. */
  async list(...pattern: readonly string[]): Promise<Result<ReadonlyMap<string, string>, RemoteRefusal>> {
    const args = ["ls-remote", "--quiet", ...pattern.slice(0, -1), this.place.url, ...pattern.slice(-1)];
    const asked = await this.try(args, { online: true });
    if (asked.exitCode !== 0) return failed(remoteRefusalOf(asked));
    return done(parseRefs(asked.stdout));
  }

  /**
   * Fetches a commit with its history and, except into a partial clone, its files. `what` is a ref, with its place here
   * or without one, or a commit's id.
   *
   * @param depth how many commits of its history; null: all
   */
  async fetch(what: string, depth: number | null): Promise<Result<undefined, FetchTrouble>> {
    const from = this.#local?.isPartial === true ? PROMISOR : this.place.url;
    const deep = depth === null ? [] : [`--depth=${depth}`];
    // Git tells the remote what it has by its refs. One whose commit is gone would spoil every fetch: git looks.
    if (this.#head !== null) await this.try(["update-ref", HAVE, this.#head]);
    const fetched = await this.try([...FETCH, ...deep, from, what], { online: true });
    if (fetched.exitCode === 0) return DONE;
    const refusal = remoteRefusalOf(fetched);
    const isAbsent = /couldn't find remote ref/u.test(fetched.stderr);
    return failed(isAbsent ? { ...refusal, kind: "absent" } : refusal);
  }

  /** Fetches commits with all that led to them, without files; only for a directory in which nothing needs them. */
  async fetchHistory(commits: readonly string[]): Promise<Result<undefined, RemoteRefusal>> {
    return outcome(await this.try([...FETCH, "--filter=tree:0", this.place.url, ...commits], { online: true }));
  }

  /** Fetches objects that a partial clone lacks, all at once. */
  async fetchMissing(ids: readonly string[]): Promise<Result<undefined, RemoteRefusal>> {
    const how = ["-c", "fetch.negotiationAlgorithm=noop", ...FETCH, "--filter=blob:none", PROMISOR, "--stdin"];
    return outcome(await this.try(how, { online: true, input: lines(ids) }));
  }

  /**
   * Whether the remote has any ref below `prefix`, which ends with a slash. The server sends only these, whereas `list`
   * makes it send every ref: megabytes, in a repository with thousands of pull requests.
   *
   * @returns undefined when the server cannot tell
   */
  async hasAnyBelow(prefix: string): Promise<boolean | undefined> {
    const little = ["--dry-run", "--depth=1", "--filter=tree:0"];
    const fetch = FETCH.filter((option) => option !== "--quiet");
    const spec = `+${prefix}*:refs/asked/*`;
    const { exitCode, stdout, stderr } = await this.try([...fetch, ...little, this.place.url, spec], { online: true });
    // With a depth, git fails without a word where there is nothing to fetch.
    if (stdout === "" && stderr === "") return exitCode === 0 || exitCode === 1 ? false : undefined;
    return exitCode === 0 ? true : undefined;
  }

  /**
   * Moves refs on the remote, each by compare-and-swap. Whether that is a step forward is not looked at.
   *
   * @param how options of git, before the command's name
   */
  async push(updates: readonly RefUpdate[], how: readonly string[] = []): Promise<Result<undefined, RemoteRefusal>> {
    const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
    const specs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
    return outcome(await this.try([...how, ...PUSH, ...leases, this.place.url, ...specs], { online: true }));
  }

  /** Asks whether we may move refs, wherever they are, without moving any. */
  async rehearsePush(refs: readonly string[]): Promise<Result<undefined, RemoteRefusal>> {
    const commit = await this.writeCommit(await this.write("tree", Buffer.alloc(0)), [], "rehearsal");
    const specs = refs.map((ref) => `+${commit}:${ref}`);
    return outcome(await this.try([...PUSH, "--dry-run", this.place.url, ...specs], { objects: "own", online: true }));
  }

  #settings(): Layout["settings"] {
    // A file of the person's repository that could misstate commits.
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

function outcome(result: GitResult): Result<undefined, RemoteRefusal> {
  return result.exitCode === 0 ? DONE : failed(remoteRefusalOf(result));
}

/** Whether it is an id in a repository with SHA-256. */
function isLong(id: string | null): boolean {
  return id?.length === 64;
}

function configText(hasLongIds: boolean, { core = "", extensions = "", others = "" }: Layout["settings"]): string {
  const extended = `${hasLongIds ? "\tobjectformat = sha256\n" : ""}${extensions}`;
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

/** Reads what `git ls-remote` says: ids by the refs' names. */
export function parseRefs(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(/^(\S+)\t(.+)$/gmu), ([, id = "", ref = ""]) => [ref, id]));
}
