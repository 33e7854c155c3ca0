import { constants } from "node:fs";
import { access, lstat, rm } from "node:fs/promises";
import { nulFields, nulTerminated } from "./git.ts";
import { type Difference, differencesIn } from "./difference.ts";
import { type PrivateGit, succeeded } from "./private-git.ts";
import type { Scope } from "./scope.ts";
import { signatureOf, type StagedByThem, TheirIndex } from "./their-index.ts";

/** How changes are counted. */
export const NUMSTAT = ["-r", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** The work tree as git objects, and how the person's index and HEAD stand to it. */
export interface Staged {
  /** the commit that HEAD names; null before the first */
  readonly head: string | null;
  /** the same, or the empty tree */
  readonly base: string;
  readonly tree: string;
  readonly theirs: StagedByThem;
  /** paths, byte strings, that have been staged since our index was the same as theirs */
  readonly touched: readonly string[];
  /** tells our index from that of another moment */
  readonly index: string;
  /** the tree that was staged before, and what has changed since; undefined where that is not known */
  readonly since: { readonly tree: string; readonly numstat: string } | undefined;
  /** what differs from `base` within the scope, where that is known already */
  readonly differences: readonly Difference[] | undefined;
}

/**
 * Brings our own index to the state of the work tree.
 *
 * Our index begins as a copy of the person's, and begins so again whenever theirs has changed: it brings what git knows
 * about unchanged files, so that they need not be read, about files that a sparse checkout left out, and about large
 * files behind a filter. Nested repositories are not descended into.
 */
export class Staging {
  readonly theirs: TheirIndex;
  readonly #git: PrivateGit;
  readonly #scope: Scope;
  /** signature of the person's index that ours stands for */
  #seed: string | undefined;
  #touched = new Set<string>();
  #tree: { readonly signature: string; readonly id: string } | undefined;
  #last: Staged | undefined;
  /** the last commit of ours, if our index has stood for it, and its tree */
  #committed: { readonly commit: string; readonly tree: string } | undefined;

  constructor(git: PrivateGit, scope: Scope) {
    this.theirs = new TheirIndex(git, scope);
    this.#git = git;
    this.#scope = scope;
  }

  /** What was staged last. */
  get last(): Staged | undefined {
    return this.#last;
  }

  async stage(): Promise<Staged> {
    const head = await this.#git.head();
    const base = head ?? (await this.#git.run(["mktree"])).trim();
    const signature = await this.theirs.signature();
    const isNew = this.#seed !== signature || (await signatureOf(this.#git.index)) === "";
    if (isNew) await this.#beginWithTheirs(signature);
    const [theirs, changed, untracked, excluded] = await Promise.all([
      this.theirs.stagedSince(base, signature),
      this.#changed(),
      this.#untracked(),
      // They come with a copy of the person's index, and stay away.
      isNew ? this.#excluded() : [],
    ]);
    const gone = changed.filter((entry) => entry.status === "D").map((entry) => entry.path);
    const present = changed.filter((entry) => entry.status !== "D").map((entry) => entry.path);
    for (const name of [...gone, ...present, ...untracked]) this.#touched.add(name);
    await removeEntries(this.#git, [...gone, ...excluded]);
    await addFiles(this.#git, [...new Set([...present, ...untracked])]);
    const moved = gone.length + present.length + untracked.length > 0;
    // Nearly always asked for next, and read from the index while its tree is being written.
    const since = moved ? this.#changesSince(this.#last?.tree) : undefined;
    const { id: tree, signature: index } = await this.#writeTree();
    const changes = await since;
    const isFromBase = this.#committed?.commit === base && this.#committed.tree === changes?.tree;
    const differences = isFromBase ? changes?.differences : undefined;
    this.#last = { head, base, theirs, tree, touched: [...this.#touched], index, since: changes, differences };
    return this.#last;
  }

  /**
   * Says that the person's index was brought to `commit`, a commit of what was staged last: ours still stands for it.
   *
   * @param tree the commit's
   * @param before the index's signature before that
   */
  async landed(commit: string, tree: string, before: string): Promise<StagedByThem> {
    this.#committed = { commit, tree };
    const signature = await this.theirs.signature();
    // Somebody else's change in between has still to be copied.
    this.#seed = this.#seed === before ? signature : undefined;
    this.#touched.clear();
    return this.theirs.agreesWith(commit, signature);
  }

  async #beginWithTheirs(signature: string): Promise<void> {
    await rm(`${this.#git.index}.lock`, { force: true });
    await this.theirs.copyTo(this.#git.index);
    this.#seed = signature;
    this.#touched.clear();
  }

  /** Paths of our index that are not to be in it. */
  async #excluded(): Promise<readonly string[]> {
    if (this.#scope.excluded.length === 0) return [];
    return [...new Set(nulFields(await this.#git.run(["ls-files", "-z", "--", ...this.#scope.excluded])))];
  }

  async #changesSince(tree: string | undefined) {
    // The index is that of the whole repository.
    if (tree === undefined || this.#git.repository.prefix !== "") return undefined;
    const found = await this.#git.try(["diff-index", "--cached", "--raw", ...NUMSTAT, tree]).catch(() => undefined);
    if (found?.exitCode !== 0) return undefined;
    const differences = differencesIn(found.stdout);
    const numstat = nulTerminated(nulFields(found.stdout).slice(2 * differences.length));
    return { tree, numstat, differences };
  }

  /** Tracked paths that may have changed. */
  async #changed(): Promise<readonly { readonly status: string; readonly path: string }[]> {
    // "dirty": a submodule counts by the commit it is at; to look into it, git would obey its configuration.
    const args = ["diff-files", "--name-status", "-z", "--no-renames", "--ignore-submodules=dirty"];
    const fields = nulFields(await this.#git.run([...args, "--", ...this.#scope.included]));
    const changed = [];
    for (let i = 0; i + 1 < fields.length; i += 2) changed.push({ status: fields[i] ?? "", path: fields[i + 1] ?? "" });
    return changed;
  }

  /** Untracked files that are not ignored and can be read. */
  async #untracked(): Promise<readonly string[]> {
    const args = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...this.#scope.included];
    // What ends with a slash is a nested repository.
    const files = nulFields(await this.#git.run(args)).filter((name) => !name.endsWith("/"));
    const readable = await Promise.all(files.map((name) => isReadable(this.#git.repository.top, name)));
    return files.filter((_name, i) => readable[i]);
  }

  async #writeTree(): Promise<{ readonly signature: string; readonly id: string }> {
    const signature = await signatureOf(this.#git.index);
    if (this.#tree !== undefined && this.#tree.signature === signature) return this.#tree;
    const id = await writeTree(this.#git, this.#git.repository.prefix);
    // Git notes the trees in the index, which is another file now.
    this.#tree = { signature: await signatureOf(this.#git.index), id };
    return this.#tree;
  }
}

/** Removes entries from an index. Paths are byte strings. */
async function removeEntries(git: PrivateGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await git.run(["update-index", "--force-remove", "-z", "--stdin"], { input: nulTerminated(paths) });
}

async function addFiles(git: PrivateGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await git.run(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], { input: nulTerminated(paths) });
}

/** The index's tree below `prefix`; the empty tree when nothing is there. */
async function writeTree(git: PrivateGit, prefix: string): Promise<string> {
  const args = ["write-tree", "--missing-ok", ...(prefix === "" ? [] : [`--prefix=${prefix}`])];
  const written = await git.try(args);
  const empty = written.exitCode !== 0 && /prefix .* not found/su.test(written.stderr);
  return (empty ? await git.run(["mktree"]) : succeeded(args, written)).trim();
}

/** Whether a path, a byte string, can be added: a file that we may read, or a symbolic link. */
async function isReadable(top: string, name: string): Promise<boolean> {
  const file = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, "latin1")]);
  try {
    if (!(await lstat(file)).isSymbolicLink()) await access(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
