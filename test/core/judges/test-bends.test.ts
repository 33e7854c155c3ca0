import { expect, test } from "vitest";
import type { TextChange } from "../../../src/core/judges/bend.ts";
import { testBends } from "../../../src/core/judges/test-bends.ts";
import { bendsOf, type Edit } from "./bend-cases.ts";

const kinds = (changes: readonly TextChange[]) =>
  testBends(changes).map(({ kind, path, line }) => `${kind} ${path} ${line}`);

test("a bend tells where it is, and the line before and now [C40]", () => {
  const before = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n';
  const after = before.replace("toBe(3)", `toBe(${"9".repeat(300)})`);
  expect(testBends([{ path: "a.test.js", before, after }])).toEqual([
    {
      kind: "expectation_replaced",
      path: "a.test.js",
      line: 2,
      was: "expect(add(1, 2)).toBe(3);",
      now: `expect(add(1, 2)).toBe(${"9".repeat(136)}…`,
    },
  ]);
  expect(testBends([{ path: "a.test.js", before, after: 'it("subtracts", () => {\n  sub(1, 2);\n});\n' }])).toEqual([
    { kind: "tests_removed", path: "a.test.js", line: 1, was: 'it("adds", () => {', now: null },
  ]);
});

const ONE = 'test("one", () => {\n  expect(one()).toBe(1);\n});\n';
const TWO = 'test("two", () => {\n  expect(two()).toBe(2);\n});\n';

test("a test that is in another file now is not gone, and is compared there [C41]", () => {
  const moved = [
    { path: "test/a.test.ts", before: ONE + TWO, after: ONE },
    { path: "test/b.test.ts", before: null, after: TWO },
  ];
  expect(kinds(moved)).toEqual([]);
  const bent = [
    { path: "test/a.test.ts", before: ONE + TWO, after: ONE },
    { path: "test/b.test.ts", before: "", after: TWO.replace("toBe(2)", "toBe(3)") },
  ];
  expect(kinds(bent)).toEqual(["expectation_replaced test/b.test.ts 2"]);
});

test("files that are gone or emptied are told by others, and so are skipped tests [C41]", () => {
  expect(kinds([{ path: "test/a.test.ts", before: ONE, after: null }])).toEqual([]);
  expect(kinds([{ path: "test/a.test.ts", before: ONE + TWO, after: "" }])).toEqual([]);
  expect(
    kinds([{ path: "test/a.test.ts", before: ONE + TWO, after: ONE + TWO.replace("test(", "test.skip(") }]),
  ).toEqual([]);
});

test("five tests that became a table of five rows are five tests [C41]", () => {
  const single = (n: number) => `it("doubles ${n}", () => {\n  expect(double(${n})).toBe(${2 * n});\n});\n`;
  const five = [1, 2, 3, 4, 5].map(single).join("");
  const table = (rows: number) => {
    const list = Array.from({ length: rows }, (_, n) => `  [${n + 1}, ${2 * n + 2}],\n`).join("");
    return `it.each([\n${list}])("doubles %i", (n, twice) => {\n  expect(double(n)).toBe(twice);\n});\n`;
  };
  expect(kinds([{ path: "a.test.ts", before: five, after: table(5) }])).toEqual([]);
  expect(kinds([{ path: "a.test.ts", before: five, after: table(2) }])).toHaveLength(3);
  expect(kinds([{ path: "a.test.ts", before: table(5), after: five }])).toEqual([]);
});

test("a move to another assertion library compares what is held, not how it is said [C41]", () => {
  const chai = `const { expect } = require("chai");
const assert = require("node:assert");
describe("cart", function () {
  it("adds", function () {
    expect(cart.total()).to.equal(3);
    expect(cart.items).to.deep.equal([{ sku: "a" }]);
    expect(cart.error).to.be.null;
    expect(cart.isOpen()).to.be.true;
    expect(() => cart.add(-1)).to.throw(RangeError);
    assert.strictEqual(cart.size, 1);
    assert.deepStrictEqual(cart.skus(), ["a"]);
    cart.name.should.equal("EUR");
  });
});
`;
  const jest = `describe("cart", () => {
  it("adds", () => {
    expect(cart.total()).toBe(3);
    expect(cart.items).toEqual([{ sku: "a" }]);
    expect(cart.error).toBeNull();
    expect(cart.isOpen()).toBe(true);
    expect(() => cart.add(-1)).toThrow(RangeError);
    expect(cart.size).toBe(1);
    expect(cart.skus()).toEqual(["a"]);
    expect(cart.name).toBe("EUR");
  });
});
`;
  expect(kinds([{ path: "test/cart.spec.js", before: chai, after: jest }])).toEqual([]);
  expect(kinds([{ path: "test/cart.spec.js", before: chai, after: jest.replace("toBe(3)", "toBe(0)") }])).toEqual([
    "expectation_replaced test/cart.spec.js 3",
  ]);
  const loose = jest.replace('toEqual([{ sku: "a" }])', "toBeDefined()");
  expect(kinds([{ path: "test/cart.spec.js", before: chai, after: loose }])).toEqual([
    "matcher_loosened test/cart.spec.js 4",
  ]);
});

