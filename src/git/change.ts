import type { Change } from "../core/state.ts";
import { isTestPath } from "../core/progress/test-paths.ts";

const STAT_LINES = 20;
const PATH_LIMIT = 160;

interface FileChange {
  readonly path: string;
  /** null for a binary file */
  readonly counts: { readonly added: number; readonly removed: number } | null;
}

/** Reads what `git diff-tree --numstat -z --no-renames` says, a byte string. */
export function parseNumstat(bytes: string): Change {
  const files = bytes.split("\0").flatMap((field): FileChange[] => {
    const match = /^(\d+|-)\t(\d+|-)\t(.+)$/su.exec(field);
    if (match === null) return [];
    const [, added = "", removed = "", name = ""] = match;
    const counts = added === "-" ? null : { added: Number(added), removed: Number(removed) };
    return [{ path: printable(name), counts }];
  });
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + (file.counts?.added ?? 0), 0),
    removed: files.reduce((sum, file) => sum + (file.counts?.removed ?? 0), 0),
    stat: statLines(files).join("\n"),
    only_tests: files.length > 0 && files.every(({ path }) => isTestPath(path)),
  };
}

function statLines(files: readonly FileChange[]): string[] {
  if (files.length <= STAT_LINES) return files.map(statLine);
  const shown = files.slice(0, STAT_LINES - 1);
  return [...shown.map(statLine), `… and ${files.length - shown.length} more files`];
}

function statLine(file: FileChange): string {
  return `${file.path} | ${file.counts === null ? "binary" : `+${file.counts.added} -${file.counts.removed}`}`;
}

/** A path for the eyes of people and prompts: one line, and not longer than it has to be. */
export function printable(bytes: string): string {
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1));
  return line.length <= PATH_LIMIT ? line : `…${Array.from(line).slice(-PATH_LIMIT).join("")}`;
}

/** The first few of many paths. */
export function printableList(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(printable).join(", ");
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
