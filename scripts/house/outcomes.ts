import { type TSSignature, type TSType, Visitor } from "oxc-parser";
import { atMost, type Row } from "./row.ts";
import { lineAt, type SourceFile } from "./tree.ts";

/** The spelling of `Result`. */
const SPELLED = "ok";

/** The boolean literals of an object type: `{ readonly pushed: true }` has `pushed: true`. */
type Literals = ReadonlySet<string>;

/**
 * "It worked" is spelled in one way.
 *
 * A spelling is a property by whose `true` or `false` the members of a union are told apart: `{ pushed: true } | { pushed:
 * false; why: string }`. Members may be named, intersected or wrapped in `Readonly`.
 */
export function outcomeSpellings(tree: readonly SourceFile[]): Row {
  const named = new Map(tree.map((source) => [source.file, namedLiterals(source)]));
  const anywhere = new Map([...named.values()].flatMap((types) => [...types]));
  const found = new Map<string, string[]>();
  for (const { file, text, program } of tree) {
    const own = named.get(file);
    const lookUp = (name: string): Literals | undefined => own?.get(name) ?? anywhere.get(name);
    new Visitor({
      TSUnionType: ({ types, start }) => {
        const members = types.map((type) => literalsOf(type, lookUp));
        for (const spelling of new Set(members.flatMap((member) => [...member]))) {
          if (members.every((member) => member.has(spelling))) continue;
          const [name = ""] = spelling.split(": ");
          const places = found.get(name) ?? [];
          const place = `${file}:${lineAt(text, start)}`;
          if (!places.includes(place)) found.set(name, [...places, place]);
        }
      },
    }).visit(program);
  }
  found.delete(SPELLED);
  const places = [...found].map(([name, where]) => `${name}: ${where.join(", ")}`).toSorted();
  return atMost(1, "spellings of “it worked”, Result's included", found.size + 1, places);
}

/** The literals of each type that a file names. */
function namedLiterals({ program }: SourceFile): ReadonlyMap<string, Literals> {
  const types = new Map<string, Literals>();
  const unnamed = (): undefined => undefined;
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => void types.set(id.name, literalsIn(body.body)),
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => void types.set(id.name, literalsOf(typeAnnotation, unnamed)),
  }).visit(program);
  return types;
}

function literalsOf(type: TSType, lookUp: (name: string) => Literals | undefined): Literals {
  if (type.type === "TSTypeLiteral") return literalsIn(type.members);
  if (type.type === "TSParenthesizedType") return literalsOf(type.typeAnnotation, lookUp);
  if (type.type === "TSIntersectionType") return new Set(type.types.flatMap((part) => [...literalsOf(part, lookUp)]));
  if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return new Set();
  const [inside] = type.typeArguments?.params ?? [];
  if (type.typeName.name === "Readonly" && inside !== undefined) return literalsOf(inside, lookUp);
  return lookUp(type.typeName.name) ?? new Set();
}

function literalsIn(members: readonly TSSignature[]): Literals {
  const literals = new Set<string>();
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") continue;
    const type = member.typeAnnotation?.typeAnnotation;
    if (type?.type !== "TSLiteralType" || type.literal.type !== "Literal") continue;
    const { value } = type.literal;
    if (typeof value === "boolean") literals.add(`${member.key.name}: ${value}`);
  }
  return literals;
}
