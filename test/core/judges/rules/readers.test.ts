import { expect, test } from "vitest";
import { bracedSettings } from "../../../../src/core/judges/rules/read-braces.ts";
import { elementSettings, indentedSettings, sectionSettings } from "../../../../src/core/judges/rules/read-lines.ts";
import type { Setting } from "../../../../src/core/judges/rules/setting.ts";
import { splitCommands } from "../../../../src/core/judges/rules/split-commands.ts";

const told = (settings: readonly Setting[]): readonly string[] =>
  settings.map(({ path, value, line }) => `${line} ${path.join(" ")}: ${value}`);

type Row = readonly [string, string, readonly string[]];

const BRACES: readonly Row[] = [
  ["JSON with comments", '{\n  // a\n  "a": [1, /* b\n */ "x"],\n}', ["3 a: 1", "4 a: x"]],
  ["a module", "export default call({\n  a: { b: 'c' },\n});", ["2 export call a b: c"]],
  ["Gradle", "test {\n  exclude 'x'\n  on = true\n  off\n}", ["2 test exclude: x", "3 test on: true", "4 test: off"]],
  ["calls", 'tags("a", "b")', ["1 tags: a", "1 tags: b"]],
  ["Python", 'ignore += ["a"]  # and more', ["1 ignore: a"]],
  ["a value on the next line", "{ a:\n  'b' }", ["2 a: b"]],
  [
    "quotes that are escaped, and not closed",
    '{ "a": "b\\"c", d: \'e\n, f: `g\nh` }',
    ['1 a: b"c'.replace('"', '\\"'), "1 d: e", "2 f: g\nh"],
  ],
  ["arrows and comparisons", "a: () => b == c // d", ["1 : b", "1 : c"]],
  ["a comment without an end", "a: 1 /* b", ["1 a: 1"]],
  ["closed too often", "}])a: 1", ["1 a: 1"]],
];

test.each(BRACES)("%s in braces [C40]", (_, text, settings) => {
  expect(told(bracedSettings(text))).toEqual(settings);
});

test("what is very deep keeps the beginning of its path, and its end is found again [C40]", () => {
  const settings = bracedSettings(`${"a {".repeat(60)} b: 1 ${"}".repeat(60)} c: 2`);
  expect(settings.map(({ path, value }) => [path.length, value])).toEqual([
    [40, "1"],
    [1, "2"],
  ]);
});

test("a file has at most 20,000 settings [C40]", () => {
  expect(bracedSettings("1,".repeat(30_000))).toHaveLength(20_000);
  expect(indentedSettings("- 1\n".repeat(30_000))).toHaveLength(20_000);
  expect(sectionSettings("a=1\n".repeat(30_000))).toHaveLength(20_000);
  expect(elementSettings(`<a>${'<b c="1"/>'.repeat(30_000)}</a>`)).toHaveLength(20_000);
});

const INDENTED: readonly Row[] = [
  [
    "maps and lists",
    "a:\n  b: 1\n  c:\n  - 2\n  - d: 3\n    e: 4\n",
    ["2 a b: 1", "4 a c: 2", "5 a c d: 3", "6 a c e: 4"],
  ],
  ["comments", "# x\na: # y\n  b: 1 # z\n", ["3 a b: 1"]],
  ["texts of several lines", "a: |\n  x\n\n  # y\nb: >-\n  z\n", ["2 a: x", "4 a: # y", "6 b: z"]],
  ["lists in brackets", "a: [1, 2]\nb: [\n  3,\n]\nc: [\nd: 4\n", ["1 a: 1", "1 a: 2", "3 b: 3", "6 d: 4"]],
  ["quotes", "'a': \"b\"\nc: 'd\n", ["1 a: b", "2 c: d"]],
];

test.each(INDENTED)("%s in YAML [C40]", (_, text, settings) => {
  expect(told(indentedSettings(text))).toEqual(settings);
});

const SECTIONS: readonly Row[] = [
  ["sections", '[a.b]\nc = 1\n[[d]]\n"e" = "f"\n', ["2 a b c: 1", "4 d e: f"]],
  ["lists", "a = [\n  1,\n  2,\n]\nb = [3]\nc = {d = 4}\n", ["2 a: 1", "3 a: 2", "5 b: 3", "6 c d: 4"]],
  [
    "values that go on",
    "[s]\na =\n  b=1\n  c: 2\n  d\ne: f # g\n",
    ["3 s b: 1", "4 s b: c: 2", "5 s b: d", "6 s e: f"],
  ],
  ["what has no key", "[s]\nx\n", ["2 s: x"]],
];

test.each(SECTIONS)("%s in INI and TOML [C40]", (_, text, settings) => {
  expect(told(sectionSettings(text))).toEqual(settings);
});

const ELEMENTS: readonly Row[] = [
  ["texts", "<?xml?>\n<a>\n<b>1</b>\n</a>", ["3 a b: 1"]],
  ["attributes", '<a b="1"><c d="2"/></a>', ["1 a @b: 1", "1 a c @d: 2"]],
  ["comments", "<a><!-- <b>1</b> --><c>2</c></a>", ["1 a c: 2"]],
  ["what has no end", "<a>1<b", ["1 a: 1"]],
];

test.each(ELEMENTS)("%s in XML [C40]", (_, text, settings) => {
  expect(told(elementSettings(text))).toEqual(settings);
});

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["a b && c || d; e | f & g", ["a b &&", "c ||", "d ;", "e |", "f &", "g "]],
  ["(a; b) || c \"d; e\" 'f\\'", ["a ;", "b ||", "c d; e f\\ "]],
  ["a > out.txt 2>&1 < in b # c", ["a b "]],
  ["if ! a; then b; fi", ["a ;", "b ;", "fi "]],
  ['a ${{ x || y }} $(b | c) ${d:-e f} "g\\"h"', ['a ${{ x || y }} $(b | c) ${d:-e f} g\\"h ']],
  ["a ;; b \\; c $(d", ["a ;", "b \\; c $(d "]],
  ['; a ""', ["a  "]],
  ["{ a; b; } || c", ["a ;", "b ||", "c "]],
];

test.each(COMMANDS)("%s [C40]", (line, commands) => {
  expect(splitCommands(line).map(({ words, operator }) => `${words.join(" ")} ${operator}`)).toEqual(commands);
});

test("a line has at most 200 commands of at most 200 words [C40]", () => {
  expect(splitCommands("a;".repeat(300))).toHaveLength(200);
  expect(splitCommands("a ".repeat(300))[0]?.words).toHaveLength(200);
});
