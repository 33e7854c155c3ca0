import { describe, expect, test } from "vitest";
import { pricesOf } from "../../src/config/settings/prices.ts";
import { resolve } from "./support.ts";

const ITEM = '{"model":"mine","input":1.5,"cached-input":0.1,"output":10}';

describe("prices of a person's own [C14]", () => {
  test("as a flag, a variable, or in the file", () => {
    for (const given of [{ flags: { prices: ITEM } }, { env: { SMITHERS_PRICES: ITEM } }]) {
      const { config } = resolve(given);
      expect(pricesOf(config.prices).get("mine")).toEqual({ input: 1.5, cachedInput: 0.1, output: 10 });
    }
  });

  test.each([
    ["no model", '{"input":1,"cached-input":1,"output":1}', "the name of a model"],
    ["no amount", '{"model":"m","input":1,"output":1}', "as cached-input"],
    ["a negative amount", '{"model":"m","input":-1,"cached-input":1,"output":1}', "as input"],
    ["another key", '{"model":"m","input":1,"cached-input":1,"output":1,"extra":1}', 'no key "extra"'],
    ["a text", '["cheap"]', "an object"],
  ])("%s is refused", (_what, item, said) => {
    expect(() => resolve({ flags: { prices: item } })).toThrow(said);
  });

  test("what is no price of these is none", () => {
    expect(pricesOf(["{}", "no json"]).size).toBe(0);
  });
});
