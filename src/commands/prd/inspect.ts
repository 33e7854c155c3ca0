import { OperationalError, UsageError } from "../../core/errors.ts";
import type { PrdDocument, PrdIssue } from "../../prd/document.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder, readPrd } from "../../prd/folder.ts";

/** A PRD with everything that is the matter with it. */
export interface Inspected {
  /** undefined: it cannot be read */
  readonly document: PrdDocument | undefined;
  readonly issues: readonly PrdIssue[];
}

/** Looks at a PRD among others: what keeps it from being read is an issue of it, and ends nothing. */
export async function inspected(root: string, name: string): Promise<Inspected> {
  try {
    return await readPrd(root, name);
  } catch (error) {
    return { document: undefined, issues: problemsOf(error).map((problem) => unreadable(prdFolder(name), problem)) };
  }
}

function problemsOf(error: unknown): readonly { readonly what: string; readonly next: string }[] {
  if (error instanceof UsageError) return error.problems;
  if (error instanceof OperationalError) return [{ what: error.message, next: error.next }];
  throw error;
}

function unreadable(folder: string, { what, next: cure }: { readonly what: string; readonly next: string }): PrdIssue {
  const file = what.startsWith(`${folder}/${MARKDOWN_FILE} `) ? MARKDOWN_FILE : JSON_FILE;
  // An issue's file is told in front of it.
  const told = `${folder}/${file} `;
  const reason = what.startsWith(told) ? `it ${what.slice(told.length)}` : what;
  return { severity: "error", file, line: null, path: "", reason, cure };
}
