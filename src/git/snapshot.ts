import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, lstat, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Snapshot } from "../core/state.ts";
import { fileBelow, nulFields, nulTerminated } from "./diff.ts";
import type { PrivateGit } from "./private-git.ts";
import { branchOf, type Scope } from "./repository.ts";
import { NestedWork } from "./work-tree/nested-work.ts";

/** The work tree as git objects, and how the person's index and HEAD relate to it. */
export interface Staged {
  /** the commit that HEAD names; null before the first */
  readonly head: string | null;
  /** the branch that it is on; null: none */
  readonly branch: string | null;
  /** the same, or the empty tree */
  readonly base: string;
  readonly tree: string;
  /** see `Snapshot` */
  readonly nested?: string;
  readonly theirs: StagedByThem;
}

/** How the person's index differs from their HEAD. */
interface StagedByThem {
  /** of the differences within the scope; equal for equal ones */
  readonly digest: string;
  /** whether there are no differences */
  readonly none: boolean;
  /** paths in conflict, byte strings, within the scope or not */
  readonly unmerged: readonly string[];
}

export function snapshotOf({ head, branch, tree, nested, theirs }: Staged): Snapshot {
  const more = nested === undefined ? {} : { nested };
  const names = [head, theirs.digest, tree, ...Object.values(more)];
  const id = createHash("sha256").update(names.join("\n")).digest("hex");
  return { id, tree, ...more, head, branch };
}

/**
 * Brings our own index to the state of the work tree.
 *
 * Our index is a copy of the person's, made again whenever theirs has changed, or somebody else changed ours: it holds
 * what git knows about unchanged files, so that they need not be read, about files that a sparse checkout left out, and
 * about large files behind a filter. What nested repositories hold is told apart, and never staged.
 */
export class Staging {
  readonly #git: PrivateGit;
  readonly #scope: Scope;
  /** signature of the person's index that ours was copied from */
  #seed: string | undefined;
  /** the last result, and the signatures of both indexes at that time */
  #last: (Staged & { readonly their: string; readonly own: string }) | undefined;
  readonly #nestedWork: NestedWork;
  /** paths of submodules in our index, as byte strings */
  #submodules: readonly string[] = [];

  constructor(git: PrivateGit, scope: Scope) {
    this.#git = git;
    this.#scope = scope;
    this.#nestedWork = new NestedWork(git);
  }

