import path from "node:path";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, lstat, readdir, rm, stat, utimes } from "node:fs/promises";
import type { Snapshot } from "../core/state.ts";
import { type FileChange, fileBelow, nulFields, nulTerminated } from "./diff.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./repository.ts";

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
}

export function snapshotOf({ head, tree, theirs }: Staged): Snapshot {
  const id = createHash("sha256").update([head, theirs.digest, tree].join("\n")).digest("hex");
  return { id, tree, head };
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

  constructor(git: PrivateGit, scope: Scope) {
    this.theirs = new TheirIndex(git, scope);
    this.#git = git;
    this.#scope = scope;
  }

  async stage(): Promise<Staged> {
    const head = await this.#git.head();
    const base = head ?? (await this.#git.emptyTree());
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
    return { head, base, theirs, tree: await this.#writeTree(), touched: [...this.#touched] };
  }

  /**
   * Says that the person's index was brought to `commit`, a commit of what was staged last: ours still stands for it.
   *
   * @param before the index's signature before that
   */
  async committed(commit: string, before: string): Promise<StagedByThem> {
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

  /** Tracked paths that may have changed. */
  #changed(): Promise<readonly FileChange[]> {
    // "dirty": a submodule counts by the commit it is at; to look into it, git would obey its configuration.
    return this.#git.changes(["diff-files", "--ignore-submodules=dirty", "--", ...this.#scope.included]);
  }

  /** Untracked files that are not ignored and can be read. */
  async #untracked(): Promise<readonly string[]> {
    const args = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...this.#scope.included];
    // What ends with a slash is a nested repository.
    const files = nulFields(await this.#git.run(args)).filter((name) => !name.endsWith("/"));
    const readable = await Promise.all(files.map((name) => isReadable(this.#git.repository.top, name)));
    return files.filter((_name, i) => readable[i]);
  }

  /** The index's tree below the workspace's root; the empty tree when nothing is there. */
  async #writeTree(): Promise<string> {
    const signature = await signatureOf(this.#git.index);
    if (this.#tree !== undefined && this.#tree.signature === signature) return this.#tree.id;
    const { prefix } = this.#git.repository;
    const args = ["write-tree", "--missing-ok", ...(prefix === "" ? [] : [`--prefix=${prefix}`])];
    const written = await this.#git.try(args);
    const isEmpty = written.exitCode !== 0 && /prefix .* not found/su.test(written.stderr);
    const id = isEmpty ? await this.#git.emptyTree() : this.#git.succeeded(args, written).trim();
    // Git notes the trees in the index, which is another file now.
    this.#tree = { signature: await signatureOf(this.#git.index), id };
    return id;
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

/** How the person's index differs from their HEAD. */
export interface StagedByThem {
  /** of the differences within the scope; equal for equal ones */
  readonly digest: string;
  /** whether there are none */
  readonly none: boolean;
  /** paths in conflict, byte strings, within the scope or not */
  readonly unmerged: readonly string[];
}

/** The person's index, which is read again only when it, or their HEAD, is another one. */
export class TheirIndex {
  readonly file: string;
  readonly #git: PrivateGit;
  readonly #scope: Scope;
  #read: { readonly signature: string; readonly base: string; readonly staged: StagedByThem } | undefined;

  constructor(git: PrivateGit, scope: Scope) {
    this.#git = git;
    this.#scope = scope;
    this.file = path.join(git.repository.gitDir, "index");
  }

  signature(): Promise<string> {
    return signatureOf(this.file);
  }

  /** @param base the commit or tree that HEAD names */
  async stagedSince(base: string, signature: string): Promise<StagedByThem> {
    if (this.#read?.signature === signature && this.#read.base === base) return this.#read.staged;
    // What is only going to be added is told as well.
    const args = ["diff-index", "--cached", "-r", "--ita-visible-in-index", base];
    const unmerged = new Set<string>();
    const inScope: string[] = [];
    for (const { path: name, before, after, status } of await this.#git.changes(args, { index: this.file })) {
      if (status === "U") unmerged.add(name);
      const raw = `:${before.mode} ${after.mode} ${before.object} ${after.object} ${status}`;
      if (this.#scope.holds(name)) inScope.push(raw, name);
    }
    if (unmerged.size > 0) inScope.push(await this.#stages());
    const staged = { digest: digestOf(inScope), none: inScope.length === 0, unmerged: [...unmerged] };
    this.#read = { signature, base, staged };
    return staged;
  }

  /** Notes, without reading, that the index agrees with `commit` within the scope and that nothing is in conflict. */
  agreesWith(commit: string, signature: string): StagedByThem {
    const staged = { digest: digestOf([]), none: true, unmerged: [] };
    this.#read = { signature, base: commit, staged };
    return staged;
  }

  /**
   * Copies it with its time, rounded down: entries as young as their index are suspect to git, which reads such files
   * again.
   */
  async copyTo(copy: string): Promise<void> {
    const info = await stat(this.file).catch(() => undefined);
    if (info === undefined) return rm(copy, { force: true });
    await copyFile(this.file, copy, constants.COPYFILE_FICLONE);
    await utimes(copy, Math.floor(info.mtimeMs) / 1000, Math.floor(info.mtimeMs) / 1000);
    // A split index refers to its shared part, which is looked for beside our own.
    const folder = path.dirname(this.file);
    const shared = (await readdir(folder)).filter((name) => name.startsWith("sharedindex."));
    await Promise.all(shared.map((name) => copyFile(path.join(folder, name), path.join(copy, "..", name))));
  }

  /** What the stages of a conflict hold, which differences do not tell. */
  #stages(): Promise<string> {
    return this.#git.run(["ls-files", "--unmerged", "-z", "--", ...this.#scope.included], { index: this.file });
  }
}

/** Tells two states of a file apart, `""` when there is none. */
export async function signatureOf(file: string): Promise<string> {
  const info = await stat(file, { bigint: true }).catch(() => undefined);
  return info === undefined ? "" : [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ");
}

function digestOf(fields: readonly string[]): string {
  return createHash("sha256").update(fields.join("\0"), "latin1").digest("hex");
}
