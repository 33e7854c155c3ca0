import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { exists } from "../os/file-errors.ts";
import { printableList } from "./diff.ts";
import type { Repository } from "./repository.ts";

const IN_PROGRESS = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/**
 * A merge, rebase or the like is the person's to finish: the next commit has to be theirs.
 *
 * @param unmerged paths of their index that are in conflict, byte strings
 * @param done what cannot be done with the work meanwhile
 */
export async function refuseInProgress(
  repository: Repository,
  unmerged: readonly string[],
  done = "committed",
): Promise<void> {
  const operation = await operationInProgress(repository);
  if (operation !== undefined) throw busy(`a ${operation} is in progress`, `Finish or abort the ${operation}`, done);
  if (unmerged.length > 0) throw busy(`${printableList(unmerged)} is in conflict`, "Resolve it and `git add` it", done);
}

/** What the person has started and not finished, in a word: `merge`. */
export async function operationInProgress({ gitDir }: Repository): Promise<string | undefined> {
  for (const [file, operation] of IN_PROGRESS) {
    if (await exists(path.join(gitDir, file))) return operation;
  }
  return undefined;
}

function busy(what: string, next: string, done: string): OperationalError {
  return new OperationalError({
    code: "GIT_BUSY",
    what: `The loop's work cannot be ${done}: ${what}. It is in your work tree, unharmed.`,
    next: `${next}, then resume the loop.`,
  });
}
