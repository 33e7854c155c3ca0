import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, lstat, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { nulFields, nulTerminated } from "../platform/git.ts";
import { type PrivateGit, succeeded } from "./private-git.ts";
import type { Scope } from "./scope.ts";

/** The work tree as git objects, and the person's index, whose identity is a digest of its entries. */
export interface Staged {
  readonly tree: string;
  readonly index: string;
}

/**
 * Brings our own index to the state of the work tree.
 *
 * Our index begins as a copy of the person's, and begins so again whenever theirs has changed: it brings what git knows
 * about unchanged files, so that they need not be read, about files that a sparse checkout left out, and about large
 * files behind a filter. Nested repositories are not descended into.
 */
export class Staging {
  readonly #git: PrivateGit;
  readonly #scope: Scope;
  #seed: { readonly signature: string; readonly digest: string } | undefined;
  #tree: { readonly signature: string; readonly id: string } | undefined;

  constructor(git: PrivateGit, scope: Scope) {
    this.#git = git;
    this.#scope = scope;
  }

  async stage(): Promise<Staged> {
    const index = await this.#seedFromTheirs();
    const [changed, untracked] = await Promise.all([this.#changed(), this.#untracked()]);
    const gone = changed.filter((entry) => entry.status === "D").map((entry) => entry.path);
    const present = changed.filter((entry) => entry.status !== "D").map((entry) => entry.path);
    await removeEntries(this.#git, gone);
    await addFiles(this.#git, [...new Set([...present, ...untracked])]);
    return { index, tree: await this.#writeTree() };
  }

  /** Copies the person's index when it is not the one that ours began with; returns the digest of its entries. */
  async #seedFromTheirs(): Promise<string> {
    const theirs = path.join(this.#git.repository.gitDir, "index");
    const signature = await signatureOf(theirs);
    if (this.#seed?.signature === signature && (await signatureOf(this.#git.index)) !== "") return this.#seed.digest;
    await rm(`${this.#git.index}.lock`, { force: true });
    await (signature === "" ? rm(this.#git.index, { force: true }) : copyIndex(theirs, this.#git.index));
    const [entries, excluded] = await Promise.all([
      this.#git.run(["ls-files", "--stage", "-z", "--", ...this.#scope.included]),
      this.#scope.excluded.length === 0 ? "" : this.#git.run(["ls-files", "-z", "--", ...this.#scope.excluded]),
    ]);
    await removeEntries(this.#git, [...new Set(nulFields(excluded))]);
    const digest = createHash("sha256").update(entries, "latin1").digest("hex");
    this.#seed = { signature, digest };
    return digest;
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

  async #writeTree(): Promise<string> {
    const signature = await signatureOf(this.#git.index);
    if (this.#tree !== undefined && this.#tree.signature === signature) return this.#tree.id;
    const id = await writeTree(this.#git, this.#git.repository.prefix);
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

/** The index's tree below `prefix`; the empty tree when nothing is there. */
async function writeTree(git: PrivateGit, prefix: string): Promise<string> {
  const args = ["write-tree", "--missing-ok", ...(prefix === "" ? [] : [`--prefix=${prefix}`])];
  const written = await git.try(args);
  const empty = written.exitCode !== 0 && /prefix .* not found/su.test(written.stderr);
  return (empty ? await git.run(["mktree"]) : succeeded(args, written)).trim();
}

/** Tells two states of an index file apart, `""` when there is none. */
async function signatureOf(file: string): Promise<string> {
  const info = await stat(file, { bigint: true }).catch(() => undefined);
  return info === undefined ? "" : [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ");
}

/**
 * Copies the person's index with its time, rounded down: entries as young as their index are suspect to git, which
 * reads such files again.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, Math.floor(mtimeMs) / 1000, Math.floor(mtimeMs) / 1000);
  // A split index refers to its shared part, which is looked for beside our own.
  const shared = (await readdir(path.dirname(from))).filter((name) => name.startsWith("sharedindex."));
  await Promise.all(shared.map((name) => copyFile(path.join(path.dirname(from), name), path.join(to, "..", name))));
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
