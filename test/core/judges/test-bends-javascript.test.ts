import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const CART = `import { describe, it, expect, beforeEach, vi } from "vitest";
import { Cart, total } from "../src/cart";
import { rates } from "../src/rates";

describe("cart", () => {
  let cart: Cart;
  beforeEach(() => {
    cart = new Cart({ currency: "EUR" });
  });

  it("adds items", () => {
    cart.add({ sku: "a", price: 3 });
    expect(cart.items).toHaveLength(1);
    expect(cart.items[0]).toEqual({ sku: "a", price: 3, count: 1 });
    expect(total(cart)).toBe(3);
  });

  it("refuses negative prices", () => {
    expect(() => cart.add({ sku: "a", price: -1 })).toThrow(RangeError);
  });

  it("rounds the tax", () => {
    const tax = total(cart, { tax: 0.19 });
    expect(tax).toBeCloseTo(3.57, 4);
  });

  it.each([
    [1, 2, 3],
    [2, 2, 4],
    [-1, 1, 0],
  ])("sums %i and %i", (a, b, sum) => {
    expect(total(a, b)).toBe(sum);
  });

  it("renders", async () => {
    expect(await cart.render()).toMatchInlineSnapshot(\`
      "a: 3"
    \`);
  }, 2000);

  it("calls the rates", () => {
    const get = vi.fn();
    cart.refresh(get);
    expect(get).toHaveBeenCalledWith("EUR");
    expect(cart.isFresh()).toBe(true);
  });
});
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["an expectation is another", [["toBe(3)", "toBe(4)"]], ["expectation_replaced 15"]],
  ["a field of an expectation is another", [["price: 3, count: 1", "price: 0, count: 1"]], ["expectation_replaced 14"]],
  ["a matcher asks for less", [["toBe(3)", "toBeDefined()"]], ["matcher_loosened 15"]],
  ["a value is only true", [["cart.isFresh()).toBe(true)", "cart.isFresh()).toBeTruthy()"]], ["matcher_loosened 45"]],
  ["a value is only a part", [[".toEqual({ sku", ".toMatchObject({ sku"]], ["matcher_loosened 14"]],
  ["a value may be anything", [["price: 3, count: 1", "price: expect.anything(), count: 1"]], ["matcher_loosened 14"]],
  ["any error is right", [["toThrow(RangeError)", "toThrow()"]], ["matcher_loosened 19"]],
  ["no error is right", [[").toThrow(RangeError)", ").not.toThrow()"]], ["expectation_replaced 19"]],
  ["an assertion holds always", [["expect(total(cart)).toBe(3)", "expect(true).toBe(true)"]], ["matcher_loosened 15"]],
  ["an assertion is gone", [["    expect(total(cart)).toBe(3);\n", ""]], ["fewer_assertions 15"]],
  ["a result is compared with itself", [["toBe(3)", "toBe(total(cart))"]], ["matcher_loosened 15"]],
  ["digits are fewer", [["3.57, 4", "3.57, 0"]], ["tolerance_widened 24"]],
  ["a row says another result", [["[2, 2, 4]", "[2, 2, 5]"]], ["expectation_replaced 29"]],
  ["a row is gone", [["    [2, 2, 4],\n", ""]], ["tests_removed 29"]],
  ["a snapshot is another", [['"a: 3"', '"a: undefined"']], ["snapshot_replaced 36"]],
  ["a test may take longer", [["}, 2000)", "}, 60_000)"]], ["timeout_raised 35"]],
  ["a test is gone", [[/ {2}it\("refuses[^]*?\n {2}\}\);\n\n/u, ""]], ["tests_removed 18"]],
  [
    "a test is a comment",
    [[/ {2}(it\("refuses[^]*?\n {2}\}\);)\n/u, '  /* it("refuses negative prices", () => {}) */\n']],
    ["tests_removed 18"],
  ],
  ["a test is behind a branch", [['  it("refuses', '  if (false) it("refuses']], ["tests_removed 18"]],
  ["a test ends early", [["    const tax", "    return;\n    const tax"]], ["fewer_assertions 24"]],
  ["arguments are fewer", [['toHaveBeenCalledWith("EUR")', "toHaveBeenCalled()"]], ["matcher_loosened 44"]],
  [
    "the unit is replaced",
    [["describe(", 'vi.mock("../src/cart", () => ({ total: () => 3 }));\ndescribe(']],
    ["unit_stubbed 5"],
  ],
  [
    "the unit's method is replaced",
    [["    const tax", '    vi.spyOn(cart, "isFresh").mockReturnValue(true);\n    const tax']],
    ["unit_stubbed 23"],
  ],
  [
    "the unit is made in the test",
    [
      ["{ Cart, total }", "{ Cart }"],
      ["describe(", "const total = () => 3;\n\ndescribe("],
    ],
    ["unit_stubbed 5"],
  ],
  [
    "a failure is caught",
    [["    expect(total(cart)).toBe(3);", "    try {\n      expect(total(cart)).toBe(3);\n    } catch {}"]],
    ["errors_swallowed 15"],
  ],
])("in a file of vitest %s [C40]", (_, edits, bends) => {
  expect(bendsOf("test/cart.test.ts", CART, edits)).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  [
    "quotes and semicolons are others",
    [
      ["toBe(3);", "toBe(3)"],
      ['sku: "a", price: 3 });', "sku: 'a', price: 3 })"],
    ],
  ],
  [
    "an assertion is added",
    [["expect(total(cart)).toBe(3);", "expect(total(cart)).toBe(3);\n    expect(cart.size).toBe(1);"]],
  ],
  ["a matcher asks for more", [["toHaveLength(1)", "toEqual([{ sku: 'a', price: 3, count: 1 }])"]]],
  ["an expectation has more fields", [["count: 1 }", "count: 1, tax: 0 }"]]],
  ["an error has to be another one too", [["toThrow(RangeError)", 'toThrow("RangeError: negative")']]],
  ["a test is renamed", [["refuses negative prices", "throws on a negative price"]]],
  [
    "a test is added",
    [['  it("rounds', '  it("is empty", () => {\n    expect(cart.items).toEqual([]);\n  });\n\n  it("rounds']],
  ],
  [
    "a name is another",
    [
      ["const tax =", "const withTax ="],
      ["expect(tax)", "expect(withTax)"],
    ],
  ],
  ["digits are more", [["3.57, 4", "3.57, 6"]]],
  ["a row is added", [["    [2, 2, 4],\n", "    [2, 2, 4],\n    [5, 5, 10],\n"]]],
  ["a test may take less time", [["}, 2000)", "}, 1000)"]]],
  ["another module is replaced", [["describe(", 'vi.mock("../src/rates", () => ({ rates: [] }));\ndescribe(']]],
  ["a constant has a name", [["expect(total(cart)).toBe(3);", "const sum = 3;\n    expect(total(cart)).toBe(sum);"]]],
  [
    "lines are broken elsewhere",
    [
      [
        'toEqual({ sku: "a", price: 3, count: 1 })',
        "toEqual({\n      'sku': 'a',\n      price: 3,\n      count: 1,\n    })",
      ],
    ],
  ],
  [
    "a test is split",
    [
      ["    expect(total(cart)).toBe(3);\n", ""],
      [
        '  it("rounds',
        '  it("has a total", () => {\n    cart.add({ sku: "a", price: 3 });\n    expect(total(cart)).toBe(3);\n  });\n\n  it("rounds',
      ],
    ],
  ],
  [
    "assertions are in a helper",
    [
      [/ {4}expect\(cart.items\)\.toHaveLength[^]*?toBe\(3\);\n/u, "    expectItem(cart);\n"],
      [
        "describe(",
        "function expectItem(cart) {\n  expect(cart.items).toHaveLength(1);\n  expect(cart.items[0]).toEqual({ sku: 'a', price: 3, count: 1 });\n  expect(total(cart)).toBe(3);\n}\n\ndescribe(",
      ],
    ],
  ],
  ["cleaning up may fail", [["    const tax", "    await cart.close().catch(() => {});\n    const tax"]]],
])("in a file of vitest %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("test/cart.test.ts", CART, edits)).toEqual([]);
});
