import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import path from "node:path";
import { type ChangeRules, isProtected, type Refusal } from "../../core/boundary.ts";
import { INSTRUCTIONS } from "../../core/names.ts";
import { exists } from "../../os/file-errors.ts";
import { openToRead } from "../../os/own-file.ts";
import { encoded, printable } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";
import type { Scope } from "../repository.ts";
import { sidesAt } from "../true-trees.ts";
import { wantedFiles } from "./wanted-files.ts";

/** Of many paths only the first are named. */
const NAMED = 20;

/** What is where, by name. */
type Listing = ReadonlyMap<string, string>;

/**
 * Holds what steers agents and the loop (`INSTRUCTIONS`) against what it was when the run began, where git does not see
 * it: what git ignores is said by files that the agent can write, and an ignored file steers as well as any (T8). What
 * the rules open may change. The listing is kept in memory, where nobody else can write.
 */
export class UnseenGuard {
  readonly #git: PrivateGit;
  readonly #scope: Scope;
  readonly #globs: readonly string[];
  #begun: { readonly listing: Listing; readonly repositories: ReadonlySet<string> } | undefined;

  constructor(git: PrivateGit, scope: Scope, { protectedPaths }: ChangeRules) {
    this.#git = git;
    this.#scope = scope;
    this.#globs = protectedPaths;
  }

  /** What lies there now counts as what the run began with; only the first time. */
  async begin(): Promise<void> {
    if (this.#begun !== undefined || this.#globs.length === 0) return;
    // Instructions of repositories within are their own, as those of submodules are.
    const repositories = new Set<string>();
    const listing = await this.#list(async (folder) => {
      const isOther = await exists(path.join(this.#git.repository.top, folder, ".git"));
      if (isOther) repositories.add(folder);
      return isOther;
    });
    this.#begun = { listing, repositories };
  }

  /**
   * @param tree of the workspace's root: what it holds is judged elsewhere
   * @throws OperationalError `GIT_OBJECT_FORGED`
   */
  async refusal(tree: string): Promise<Refusal | null> {
    const begun = this.#begun;
    if (begun === undefined) return null;
    const now = await this.#list((folder) => begun.repositories.has(folder));
    const other = [...now].filter(([name, what]) => begun.listing.get(name) !== what).map(([name]) => name);
    if (other.length === 0) return null;
    const { prefix } = this.#git.repository;
    const below = (name: string) => encoded(name.slice(prefix.length));
    const seen = await this.#git.reading((read) => sidesAt(read, tree, other.map(below)));
    const paths = other.filter((name) => seen?.has(below(name)) !== true);
    if (paths.length === 0) return null;
    const named = paths.slice(0, NAMED).map((name) => printable(encoded(name)));
    return { kind: "protected_paths", count: paths.length, paths: named };
  }

  async #list(isLeftOut: (folder: string) => boolean | Promise<boolean>): Promise<Listing> {
    const { top, prefix: from } = this.#git.repository;
    const isWanted = (name: string): boolean =>
      isProtected(INSTRUCTIONS, name) && isProtected(this.#globs, name) && this.#scope.holds(encoded(name));
    const listing = new Map<string, string>();
    for (const name of await wantedFiles({ top, from, isWanted, isLeftOut })) {
      listing.set(name, await whatIs(path.join(top, name)));
    }
    return listing;
  }
}

/** Tells two states of a file apart, by its kind and all that it holds. */
async function whatIs(file: string): Promise<string> {
  try {
    const info = await lstat(file);
    if (info.isSymbolicLink()) return `link to ${await readlink(file)}`;
    if (!info.isFile()) return "special";
    return `${(info.mode & 0o111) === 0 ? "file" : "program"} ${await digestOf(file)}`;
  } catch {
    return "unreadable";
  }
}

async function digestOf(file: string): Promise<string> {
  const [handle, hash] = [await openToRead(file), createHash("sha256")];
  for await (const chunk of handle.createReadStream()) hash.update(chunk);
  return hash.digest("hex");
}
