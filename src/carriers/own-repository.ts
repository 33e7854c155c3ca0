import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { type GitResult, hardenedGitEnvironment, networkGitEnvironment, type Remote, runGit } from "../platform/git.ts";
import { TREE_VARIABLE } from "../platform/process-tree.ts";
import { oneLine } from "../views/plain-text.ts";
import { sentence } from "./work-sentences.ts";
import { troubleOf } from "./remote-trouble.ts";

/** The person's work tree, whose files a ref may hold. Paths are absolute. */
export interface PersonsWorkTree {
  /** the work tree's top folder */
  readonly top: string;
  /** the workspace's root below the top: `""` or `packages/a/`; the trees that are written are the root's */
  readonly prefix: string;
  /** the objects that the workspace makes: read, and given what is fetched, so that the workspace can compare with it */
  readonly privateObjects: string;
  /** the objects of the person's repository: only read */
  readonly theirObjects: string;
  /** `shallow` of the person's git directory, which need not exist: which of their commits have no parents here */
  readonly shallowFile: string;
  /** The commit that is checked out; null before the first. */
  readonly head: () => string | null | Promise<string | null>;
}

/** Where a ref lies, and the folder of our own through which it is reached. */
export interface RefPlace extends Remote {
  /** the ref's full name, `refs/smithers/<loop-id>` */
  readonly ref: string;
  /** a bare git directory of our own, absolute; made when it is missing */
  readonly folder: string;
  /** null: there is no git repository around the workspace */
  readonly workTree: PersonsWorkTree | null;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
}

/** What a command works with, apart from the bare directory. */
export interface GitUse {
  readonly signal: AbortSignal;
  /** an index file of our own */
  readonly index?: string;
  /** runs it in the person's work tree */
  readonly inWorkTree?: boolean;
  /** a byte string for stdin */
  readonly input?: string;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;
const AUTHOR = { NAME: "smithers", EMAIL: "smithers@localhost" };
/** The head that is checked out, under a name: what the remote has of it need not be fetched. */
const HAVE = "refs/have/head";
const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"];

/**
 * A checkpoint has to be gone soon, and none of it is kept for long: no differences between files are looked for, which
 * for some megabytes of logs that resemble each other takes minutes, and saves little. What comes as a pack stays one,
 * so that it need not be compressed again for the workspace.
 */
const QUICK_PACKS = "[pack]\n\twindow = 0\n\tcompression = 1\n[fetch]\n\tunpacklimit = 1\n";

/**
 * A bare git directory of our own, through which a loop's ref is read and written (threats T12): own configuration, no
 * remotes, no hooks, no filters. The objects of workspace and person are seen through it and never written.
 */
export class OwnRepository {
  readonly place: RefPlace;
  readonly #env: Record<string, string>;

  constructor(place: RefPlace) {
    this.place = place;
    const { folder, workTree, mark } = place;
    const alternates = workTree === null ? [] : [workTree.privateObjects, workTree.theirObjects];
    this.#env = {
      [TREE_VARIABLE]: mark,
      GIT_DIR: folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.map(quoted).join(path.delimiter),
      ...Object.fromEntries(
        Object.entries(AUTHOR).flatMap(([key, value]) => [
          [`GIT_AUTHOR_${key}`, value],
          [`GIT_COMMITTER_${key}`, value],
        ]),
      ),
    };
  }

  /** Makes the directory, or puts right what was changed in it. To be called before every operation. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { folder, workTree } = this.place;
    const file = (name: string) => path.join(folder, name);
    await Promise.all(["objects/info", "objects/pack", "refs"].map((name) => mkdir(file(name), { recursive: true })));
    if (workTree !== null) await mkdir(workTree.privateObjects, { recursive: true });
    const head = (await workTree?.head()) ?? null;
    // What an operation that was cut short has left; nobody else works here.
    const locks = ["shallow.lock", "packed-refs.lock", `${HAVE}.lock`, `${this.place.ref}.lock`];
    await Promise.all(locks.map((name) => rm(file(name), { force: true })));
    await Promise.all([
      writeFile(file("HEAD"), "ref: refs/heads/none\n"),
      writeFile(file("config"), configFor(head)),
      this.#noteShallow(),
    ]);
    if (head !== null) await this.try(["update-ref", HAVE, head], { signal });
  }

  /** Runs git on our directory and without a network. Rejects when it cannot be started or when time is over. */
  async try(args: readonly string[], use: GitUse): Promise<GitResult> {
    return this.#start(args, hardenedGitEnvironment(), use);
  }

  /**
   * The same, for commands that have to succeed.
   *
   * @returns stdout as a byte string
   */
  async run(args: readonly string[], use: GitUse): Promise<string> {
    const result = await this.try(args, use);
    if (result.exitCode === 0) return result.stdout;
    use.signal.throwIfAborted();
    throw new Error(`git ${args[0]} failed: ${oneLine(result.stderr) || `exit code ${result.exitCode}`}`);
  }

