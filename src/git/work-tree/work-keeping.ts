import { seal, unseal } from "../../os/seal.ts";
import { SecretValues } from "../../os/secrets.ts";
import { checkedId } from "../git.ts";
import type { RefGit } from "./ref-git.ts";
import { Blobs, selectFrom, type Selection, TREE_LIMIT, type Withheld } from "./work-selection.ts";
import { shown, type Work } from "./work-restoring.ts";

/** A stored work tree. */
export interface Kept {
  /** the commit that the work began with; null: before the first */
  readonly base: string | null;
  readonly object: string;
  /** a tree; a blob that holds one, sealed; or a blob that only keeps the remote from looking at the files (C82) */
  readonly form: "tree" | "sealed" | "packed";
}

/** A work tree ready to travel, and what a person has to know about it. */
export interface Keeping {
  readonly kept: Kept | null;
  readonly notices: readonly string[];
}

/** Makes work trees ready to travel; one that does not change is made ready once. */
export class WorkTreeKeeper {
  readonly #sealKey: string | null;
  readonly #secrets: SecretValues;
  readonly #blobs: Blobs;
  #packs = false;
  #last: { readonly name: string; readonly keeping: Keeping } | undefined;

  constructor(sealKey: string | null, secrets: readonly string[]) {
    this.#sealKey = sealKey;
    this.#secrets = new SecretValues(secrets);
    this.#blobs = new Blobs(this.#secrets);
  }

  /**
   * @param base the commit that the work began with
   * @param tree of the workspace's root
   * @param former what the ref holds; it stays where `base` or `tree` is not known here, as after an objects folder was
   * lost
   */
  async keep(git: RefGit, base: string | null, tree: string, former: Kept | null): Promise<Keeping> {
    const name = `${base} ${checkedId(tree)}`;
    if (this.#last?.name === name) return this.#last.keeping;
    return git.reading(async (read) => {
      const baseTree = await git.rootBy(read, base, tree);
      if (baseTree === undefined) {
        return former !== null && former.base === base
          ? { kept: former, notices: [] }
          : { kept: null, notices: [LOST] };
      }
      const selection = await selectFrom(git, read, { blobs: this.#blobs, secrets: this.#secrets }, baseTree, tree);
      const kept = await this.#ready(git, base, baseTree, selection.tree);
      const keeping = { kept, notices: this.#notices(selection) };
      this.#last = { name, keeping };
      return keeping;
    });
  }

  /** The same work as one blob, in which the remote sees no file; from now on all work is made ready so. */
  async pack(git: RefGit, kept: Kept): Promise<Kept> {
    this.#packs = true;
    this.#last = undefined;
    if (kept.form !== "tree") return kept;
    const baseTree = await git.rootOf(kept.base, kept.object);
    if (baseTree === undefined) throw new Error(LOST);
    return { ...kept, object: await packTree(git, baseTree, kept.object), form: "packed" };
  }

  async #ready(git: RefGit, base: string | null, baseTree: string, tree: string | null): Promise<Kept | null> {
    if (tree === null) return null;
    if (this.#sealKey !== null)
      return { base, object: await packTree(git, baseTree, tree, this.#sealKey), form: "sealed" };
    if (this.#packs) return { base, object: await packTree(git, baseTree, tree), form: "packed" };
    return { base, object: tree, form: "tree" };
  }

  #notices({ tree, withheld, bytes }: Selection): readonly string[] {
    if (tree === null) {
      const [megabytes, limit] = [bytes, TREE_LIMIT].map((count) => Math.ceil(count / (1 << 20)));
      return [
        `The unfinished work is not kept: what changed takes ${megabytes} MB, more than ${limit} MB. The next machine goes on without it.`,
      ];
    }
    const reasons = [...new Set(withheld.map(({ because }) => because))];
    return reasons.map((because) => {
      const paths = withheld.filter((one) => one.because === because);
      return `Not kept, so the next machine will not have it: ${this.#named(paths)} (${because}).`;
    });
  }

  #named(withheld: readonly Withheld[]): string {
    const names = withheld.slice(0, 20).map(({ path }) => shown(this.#secrets.hiddenIn(path)));
    const more = withheld.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}

const LOST =
  "The work of this moment is not kept: its files are no longer known to git. It is kept again after the next turn.";

/** Work as it was kept, with its objects here. @throws Error when it cannot be had; SealError when the key is another one */
export async function workOf(git: RefGit, kept: Kept, sealKey: string | null): Promise<Work> {
  const base = await git.bring(kept.base);
  if (kept.form === "tree") return { base, tree: kept.object };
  if (kept.form === "packed") return { base, tree: await unpackTree(git, await blobIn(git, kept.object)) };
  if (sealKey === null) throw new Error("it is sealed, and no `state-key` is given");
  return { base, tree: await unsealTree(git, sealKey, kept.object) };
}

/**
 * Writes what a tree has and `base` has not as a blob: the tree's id, a newline, and a pack of its objects.
 *
 * @param key seals it
 * @returns the blob's id
 */
async function packTree(git: RefGit, base: string, tree: string, key?: string): Promise<string> {
  const args = ["pack-objects", "--quiet", "--revs", "--thin", "--stdout"];
  const packed = `${tree}\n${await git.run(args, { input: `${tree}\n^${base}\n` })}`;
  const input = key === undefined ? packed : seal(key, Buffer.from(packed, "latin1")).toString("latin1");
  // A hundred megabytes may take a while, and nothing here has to wait for it.
  return (await git.run(["hash-object", "-w", "--stdin"], { input })).trim();
}

/** @throws SealError when the key is another one */
async function unsealTree(git: RefGit, key: string, blob: string): Promise<string> {
  return unpackTree(git, unseal(key, Buffer.from(await blobIn(git, blob), "latin1")).toString("latin1"));
}

async function blobIn(git: RefGit, blob: string): Promise<string> {
  return git.run(["cat-file", "blob", blob]);
}

/**
 * `packTree`, the other way round; the tree's objects are in our directory then. What `base` has must be there already.
 *
 * @returns the tree's id
 */
async function unpackTree(git: RefGit, packed: string): Promise<string> {
  const end = packed.indexOf("\n");
  const tree = checkedId(packed.slice(0, end));
  const pack = packed.slice(end + 1);
  // A pack says how many objects it holds; git does not take one without any.
  const isEmpty = pack.length < 12 || pack.slice(8, 12) === "\0\0\0\0";
  if (!isEmpty) await git.run(["index-pack", "--stdin", "--fix-thin"], { input: pack });
  return tree;
}
