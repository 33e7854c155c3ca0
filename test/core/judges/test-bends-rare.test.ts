import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const js = (...lines: readonly string[]): string => `it("a", () => {\n${lines.join("\n")}\n});\n`;
const py = (...lines: readonly string[]): string => `def test_a():\n${lines.map((line) => `    ${line}\n`).join("")}`;
const ELEMENTS = (last: number): string => [...Array.from({ length: 4_100 }, () => "1"), String(last)].join(", ");

type Row = readonly [string, string, string, readonly Edit[], readonly string[]];

test.each<Row>([
  [
    "that nothing is there, which is one value",
    "a.test.ts",
    js("expect(a).not.toBeDefined();"),
    [["toBeDefined()", "toBe(3)"]],
    ["matcher_loosened 2"],
  ],
  ["one that held whatever the code does", "a.test.ts", js("expect(1).toBe(1);"), [["toBe(1)", "toEqual(2)"]], []],
  [
    "true in place of the value true",
    "test_a.py",
    py("self.assertEqual(ok, True)"),
    [["assertEqual(ok, True)", "assertTrue(ok)"]],
    [],
  ],
  [
    "true in place of the value false",
    "test_a.py",
    py("self.assertEqual(ok, False)"),
    [["assertEqual(ok, False)", "assertTrue(ok)"]],
    ["matcher_loosened 2"],
  ],
  ["a tolerance where one was usual", "a.test.ts", js("expect(a).toBeCloseTo(3);"), [["(3)", "(3, 1)"]], []],
  [
    "the usual tolerance where a closer one was",
    "a.test.ts",
    js("expect(a).toBeCloseTo(3, 9);"),
    [["(3, 9)", "(3)"]],
    [],
  ],
  ["a number written otherwise", "a.test.ts", js("expect(a).toBe(1);"), [["toBe(1)", "toBe(1.0)"]], []],
  [
    "the closest of several about one subject",
    "a.test.ts",
    js("expect(a).toBe(1);"),
    [["expect(a).toBe(1);", "expect(a).toContain(2);\nexpect(a).toBeTruthy();\nexpect(a).toMatch(1);"]],
    ["matcher_loosened 4"],
  ],
  [
    "one of the first eight about one subject",
    "a.test.ts",
    js("expect(a).toBe(1);"),
    [["expect(a).toBe(1);", `${"expect(a).toBeTruthy();\n".repeat(9)}expect(a).toMatch(1);`]],
    ["matcher_loosened 2"],
  ],
  [
    "a list too long to be read as one value",
    "a.test.ts",
    js(`expect(a).toEqual([${ELEMENTS(1)}]);`),
    [["1]", "2]"]],
    [],
  ],
  [
    "fewer assertions outside of tests",
    "a.test.ts",
    "assert.equal(a, 1);\nassert.equal(b, 2);\n",
    [["assert.equal(b, 2);\n", ""]],
    ["fewer_assertions 2"],
  ],
  [
    "a part that another test now holds",
    "a.test.ts",
    `${js("run(r);", "expect(r.a).toBe(12345);", "expect(r.c).toBe(3);")}${js("b();").replace('"a"', '"b"')}`,
    [
      ["expect(r.a).toBe(12345);\n", ""],
      ["b();", "expect(r).toEqual({ a: 12345, b: 2 });"],
    ],
    [],
  ],
])("an assertion: %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

const DRAWN =
  "it.each`\n  a    | b    | sum\n  ${1} | ${1} | ${2}\n  ${2} | ${2} | ${4}\n`('adds', ({ a, b, sum }) => {\n  expect(add(a, b)).toBe(sum);\n});\n";
const LIST = "it.each([1, 2, 3])('is odd: %i', (a) => {\n  expect(odd(a)).toBe(true);\n});\n";
const MANY = `const rows = [\n${"  [1, 2],\n".repeat(5_001)}  [7, 8],\n];\nit.each(rows)('a', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n`;

test.each<Row>([
  ["drawn in a text, another result", "a.test.ts", DRAWN, [["${4}", "${5}"]], ["expectation_replaced 4"]],
  ["drawn in a text, another word above it", "a.test.ts", DRAWN, [["| sum", "| all"]], []],
  ["of single values, one that is gone", "a.test.ts", LIST, [[", 3", ""]], ["tests_removed 1"]],
  ["of single values, one that is another", "a.test.ts", LIST, [[", 3", ", 5"]], []],
  [
    "a result written otherwise",
    "a.test.ts",
    "it.each([[1, 2], [3, 4]])('a', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n",
    [["4]", "4.0]"]],
    [],
  ],
  [
    "a name that stands for it",
    "a.test.ts",
    "it.each(rows)('a', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n",
    [["rows", "others"]],
    [],
  ],
  [
    "of one annotation",
    "src/test/java/ATest.java",
    '@ParameterizedTest\n@CsvSource("1,2")\nvoid adds(int a, int b) {\n  assertEquals(b, add(a));\n}\n',
    [["1,2", "1,3"]],
    ["expectation_replaced 2"],
  ],
  ["behind the first 5,000 rows", "a.test.ts", MANY, [["[7, 8]", "[7, 9]"]], []],
  [
    "a test of something else beside one that grew",
    "a.test.ts",
    `${LIST}it("b", () => {\n  expect(even(2)).toBe(true);\n});\n`,
    [
      ["2, 3", "2, 3, 5"],
      [/it\("b"[^]*/u, ""],
    ],
    ["tests_removed 4"],
  ],
])("a table: %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

const HELD = "expect(a).toBe(1);";

test.each<Row>([
  ["behind `false &&`", "a.test.ts", js(HELD), [[HELD, `false && ${HELD}`]], ["fewer_assertions 2"]],
  ["behind a `false &&` that is not all of it", "a.test.ts", js(HELD), [[HELD, `x = false && b;\n${HELD}`]], []],
  [
    "in the braces of an `if (false)`",
    "a.test.ts",
    js(HELD),
    [[HELD, `if (false) { ${HELD} }`]],
    ["fewer_assertions 2"],
  ],
  [
    "in two of them",
    "a.test.ts",
    js(HELD, "expect(b).toBe(2);"),
    [
      [HELD, `if (0) { ${HELD} }`],
      ["expect(b).toBe(2);", "if (false) { expect(b).toBe(2); }"],
    ],
    ["fewer_assertions 2"],
  ],
  [
    "behind a `return` on a line of its own",
    "a.test.ts",
    js("const b = c", HELD),
    [[HELD, `return\n${HELD}`]],
    ["fewer_assertions 3"],
  ],
  ["behind the `return` of a condition", "a.test.ts", js("run(a);", HELD), [[HELD, `if (c)\nreturn\n${HELD}`]], []],
  [
    "before an `if false`",
    "spec/a_spec.rb",
    "it 'a' do\n  expect(a).to eq 1\nend\n",
    [["eq 1", "eq(1) if false"]],
    ["fewer_assertions 2"],
  ],
  ["a condition within a line", "test_a.py", py("b = 1", "assert a == 1"), [["b = 1", "b = 1 if False else 2"]], []],
])("what never runs holds nothing: %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

const STUBBED = 'import * as sum from "./sum";\n';

test.each<Row>([
  [
    "the unit that nothing is called by name",
    "sum.test.ts",
    `${STUBBED}${js("expect(sum.default).toBe(1);")}`,
    [[STUBBED, `${STUBBED}vi.mock("./sum");\n`]],
    ["unit_stubbed 2"],
  ],
  [
    "one that stood there before",
    "sum.test.ts",
    `${STUBBED}vi.mock("./sum");\n${js("expect(sum.default).toBe(1);", "run();")}`,
    [["run();", "run(2);"]],
    [],
  ],
  [
    "with an import that is not finished",
    "sum.test.ts",
    `import\n${STUBBED}${js("expect(sum.default).toBe(1);")}`,
    [[STUBBED, `${STUBBED}vi.mock("./sum");\n`]],
    ["unit_stubbed 3"],
  ],
])("a stub in place of %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

const RAISES = "raise KeyError";

test.each<Row>([
  [
    "by a handler that does nothing",
    "src/a.ts",
    "await run();\nthrow new Error('late');\n",
    [["await run();\nthrow new Error('late');", "await run().catch(tell);"]],
    [],
  ],
  [
    "around what still throws it",
    "src/a.ts",
    "if (!x) throw new Error('x');\nrun(x);\n",
    [["if (!x) throw new Error('x');\nrun(x);", "try {\n  if (!x) throw new Error('x');\n  run(x);\n} catch {}"]],
    ["errors_swallowed 1"],
  ],
  [
    "of something that is new",
    "src/a.ts",
    "run(x);\n",
    [["run(x);", "run(x);\ntry {\n  throw new Error('x');\n} catch {}"]],
    [],
  ],
  ["before a `finally`", "src/a.ts", "try { run(); } finally { close(); }\nthrow a;\n", [["throw a;", ""]], []],
  ["before a `finally` of Python", "a.py", `try:\n    run()\nfinally:\n    ${RAISES}\n`, [[RAISES, "close()"]], []],
  ["by a `try` that begins no line", "a.py", `b = 1; try: run()\n${RAISES}\n`, [[RAISES, "pass"]], []],
  [
    "by a `suppress` deep in a line",
    "a.py",
    `${RAISES}\n`,
    [[RAISES, "x = run(a, b, c, suppress(KeyError))"]],
    ["errors_swallowed 1"],
  ],
  [
    "by a `suppress` that begins a file",
    "a.py",
    `${RAISES}\n`,
    [[RAISES, "suppress(KeyError)"]],
    ["errors_swallowed 1"],
  ],
  [
    "by `let _ =`",
    "src/a.rs",
    "fn a() {\n    parse()?;\n}\n",
    [["parse()?;", "let _ = parse();"]],
    ["errors_swallowed 2"],
  ],
  [
    "by `_ =` within a pattern",
    "src/a.rs",
    "fn a() {\n    parse()?;\n}\n",
    [["parse()?;", "if let Some(b, _) = parse() {}"]],
    [],
  ],
  ["by a value that is told", "lib/a.rb", "def a\n  raise B\nend\n", [["raise B", "run(a) rescue 0"]], []],
  [
    "by a `rescue` that gives nil",
    "lib/a.rb",
    "def a\n  run(a)\nrescue KeyError\n  raise\nend\n",
    [["  raise\n", "  nil\n"]],
    ["errors_swallowed 3"],
  ],
  [
    "by a `rescue` that gives something",
    "lib/a.rb",
    "def a\n  run(a)\nrescue KeyError\n  raise\nend\n",
    [["  raise\n", "  nil\n  tell\n"]],
    [],
  ],
])("an error that is kept silent %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});

test.each<Row>([
  ["that is a name", "a.test.ts", "it('a', { timeout }, run);\nrun(1);\n", [["run(1)", "run(100)"]], []],
  ["that another name says", "a.test.ts", "run({ timeout: LONG_TIMEOUT });\nrun(2);\n", [["(2)", "(3)"]], []],
  ["that has no number near", "a.test.ts", "run({ timeout: a.b.c.d.e.f.g.h(i), more: 2 });\n", [["2", "3"]], []],
  ["that a line ends", "a.test.ts", "const a = timeout\nrun(1)\n", [["run(1)", "run(100)"]], []],
  ["that goes on in the next line", "a.test.ts", "const timeout =\n  100;\n", [["100", "900"]], ["timeout_raised 1"]],
  [
    "without a unit in a command",
    "package.json",
    '{ "scripts": { "test": "npx prettier --check . && npx mocha --timeout=5000 --recursive" } }\n',
    [["5000", "9000"]],
    ["timeout_raised 1"],
  ],
  ["at the end of a text", "a.test.ts", "run(1);\nconst a = { timeout", [["run(1)", "run(100)"]], []],
])("a time limit %s [C40, C41]", (_, path, before, edits, bends) => {
  expect(bendsOf(path, before, edits)).toEqual(bends);
});
