import path from "node:path";
import { UsageError } from "../../core/errors.ts";
import type { Prd } from "../../core/story/story.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
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
