import path from "node:path/posix";
import { type Program, Visitor } from "oxc-parser";
import type { SourceFile } from "./tree.ts";

/**
 * The specifiers of `import`, `export … from`, `import()` and `import("…").T`, in the order of the file; undefined where
 * one is computed. Imports of types count like any other.
 */
export function importsOf(program: Program): readonly (string | undefined)[] {
  const imports: (string | undefined)[] = [];
  new Visitor({
    ImportDeclaration: (node) => void imports.push(node.source.value),
    ExportAllDeclaration: (node) => void imports.push(node.source.value),
    ExportNamedDeclaration: (node) => void (node.source !== null && imports.push(node.source.value)),
    TSImportType: (node) => void imports.push(node.source.value),
    ImportExpression: ({ source: from }) => {
      imports.push(from.type === "Literal" && typeof from.value === "string" ? from.value : undefined);
    },
  }).visit(program);
  return imports;
}

/** For each file of a tree the files of the tree that it imports, each once. */
export function importGraph(tree: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(tree.map(({ file }) => file));
  return new Map(
    tree.map(({ file, program }) => {
      const targets = importsOf(program).flatMap((specifier) =>
        specifier?.startsWith(".") === true ? [path.join(path.dirname(file), specifier)] : [],
      );
      return [file, new Set(targets.filter((target) => known.has(target)))] as const;
    }),
  );
}
