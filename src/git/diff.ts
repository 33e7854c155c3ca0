import type { Change } from "../core/state.ts";
import { isCiFile } from "../core/progress/check-scripts.ts";
import { holdsTests, isTestPath } from "../core/progress/test-paths.ts";

/** A file as git holds it; what is not there has a mode of zeros. */
export interface Side {
  readonly mode: string;
  readonly object: string;
}

/** A file that differs between two trees, a tree and an index, or an index and the files. */
export interface FileChange {
  /** a byte string, relative to the top of what was compared */
  readonly path: string;
  readonly before: Side;
  readonly after: Side;
  /** `A`, `M`, `D`, `T`; `U`: it is in conflict */
  readonly status: string;
}

/** Reads what `--raw -z` says, a byte string; what other formats say behind it is left out. */
export function parseRawDiff(bytes: string): readonly FileChange[] {
  const fields = nulFields(bytes);
  const changes: FileChange[] = [];
  for (let i = 0; fields[i]?.startsWith(":") === true; i += 2) {
    const [path = "", raw = ""] = [fields[i + 1], fields[i]];
    const [oldMode = "", newMode = "", oldObject = "", newObject = "", status = ""] = raw.slice(1).split(" ");
    const before = { mode: oldMode, object: oldObject };
    changes.push({ path, before, after: { mode: newMode, object: newObject }, status });
  }
  return changes;
}

export function isAbsent(side: Side): boolean {
  return /^0+$/u.test(side.mode);
}

export function isSubmodule(side: Side): boolean {
  return side.mode === "160000";
}

/** A file or a symbolic link, not a submodule and not nothing. */
export function isFile(side: Side): boolean {
  return !isAbsent(side) && !isSubmodule(side);
}

/** What `git update-index --index-info` reads; what is absent is removed. */
export function indexLine(path: string, side: Side): string {
  return `${side.mode} ${side.object}\t${path}`;
}

/** The NUL-terminated fields of a byte string. */
export function nulFields(bytes: string): string[] {
  const fields = bytes.split("\0");
  fields.pop();
  return fields;
}

/** The other way round: what git reads with `-z`. */
export function nulTerminated(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join("");
}

/** The folders above a path, outermost first. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_part, i) => parts.slice(0, i + 1).join("/"));
}

/** A path, a byte string, for Node: below the folder `top`. */
export function fileBelow(top: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, "latin1")]);
}

/** A byte string as text. */
export function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The other way round. */
export function encoded(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** How changes are counted. */
export const NUMSTAT = ["-r", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];

const STAT_LINES = 20;
const PATH_LIMIT = 160;

interface Counted {
  readonly path: string;
  /** null for a binary file */
  readonly counts: { readonly added: number; readonly removed: number } | null;
}

/** Reads what `git diff-tree` says with `NUMSTAT`, and with `--raw` before it if it has that: byte strings. */
export function parseNumstat(bytes: string): Change {
  const files: Counted[] = [];
  let moreTests = 0;
  const fields = bytes.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? "";
    const [, status] = /^:\d{6} \d{6} [\da-f]+ [\da-f]+ ([A-Z])$/u.exec(field) ?? [];
    if (status === undefined) {
      files.push(...countedIn(field));
      continue;
    }
    // The path is a field of its own. What was only moved is gone elsewhere.
    at += 1;
    if (holdsTests(printable(fields[at] ?? ""))) moreTests += Number(status === "A") - Number(status === "D");
  }
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + (file.counts?.added ?? 0), 0),
    removed: files.reduce((sum, file) => sum + (file.counts?.removed ?? 0), 0),
    stat: statLines(files).join("\n"),
    only_tests: files.length > 0 && files.every(({ path }) => isTestPath(path)),
    ...(moreTests > 0 ? { added_tests: moreTests } : {}),
  };
}

function countedIn(field: string): readonly Counted[] {
  const match = /^(\d+|-)\t(\d+|-)\t(.+)$/su.exec(field);
  if (match === null) return [];
  const [, added = "", removed = "", name = ""] = match;
  const counts = added === "-" || removed === "-" ? null : { added: Number(added), removed: Number(removed) };
  return [{ path: printable(name), counts }];
}

function statLines(files: readonly Counted[]): string[] {
  if (files.length <= STAT_LINES) return files.map(statLine);
  // What judges the work is what people look for among many.
  const judges = ({ path }: Counted): boolean => isTestPath(path) || isCiFile(path);
  const shown = files.toSorted((a, b) => Number(judges(b)) - Number(judges(a))).slice(0, STAT_LINES - 1);
  return [...shown.map(statLine), `… and ${files.length - shown.length} more files`];
}

function statLine(file: Counted): string {
  return `${file.path} | ${file.counts === null ? "binary" : `+${file.counts.added} -${file.counts.removed}`}`;
}

/** A path, a byte string, for people and prompts: one line, shortened if it is long. */
export function printable(bytes: string): string {
  const line = decoded(bytes).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character < " " ? JSON.stringify(character).slice(1, -1) : escapedUnits(character),
  );
  return line.length <= PATH_LIMIT ? line : `…${Array.from(line).slice(-PATH_LIMIT).join("")}`;
}

/** JSON leaves most of what nobody sees as it is. */
function escapedUnits(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The first few of many paths. */
export function printableList(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(printable).join(", ");
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
