import { expect, test } from "vitest";
import { z } from "zod";
import { unknownFieldIn } from "../../src/core/schema.ts";
import { stateSchema } from "../../src/core/state.ts";
import { aState } from "../support/builders.ts";

const inner = z.looseObject({ a: z.string() });
const schema = z.looseObject({
  list: z.array(inner).default([]),
  maybe: inner.nullable(),
  named: z.record(z.string(), inner).optional(),
  free: z.unknown(),
  kind: z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("x"), x: z.string() }),
    z.looseObject({ kind: z.literal("y") }),
  ]),
});
const KNOWN = { list: [{ a: "" }], maybe: null, named: { any: { a: "" } }, kind: { kind: "x", x: "" } };

test.each<[string, object, string | undefined]>([
  ["everything known", {}, undefined],
  ["what may be anything", { free: { more: 1 } }, undefined],
  ["a field at the top", { more: 1 }, "more"],
  ["one in a list", { list: [{ a: "" }, { a: "", b: 1 }] }, "list[].b"],
  ["one in what may be null", { maybe: { a: "", c: null } }, "maybe.c"],
  ["one under a name", { named: { any: { a: "", d: 1 } } }, "named.*.d"],
  ["one of another kind", { kind: { kind: "y", x: "" } }, "kind.x"],
])("of %s the first unknown field is found [T15]", (_what, more, found) => {
  expect(unknownFieldIn(schema, { ...KNOWN, ...more })).toBe(found);
});

test("a state of ours has no field that its schema does not know [T15]", () => {
  expect(unknownFieldIn(stateSchema, aState())).toBeUndefined();
  expect(unknownFieldIn(stateSchema, { ...aState(), command: "rm" })).toBe("command");
});
