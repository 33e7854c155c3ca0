import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { oneLine } from "../../views/plain-text.ts";
import { checkedId, type GitResult, type GitUse, isObjectId, lines, quotedForGit } from "../git.ts";
import { withCure } from "../refusal.ts";
import { type ReadTrue, rootsOf } from "../true-trees.ts";
import { RemoteGit, type RemoteGitPlace } from "../remote-git.ts";

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
  /** `shallow` of the person's git directory, which need not exist: their commits whose parents are not here */
  readonly shallowFile: string;
  /** The commit that is checked out; null before the first. */
  readonly head: () => string | null | Promise<string | null>;
}

/** Where a ref is, and our own folder through which it is reached. */
export interface RefPlace extends RemoteGitPlace {
  /** the ref's full name, `refs/smithers-loops/<loop-id>` */
  readonly ref: string;
  /** null: the workspace is not in a git repository */
  readonly workTree: PersonsWorkTree | null;
}

/**
 * A checkpoint has to be sent soon and is not kept for long: git does not look for differences between files, which
 * takes minutes for some megabytes of similar logs and saves little. A received pack stays a pack, so that the
 * workspace need not compress it again.
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
export class RefGit extends RemoteGit {
  readonly #place: RefPlace;

  constructor(place: RefPlace, signal: AbortSignal) {
    super(place, signal);
    this.#place = place;
  }

  /** the workspace's root below the top: `""` or `packages/a/` */
  get prefix(): string {
    return this.#place.workTree?.prefix ?? "";
  }

  override async prepare(): Promise<void> {
    const { workTree, ref } = this.#place;
    if (workTree !== null) await mkdir(workTree.privateObjects, { recursive: true });
    const head = (await workTree?.head()) ?? null;
    await this.layOut({ head, shallow: await this.#shallow(), stale: [`${ref}.lock`], settings: SETTINGS });
  }

  protected override processOptions({ inWorkTree }: GitUse): { cwd: string; env: Readonly<Record<string, string>> } {
    const { workTree, folder } = this.#place;
    const seen = workTree === null ? [] : [workTree.privateObjects, workTree.theirObjects];
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: seen.map(quotedForGit).join(path.delimiter) };
    if (inWorkTree !== true || workTree === null) return { cwd: folder, env };
    return { cwd: workTree.top, env: { ...env, GIT_WORK_TREE: workTree.top } };
  }

  protected override failure([command]: readonly string[], { exitCode, stderr }: GitResult): Error {
    return new Error(`git ${command} failed: ${oneLine(stderr) || `exit code ${exitCode}`}`);
  }

  /** Makes sure that a commit and its files are here. @returns `rootOf` @throws Error when they cannot be had */
  async bring(commit: string | null): Promise<string> {
    const here = await this.rootOf(commit);
    if (here !== undefined || commit === null) return here ?? this.emptyTree();
    const fetched = await this.fetch(checkedId(commit), 1);
    if (!fetched.ok) throw new Error(`its base cannot be fetched: ${withCure(fetched.trouble)}`);
    return (await this.rootOf(commit)) ?? this.emptyTree();
  }

  /**
   * The tree of the workspace's root in a commit; the empty tree when it does not exist.
   *
   * @returns undefined when the commit, or one of the `trees`, is not here
   * @throws OperationalError `GIT_OBJECT_FORGED`
   */
  async rootOf(commit: string | null, ...trees: readonly string[]): Promise<string | undefined> {
    return this.reading((read) => this.rootBy(read, commit, ...trees));
  }

  /** The same, by the git process that reads already. */
  async rootBy(read: ReadTrue, commit: string | null, ...trees: readonly string[]): Promise<string | undefined> {
    const root = this.prefix.replace(/\/$/u, "");
    const wanted = [...trees, ...(commit === null ? [] : [commit])].map(checkedId);
    const name = root === "" ? commit : `${commit}:${root}`;
    const roots = await rootsOf(read, commit === null || name === null ? wanted : [...wanted, name]);
    const ids = wanted.flatMap((id) => roots.get(id) ?? []);
    const here = await read([...new Set(ids)]);
    if (ids.length < wanted.length || ids.some((id) => !here.has(id))) return undefined;
    return (commit === null || name === null ? undefined : roots.get(name)) ?? this.emptyTree();
  }

  /** The person's commits without parents are so here as well, beside those that we fetched ourselves. */
  async #shallow(): Promise<string> {
    const { workTree } = this.#place;
    const own = this.file("shallow");
    const files = workTree === null ? [own] : [own, workTree.shallowFile];
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
    return lines([...new Set(texts.flatMap((text) => text.split("\n")))].filter(isObjectId).toSorted());
  }
}
