import { rm } from "node:fs/promises";
import { isNamedSecret, type SecretValues } from "../../os/secrets.ts";
import { encoded, type FileChange, indexLine, isAbsent, isFile, isSubmodule, nulTerminated } from "../diff.ts";
import { filteredAmong } from "../filters.ts";
import { differencesOf, type ReadTrue } from "../true-trees.ts";
import type { RefGit } from "./ref-git.ts";

/** A change that does not travel. */
export interface Withheld {
  /** a byte string, relative to the workspace's root */
  readonly path: string;
  readonly because: string;
}

/** What of a work tree may travel. */
export interface Selection {
  /** null: nothing of it */
  readonly tree: string | null;
  readonly withheld: readonly Withheld[];
  /** bytes of changed content in it */
  readonly bytes: number;
}

/** With more changed content the record goes alone (C13). */
export const TREE_LIMIT = 100 << 20;

/** Larger files do not travel, and are not read (C13). */
const FILE_LIMIT = 10 << 20;

/** What is known of a file's content. */
interface Blob {
  readonly bytes: number;
  readonly holdsSecret: boolean;
}

/**
 * Removes from a work tree what must not leave the machine (C13). Only looks at what differs from `base`: the rest is
 * in the repository already. A withheld path keeps its content of `base`.
 *
 * @param read the one git process that reads all of it
 * @param base the tree that the work began with
 */
export async function selectFrom(
  git: RefGit,
  read: ReadTrue,
  { blobs, secrets }: { readonly blobs: Blobs; readonly secrets: SecretValues },
  base: string,
  tree: string,
): Promise<Selection> {
  const [changes] = base === tree ? [[]] : await differencesOf(read, [[base, tree]]);
  if (changes === undefined) throw new Error(`a tree of ${base} or ${tree} is not here`);
  const contents = changes.filter(bringsContent);
  const prefix = encoded(git.prefix);
  const names = contents.map(({ path }) => `${prefix}${path}`);
  const objects = contents.map(({ after }) => after.object);
  const [filtered, known] = [await filteredAmong(git, names), await blobs.look(git, read, objects)];
  const withheld: (Withheld & { readonly change: FileChange })[] = [];
  const sizes = new Map<string, number>();
  for (const change of changes) {
    const blob = known.get(change.after.object);
    const because = reasonAgainst(change, blob, filtered.has(`${prefix}${change.path}`), secrets);
    if (because !== undefined) withheld.push({ path: change.path, because, change });
    else if (bringsContent(change)) sizes.set(change.after.object, blob?.bytes ?? 0);
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > TREE_LIMIT) return { tree: null, withheld, bytes };
  const without = withheld.map(({ change }) => change);
  return { tree: without.length === 0 ? tree : await putBack(git, tree, without), withheld, bytes };
}

/** Whether a change brings in a file's content: not a deletion, and not a new mode alone. */
function bringsContent({ before, after }: FileChange): boolean {
  return isFile(after) && after.object !== before.object;
}

function reasonAgainst(
  change: FileChange,
  blob: Blob | undefined,
  isFiltered: boolean,
  secrets: SecretValues,
): string | undefined {
  if (isAbsent(change.after)) return undefined;
  if (isSubmodule(change.after)) return "submodules are not carried";
  if (secrets.areIn(change.path)) return "its name holds a secret value";
  if (!bringsContent(change)) return undefined;
  if (isNamedSecret(change.path)) return "files of that name hold secrets";
  if (blob?.holdsSecret === true) return "it holds a secret value";
  if (blob !== undefined && blob.bytes > FILE_LIMIT) return "it is larger than 10 MB";
  return isFiltered ? "a git filter such as LFS belongs to it, and filters are not run" : undefined;
}

/** The tree with these changes undone. */
async function putBack(git: RefGit, tree: string, changes: readonly FileChange[]): Promise<string> {
  const index = git.file("selection-index");
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  await git.run(["read-tree", tree], { index });
  const input = nulTerminated(changes.map(({ path, before }) => indexLine(path, before)));
  await git.run(["update-index", "--add", "--replace", "-z", "--index-info"], { index, input });
  return (await git.run(["write-tree", "--missing-ok"], { index })).trim();
}

/** At most this much is read at once, or one file. */
const BATCH_BYTES = 16 << 20;

/** Reads contents, each one once: what an iteration costs does not grow with what the loop has changed before. */
export class Blobs {
  readonly #secrets: SecretValues;
  readonly #known = new Map<string, Blob>();

  constructor(secrets: SecretValues) {
    this.#secrets = secrets;
  }

  /** What is known of each of `objects` after this. */
  async look(git: RefGit, read: ReadTrue, objects: readonly string[]): Promise<ReadonlyMap<string, Blob>> {
    const unknown = [...new Set(objects)].filter((object) => !this.#known.has(object));
    const sizes = await git.sizes(unknown);
    let batch: string[] = [];
    let bytes = 0;
    for (const object of unknown) {
      const size = sizes.get(object);
      if (size === undefined) throw new Error(`the content of a changed file is missing: ${object} missing`);
      if (size > FILE_LIMIT) {
        this.#known.set(object, { bytes: size, holdsSecret: false });
        continue;
      }
      batch.push(object);
      bytes += size;
      if (bytes < BATCH_BYTES) continue;
      await this.#scan(read, batch);
      batch = [];
      bytes = 0;
    }
    await this.#scan(read, batch);
    return this.#known;
  }

  async #scan(read: ReadTrue, objects: readonly string[]): Promise<void> {
    for (const [object, { bytes, content = "" }] of await read(objects)) {
      this.#known.set(object, { bytes, holdsSecret: this.#secrets.areIn(content) });
    }
  }
}
