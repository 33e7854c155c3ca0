import { Blobs } from "./changed-blobs.ts";
import { checkedId, type OwnRepository } from "./own-repository.ts";
import { printable } from "./work-restoring.ts";
import { sealTree } from "./sealed-tree.ts";
import { SecretValues } from "../../os/secrets.ts";
import { selectFrom, TREE_LIMIT, type Selection, type Withheld } from "./work-selection.ts";

/** The work tree in a commit of the ref: a tree, or a blob when it is sealed. */
export interface Kept {
  /** the commit that the work began with; null: before the first */
  readonly base: string | null;
  readonly object: string;
  readonly sealed: boolean;
}

/** A work tree made ready to travel, and what a person has to know about it. */
export interface Keeping {
  readonly kept: Kept | null;
  readonly notices: readonly string[];
}

/** So many paths are named in one notice. */
const NAMED = 20;

/** Makes work trees ready to travel; one that does not change is made ready once. */
export class WorkTreeKeeper {
  readonly #git: OwnRepository;
  readonly #sealKey: string | null;
  readonly #secrets: SecretValues;
  readonly #blobs: Blobs;
  #last: { readonly name: string; readonly keeping: Keeping } | undefined;

  constructor(git: OwnRepository, sealKey: string | null, secrets: readonly string[]) {
    this.#git = git;
    this.#sealKey = sealKey;
    this.#secrets = new SecretValues(secrets);
    this.#blobs = new Blobs(git, this.#secrets);
  }

  /**
   * @param base the commit that the work began with
   * @param tree of the workspace's root
   * @param former what the ref holds; it stays where `base` or `tree` is not known here, as after an objects folder was
   * lost
   */
  async keep(base: string | null, tree: string, former: Kept | null, signal: AbortSignal): Promise<Keeping> {
    const name = `${base} ${checkedId(tree)}`;
    if (this.#last?.name === name) return this.#last.keeping;
    if (!(await this.#git.has(tree, signal)) || (base !== null && !(await this.#git.has(base, signal)))) {
      signal.throwIfAborted();
      return former !== null && former.base === base ? { kept: former, notices: [] } : { kept: null, notices: [LOST] };
    }
    const baseTree = await this.#git.rootOf(base, signal);
    const selection = await selectFrom(
      { git: this.#git, blobs: this.#blobs, secrets: this.#secrets },
      baseTree,
      tree,
      signal,
    );
    const kept = selection.tree === null ? null : await this.#ready(base, baseTree, selection.tree, signal);
    const keeping = { kept, notices: this.#notices(selection) };
    this.#last = { name, keeping };
    return keeping;
  }

  async #ready(base: string | null, baseTree: string, tree: string, signal: AbortSignal): Promise<Kept> {
    if (this.#sealKey === null) return { base, object: tree, sealed: false };
    return { base, object: await sealTree(this.#git, this.#sealKey, baseTree, tree, signal), sealed: true };
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
    const names = withheld.slice(0, NAMED).map(({ path }) => printable(this.#secrets.hiddenIn(path)));
    const more = withheld.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}

const LOST =
  "The work of this moment is not kept: its files are no longer known to git. It is kept again after the next turn.";
