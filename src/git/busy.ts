import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

const LOCK_WAIT_MS = 3_000;
const LOCK_PAUSE_MS = 50;

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

/** Another git command of the person is at work for as long as there is a lock. */
export async function waitForIndexLock({ gitDir }: Repository, done = "committed"): Promise<void> {
  const lock = path.join(gitDir, "index.lock");
  for (let waitedMs = 0; await exists(lock); waitedMs += LOCK_PAUSE_MS) {
    if (waitedMs >= LOCK_WAIT_MS)
      throw busy("another git command holds index.lock", `Wait for it, or delete ${lock} when there is none`, done);
    await sleep(LOCK_PAUSE_MS);
  }
}

function busy(what: string, next: string, done: string): OperationalError {
  return new OperationalError({
    code: "GIT_BUSY",
    what: `The loop's work cannot be ${done}: ${what}. It is in your work tree, unharmed.`,
    next: `${next}, then resume the loop.`,
  });
}
