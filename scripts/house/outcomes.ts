import { type TSSignature, type TSType, Visitor } from "oxc-parser";
import { atMost, type Row } from "./row.ts";
import { lineAt, type SourceFile } from "./tree.ts";

/** The spelling of `Result`. */
const SPELLED = "ok";

/** What holds why something did not come about. */
const REASON = /^(?:why|whyNot|because|reason|detail|mistake|trouble)$/u;

/** What may stand beside it. */
const ADVICE: ReadonlySet<string> = new Set(["unharmed", "next"]);

/** A quality of something, not what has come of it: `isSealed`. */
const QUALITY = /^(?:is|has|can|may)[A-Z]/u;

/**
 * Where a boolean stands beside a reason all the same: what a carrier came to, as the table of the job's summary has it
 * (`saved`), and whether a loop goes on by itself, which is an answer with three ends (`goesOn`).
 */
const SIDE_BY_SIDE = 2;

/** The properties of an object type, each with its literal (`"failed"`, `true`), or with what kind of type it has. */
type Shape = ReadonlyMap<string, Property>;
type Property = { readonly literal: string | boolean } | { readonly is: "boolean" | "text" | "other" };

/**
 * "It worked" is spelled in one way.
 *
 * A spelling tells a union apart: by the `true` or `false` of a property (`{ pushed: true } | { pushed: false; why: string
 * }`), by its text where one of two members alone has a reason (`{ state: "pushed" } | { state: "failed"; why: string }`),
 * or by the reason alone (`{ value: string } | { why: string }`). Members may be named, intersected or wrapped in
 * `Readonly`. What has more than two ends is a state and no outcome. Besides, a boolean may stand beside a reason in one
 * type: `{ pushed: boolean; why?: string }`. Reasons without a type of their own are not seen: `string | null`.
 */
export function outcomeSpellings(tree: readonly SourceFile[]): readonly Row[] {
  const named = new Map(tree.map((source) => [source.file, namedShapes(source)]));
  const anywhere = new Map([...named.values()].flatMap((types) => [...types]));
  const unions = new Places();
  const sideBySide = new Places();
  for (const { file, text, program } of tree) {
    const own = named.get(file);
    const lookUp = (name: string): Shape | undefined => own?.get(name) ?? anywhere.get(name);
    const look = (members: readonly TSSignature[], start: number): void =>
      sideBySide.add(besideReason(shapeIn(members)), `${file}:${lineAt(text, start)}`);
    new Visitor({
      TSUnionType: ({ types, start }) => {
        const members = types.map((type) => shapeOf(type, lookUp));
        const told = byBoolean(members);
        unions.add(told.length > 0 ? told : byReason(members), `${file}:${lineAt(text, start)}`);
      },
      TSTypeLiteral: ({ members, start }) => look(members, start),
      TSInterfaceBody: ({ body, start }) => look(body, start),
    }).visit(program);
  }
  unions.names.delete(SPELLED);
  return [
    atMost(1, "spellings of “it worked” in unions, Result's included", unions.names.size + 1, unions.lines()),
    atMost(SIDE_BY_SIDE, "types with a boolean beside the reason why not", sideBySide.count(), sideBySide.lines()),
  ];
}

/** Places in files, by the spelling that is found there. */
class Places {
  readonly names = new Map<string, Set<string>>();

  add(names: Iterable<string>, place: string): void {
    for (const name of names) this.names.set(name, (this.names.get(name) ?? new Set()).add(place));
  }

  count(): number {
    return [...this.names.values()].reduce((sum, { size }) => sum + size, 0);
  }

  lines(): readonly string[] {
    return Array.from(this.names, ([name, places]) => `${name}: ${[...places].join(", ")}`).toSorted();
  }
}

function byBoolean(members: readonly Shape[]): readonly string[] {
  const literals = members.map((member) =>
    Array.from(member).flatMap(([name, type]) =>
      "literal" in type && typeof type.literal === "boolean" ? `${name}: ${type.literal}` : [],
    ),
  );
  const telling = literals.flat().filter((one) => !literals.every((member) => member.includes(one)));
  return telling.map((one) => one.replace(/: (?:true|false)$/u, ""));
}

/** Of a union of two, of which one alone has a reason: the property with a text in both, or the reason that is all. */
function byReason(members: readonly Shape[]): readonly string[] {
  const failing = members.filter((member) => [...member.keys()].some((name) => REASON.test(name)));
  const [failed, worked] = [failing[0], members.find((member) => member !== failing[0] && member.size > 0)];
  if (members.length !== 2 || failing.length !== 1 || failed === undefined || worked === undefined) return [];
  const names = [...failed.keys()];
  if (names.every((name) => REASON.test(name) || ADVICE.has(name))) return names.filter((name) => REASON.test(name));
  return names.filter((name) => isText(failed.get(name)) && isText(worked.get(name)));
}

function isText(property: Property | undefined): boolean {
  return property !== undefined && "literal" in property && typeof property.literal === "string";
}

/** The booleans beside a reason; none in a member of a union, which a literal of its own tells apart. */
function besideReason(shape: Shape): readonly string[] {
  const properties = [...shape];
  if (properties.some(([, type]) => "literal" in type)) return [];
  const of = (kind: string) => properties.flatMap(([name, type]) => ("is" in type && type.is === kind ? name : []));
  return of("text").some((name) => REASON.test(name)) ? of("boolean").filter((name) => !QUALITY.test(name)) : [];
}

/** The shape of each type that a file names. */
function namedShapes({ program }: SourceFile): ReadonlyMap<string, Shape> {
  const types = new Map<string, Shape>();
  const unnamed = (): undefined => undefined;
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => void types.set(id.name, shapeIn(body.body)),
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => void types.set(id.name, shapeOf(typeAnnotation, unnamed)),
  }).visit(program);
  return types;
}

function shapeOf(type: TSType, lookUp: (name: string) => Shape | undefined): Shape {
  if (type.type === "TSTypeLiteral") return shapeIn(type.members);
  if (type.type === "TSParenthesizedType") return shapeOf(type.typeAnnotation, lookUp);
  if (type.type === "TSIntersectionType") return new Map(type.types.flatMap((part) => [...shapeOf(part, lookUp)]));
  if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return new Map();
  const [inside] = type.typeArguments?.params ?? [];
  if (type.typeName.name === "Readonly" && inside !== undefined) return shapeOf(inside, lookUp);
  return lookUp(type.typeName.name) ?? new Map();
}

function shapeIn(members: readonly TSSignature[]): Shape {
  return new Map(
    members.flatMap((member) => {
      if (member.type !== "TSPropertySignature") return [];
      const { key } = member;
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
      return name === undefined ? [] : [[name, propertyOf(member.typeAnnotation?.typeAnnotation)] as const];
    }),
  );
}

function propertyOf(type: TSType | undefined): Property {
  if (type?.type === "TSUnionType") {
    return type.types.map(propertyOf).find((each) => "is" in each && each.is === "text") ?? { is: "other" };
  }
  if (type?.type === "TSBooleanKeyword") return { is: "boolean" };
  if (type?.type === "TSStringKeyword") return { is: "text" };
  if (type?.type !== "TSLiteralType" || type.literal.type !== "Literal") return { is: "other" };
  const { value } = type.literal;
  return typeof value === "boolean" || typeof value === "string" ? { literal: value } : { is: "other" };
}