const SNAP = `// Jest Snapshot v1

exports[\`cart renders 1\`] = \`
"a: 3
b: 4"
\`;

exports[\`cart is empty 1\`] = \`""\`;
`;

test.each<[string, string, readonly Edit[], readonly string[]]>([
  ["test/__snapshots__/cart.test.ts.snap", SNAP, [["a: 3", "a: 0"]], ["snapshot_replaced 4"]],
  ["test/__snapshots__/cart.test.ts.snap", SNAP, [[/exports\[`cart is[^]*/u, ""]], []],
  [
    "test/__snapshots__/cart.test.ts.snap",
    SNAP,
    [["exports[`cart is", 'exports[`cart has 1`] = `"c"`;\n\nexports[`cart is']],
    [],
  ],
  ["testdata/report.golden", "total 3\nname a\n", [["total 3", "total 0"]], ["snapshot_replaced 1"]],
  ["testdata/report.golden", "total 3\nname a\n", [["name a\n", ""]], ["snapshot_replaced 2"]],
  ["testdata/report.golden", "total 3\nname a\n", [["name a", "name a\nsize 1"]], []],
  ["testdata/input.txt", "total 3\n", [["total 3", "total 0"]], []],
  ["src/snapshots/shop__cart.snap", "---\nsource: a\n---\na: 3\n", [["a: 3", "a: 4"]], ["snapshot_replaced 4"]],
  ["test/Report.approved.txt", "a\nb\n", [["b", "c"]], ["snapshot_replaced 2"]],
  ["test/Report.received.txt", "a\nb\n", [["b", "c"]], []],
  ["tests/cassettes/login.yaml", "status: 200\n", [["200", "500"]], ["snapshot_replaced 1"]],
  ["src/cart.txt", "a\n", [["a", "b"]], []],
])("of the recording %s a changed line is told, a new entry is not [C40]", (path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

test.each<[string, string, readonly Edit[], readonly string[]]>([
  [
    "vitest.config.ts",
    "export default { test: { testTimeout: 5_000 } };\n",
    [["5_000", "120_000"]],
    ["timeout_raised 1"],
  ],
  ["vitest.config.ts", "export default { test: {} };\n", [["{} ", "{ testTimeout: 120_000 } "]], ["timeout_raised 1"]],
  ["vitest.config.ts", "export default { test: {} };\n", [["{} ", "{ testTimeout: 1_000 } "]], []],
  ["jest.config.js", "module.exports = { testTimeout: 5000 };\n", [["5000", "0"]], ["timeout_raised 1"]],
  [
    "package.json",
    '{ "scripts": { "test": "go vet ./... && go test -timeout 30s ./..." } }\n',
    [["30s", "10m"]],
    ["timeout_raised 1"],
  ],
  ["package.json", '{ "jest": { "testTimeout": 5000 } }\n', [["5000", "50000"]], ["timeout_raised 1"]],
  ["Makefile", "test:\n\tgo test -timeout 30s ./...\n", [["30s", "300s"]], ["timeout_raised 2"]],
  ["pytest.ini", "[pytest]\ntimeout = 10\n", [["10", "1000"]], ["timeout_raised 2"]],
  ["pytest.ini", "[pytest]\ntimeout = 10\n", [["10", "5"]], []],
  ["src/client.ts", "fetch(url, { timeout: 5000 });\n", [["5000", "50000"]], []],
  [
    "test/a.test.ts",
    "setTimeout(done, 100);\njest.setTimeout(1000);\n",
    [
      ["100)", "9000)"],
      ["jest.setTimeout(1000)", "jest.setTimeout(90000)"],
    ],
    ["timeout_raised 2"],
  ],
  ["test/a.test.ts", "test('a', { timeout: LONG, retries: 2 }, run);\n", [["retries: 2", "retries: 3"]], []],
  ["test/a.test.ts", "it('a', { timeout: limit(TWO, 2), x: [1] });\n", [["TWO, 2", "TWO, 3"]], ["timeout_raised 1"]],
  ["test/a.test.ts", "run({ timeout: LONG }, 2);\n", [["}, 2", "}, 3"]], []],
  ["test/a.test.ts", "this.timeout(2000);\n", [["2000", "Infinity"]], ["timeout_raised 1"]],
  [
    "src/test/java/ATest.java",
    "assertTimeout(Duration.ofSeconds(5), () -> run());\n",
    [["ofSeconds", "ofMinutes"]],
    ["timeout_raised 1"],
  ],
])("of %s a time limit is read [C40]", (path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

test.each<[string, string, string, string, readonly string[]]>([
  [
    "src/parse.ts",
    "function parse(a) {\n  if (!a) throw new Error('empty');\n  return a;\n}\n",
    "  if (!a) throw new Error('empty');",
    "  try {\n    check(a);\n  } catch {}",
    ["errors_swallowed 2"],
  ],
  [
    "src/parse.ts",
    "try {\n  run();\n} catch (error) {\n  throw error;\n}\n",
    "throw error;",
    "return null;",
    ["errors_swallowed 1"],
  ],
  [
    "src/parse.ts",
    "await run();\nthrow new Error('late');\n",
    "await run();\nthrow new Error('late');",
    "await run().catch(() => {});",
    ["errors_swallowed 1"],
  ],
  ["src/parse.ts", "try {\n  run();\n} catch (error) {\n  throw error;\n}\n", "throw error;", "recover(error);", []],
  ["src/parse.ts", "run();\n", "run();", "try {\n  run();\n} catch {}", []],
  [
    "shop/parse.py",
    "try:\n    run()\nexcept KeyError as error:\n    raise ShopError from error\n",
    "    raise ShopError from error",
    "    pass",
    ["errors_swallowed 1"],
  ],
  [
    "shop/parse.py",
    "try:\n    run()\nexcept KeyError as error:\n    raise ShopError from error\n",
    "ShopError from error",
    "OtherError from error",
    [],
  ],
  [
    "shop/parse.py",
    "def run():\n    raise ValueError\n",
    "    raise ValueError",
    "    with suppress(ValueError):\n        work()",
    ["errors_swallowed 2"],
  ],
  [
    "parse.go",
    "out, err := Parse(a)\nif err != nil {\n\treturn nil, err\n}\n",
    "if err != nil {\n\treturn nil, err\n}",
    "_ = err",
    ["errors_swallowed 2"],
  ],
  [
    "src/parse.rs",
    "fn a() -> Result<i32, E> {\n    let b = parse()?;\n    Ok(b)\n}\n",
    "parse()?;",
    "parse().unwrap_or_default();",
    ["errors_swallowed 2"],
  ],
  ["src/parse.rs", "fn a() {\n    let b = parse();\n}\n", "parse();", "parse().unwrap_or_default();", []],
  [
    "lib/parse.rb",
    "def parse(a)\n  raise ArgumentError if a.nil?\n  run(a)\nend\n",
    "  raise ArgumentError if a.nil?\n  run(a)",
    "  run(a) rescue nil",
    ["errors_swallowed 2"],
  ],
  ["lib/parse.rb", "def parse(a)\n  run(a)\nrescue KeyError\n  raise\nend\n", "  raise\n", "", ["errors_swallowed 3"]],
  [
    "src/Parse.java",
    "try { run(); } catch (IOException e) { throw new Failure(e); }\n",
    "throw new Failure(e);",
    "",
    ["errors_swallowed 1"],
  ],
])("of %s: an error that was thrown is kept silent [C40]", (path, before, piece, instead, bends) => {
  expect(bendsOf(path, before, [[piece, instead]])).toEqual(bends);
});

test("an error that is thrown in another file now is thrown [C41]", () => {
  const before = "export function parse(a) {\n  if (!a) throw new Error('empty');\n  return a;\n}\n";
  const changes = [
    { path: "src/parse.ts", before, after: "export const parse = (a) => { try { return check(a); } catch {} };\n" },
    { path: "src/check.ts", before: "", after: "if (!a) throw new Error('empty');\n  return a;\n}\n" },
  ];
  expect(kinds(changes)).toEqual([]);
  expect(kinds(changes.slice(0, 1))).toEqual(["errors_swallowed src/parse.ts 1"]);
});

test("more than 500 changes, and longer texts than 512 Ki, are not read [C40]", () => {
  const change = { path: "a.test.ts", before: ONE, after: ONE.replace("toBe(1)", "toBe(2)") };
  expect(kinds([...Array.from({ length: 500 }, () => ({ ...change, before: change.after })), change])).toEqual([]);
  expect(kinds([{ ...change, before: change.before + " ".repeat(524_288) }])).toEqual([]);
  expect(
    kinds([
      { path: "a.md", before: "a", after: "b" },
      { path: "a.md", before: null, after: "b" },
    ]),
  ).toEqual([]);
  expect(kinds([{ path: "src/a.ts", before: null, after: "b" }, change])).toEqual(["expectation_replaced a.test.ts 2"]);
});