  /** Fetches a commit and its files, without its history. `what` is a ref with its place here, or a commit's id. */
  fetch(what: string, signal: AbortSignal): Promise<GitResult> {
    return this.#online([...FETCH, "--depth=1", this.place.url, what], signal);
  }

  /** Makes sure that a commit and its files are here. @throws Error when they are not, and cannot be fetched */
  async bring(commit: string, signal: AbortSignal): Promise<void> {
    if (await this.has(commit, signal)) return;
    const fetched = await this.fetch(checkedId(commit), signal);
    signal.throwIfAborted();
    if (fetched.exitCode !== 0) throw new Error(`its base cannot be fetched: ${sentence(troubleOf(fetched))}`);
  }

  /** Asks where the ref stands: the output of `ls-remote`. */
  ask(signal: AbortSignal): Promise<GitResult> {
    return this.#online(["ls-remote", "--quiet", this.place.url, this.place.ref], signal);
  }

  /**
   * Moves the ref from `expected` (null: it must not exist) to `commit`, or not at all.
   *
   * @param asking whether to ask first what the remote has of our history, so that none of it is sent again
   */
  push(commit: string, expected: string | null, asking: boolean, signal: AbortSignal): Promise<GitResult> {
    const { ref, url } = this.place;
    const lease = `--force-with-lease=${ref}:${expected ?? ""}`;
    const args = ["push", "--porcelain", "--no-verify", "--recurse-submodules=no", lease, url, `${commit}:${ref}`];
    return this.#online(["-c", `push.negotiate=${asking}`, ...args], signal);
  }

  async has(object: string, signal: AbortSignal): Promise<boolean> {
    return (await this.try(["cat-file", "-e", object], { signal })).exitCode === 0;
  }

  /** The tree of the workspace's root in a commit; the empty tree where there is none. */
  async rootOf(commit: string | null, signal: AbortSignal): Promise<string> {
    if (commit !== null) {
      const root = (this.place.workTree?.prefix ?? "").replace(/\/$/u, "");
      const name = root === "" ? `${checkedId(commit)}^{tree}` : `${checkedId(commit)}:${root}`;
      const { exitCode, stdout } = await this.try(["rev-parse", "--verify", "--quiet", name], { signal });
      if (exitCode === 0) return stdout.trim();
      signal.throwIfAborted();
    }
    return (await this.run(["mktree"], { signal })).trim();
  }

  #online(args: readonly string[], signal: AbortSignal): Promise<GitResult> {
    return this.#start(args, networkGitEnvironment(this.place), { signal });
  }

  async #start(args: readonly string[], env: Record<string, string>, use: GitUse): Promise<GitResult> {
    const { signal, index, input } = use;
    signal.throwIfAborted();
    const { folder, workTree } = this.place;
    const cwd = use.inWorkTree === true && workTree !== null ? workTree.top : folder;
    const own = { ...env, ...this.#env, GIT_INDEX_FILE: index ?? path.join(folder, "index") };
    return runGit(args, {
      cwd,
      env: cwd === folder ? own : { ...own, GIT_WORK_TREE: cwd },
      signal,
      ...(input === undefined ? {} : { input }),
    });
  }

  /** The person's commits without parents are so here as well, beside those that we fetched ourselves. */
  async #noteShallow(): Promise<void> {
    const { folder, workTree } = this.place;
    const own = path.join(folder, "shallow");
    const files = workTree === null ? [own] : [own, workTree.shallowFile];
    const lines = (await Promise.all(files.map(readText))).flatMap((text) => text.split("\n"));
    const commits = [...new Set(lines)].filter((line) => OBJECT_ID.test(line)).toSorted();
    if (commits.length > 0) await writeFile(own, commits.map((commit) => `${commit}\n`).join(""));
  }
}

/** An id that came from elsewhere, before git sees it. @throws Error when it is something else */
export function checkedId(id: string): string {
  if (OBJECT_ID.test(id)) return id;
  throw new Error(`${JSON.stringify(oneLine(id).slice(0, 80))} is not the id of a git object`);
}

/** @param id of any object of the person's repository; it tells the repository's format */
function configFor(id: string | null): string {
  const isLong = id !== null && id.length === 64;
  return [
    `[core]\n\trepositoryformatversion = ${isLong ? 1 : 0}\n\tbare = true\n\tlogallrefupdates = false\n`,
    `\tattributesfile = ${devNull}\n\texcludesfile = ${devNull}\n\tloosecompression = 1\n\talternaterefscommand = :\n`,
    // Dangerous names are refused where files are written.
    `\tprotectntfs = false\n\tprotecthfs = false\n`,
    `[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[merge]\n\tdirectoryrenames = false\n`,
    QUICK_PACKS,
    isLong ? "[extensions]\n\tobjectformat = sha256\n" : "",
  ].join("");
}

/** One of several paths in an environment variable of git, which may hold anything. */
function quoted(folder: string): string {
  return `"${folder.replaceAll(/[\\"]/gu, String.raw`\$&`).replaceAll("\n", String.raw`\n`)}"`;
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
