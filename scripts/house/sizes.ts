import path from "node:path/posix";
import { Visitor } from "oxc-parser";
import { atMost, type Row } from "./row.ts";
import { blanked, lineAt, linesOf, type SourceFile } from "./tree.ts";

const FILE_LINES = 400;
const FUNCTION_LINES = 60;
const FILES_IN_A_FOLDER = 25;
/** A file with fewer lines is short. */
const SHORT = 40;
const SHORT_PER_CENT = 12;

/** How a function is let off; what says so tells why. */
const EXEMPT = "oxlint-disable-next-line max-lines-per-function --";

/** No file, no function and no folder is too big, and few files are short. */
export function sizes(tree: readonly SourceFile[]): readonly Row[] {
  return [shortFiles(tree), folders(tree), files(tree), functions(tree)];
}

function shortFiles(tree: readonly SourceFile[]): Row {
  const short = tree.map(({ file, text }) => ({ file, size: linesOf(text) })).filter(({ size }) => size < SHORT);
  const share = tree.length === 0 ? 0 : (100 * short.length) / tree.length;
  return {
    what: `files under ${SHORT} lines`,
    now: `${share.toFixed(1)} %`,
    limit: `≤ ${SHORT_PER_CENT} %`,
    holds: share <= SHORT_PER_CENT,
    places: bySize(short, "lines").toReversed(),
  };
}

function folders(tree: readonly SourceFile[]): Row {
  const inside = new Map<string, number>();
  for (const { file } of tree) inside.set(path.dirname(file), (inside.get(path.dirname(file)) ?? 0) + 1);
  const sized = Array.from(inside, ([folder, size]) => ({ file: folder, size }));
  return biggest("files in one folder", FILES_IN_A_FOLDER, sized, "files");
}

function files(tree: readonly SourceFile[]): Row {
  const sized = tree.map(({ file, text }) => ({ file, size: linesOf(text) }));
  return biggest("lines of a file", FILE_LINES, sized, "lines");
}

/** Blank lines and comments are not counted, as the linter does it; what the linter is told to pass over is passed over. */
function functions(tree: readonly SourceFile[]): Row {
  const sized = tree.flatMap(({ file, text, program, comments }) => {
    const code = blanked(text, comments);
    const found: Sized[] = [];
    const count = ({ start, end }: { readonly start: number; readonly end: number }): void => {
      const line = lineAt(text, start);
      if (text.split("\n")[line - 2]?.includes(EXEMPT) === true) return;
      const lines = code.slice(start, end).split("\n");
      found.push({ file: `${file}:${line}`, size: lines.filter((each) => each.trim() !== "").length });
    };
    new Visitor({ FunctionDeclaration: count, FunctionExpression: count, ArrowFunctionExpression: count }).visit(
      program,
    );
    return found;
  });
  return biggest("lines of a function", FUNCTION_LINES, sized, "lines");
}

interface Sized {
  readonly file: string;
  readonly size: number;
}

function biggest(what: string, limit: number, sized: readonly Sized[], unit: string): Row {
  const over = sized.filter(({ size }) => size > limit);
  return atMost(limit, what, Math.max(0, ...sized.map(({ size }) => size)), bySize(over, unit));
}

function bySize(sized: readonly Sized[], unit: string): readonly string[] {
  return sized.toSorted((one, other) => other.size - one.size).map(({ file, size }) => `${file}: ${size} ${unit}`);
}
