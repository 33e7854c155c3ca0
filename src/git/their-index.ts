import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { nulFields } from "./git.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./scope.ts";

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
    const args = ["diff-index", "--cached", "--raw", "-r", "-z", "--no-renames", "--ita-visible-in-index", base];
    const fields = nulFields(await this.#git.run(args, { index: this.file }));
    const unmerged = new Set<string>();
    const inScope: string[] = [];
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const [raw = "", name = ""] = [fields[i], fields[i + 1]];
      if (raw.endsWith(" U")) unmerged.add(name);
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
