import { type ArrayPattern, type Expression, Visitor } from "oxc-parser";
import { atMost, type Row } from "./row.ts";
import type { SourceFile } from "./tree.ts";

/** Something that one file does for all, known by what such code cannot avoid to write. */
interface Duty {
  readonly what: string;
  readonly isDoneIn: (written: Written) => boolean;
}

/** What is looked at in a file. */
interface Written {
  readonly strings: ReadonlySet<string>;
  /** the strings that are first in a list, as the verb is in a list of arguments */
  readonly verbs: ReadonlySet<string>;
  /** regular expressions */
  readonly patterns: readonly string[];
  /** how many parts it names at most of a text that it splits at spaces */
  readonly parts: number;
}

/** An expression for two modes behind a colon. */
const RAW_RECORD = /^\^?:\(?\S*?(?:\\d|\[0-[79]\]|\\S)\S* \(?\S*?(?:\\d|\[0-[79]\]|\\S)/u;

const DUTIES: readonly Duty[] = [
  {
    // `:mode mode object object status`, cut at the spaces or by an expression.
    what: "files that parse git's raw diff",
    isDoneIn: ({ parts, patterns }) => parts >= 4 || patterns.some((pattern) => RAW_RECORD.test(pattern)),
  },
  {
    // `--batch-check` tells sizes only, and is read line by line.
    what: "files that read `git cat-file --batch`",
    isDoneIn: ({ strings }) => [...strings].some((text) => /^--batch(?:=|$|-command)/u.test(text)),
  },
  {
    // `read-tree` writes files with `-u` only; the other two exist for it.
    what: "files that lay a tree over the work tree",
    isDoneIn: ({ strings, verbs }) =>
      strings.has("checkout-index") ||
      verbs.has("apply") ||
      (strings.has("read-tree") && [...strings].some((text) => /^-[a-z]*u[a-z]*$/u.test(text))),
  },
];

/** What has to be done in one place is. */
export function singlePlaces(tree: readonly SourceFile[]): readonly Row[] {
  const written = tree.map((source) => ({ file: source.file, written: writtenIn(source) }));
  return DUTIES.map(({ what, isDoneIn }) => {
    const places = written.filter((file) => isDoneIn(file.written)).map(({ file }) => file);
    return atMost(1, what, places.length, places);
  });
}

function writtenIn({ program }: SourceFile): Written {
  const strings = new Set<string>();
  const verbs = new Set<string>();
  const patterns: string[] = [];
  let parts = 0;
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") strings.add(node.value);
      if ("regex" in node) patterns.push(node.regex.pattern);
    },
    TemplateElement: ({ value }) => void strings.add(value.raw),
    ArrayExpression: ({ elements: [first] }) => {
      if (first?.type === "Literal" && typeof first.value === "string") verbs.add(first.value);
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "ArrayPattern" && isSplitAtSpaces(init)) parts = Math.max(parts, namesIn(id));
    },
  }).visit(program);
  return { strings, verbs, patterns, parts };
}

function isSplitAtSpaces(node: Expression | null): boolean {
  if (node?.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const [at] = node.arguments;
  const { property } = node.callee;
  return property.type === "Identifier" && property.name === "split" && at?.type === "Literal" && at.value === " ";
}

function namesIn({ elements }: ArrayPattern): number {
  return elements.filter((element) => element !== null && element.type !== "RestElement").length;
}
