import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Expression, type Node, parseSync, type Program, Visitor } from "oxc-parser";
import type { BundleNames } from "./bundle-names.ts";

/** What the bundler's own functions are called in scripts that it has not minified. */
const RUNTIME = /^__(?:webpack|nccwpck)_require__$/u;
/** What the bundler calls the script of a chunk. */
const NUMBERED = /^(\d+)\.index\.js$/u;
const SUFFIX = ".index.js";

/**
 * Gives names to the scripts and modules of a bundle, in their files and wherever they are spoken of. Lines stay where
 * they are, and with them what the source maps say, which knows of lines only.
 *
 * @param folder where the bundler has put the scripts and their source maps, not minified
 * @throws Error when a script speaks of something that has no name
 */
export async function renameBundle(folder: string, names: BundleNames): Promise<void> {
  const files = await readdir(folder);
  await Promise.all(
    files
      .filter((file) => file.endsWith(".js"))
      .map(async (file) => {
        const number = NUMBERED.exec(file)?.[1];
        const name = number === undefined ? file : `${known(names.chunks, Number(number), file)}.js`;
        const text = renamed(await readFile(path.join(folder, file), "utf8"), names, file);
        await writeFile(path.join(folder, file), text);
        if (name === file) return;
        await rename(path.join(folder, file), path.join(folder, name));
        await rename(path.join(folder, `${file}.map`), path.join(folder, `${name}.map`));
      }),
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A script of a bundle with names in place of numbers. */
export function renamed(text: string, { chunks, modules }: BundleNames, file: string): string {
  const edits: Edit[] = [];
  const replace = (node: Node | null | undefined, names: ReadonlyMap<number, string>): void => {
    if (node?.type !== "Literal" || typeof node.value !== "number") return;
    edits.push({ start: node.start, end: node.end, text: JSON.stringify(known(names, node.value, file)) });
  };
  const replaceKeys = (node: Node | null, names: ReadonlyMap<number, string>): void => {
    if (node?.type === "ParenthesizedExpression") return replaceKeys(node.expression, names);
    if (node?.type !== "ObjectExpression") return;
    for (const property of node.properties) if (property.type === "Property") replace(property.key, names);
  };
  const { program } = parseSync(file, text);
  for (const [name, value] of topLevel(program)) {
    if (name === "modules" || name === "__webpack_modules__") replaceKeys(value, modules);
    if (name === "id") replace(value, chunks);
    if (name === "ids" && value.type === "ArrayExpression") for (const id of value.elements) replace(id, chunks);
  }
  new Visitor({
    CallExpression: ({ callee, arguments: [first, second] }) => {
      if (isRuntime(callee)) return replace(first, modules);
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const { name } = callee.property;
      if (isRuntime(callee.object) && name === "e") replace(first, chunks);
      if (isRuntime(callee.object) && name === "t") replace(first, modules);
      if (name === "bind" && first !== undefined && isRuntime(first)) replace(second, modules);
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && id.name === "installedChunks") replaceKeys(init, chunks);
    },
    Literal: ({ value, start, end }) => {
      if (value === SUFFIX) edits.push({ start, end, text: JSON.stringify(".js") });
    },
  }).visit(program);
  const withNames = applied(text, edits);
  return withNames.replace(/(?<=\n\/\/# sourceMappingURL=)(\d+)\.index(?=\.js\.map\s*$)/u, (_, number: string) =>
    known(chunks, Number(number), file),
  );
}

/** What a script declares for the bundler's runtime. */
function topLevel({ body }: Program): readonly (readonly [name: string, value: Expression])[] {
  return body
    .map((statement) => (statement.type === "ExportNamedDeclaration" ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === "VariableDeclaration" ? statement.declarations : []))
    .flatMap(({ id, init }) => (id.type === "Identifier" && init !== null ? [[id.name, init] as const] : []));
}

function isRuntime(node: Node): boolean {
  return node.type === "Identifier" && RUNTIME.test(node.name);
}

function known(names: ReadonlyMap<number, string>, number: number, file: string): string {
  const name = names.get(number);
  if (name === undefined) throw new Error(`${file} speaks of ${number}, which the bundler's report does not know`);
  return name;
}

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: by } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(text.slice(at, start), by);
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}
