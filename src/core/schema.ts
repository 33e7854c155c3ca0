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

/** The type that a schema describes: read-only, and without the room for unknown keys. */
export type Stored<Schema extends z.ZodType> = Known<z.output<Schema>>;

type Known<T> = T extends readonly (infer Element)[]
  ? readonly Known<Element>[]
  : T extends object
    ? { readonly [Key in keyof T as unknown extends T[Key] ? (string extends Key ? never : Key) : Key]: Known<T[Key]> }
    : T;
