import path from "node:path";
import { UsageError } from "../../core/errors.ts";
import type { Prd } from "../../core/story/story.ts";
import { branchOfPrd } from "../../core/story/wave-names.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
import { branchOfRun, type GithubContext } from "../../github/context.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { JSON_FILE, prdFolder, readPrd } from "../../prd/folder.ts";

/**
 * The PRD as of the base: what a branch says of its own stories and commands counts when somebody has merged it. Each
 * problem of its documents, and where they differ from one another, becomes an annotation at its line.
 *
 * @param files null: there is no commit
 * @throws UsageError `PRD_NOT_ON_BASE`, `PRD_INVALID`; OperationalError `PRD_TOO_LARGE`
 */
export async function prdAtBase(
  files: CommitFiles | null,
  name: string,
  log: Pick<RunnerLog, "error" | "warning">,
): Promise<Prd> {
  const { top = path.sep, prefix = "" } = files?.repository ?? {};
  const readOriginal = async (file: string, limit: number) => ({
    text: await files?.text(path.relative(top, file).split(path.sep).join("/"), limit),
  });
  const { document, issues } = await readPrd(path.join(top, prefix), name, { readOriginal });
  const folder = `${prefix}${prdFolder(name)}`;
  for (const { severity, file, line, path: at, reason, cure } of issues) {
    const place = { title: `PRD ${name}`, file: `${folder}/${file}`, ...(line === null ? {} : { line }) };
    log[severity](`${at === "" ? "" : `${at}: `}${reason}. ${cure}`, place);
  }
  if (document !== undefined) return document.prd;
  const errors = issues.filter(({ severity }) => severity === "error").length;
  throw new UsageError({
    code: "PRD_INVALID",
    what: `${folder}/${JSON_FILE} has ${errors === 1 ? "a mistake" : `${errors} mistakes`}, told above. No story was begun.`,
    next: "Correct it on the branch that the workflow runs on; smithers prd validate shows the same on your machine.",
  });
}

/**
 * Only what is on the default branch counts: the next wave is started there.
 *
 * @throws UsageError `NOT_ON_DEFAULT_BRANCH`
 */
export function requireDefaultBranch(context: Pick<GithubContext, "ref" | "event">): void {
  const { defaultBranch } = context.event;
  if (defaultBranch === null || context.ref === `refs/heads/${defaultBranch}`) return;
  throw new UsageError({
    code: "NOT_ON_DEFAULT_BRANCH",
    what: `This run is for ${context.ref}, and a PRD is the one that is merged into ${defaultBranch}. No story was begun.`,
    next: `Merge the PRD into ${defaultBranch}, then start the workflow there.`,
  });
}

/**
 * The branch onto which the stories of a PRD land.
 *
 * @throws UsageError `PRD_BRANCH` when that is the one that they are merged into
 */
export function ownBranchOf(prd: Prd, context: Pick<GithubContext, "ref" | "event">): string {
  const branch = branchOfPrd(prd);
  if (branch !== branchOfRun(context) && branch !== context.event.defaultBranch) return branch;
  throw new UsageError({
    code: "PRD_BRANCH",
    what: `The stories of ${prd.name} would land on ${branch} itself, without a pull request. Nothing was done.`,
    next: `Give branchName in ${prdFolder(prd.name)}/${JSON_FILE} another value, or leave it out.`,
  });
}
