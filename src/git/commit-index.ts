import { rm } from "node:fs/promises";
import path from "node:path";
import { nulTerminated } from "./git.ts";
import { type Difference, indexLine, isAbsent, isSubmodule } from "./difference.ts";
import type { PrivateGit } from "./private-git.ts";
import { signatureOf } from "./their-index.ts";

/** The index that commits are built in: always the last commit and what has changed since. */
export class CommitIndex {
  readonly #git: PrivateGit;
  readonly #file: string;
  /** what it holds, and the file's signature then */
  #held: { readonly commit: string; readonly signature: string } | undefined;

  constructor(git: PrivateGit) {
    this.#git = git;
    this.#file = path.join(git.folder, "commit-index");
  }

  /** Writes the tree of `head` with the differences, and all that is new in it, into the person's repository. */
  async write(head: string | null, differences: readonly Difference[]): Promise<string> {
    const files = differences.filter(({ indexed }) => !isAbsent(indexed) && !isSubmodule(indexed));
    const others = differences.filter(({ indexed }) => isAbsent(indexed) || isSubmodule(indexed));
    await this.#beginWith(head);
    await this.#update(
      "--index-info",
      others.map(({ path, indexed }) => indexLine(path, indexed)),
    );
    await this.#update(
      "--stdin",
      files.map((difference) => difference.path),
    );
    return (await this.#run(["write-tree", "--missing-ok"])).trim();
  }

  /** Says that what was written last has become this commit. */
  async holds(commit: string): Promise<void> {
    this.#held = { commit, signature: await signatureOf(this.#file) };
  }

  async #beginWith(head: string | null): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined && held.commit === head && held.signature === (await signatureOf(this.#file))) return;
    // Of a run that was killed; nobody else uses this index.
    await rm(`${this.#file}.lock`, { force: true });
    await this.#run(["read-tree", head ?? "--empty"]);
  }

  async #update(from: "--index-info" | "--stdin", fields: readonly string[]): Promise<void> {
    if (fields.length === 0) return;
    // Here names that are dangerous elsewhere are refused.
    const args = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", "update-index"];
    const how = ["--add", ...(from === "--stdin" ? ["--remove"] : []), "--replace", "-z", from];
    await this.#run([...args, ...how], nulTerminated(fields));
  }

  #run(args: readonly string[], input = ""): Promise<string> {
    return this.#git.run(args, { index: this.#file, objects: "theirs", input });
  }
}
