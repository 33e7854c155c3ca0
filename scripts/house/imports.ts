import path from "node:path/posix";
import { type Argument, type Node, type Program, Visitor } from "oxc-parser";
import type { SourceFile } from "./tree.ts";

/**
 * The specifiers of `import`, `export … from`, `import()` and `import("…").T`, of what `createRequire(…)` loads, and of
 * `new URL("…", import.meta.url)`, by which workers and files beside a file are found; undefined where one is computed.
 * Imports of types count like any other.
 */
export function importsOf(program: Program): readonly (string | undefined)[] {
  const imports: (string | undefined)[] = [];
  /** starts of the `createRequire(…)` that are called at once, or only asked where something is */
  const settled = new Set<number>();
  new Visitor({
    ImportDeclaration: (node) => void imports.push(node.source.value),
    ExportAllDeclaration: (node) => void imports.push(node.source.value),
    ExportNamedDeclaration: (node) => void (node.source !== null && imports.push(node.source.value)),
    TSImportType: (node) => void imports.push(node.source.value),
    ImportExpression: ({ source: from }) => void imports.push(textOf(from)),
    NewExpression: ({ callee, arguments: [url, base] }) => {
      if (isNamed(callee, "URL") && isOwnAddress(base)) imports.push(textOf(url));
    },
    MemberExpression: ({ object, property }) => {
      if (isCreateRequire(object) && isNamed(property, "resolve")) settled.add(object.start);
    },
    CallExpression: (node) => {
      const { callee, arguments: given } = node;
      if (isCreateRequire(callee)) {
        settled.add(callee.start);
        imports.push(textOf(given[0]));
      } else if (isCreateRequire(node) && !settled.has(node.start)) imports.push(undefined);
    },
  }).visit(program);
  return imports;
}

/** The text that an argument is; undefined when it is computed. */
function textOf(node: Argument | undefined): string | undefined {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function isNamed(node: Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

function isCreateRequire(node: Node): boolean {
  if (node.type !== "CallExpression") return false;
  const { callee } = node;
  return isNamed(callee.type === "MemberExpression" ? callee.property : callee, "createRequire");
}

function isOwnAddress(node: Argument | undefined): boolean {
  return node?.type === "MemberExpression" && node.object.type === "MetaProperty";
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
