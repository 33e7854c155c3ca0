import { z } from "zod";

/**
 * What the schemas of the stored state are made of. The state's shape is written once, as a schema, and its types follow
 * from that. Every object is loose: keys that this version does not know survive a round trip.
 */
export const count = z.int().nonnegative();
/** ISO 8601 with a UTC offset */
export const date = z.iso.datetime({ offset: true });

/** hex SHA-256 of a text */
export type Digest = (text: string) => string;

/**
 * Where plain JSON has a field that its schema does not know, at any depth, as in `todo.extra`; undefined: nowhere.
 *
 * @param schema that `value` satisfies
 */
export function unknownFieldIn(schema: z.core.$ZodType, value: unknown, at = ""): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (schema instanceof z.ZodObject) {
    for (const [name, inside] of Object.entries(value)) {
      const path = at === "" ? name : `${at}.${name}`;
      const known: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      const unknown = known instanceof z.core.$ZodType ? unknownFieldIn(known, inside, path) : path;
      if (unknown !== undefined) return unknown;
    }
    return undefined;
  }
  if (schema instanceof z.ZodArray)
    return firstOf(Object.values(value), (one) => unknownFieldIn(schema.element, one, `${at}[]`));
  if (schema instanceof z.ZodRecord) {
    return firstOf(Object.values(value), (one) => unknownFieldIn(schema.valueType, one, `${at}.*`));
  }
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.filter((option) => z.safeParse(option, value, { jitless: true }).success);
    const found = fitting.map((option) => unknownFieldIn(option, value, at));
    return found.includes(undefined) ? undefined : found[0];
  }
  return isWrapper(schema) ? unknownFieldIn(schema.unwrap(), value, at) : undefined;
}

/** Schemas that only add to what another one takes. */
const WRAPPERS = [z.ZodNullable, z.ZodOptional, z.ZodExactOptional, z.ZodDefault, z.ZodPrefault] as const;

function isWrapper(schema: z.core.$ZodType): schema is InstanceType<(typeof WRAPPERS)[number]> {
  return WRAPPERS.some((kind) => schema instanceof kind);
}

function firstOf(values: readonly unknown[], look: (one: unknown) => string | undefined): string | undefined {
  return values.map((one) => look(one)).find((found) => found !== undefined);
}

/** The type that a schema describes: read-only, and without the room for unknown keys. */
export type Stored<Schema extends z.ZodType> = Known<z.output<Schema>>;

type Known<T> = T extends readonly (infer Element)[]
  ? readonly Known<Element>[]
  : T extends object
    ? { readonly [Key in keyof T as unknown extends T[Key] ? (string extends Key ? never : Key) : Key]: Known<T[Key]> }
    : T;
