import { rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import type { TestListing, TestQuery } from "../../core/progress/test-files.ts";
import { locking } from "../locks/locks.ts";
import { fileBelow, nulFields } from "../diff.ts";
import { checkedId } from "../git.ts";
import { PrivateGit } from "../private-git.ts";
import type { Repository } from "../repository.ts";
import { testFilesIn } from "../test-files.ts";
import { rootsOf } from "../true-trees.ts";
import { resetToTree, said } from "../work-tree/apply-tree.ts";

/**
 * The job's checkout, in which commits are proved one after the other. No hook or filter runs; what git ignores, such as
 * installed dependencies, stays, and so does what was not tracked when it was opened.
 */
export class ProvingGround {
  readonly #git: PrivateGit;
  readonly #before: ReadonlySet<string>;

  private constructor(git: PrivateGit, before: ReadonlySet<string>) {
    this.#git = git;
    this.#before = before;
  }

  /** @param folder where our git directory is kept, absolute; made when it is missing */
  static async open(repository: Repository, folder: string): Promise<ProvingGround> {
    const git = new PrivateGit(repository, path.join(folder, "git"));
    await git.prepare();
    return new ProvingGround(git, new Set(await untracked(git)));
  }

  /** As whom commits are made here. */
  async author() {
    return (await this.#git.settings()).author;
  }

  /**
   * The files of a commit that is here that have a say in what checks find (C21); null: not known.
   *
   * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
   */
  async tests(commit: string, query: TestQuery): Promise<TestListing | null> {
    await this.#git.prepare();
    const tree = await this.#git.reading(async (read) => (await rootsOf(read, [commit])).get(commit));
    return tree === undefined ? null : testFilesIn(this.#git, tree, query);
  }

  /** Takes the objects of a pack, a byte string, into the repository. */
  async give(pack: string): Promise<void> {
    await this.#git.prepare();
    await this.#git.run(["unpack-objects", "-q"], { objects: "theirs", input: pack });
  }

  /**
   * Puts HEAD, detached, index and files on a commit that is here, and removes what checks have left.
   *
   * @throws OperationalError `NOT_CHECKED_OUT`
   */
  async standAt(commit: string): Promise<void> {
    const git = this.#git;
    await git.prepare();
    const env = await git.committer();
    const args = ["update-ref", "--no-deref", "-m", "smithers: proving", "HEAD", commit];
    const moved = await locking(git.repository, ["index", "HEAD"], async () => {
      const brought = await resetToTree(git, checkedId(commit));
      return brought.exitCode === 0 ? git.tryTheirs(args, { env }) : brought;
    });
    if (moved.exitCode !== 0) throw notThere(commit, said(moved.stderr));
    const { top } = git.repository;
    const left = (await untracked(git)).filter((name) => !this.#before.has(name));
    await Promise.all(left.map((name) => rm(fileBelow(top, name), { recursive: true, force: true })));
  }
}

/** Files, and repositories within, that git neither tracks nor ignores; byte strings. */
async function untracked(git: PrivateGit): Promise<readonly string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  return nulFields(await git.run(args, { index: git.theirIndex }));
}

function notThere(commit: string, because: string): OperationalError {
  return new OperationalError({
    code: "NOT_CHECKED_OUT",
    what: `Commit ${commit.slice(0, 12)} could not be checked out to be proved: ${because}. Nothing of it has landed.`,
    next: "Run the closing job again on a fresh machine; it goes on where this one has stopped.",
  });
}
