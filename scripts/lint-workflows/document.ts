/** This Action, as others name it. */
export const OURS = "smithers/loop@v1";

/** A text that GitHub would read, in any file. */
export interface LintDocument {
  readonly kind: "action" | "workflow";
  /** its file, relative to the root */
  readonly file: string;
  /** of the document's first line in the file; 1-based */
  readonly line: number;
  /** how far it is moved to the left against the file */
  readonly indent: number;
  readonly text: string;
}

/** A mistake. Line and column are those of the document; both 1-based. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Where a mistake is in the file, and what it is. */
export function located(document: LintDocument, { line, column, message }: Mistake): string {
  return `${document.file}:${document.line + line - 1}:${column + document.indent}: ${message}`;
}
