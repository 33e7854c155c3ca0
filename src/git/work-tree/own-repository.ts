import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { BareGit, type RemoteGitPlace } from "../bare-git.ts";
import { type GitResult, quotedForGit } from "../git.ts";
import { oneLine } from "../../views/plain-text.ts";
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
export interface RefPlace extends RemoteGitPlace {
  /** the ref's full name, `refs/smithers/<loop-id>` */
  readonly ref: string;
  /** null: there is no git repository around the workspace */
  readonly workTree: PersonsWorkTree | null;
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

/**
 * A checkpoint has to be gone soon, and none of it is kept for long: no differences between files are looked for, which
 * for some megabytes of logs that resemble each other takes minutes, and saves little. What comes as a pack stays one,
 * so that it need not be compressed again for the workspace.
 */
const QUICK_PACKS = "[pack]\n\twindow = 0\n\tcompression = 1\n[fetch]\n\tunpacklimit = 1\n";
const SETTINGS = {
  core: "\tloosecompression = 1\n",
  others: `[merge]\n\tdirectoryrenames = false\n${QUICK_PACKS}`,
};

/**
 * A git directory of our own, through which a loop's ref is read and written. The objects of workspace and person are
 * seen through it and never written.
 */
export class OwnRepository {
  readonly place: RefPlace;
  readonly #git: BareGit;
  readonly #env: Readonly<Record<string, string>>;

  constructor(place: RefPlace) {
    this.place = place;
    this.#git = new BareGit(place);
    const { workTree } = place;
    const seen = workTree === null ? [] : [workTree.privateObjects, workTree.theirObjects];
    this.#env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: seen.map(quotedForGit).join(path.delimiter) };
  }

  /** Makes the directory, or puts right what was changed in it. To be called before every operation. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { workTree, ref } = this.place;
    if (workTree !== null) await mkdir(workTree.privateObjects, { recursive: true });
    const head = (await workTree?.head()) ?? null;
    const layout = { head, shallow: await this.#shallow(), stale: [`${ref}.lock`], settings: SETTINGS };
    await this.#git.layOut(layout, { signal, env: this.#env });
  }

  /** Runs git on our directory and without a network. Rejects when it cannot be started or when time is over. */
  try(args: readonly string[], { signal, index, inWorkTree = false, input }: GitUse): Promise<GitResult> {
    const top = inWorkTree ? this.place.workTree?.top : undefined;
    const env = {
      ...this.#env,
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
    };
    const use = { signal, env, ...(input === undefined ? {} : { input }) };
    return this.#git.try(args, top === undefined ? use : { ...use, cwd: top });
  }

  /**
   * The same, for commands that have to succeed.
   *
   * @returns stdout as a byte string
   */
  async run(args: readonly string[], use: GitUse): Promise<string> {
    const result = await this.try(args, use);
    if (result.exitCode === 0) return result.stdout;
    throw new Error(`git ${args[0]} failed: ${oneLine(result.stderr) || `exit code ${result.exitCode}`}`);
  }

  /** Fetches a commit and its files, without its history. `what` is a ref with its place here, or a commit's id. */
  fetch(what: string, signal: AbortSignal): Promise<GitResult> {
    return this.#git.fetch(what, 1, { signal, env: this.#env });
  }

  /** Makes sure that a commit and its files are here. @throws Error when they are not, and cannot be fetched */
  async bring(commit: string, signal: AbortSignal): Promise<void> {
    if (await this.has(commit, signal)) return;
    const fetched = await this.fetch(checkedId(commit), signal);
    if (fetched.exitCode !== 0) throw new Error(`its base cannot be fetched: ${sentence(troubleOf(fetched))}`);
  }

  /** Asks where the ref stands: null for nowhere, undefined when the remote does not tell. */
  async ask(signal: AbortSignal): Promise<string | null | undefined> {
    const { ref } = this.place;
    const listed = await this.#git.list([ref], { signal, env: this.#env });
    return "exitCode" in listed ? undefined : (listed.get(ref) ?? null);
  }

  /**
   * Moves the ref from `expected` (null: it must not exist) to `commit`, or not at all.
   *
   * @param asking whether to ask first what the remote has of our history, so that none of it is sent again
   */
  push(commit: string, expected: string | null, asking: boolean, signal: AbortSignal): Promise<GitResult> {
    const update = { ref: this.place.ref, to: commit, expected };
    return this.#git.push([update], { signal, env: this.#env }, ["-c", `push.negotiate=${asking}`]);
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
    }
    return (await this.run(["mktree"], { signal })).trim();
  }

  /** The person's commits without parents are so here as well, beside those that we fetched ourselves. */
  async #shallow(): Promise<string> {
    const { workTree } = this.place;
    const own = this.#git.file("shallow");
    const files = workTree === null ? [own] : [own, workTree.shallowFile];
    const lines = (await Promise.all(files.map(readText))).flatMap((text) => text.split("\n"));
    const commits = [...new Set(lines)].filter((line) => OBJECT_ID.test(line)).toSorted();
    return commits.map((commit) => `${commit}\n`).join("");
  }
}

/** An id that came from elsewhere, before git sees it. @throws Error when it is something else */
export function checkedId(id: string): string {
  if (OBJECT_ID.test(id)) return id;
  throw new Error(`${JSON.stringify(oneLine(id).slice(0, 80))} is not the id of a git object`);
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
