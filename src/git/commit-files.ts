import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { fetchHere, openRepository } from "./branch-repository.ts";
import { decoded, encoded, type FileChange } from "./diff.ts";
import { checkedId, type Remote } from "./git.ts";
import { PrivateGit } from "./private-git.ts";
import { withCure } from "./refusal.ts";
import type { Repository } from "./repository.ts";

interface CommitFilesOptions extends Remote {
  /** the person's, around the workspace */
  readonly repository: Repository;
  /** where our git directories are kept, absolute; made when it is missing */
  readonly folder: string;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
}

/** What a folder of the commit holds, by name: ids of plain files, and folders. */
interface Listing {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
}

const FETCH_MS = 60_000;
/** What a file of settings or instructions has at most, in bytes. */
const FILE_LIMIT = 1 << 20;

/**
 * The files of one commit, whatever the work tree holds: read through git directories of our own (T12), and fetched
 * first where the checkout does not have the commit.
 */
export class CommitFiles {
  readonly commit: string;
  readonly repository: Repository;
  readonly #git: PrivateGit;
  readonly #options: CommitFilesOptions;
  readonly #listings = new Map<string, Promise<Listing>>();

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
    const isHere = await files.#listing("").then(
      () => true,
      () => false,
    );
    if (isHere) return files;
    files.#listings.clear();
    const fetched = await fetchHere(await files.#online(), commit, 1).catch((error: unknown) => unanswered(error));
    if (!fetched.ok) throw unreachable(commit, withCure(fetched.trouble));
    return files;
  }

  /**
   * The text of a file; undefined: the commit has no file of that name, or one that is a link.
   *
   * @param name relative to the repository's top
   * @throws OperationalError `BASE_UNREACHABLE`; Error when it is longer than a mebibyte
   */
  async text(name: string): Promise<string | undefined> {
    const parts = name.split("/");
    let listing = await this.#listing("");
    for (const [nth, part] of parts.slice(0, -1).entries()) {
      if (!listing.folders.has(part)) return undefined;
      listing = await this.#listing(parts.slice(0, nth + 1).join("/"));
    }
    const blob = listing.files.get(parts.at(-1) ?? "");
    if (blob === undefined) return undefined;
    const content = (await this.contents([blob], FILE_LIMIT)).get(blob);
    return content?.toString("utf8");
  }

  /** @param folder relative to the repository's top, which is "" */
  #listing(folder: string): Promise<Listing> {
    const known = this.#listings.get(folder) ?? this.#list(folder);
    this.#listings.set(folder, known);
    return known;
  }

  async #list(folder: string): Promise<Listing> {
    const listed = await this.#git.run(["ls-tree", "-z", "--full-tree", `${this.commit}:${encoded(folder)}`]);
    const entries = listed.split("\0").map((line) => /^([0-7]+) [a-z]+ ([0-9a-f]+)\t(.*)$/su.exec(line) ?? []);
    const of = (mode: RegExp): [string, string][] =>
      entries.flatMap(([, found = "", id = "", name = ""]) => (mode.test(found) ? [[decoded(name), id]] : []));
    return { files: new Map(of(/^100(?:644|755)$/u)), folders: new Set(of(/^040000$/u).map(([name]) => name)) };
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
    return this.#git.changes(["diff-tree", "-r", await this.#git.emptyTree(), this.commit]);
  }

  /**
   * What these blobs hold, fetched first where the clone has left them out.
   *
   * @param limit bytes, of all together
   * @throws as `text`
   */
  async contents(blobs: readonly string[], limit: number): Promise<ReadonlyMap<string, Buffer>> {
    const here = await this.#git.sizes(blobs);
    const missing = blobs.filter((blob) => !here.has(blob));
    if (missing.length > 0) {
      const { remote } = await this.#online();
      const fetched = await remote.fetchMissing(missing).catch((error: unknown) => unanswered(error));
      if (!fetched.ok) throw unreachable(this.commit, withCure(fetched.trouble));
    }
    const sizes = missing.length === 0 ? here : await this.#git.sizes(blobs);
    const bytes = blobs.reduce((sum, blob) => sum + (sizes.get(blob) ?? 0), 0);
    if (bytes > limit) throw new Error(`it has ${bytes} bytes, and only ${limit} are read`);
    const read = await this.#git.contents(blobs);
    return new Map([...read].map(([id, content]) => [id, Buffer.from(content, "latin1")]));
  }

  async #online() {
    const { folder, url, token, mark } = this.#options;
    const place = { url, token, mark, folder: path.join(folder, "remote.git") };
    return openRepository(this.#git, place, "none", AbortSignal.timeout(FETCH_MS));
  }
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
