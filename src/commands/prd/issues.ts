import { type Problem, UsageError } from "../../core/errors.ts";
import type { PrdIssue } from "../../prd/document.ts";
import { line, type Line, oneLine } from "../../views/plain-text.ts";

export function hasErrors(issues: readonly PrdIssue[]): boolean {
  return issues.some(({ severity }) => severity === "error");
}

/** Errors first, else in their order. */
export function ranked(issues: readonly PrdIssue[]): readonly PrdIssue[] {
  const of = (wanted: PrdIssue["severity"]) => issues.filter(({ severity }) => severity === wanted);
  return [...of("error"), ...of("warning")];
}

/** One line each: where, what, why, and the cure. @param folder of the PRD, seen from the workspace */
export function issueLines(folder: string, issues: readonly PrdIssue[]): readonly Line[] {
  return ranked(issues).map((issue) => {
    const { severity, cure } = issue;
    const text = `${placeOf(folder, issue)}: ${severity}: ${aboutOf(issue)} Next: ${cure}`;
    return line(oneLine(text), severity === "error" ? "bad" : "warn");
  });
}

/** Where it stands, as editors and compilers say it: `prd.json:12`. */
function placeOf(folder: string, { file, line: number }: PrdIssue): string {
  return `${folder}/${file}${number === null ? "" : `:${number}`}`;
}

/** What is the matter, with the path of the key, as a sentence. */
export function aboutOf({ path, reason }: PrdIssue): string {
  const why = /[.!?]$/u.test(reason) ? reason : `${reason}.`;
  return path === "" ? why : `${path}: ${why}`;
}

/** For machines. */
export function issuesAsJson(folder: string, issues: readonly PrdIssue[]): readonly object[] {
  return ranked(issues).map(({ severity, file, line: number, path, reason, cure, code }) => ({
    ...{ severity, file: `${folder}/${file}`, line: number },
    ...{ path, reason, cure, ...(code !== undefined && { code }) },
  }));
}

/** A PRD that is not taken, with every error in it. */
export function invalidPrd(folder: string, issues: readonly PrdIssue[]): UsageError {
  const errors = issues.filter(({ severity }) => severity === "error");
  return new UsageError(
    errors.map((issue): Problem => {
      const what = oneLine(`${placeOf(folder, issue)}: ${aboutOf(issue)}`);
      return { code: issue.code ?? "PRD_INVALID", what, next: oneLine(issue.cure) };
    }),
  );
}
