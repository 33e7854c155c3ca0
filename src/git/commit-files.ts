import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { fetchHere, openRepository } from "./branch-repository.ts";
import { encoded, type FileChange, printable } from "./diff.ts";
import { checkedId, type Remote } from "./git.ts";
import { PrivateGit } from "./private-git.ts";
import { withCure } from "./refusal.ts";
import type { Repository } from "./repository.ts";
import { type ReadTrue, rootsOf, sidesAt, type TrueObject } from "./true-trees.ts";

interface CommitFilesOptions extends Remote {
  /** the person's, around the workspace */
  readonly repository: Repository;
  /** where our git directories are kept, absolute; made when it is missing */
  readonly folder: string;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
}

const PLAIN_FILE = /^100(?:644|755)$/u;
const FETCH_MS = 60_000;
/** What a file of settings or instructions has at most, in bytes. */
const FILE_LIMIT = 1 << 20;

/**
 * The files of one commit, whatever the work tree holds: read through git directories of our own (T12), fetched first
 * where the checkout does not have the commit, and checked against their ids all the way from the commit's.
 */
export class CommitFiles {
  readonly commit: string;
  readonly repository: Repository;
  readonly #git: PrivateGit;
  readonly #options: CommitFilesOptions;
  /** commits and folders that were read already, and checked */
  readonly #known = new Map<string, TrueObject>();

  private constructor(options: CommitFilesOptions, git: PrivateGit, commit: string) {
    this.commit = commit;
    this.repository = options.repository;
    this.#git = git;
    this.#options = options;
  }

  /** @throws OperationalError `BASE_UNREACHABLE` when the commit is neither here nor to be had */
  static async open(options: CommitFilesOptions, commit: string): Promise<CommitFiles> {
    const git = new PrivateGit(options.repository, path.join(options.folder, "git"));
    await git.prepare();
    const files = new CommitFiles(options, git, checkedId(commit));
    const isHere = await files.#reading(async (read) => {
      const root = (await rootsOf(read, [commit])).get(commit);
      return root !== undefined && (await read([root])).has(root);
    });
    if (isHere) return files;
    const fetched = await fetchHere(await files.#online(), commit, 1).catch((error: unknown) => unanswered(error));
    if (!fetched.ok) throw unreachable(commit, withCure(fetched.trouble));
    return files;
  }

  /**
   * The text of a file; undefined: the commit has no file of that name, or one that is a link.
   *
   * @param name relative to the repository's top
   * @param limit bytes
   * @throws OperationalError `BASE_UNREACHABLE`, `GIT_OBJECT_FORGED`; Error when it is longer than `limit`
   */
  async text(name: string, limit = FILE_LIMIT): Promise<string | undefined> {
    return this.#reading(async (read) => {
      const root = (await rootsOf(read, [this.commit])).get(this.commit);
      const sides = root === undefined ? undefined : await sidesAt(read, root, [encoded(name)]);
      if (sides === undefined) throw unreachable(this.commit, `a folder above ${printable(encoded(name))} is not here`);
      const side = sides.get(encoded(name));
      if (side === undefined || !PLAIN_FILE.test(side.mode)) return undefined;
      return (await this.#contents(read, [side.object], limit)).get(side.object)?.toString("utf8");
    });
  }

  /** Reads what is known without git. */
  async #reading<T>(work: (read: ReadTrue) => Promise<T>): Promise<T> {
    return this.#git.reading((read) =>
      work(async (ids, keep) => {
        const found = await read(
          ids.filter((id) => !this.#known.has(id)),
          keep,
        );
        for (const [id, one] of found) if (one.type !== "blob") this.#known.set(id, one);
        return new Map(ids.flatMap((id) => [[id, found.get(id) ?? this.#known.get(id)] as const]).filter(isThere));
      }),
    );
  }

  /** What another commit holds otherwise, `before` being ours; paths are byte strings relative to the repository's top. */
  async changedIn(other: string): Promise<readonly FileChange[]> {
    if (other === this.commit) return [];
    const changes = await this.#git.differing(this.commit, checkedId(other));
    if (changes === undefined) throw new Error(`the files of ${this.commit} or ${other} are not here`);
    return changes;
  }

  /** All that the commit holds, as what `after` is; paths as in `changedIn`. */
  async everything(): Promise<readonly FileChange[]> {
    const all = await this.#git.differing(null, this.commit);
    if (all === undefined) throw new Error(`the files of ${this.commit} are not here`);
    return all;
  }

  /**
   * What these blobs hold, fetched first where the clone has left them out.
   *
   * @param limit bytes, of all together
   * @throws as `text`
   */
  async contents(blobs: readonly string[], limit: number): Promise<ReadonlyMap<string, Buffer>> {
    return this.#git.reading((read) => this.#contents(read, blobs, limit));
  }

  async #contents(read: ReadTrue, blobs: readonly string[], limit: number): Promise<ReadonlyMap<string, Buffer>> {
    const here = await read(blobs, limit);
    const missing = blobs.filter((blob) => !here.has(blob));
    if (missing.length > 0) {
      const { remote } = await this.#online();
      const fetched = await remote.fetchMissing(missing).catch((error: unknown) => unanswered(error));
      if (!fetched.ok) throw unreachable(this.commit, withCure(fetched.trouble));
    }
    const found = [...(missing.length === 0 ? here : await read(blobs, limit))];
    const bytes = found.reduce((sum, [, one]) => sum + one.bytes, 0);
    if (bytes > limit) throw new Error(`it has ${bytes} bytes, and only ${limit} are read`);
    return new Map(found.map(([id, { content = "" }]) => [id, Buffer.from(content, "latin1")]));
  }

  async #online() {
    const { folder, url, token, mark } = this.#options;
    const place = { url, token, mark, folder: path.join(folder, "remote.git") };
    return openRepository(this.#git, place, "none", AbortSignal.timeout(FETCH_MS));
  }
}

function isThere(entry: readonly [string, TrueObject | undefined]): entry is [string, TrueObject] {
  return entry[1] !== undefined;
}

function unanswered(error: unknown) {
  const trouble = { kind: "unreachable", because: error instanceof Error ? error.message : String(error), next: "" };
  return { ok: false, trouble } as const;
}

function unreachable(commit: string, why: string): OperationalError {
  return new OperationalError({
    code: "BASE_UNREACHABLE",
    what: `What this run may be told by the repository is read as of commit ${commit.slice(0, 12)}, and that cannot be fetched: ${why}. Nothing was done, and no turn was spent.`,
    next: "Give the job the permission `contents: read`, or check out with `fetch-depth: 0`, and run the workflow again.",
  });
}
