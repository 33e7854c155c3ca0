import { rm } from "node:fs/promises";
import { type ChangeRules, hidesProtected, isProtected, type Refusal } from "../core/boundary.ts";
import { OperationalError } from "../core/errors.ts";
import type { Snapshot } from "../core/state.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { decoded, encoded, type FileChange, isAbsent, isFile, printable, printableList } from "./diff.ts";
import type { Git } from "./git.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Staged } from "./snapshot.ts";
import { differencesOf, type ReadTrue } from "./true-trees.ts";

/** Of many paths only the first are named. */
const NAMED = 20;

/** A link to a file or folder. */
const LINK = "120000";

/** The paths among them that the rules protect. */
function protectedAmong(globs: readonly string[], changes: readonly FileChange[]): readonly string[] {
  const found = changes.filter(({ path, after }) => {
    const name = decoded(path);
    const isOther = after.mode === LINK || (!isFile(after) && !isAbsent(after));
    return isProtected(globs, name) || (isOther && hidesProtected(globs, name));
  });
  return found.map(({ path }) => path);
}

/** @returns null: nothing among them is protected */
export function protectedRefusal(globs: readonly string[], changes: readonly FileChange[]): Refusal | null {
  const paths = protectedAmong(globs, changes);
  if (paths.length === 0) return null;
  return { kind: "protected_paths", count: paths.length, paths: paths.slice(0, NAMED).map(printable) };
}

/**
 * Holds the workspace against what the work may change (T17). What equals any of the trees that it is compared with is
 * nobody's change: the workspace when the loop began, the commit that it began with, and what others have made public.
 * All of them were named before the agent came, or by the server, and each is checked against its id, so nothing that the
 * agent writes widens them; a tree that is lost widens nothing either.
 */
export class ChangeGuard {
  readonly #git: PrivateGit;
  readonly #rules: ChangeRules;
  readonly #published: () => Promise<readonly string[]>;

  constructor(git: PrivateGit, rules: ChangeRules, published: () => Promise<readonly string[]> = async () => []) {
    this.#git = git;
    this.#rules = rules;
    this.#published = published;
  }

  /** See `Workspace.refusal`. @param now the tree of the workspace's root */
  async refusal(begun: Snapshot, now: string): Promise<Refusal | null> {
    if (begun.tree === now) return null;
    return this.#git.reading(async (read) => {
      const changes = await this.#changes(read, now, [begun.tree, ...this.#rootsOf([begun.head])], async (left) => {
        return (await this.#judge(read, left)) === null;
      });
      return this.#judge(read, changes);
    });
  }

  /**
   * Refuses to commit what is protected, whatever was found when the turn ended: a check, or a process that a turn left
   * behind, may have changed it since.
   *
   * @param changes what the commit would change
   * @throws OperationalError `PROTECTED_PATHS`
   */
  async refuseCommit(changes: readonly FileChange[], { tree, head }: Staged, begun: Snapshot | null): Promise<void> {
    const globs = this.#rules.protectedPaths;
    if (protectedAmong(globs, changes).length === 0) return;
    const known = begun === null ? [] : [begun.tree, ...this.#rootsOf([begun.head])];
    const from = begun === null ? this.#rootsOf([head]) : known;
    const isEnough = (some: readonly FileChange[]) => protectedAmong(globs, some).length === 0;
    const left = await this.#git.reading((read) => this.#changes(read, tree, from, isEnough));
    const wanted = new Set(changes.map(({ path }) => path));
    const paths = protectedAmong(globs, left).filter((path) => wanted.has(path));
    if (paths.length > 0) throw protectedNow(paths);
  }

  async #judge(read: ReadTrue, changes: readonly FileChange[]): Promise<Refusal | null> {
    const { protectedPaths, maxFiles, maxBytes } = this.#rules;
    const refused = protectedRefusal(protectedPaths, changes);
    if (refused !== null) return refused;
    const files = changes.length;
    const bytes = maxBytes === null || files === 0 ? 0 : await this.#bytesOf(read, changes);
    const isTooLarge = (maxFiles !== null && files > maxFiles) || (maxBytes !== null && bytes > maxBytes);
    return isTooLarge ? { kind: "too_large", files, bytes, max_files: maxFiles, max_bytes: maxBytes } : null;
  }

  async #bytesOf(read: ReadTrue, changes: readonly FileChange[]): Promise<number> {
    const blobs = changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object);
    const found = await read([...new Set(blobs)], -1);
    return blobs.reduce((sum, blob) => sum + (found.get(blob)?.bytes ?? 0), 0);
  }

  /**
   * What `now` holds otherwise than every one of the trees, with paths relative to the repository's top. Asks for what
   * is public only when the rest leaves something.
   */
  async #changes(
    read: ReadTrue,
    now: string,
    trees: readonly string[],
    isEnough: (left: readonly FileChange[]) => boolean | Promise<boolean>,
  ): Promise<readonly FileChange[]> {
    let left: readonly FileChange[] | undefined;
    const narrow = async (tree: string): Promise<boolean> => {
      const changes = await this.#differing(read, tree, now);
      if (changes === undefined) return false;
      const paths = new Set(changes.map(({ path }) => path));
      left = left?.filter(({ path }) => paths.has(path)) ?? changes;
      return isEnough(left);
    };
    for (const tree of trees) if (await narrow(tree)) return left ?? [];
    for (const tree of this.#rootsOf(await this.#published())) if (await narrow(tree)) return left ?? [];
    return left ?? (await this.#differing(read, null, now)) ?? [];
  }

  /** undefined: the tree is not here */
  async #differing(read: ReadTrue, tree: string | null, now: string): Promise<readonly FileChange[] | undefined> {
    const prefix = encoded(this.#git.repository.prefix);
    // Git would believe a tree that the agent wrote under the name of one that it knows.
    const [changes] = await differencesOf(read, [[tree, now]]);
    return changes?.map((change) => ({ ...change, path: `${prefix}${change.path}` }));
  }

  /** The workspace's root in these commits. */
  #rootsOf(commits: readonly (string | null)[]): readonly string[] {
    return commits.flatMap((commit) => (commit === null ? [] : [`${commit}:${this.#git.repository.prefix}`]));
  }
}

function protectedNow(paths: readonly string[]): OperationalError {
  return new OperationalError({
    code: "PROTECTED_PATHS",
    what: `The work cannot be committed: ${printableList(paths)} may not be changed by the agent, nor by what it leaves behind. It is in your work tree, unharmed; nothing was committed.`,
    next: "Undo these changes, or commit them yourself, or open a path with --protected-paths '!PATH', and resume the loop.",
  });
}

/** A patch of more is of no use to a person. */
const PATCH_BYTES = 20_000_000;

/**
 * Writes what the loop has changed as a patch that `git apply` takes; none when it would be too large. For a person to
 * read, and nothing else: objects are not checked.
 *
 * @param from a tree or a commit, as `to` is
 * @returns whether it was written
 */
export async function writePatch(git: Pick<Git, "run">, file: string, from: string, to: string): Promise<boolean> {
  await rm(file, { recursive: true, force: true });
  const args = ["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const patch = await git.run([...args, from, to], { online: true });
  if (patch.length > PATCH_BYTES) return false;
  await writeFileDurably(file, Buffer.from(patch, "latin1"));
  return true;
}