  async stage(): Promise<Staged> {
    const git = this.#git;
    const [head, branch] = await Promise.all([git.head(), branchOf(git.repository)]);
    const base = head ?? (await git.emptyTree());
    const signature = await signatureOf(git.theirIndex);
    const isNew = this.#seed !== signature || this.#last?.own !== (await signatureOf(git.index));
    const last = isNew ? undefined : this.#last;
    if (isNew) {
      await rm(`${git.index}.lock`, { force: true });
      await copyTheirIndex(git);
      this.#seed = signature;
      this.#submodules = await this.#submodulesIn();
    }
    const [theirs, changed, { files: untracked, nested: folders }, excluded] = await Promise.all([
      last?.their === signature && last.base === base ? last.theirs : stagedByThem(git, this.#scope, base),
      // "dirty": a submodule counts by its commit; to look into it, git would obey its configuration.
      git.changes(["diff-files", "--ignore-submodules=dirty", "--", ...this.#scope.included]),
      this.#untracked(),
      // They come with a copy of the person's index, and stay away.
      isNew ? this.#excluded() : [],
    ]);
    const gone = changed.filter(({ status }) => status === "D").map((change) => change.path);
    const present = changed.filter(({ status }) => status !== "D").map((change) => change.path);
    // Of a conflict outside of the scope nothing is measured, and git writes no tree of an index that has one.
    const foreign = theirs.unmerged.filter((name) => !this.#scope.holds(name));
    await this.#update(["--force-remove"], [...gone, ...excluded, ...(isNew ? foreign : [])]);
    await this.#update(["--add", "--remove", "--replace"], [...new Set([...present, ...untracked])]);
    const isSame = changed.length === 0 && untracked.length === 0;
    const nested = await this.#nestedWork.digest([...this.#submodules, ...folders]);
    const known = { head, branch, base, theirs, ...(nested === undefined ? {} : { nested }) };
    const staged = { ...known, tree: (isSame && last?.tree) || (await this.#writeTree(isNew)) };
    this.#last = { ...staged, their: signature, own: await signatureOf(git.index) };
    return staged;
  }

  /** Lets our index be made again, after files were changed otherwise than by a person. */
  forget(): void {
    this.#seed = undefined;
  }

  /** Stores our index for the person's; `change` updates it from what was last staged. */
  async keepFor(change: () => Promise<void>): Promise<void> {
    const isSeed = this.#seed === (await signatureOf(this.#git.theirIndex));
    await change();
    // A change by somebody else in between still has to be copied.
    this.#seed = isSeed ? await signatureOf(this.#git.theirIndex) : undefined;
  }

  /** Paths of our index that must not be in it. */
  async #excluded(): Promise<readonly string[]> {
    if (this.#scope.excluded.length === 0) return [];
    return [...new Set(nulFields(await this.#git.run(["ls-files", "-z", "--", ...this.#scope.excluded])))];
  }

  async #submodulesIn(): Promise<readonly string[]> {
    const listed = nulFields(await this.#git.run(["ls-files", "--stage", "-z", "--", ...this.#scope.included]));
    return listed.filter((entry) => entry.startsWith("160000 ")).map((entry) => entry.slice(entry.indexOf("\t") + 1));
  }

  /** Untracked files that are not ignored and can be read, and nested repositories. */
  async #untracked(): Promise<{ readonly files: readonly string[]; readonly nested: readonly string[] }> {
    const args = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...this.#scope.included];
    const listed = nulFields(await this.#git.run(args));
    const files = listed.filter((name) => !name.endsWith("/"));
    const readable = await Promise.all(files.map((name) => isReadable(this.#git.repository.top, name)));
    return {
      files: files.filter((_name, i) => readable[i]),
      nested: listed.filter((name) => name.endsWith("/")),
    };
  }

  async #update(how: readonly string[], paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.#git.run(["update-index", ...how, "-z", "--stdin"], { input: nulTerminated(paths) });
  }

  /**
   * The index's tree below the workspace's root; the empty tree when nothing is there.
   *
   * @param isCopy it comes from the person's, where it may say of folders that they are trees which they are not
   */
  async #writeTree(isCopy: boolean): Promise<string> {
    const { prefix } = this.#git.repository;
    const afresh = isCopy ? ["--ignore-cache-tree"] : [];
    const args = ["write-tree", "--missing-ok", ...afresh, ...(prefix === "" ? [] : [`--prefix=${prefix}`])];
    const written = await this.#git.try(args);
    const isEmpty = written.exitCode !== 0 && /prefix .* not found/su.test(written.stderr);
    return isEmpty ? this.#git.emptyTree() : this.#git.succeeded(args, written).trim();
  }
}

/** Whether a path, a byte string, can be added: a file that we may read, or a symbolic link. */
async function isReadable(top: string, name: string): Promise<boolean> {
  const file = fileBelow(top, name);
  try {
    if (!(await lstat(file)).isSymbolicLink()) await access(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Only tells two states apart, by objects that are not checked: what the work may change is judged by the trees.
 *
 * @param base the commit or tree that HEAD names
 */
async function stagedByThem(git: PrivateGit, scope: Scope, base: string): Promise<StagedByThem> {
  const index = git.theirIndex;
  // Also reports what is only going to be added.
  const args = ["diff-index", "--cached", "-r", "--ita-visible-in-index", base];
  const unmerged = new Set<string>();
  const inScope: string[] = [];
  for (const { path: name, before, after, status } of await git.changes(args, { index })) {
    if (status === "U") unmerged.add(name);
    const raw = `:${before.mode} ${after.mode} ${before.object} ${after.object} ${status}`;
    if (scope.holds(name)) inScope.push(raw, name);
  }
  // A diff does not show the stages of a conflict.
  if (unmerged.size > 0)
    inScope.push(await git.run(["ls-files", "--unmerged", "-z", "--", ...scope.included], { index }));
  return { digest: digestOf(inScope), none: inScope.length === 0, unmerged: [...unmerged] };
}

function digestOf(fields: readonly string[]): string {
  return createHash("sha256").update(fields.join("\0"), "latin1").digest("hex");
}

/** The person's index agrees with their HEAD. */
export const NOTHING_STAGED: StagedByThem = { digest: digestOf([]), none: true, unmerged: [] };

/**
 * Makes our index a copy of the person's, with its time, rounded down: entries as young as their index are suspect to
 * git, which reads such files again.
 */
export async function copyTheirIndex({ index, theirIndex }: PrivateGit): Promise<void> {
  const info = await stat(theirIndex).catch(() => undefined);
  if (info === undefined) return rm(index, { force: true });
  await copyFile(theirIndex, index, constants.COPYFILE_FICLONE);
  await utimes(index, Math.floor(info.mtimeMs) / 1000, Math.floor(info.mtimeMs) / 1000);
  // A split index refers to its shared part, which is looked for beside our own.
  const folder = path.dirname(theirIndex);
  const shared = (await readdir(folder)).filter((name) => name.startsWith("sharedindex."));
  await Promise.all(shared.map((name) => copyFile(path.join(folder, name), path.join(index, "..", name))));
}

/** Tells two states of a file apart; `""` when it does not exist. */
async function signatureOf(file: string): Promise<string> {
  const info = await stat(file, { bigint: true }).catch(() => undefined);
  return info === undefined ? "" : [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ");
}
