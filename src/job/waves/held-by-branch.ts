import { OperationalError, UsageError } from "../../core/errors.ts";
import { parsedJson } from "../../core/text.ts";
import { isPrdName, type Prd } from "../../core/story/story.ts";
import { branchOfPrd } from "../../core/story/wave-names.ts";
import { trailersIn } from "../../git/commit.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
import type { LandingGit } from "../../git/landing/landing-git.ts";
import { JSON_FILE, prdFolder } from "../../prd/folder.ts";
import { LIMITS } from "../../prd/shape.ts";

const WITHIN_MS = 60_000;
/** More PRDs are not looked for on one branch. */
const MOST_OTHERS = 20;

/**
 * The commits that a PRD's branch holds and the base does not.
 *
 * @throws UsageError `PRD_BRANCH` when another PRD lands there as well
 * @throws OperationalError `BRANCH_UNKNOWN`
 */
export async function heldByBranch(
  git: Pick<LandingGit, "since">,
  prd: Prd,
  base: CommitFiles,
  tip: string,
): Promise<ReadonlySet<string>> {
  const branch = branchOfPrd(prd);
  const since = await git.since(base.commit, tip, WITHIN_MS);
  if (!since.ok) {
    throw new OperationalError({
      code: "BRANCH_UNKNOWN",
      what: `What the branch ${branch} holds is not known: ${since.trouble.because}. No story was begun.`,
      next: "Run the workflow again when GitHub answers.",
    });
  }
  const others = new Set(since.value.flatMap(({ message }) => prdsIn(message)));
  others.delete(prd.name);
  for (const other of [...others].slice(0, MOST_OTHERS)) {
    const theirs = await branchAtBase(base, other);
    if (theirs === undefined || theirs === branch) throw sharedBranch(prd, other);
  }
  return new Set(since.value.map(({ commit }) => commit));
}

function prdsIn(message: string): readonly string[] {
  const named = trailersIn(message.trim()).matchAll(/^Smithers-Prd: (?<name>.+)$/gmu);
  return [...named].flatMap(({ groups }) => (isPrdName(groups?.["name"] ?? "") ? [groups?.["name"] ?? ""] : []));
}

/** Undefined: the base has no such PRD, for one because it was given another name. */
async function branchAtBase(base: CommitFiles, name: string): Promise<string | undefined> {
  const text = await base.text(`${base.repository.prefix}${prdFolder(name)}/${JSON_FILE}`, LIMITS.bytes);
  if (text === undefined) return undefined;
  const document = parsedJson(text);
  const said = typeof document === "object" && document !== null && "branchName" in document && document.branchName;
  return branchOfPrd({ name, branchName: typeof said === "string" ? said : null });
}

function sharedBranch(prd: Prd, other: string): UsageError {
  const branch = branchOfPrd(prd);
  return new UsageError({
    code: "PRD_BRANCH",
    what: `The branch ${branch} holds stories of the PRD ${other}, which are not merged: those of ${prd.name} would land among them. No story was begun.`,
    next: `Merge ${branch} first, or give branchName in ${prdFolder(prd.name)}/${JSON_FILE} another value.`,
  });
}
