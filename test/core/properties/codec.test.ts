import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import { decodeState, encodeState } from "../../../src/store/state-file.ts";
import { possibleEvent, starts, steps, walk } from "./walk.ts";

const FILE = "a-loop.json";

const states: fc.Arbitrary<LoopState> = fc
  .tuple(starts, fc.array(steps, { minLength: 1, maxLength: 30 }))
  .map(([start, path]) => {
    const entered = walk(start, path, possibleEvent);
    const last = entered.at(-1);
    if (last === undefined) throw new Error("A path has a step.");
    return last.after;
  });

/** Keys that no version knows, with any value that JSON has. */
const unknown = fc.dictionary(
  fc.string({ unit: "grapheme", maxLength: 8 }).map((key) => `later ${key}`),
  fc.jsonValue(),
  { minKeys: 1, maxKeys: 2 },
);

/** A name for every text, whatever is under it elsewhere. */
const texts = new Set(["other"]);

/** Puts unknown keys into every object. */
function sprinkled(value: unknown, keys: Readonly<Record<string, unknown>>, name = ""): unknown {
  if (Array.isArray(value)) return value.map((inner) => sprinkled(inner, keys));
  if (typeof value !== "object" || value === null || texts.has(name)) return value;
  const inside = Object.entries(value).map(([key, inner]) => [key, sprinkled(inner, keys, key)]);
  return { ...Object.fromEntries(inside), ...keys };
}

describe("the state's text", () => {
  it("says all of any state, and nothing else [W-41, W-48]", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(decodeState(encodeState(state), FILE)).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps what nobody knows, on every level of any state [W-48]", () => {
    fc.assert(
      fc.property(states, unknown, (state, keys) => {
        const later = JSON.stringify(sprinkled(state, keys));
        expect(JSON.parse(encodeState(decodeState(later, FILE)))).toEqual(JSON.parse(later));
      }),
      { numRuns: 60 },
    );
  });

  it("a text that is cut, or written over, is refused with a reason or is a state [W-48, W-58]", () => {
    fc.assert(
      fc.property(
        states,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string({ maxLength: 5 }),
        (state, where, over) => {
          const text = encodeState(state);
          const at = Math.floor(text.length * where);
          const damaged = text.slice(0, at) + over + text.slice(at + 2 * over.length);
          expect([undefined, "STATE_DAMAGED", "STATE_NEWER"]).toContain(refusalOf(damaged));
          expect(refusalOf(text.slice(0, Math.min(at, text.length - 3)))).toBe("STATE_DAMAGED");
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** The code with which a text is refused; undefined: it is not. */
function refusalOf(text: string): string | undefined {
  try {
    decodeState(text, FILE);
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}
