import { expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { LoopState, stateSchema } from "../../src/core/state.ts";
import { decodeState, encodeState } from "../../src/store/state-file.ts";
import { aState } from "../support/builders.ts";

/** A type without the room for unknown keys, all of it read-only. */
type Known<T> = T extends readonly (infer Element)[]
  ? readonly Known<Element>[]
  : T extends object
    ? { readonly [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
    : T;

it("the schema is LoopState, no more and no less [W-48]", () => {
  expectTypeOf<Known<z.output<typeof stateSchema>>>().toEqualTypeOf<Known<LoopState>>();
});

it("a state of a version that knew nothing of GitHub loads, with nothing of it there [W-48]", () => {
  const { github: _github, guidance: _guidance, ...earlier } = aState();
  const state = decodeState(JSON.stringify(earlier), "loop.json");
  expect(state).toEqual(aState({ github: null, guidance: null }));
  expect(decodeState(encodeState(state), "loop.json")).toEqual(state);
});
