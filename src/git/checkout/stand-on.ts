import { OperationalError } from "../../core/errors.ts";
import { done, failed, type Result } from "../../core/result.ts";
import { operationInProgress } from "../busy.ts";
import { isFile } from "../diff.ts";
import { sweepLocks } from "../locks/left-locks.ts";
import type { PrivateGit } from "../private-git.ts";
import { bringFilesTo, type CheckoutTrouble, noticesOf, refused } from "./bring-files.ts";
import { elsewhere, localTip, obstacleTo, putLocalOn } from "./local-branch.ts";

/** A checkout that is on a branch. */
export interface StoodOn {
  /** `begun`: the branch is new and begins at what was checked out; `moved`: its files were brought; `there`: it was */
  readonly how: "there" | "begun" | "moved";
  /** what a person has to know of it, in whole sentences */
  readonly notices: readonly string[];
}

/**
 * Puts the person's checkout on a local branch, which begins at HEAD where there is none of that name. All of it or
 * nothing; no hook or filter runs, and nothing is asked of the network. What is not committed stays where no file of the
 * branch is in its way. Idempotent.
 *
 * @param git prepared
 * @param branch one that `isBranchName` takes
 */
export async function standOn(git: PrivateGit, branch: string): Promise<Result<StoodOn, CheckoutTrouble>> {
  const of = { git, ref: `refs/heads/${branch}` };
  const swept = await sweepLocks(git.repository);
  const local = await localTip(of);
  if (local.isCheckedOut) return done({ how: "there", notices: swept });
  const operation = await operationInProgress(git.repository);
  if (operation !== undefined) return refused(branch, "busy", `a ${operation} is in progress`);
  const where = await elsewhere(of);
  if (where !== undefined) return refused(branch, "taken", `${where} has it checked out`);
  const head = await git.head();
  const tip = local.commit ?? head;
  if (tip === null) return refused(branch, "failed", "the repository has no commit that it could begin at");
  const obstacle = await obstacleTo(of, local, tip);
  if (obstacle !== undefined) return refused(branch, "failed", obstacle);
  const applied = tip === head ? done([]) : await bringFilesTo(localFiles(git, branch), tip);
  if (!applied.ok) return applied;
  const why = await putLocalOn(of, local, tip);
  if (why !== undefined) {
    const half = `The files are those of the branch ${branch} already, and HEAD could not be put on it: ${why}.`;
    return failed({ kind: "failed", because: `${half} The same command completes it.` });
  }
  const how = local.commit === null ? "begun" : "moved";
  return done({ how, notices: [...swept, ...(await noticesOf(git, applied.value))] });
}

/** Everything has to be here. */
function localFiles(git: PrivateGit, branch: string) {
  return {
    ...{ git, branch, signal: new AbortController().signal },
    differing: (from: string, to: string) => git.differing(from, to),
    fetch: async (changes: Awaited<ReturnType<typeof git.changes>>) => {
      const blobs = changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object);
      const here = await git.sizes([...new Set(blobs)]);
      const missing = blobs.filter((blob) => !here.has(blob)).length;
      if (missing === 0) return;
      throw new OperationalError({
        code: "GIT_FILES_MISSING",
        what: `The branch ${branch} cannot be checked out: ${missing} of its files are not in this clone. Nothing was changed.`,
        next: `Give git checkout ${branch}, which fetches them, then the command again.`,
      });
    },
  };
}
